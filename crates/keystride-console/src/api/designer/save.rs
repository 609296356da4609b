use std::path::Path;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use keystride_app::replaced_file::replace_file;
use serde::{Deserialize, Serialize};

use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::files::Folder;
use crate::served::Shared;

/// A design that is to be a file below the folder of `--files`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SaveRequest {
    design: String,
    path: String,
    /// Whether a file that is there may be replaced.
    #[serde(default)]
    replace: bool,
}

#[derive(Serialize)]
pub(in crate::api) struct Saved {
    path: String,
}

pub(in crate::api) async fn save(
    State(served): State<Shared>,
    body: Result<Json<SaveRequest>, JsonRejection>,
) -> Result<Json<Saved>, ApiError> {
    let Json(request) = body?;
    blocking(move || write(served.files.folder()?, &request)).await.map(Json)
}

fn write(folder: &Folder, request: &SaveRequest) -> Result<Saved, ApiError> {
    if Path::new(&request.path).extension().is_none_or(|ending| ending != "toml") {
        return Err(ApiError::bad_input("the name of a design file ends in .toml"));
    }
    let place = folder.place(&request.path)?;
    if place.is_dir() || (place.exists() && !request.replace) {
        let message = format!("there is a file {} already", request.path);
        return Err(ApiError::new(StatusCode::CONFLICT, "file-exists", message));
    }
    let not_written = |error: std::io::Error| {
        let message = format!("{} can't be written: {}", request.path, error.kind());
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "not-written", message)
    };
    replace_file(&place, &request.design).map_err(not_written)?;
    Ok(Saved { path: folder.shown(&place) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_when_told_and_nothing_is_written_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("in");
        std::fs::create_dir_all(inside.join("d.toml")).unwrap();
        let folder = Folder::open(&inside).unwrap();
        let save = |path: &str, design: &str, replace| {
            let request = SaveRequest { design: design.to_owned(), path: path.to_owned(), replace };
            write(&folder, &request).map(|saved| saved.path).ok()
        };
        assert_eq!(save("a.toml", "first", false), Some("a.toml".to_owned()));
        assert_eq!(save("a.toml", "second", false), None);
        assert_eq!(std::fs::read_to_string(inside.join("a.toml")).unwrap(), "first");
        assert_eq!(save("a.toml", "second", true), Some("a.toml".to_owned()));
        assert_eq!(std::fs::read_to_string(inside.join("a.toml")).unwrap(), "second");
        for path in ["../b.toml", "/tmp/b.toml", "none/b.toml", "b.txt", "d.toml", ""] {
            assert_eq!(save(path, "x", true), None, "{path}");
        }
    }
}
