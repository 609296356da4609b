//! A table of whatever design a test is about.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{program, stderr, stdout, written};

/// A design of two texts with a number as their key, behind its table's name.
pub(super) const TWO: &str = "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\na = { type = \"string\" }\n\
                   b = { type = \"string\" }\n[key]\nparts = [{ field = \"id\", as = \"be\" }]\n";

/// A folder with a design and the table made by it.
pub(super) struct Tried {
    folder: tempfile::TempDir,
    pub(super) design: String,
}

impl Tried {
    pub(super) fn new(design: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let design =
            written(folder.path(), "d.toml", &format!("format = 1\n[table]\nname = \"t\"\n{design}"));
        let tried = Self { folder, design };
        tried.done(&["table", "create", "-d", &tried.design]);
        tried
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.arg("--backend").arg(format!("embedded:{}/store", self.path().display()));
        command.args(args).current_dir(self.path());
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(super) fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    pub(super) fn load(&self, rows: &str, options: &[&str]) -> Output {
        let file = written(self.path(), "rows.csv", rows);
        self.run(&[&["load", "-t", "t", &file], options].concat())
    }

    /// Loads rows from the pipe that is its standard input, named as the first of `args`.
    pub(super) fn load_piped(&self, rows: &str, args: &[&str]) -> Output {
        let mut child = self
            .command(&[&["load", "-t", "t"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(rows.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}
