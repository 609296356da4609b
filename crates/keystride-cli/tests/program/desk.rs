//! A user file, a project, and a folder in it, for tests of settings.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{program, stderr, stdout, written};

/// A folder with a user file, a project, and a folder within it where the program runs.
pub(super) struct Desk {
    pub(super) folder: tempfile::TempDir,
}

impl Desk {
    pub(super) fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(desk.inner()).unwrap();
        desk
    }

    pub(super) fn user_file(&self) -> PathBuf {
        self.folder.path().join("config/keystride/config.toml")
    }

    pub(super) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(super) fn inner(&self) -> PathBuf {
        self.project().join("inner")
    }

    pub(super) fn set_user(&self, text: &str) {
        std::fs::create_dir_all(self.user_file().parent().unwrap()).unwrap();
        std::fs::write(self.user_file(), text).unwrap();
    }

    pub(super) fn set_project(&self, text: &str) {
        written(&self.project(), "keystride.toml", text);
    }

    pub(super) fn user_text(&self) -> String {
        std::fs::read_to_string(self.user_file()).unwrap()
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.args(args).current_dir(self.inner()).env("KEYSTRIDE_CONFIG", self.user_file());
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What a command prints that ends well.
    pub(super) fn told(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stderr(&output)
    }

    /// What a command says that is wrong use.
    pub(super) fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}{}", stdout(&output), stderr(&output));
        stderr(&output)
    }

    /// Value and origin of a setting, as `ctx show --origin` prints them.
    pub(super) fn setting(&self, word: &str, args: &[&str], variables: &[(&str, &str)]) -> (String, String) {
        let mut command = self.command(&[&["ctx", "show", "--origin", "--no-header"], args].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        let line = text.lines().find(|line| line.starts_with(&format!("{word}\t"))).unwrap();
        let mut cells = line.split('\t').skip(1).map(str::to_owned);
        (cells.next().unwrap(), cells.next().unwrap())
    }

    pub(super) fn at(&self, path: &Path, line: u32) -> String {
        // The working folder of the program is told without links.
        let path = self.folder.path().join(path);
        format!("{}:{line}", path.canonicalize().unwrap().display())
    }
}

pub(super) const TWO: &str = "# clusters of the house\n\n[contexts.prod]  # mind the rows\nbackend = \"hbase://zk1,zk2:2181/hbase\"\n\n\
                   # for trying\n[contexts.test]\nbackend = \"hbase+rpc://m:16000\"\n";

pub(super) const PROD: &str = "hbase://zk1:2181,zk2:2181/hbase";

pub(super) const TEST: &str = "hbase+rpc://m:16000";

pub(super) fn pair(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}
