//! Files that requests name: those that browsers have sent, and those of the folder that `--files` names.

mod folder;
mod uploads;

use std::io;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::api::ApiError;
pub(crate) use folder::{Entry, Folder};
pub(crate) use uploads::Uploads;

/// The files of a console.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) uploads: Uploads,
    pub(crate) folder: Option<Folder>,
}

/// A file that a request names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FileName {
    /// One that a browser has sent, by its id.
    Upload(String),
    /// One below the folder, by its path there.
    Path(String),
}

/// Returns a text in which a file is called by its name: where it is on the machine tells a browser nothing.
pub(crate) fn by_name(text: &str, path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    text.replace(&*path.to_string_lossy(), &name)
}

impl Files {
    /// Creates the place for files that are sent, and opens the folder.
    pub(crate) fn open(folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self { uploads: Uploads::new()?, folder: folder.map(Folder::open).transpose()? })
    }

    /// Returns the path of a file.
    pub(crate) fn find(&self, name: &FileName) -> Result<PathBuf, ApiError> {
        match name {
            FileName::Upload(id) => self.uploads.find(id).ok_or_else(ApiError::no_such_file),
            FileName::Path(path) => self.folder()?.find(path),
        }
    }

    /// Returns the folder.
    pub(crate) fn folder(&self) -> Result<&Folder, ApiError> {
        let message =
            "this console reads no files of its machine: `keystride serve --files DIR` names a folder";
        self.folder.as_ref().ok_or_else(|| ApiError::new(StatusCode::FORBIDDEN, "no-files", message))
    }
}
