//! Files that requests name: those that browsers have sent, and those of the folder that `--files` names.

mod folder;
mod place;
mod uploads;

use std::path::Path;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::ConsoleError;
use crate::api::ApiError;
pub(crate) use folder::{Entry, Folder};
pub(crate) use place::Place;
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

impl Files {
    /// Creates the place for files that are sent, and opens the folder.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, ConsoleError> {
        let uploads = Uploads::new()
            .map_err(|source| ConsoleError::Uploads { folder: std::env::temp_dir(), source })?;
        let open =
            |path| Folder::open(path).map_err(|source| ConsoleError::Files { folder: path.into(), source });
        Ok(Self { uploads, folder: folder.map(open).transpose()? })
    }

    /// Returns where a file is.
    pub(crate) fn find(&self, name: &FileName) -> Result<Place, ApiError> {
        let path = match name {
            FileName::Upload(id) => self.uploads.find(id).ok_or_else(ApiError::no_such_file)?,
            FileName::Path(path) => self.folder()?.find(path)?,
        };
        // To open a pipe would wait for whoever writes to it.
        if path.is_file() { Ok(Place::new(path, name.clone())) } else { Err(ApiError::no_file()) }
    }

    /// Returns a place below the folder for what is to be written.
    pub(crate) fn place(&self, path: &str) -> Result<Place, ApiError> {
        Ok(Place::new(self.folder()?.place(path)?, FileName::Path(path.to_owned())))
    }

    /// Returns the folder.
    pub(crate) fn folder(&self) -> Result<&Folder, ApiError> {
        let message =
            "this console reads no files of its machine: `keystride serve --files DIR` names a folder";
        self.folder.as_ref().ok_or_else(|| ApiError::new(StatusCode::FORBIDDEN, "no-files", message))
    }
}
