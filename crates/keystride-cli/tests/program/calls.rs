//! A table of calls, for tests of commands on rows.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use super::{CALLS, program, stderr, stdout, written};

/// A folder with a store, and a table of calls in it.
pub(super) struct Calls {
    folder: tempfile::TempDir,
    pub(super) design: String,
}

impl Calls {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = CALLS.replace("ts = {", "seconds = { type = \"u32\" }\nts = {");
        let design = written(folder.path(), "d.toml", &text);
        let calls = Self { folder, design };
        assert_eq!(calls.run(&["table", "create", "-d", &calls.design]).status.code(), Some(0));
        calls
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.args(args).current_dir(self.path());
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(super) fn load(&self, name: &str, text: impl AsRef<[u8]>) -> Output {
        std::fs::write(self.path().join(name), text).unwrap();
        self.run(&["load", "-t", "calls", name, "--format", "json"])
    }

    pub(super) fn count(&self) -> u64 {
        stdout(&self.run(&["count", "calls"])).trim().parse().unwrap()
    }

    pub(super) fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }
}

pub(super) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

pub(super) const THREE: &str = "phone,seconds,ts\n13800138000,1,1586131200000\n13800138001,2,1586131200001\n13800138002,3,1586131200002\n";
