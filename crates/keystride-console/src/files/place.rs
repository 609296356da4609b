use std::path::{Path, PathBuf};

use super::FileName;

/// Where a file is that a request names, or a folder that is written to.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    given: FileName,
}

impl Place {
    pub(crate) fn new(path: PathBuf, given: FileName) -> Self {
        Self { path, given }
    }

    /// Returns the name by which whoever asks knows it: its path below the folder, or the one with which it was sent.
    pub(crate) fn name(&self) -> String {
        match &self.given {
            FileName::Path(path) => path.clone(),
            FileName::Upload(_) => self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Returns a text in which it, and what is beside and below it, has such a name: where it is on the machine tells a
    /// browser nothing.
    pub(crate) fn named_in(&self, text: &str) -> String {
        let folder = |path: &Path| path.parent().unwrap_or(path).join("").to_string_lossy().into_owned();
        text.replace(&folder(&self.path), &folder(self.name().as_ref()))
    }

    /// Returns the name of a file beside it. Beside one that was sent, nothing is found but by its whole path.
    pub(crate) fn name_beside(&self, path: &Path) -> PathBuf {
        match &self.given {
            FileName::Path(_) => self.named_in(&path.to_string_lossy()).into(),
            FileName::Upload(_) => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_whoever_asks_knows_them() {
        let below =
            |given: &str| Place::new(format!("/srv/in/{given}").into(), FileName::Path(given.to_owned()));
        let text = |path: &str| format!("{path}/a.rejects.csv: denied, and /srv/other too");
        assert_eq!(below("a.csv").named_in(&text("/srv/in")), "a.rejects.csv: denied, and /srv/other too");
        assert_eq!(below("d/e/a.csv").named_in(&text("/srv/in/d/e")), text("d/e"));
        assert_eq!(below("out").named_in("/srv/in/out/dt=1: full"), "out/dt=1: full");
        let sent = Place::new("/tmp/k/1/a.csv".into(), FileName::Upload("1".to_owned()));
        assert_eq!(
            (sent.name(), sent.named_in("/tmp/k/1/a.csv:2: no")),
            ("a.csv".into(), "a.csv:2: no".into())
        );
        let beside = |place: Place, path: &str| place.name_beside(path.as_ref()).display().to_string();
        assert_eq!(beside(below("d/a.csv"), "/srv/in/d/a.rejects.csv"), "d/a.rejects.csv");
        assert_eq!(beside(sent, "/tmp/k/1/a.rejects.csv"), "/tmp/k/1/a.rejects.csv");
    }
}
