use axum::Json;
use axum::extract::rejection::JsonRejection;
use keystride_advisor::edited;
use keystride_advisor::lint::{Change, Edit, PathStep};
use keystride_app::designer::Draft;
use serde::{Deserialize, Serialize};

use crate::api::ApiError;

/// Changes to the text of a design.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct EditRequest {
    design: String,
    /// The changes, one after the other; without any, a design in JSON becomes one in TOML.
    #[serde(default)]
    edits: Vec<EditDocument>,
}

/// A change of a design file: exactly one of `set`, `insert`, `move_to` and `remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditDocument {
    /// The place: words of tables, and indexes of arrays.
    path: Vec<Step>,
    #[serde(flatten)]
    change: ChangeDocument,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Step {
    Index(usize),
    Word(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChangeDocument {
    /// A value in TOML.
    Set(String),
    /// An element in TOML, which is put before the one at the place.
    Insert(String),
    /// Where the element goes.
    MoveTo(usize),
    Remove(True),
}

/// `true`, as what is removed has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "bool", into = "bool")]
struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(yes: bool) -> Result<Self, Self::Error> {
        if yes { Ok(Self) } else { Err("remove is true, or left out") }
    }
}

impl From<True> for bool {
    fn from(True: True) -> Self {
        true
    }
}

impl From<&EditDocument> for Edit {
    fn from(document: &EditDocument) -> Self {
        let path = document.path.iter().map(|step| match step {
            Step::Index(index) => PathStep::Index(*index),
            Step::Word(word) => PathStep::Word(word.clone()),
        });
        let change = match &document.change {
            ChangeDocument::Set(toml) => Change::Set(toml.clone()),
            ChangeDocument::Insert(toml) => Change::Insert(toml.clone()),
            ChangeDocument::MoveTo(index) => Change::MoveTo(*index),
            ChangeDocument::Remove(True) => Change::Remove,
        };
        Self { path: path.collect(), change }
    }
}

impl From<&Edit> for EditDocument {
    fn from(edit: &Edit) -> Self {
        let path = edit.path.iter().map(|step| match step {
            PathStep::Index(index) => Step::Index(*index),
            PathStep::Word(word) => Step::Word(word.clone()),
        });
        let change = match &edit.change {
            Change::Set(toml) => ChangeDocument::Set(toml.clone()),
            Change::Insert(toml) => ChangeDocument::Insert(toml.clone()),
            Change::MoveTo(index) => ChangeDocument::MoveTo(*index),
            Change::Remove => ChangeDocument::Remove(True),
        };
        Self { path: path.collect(), change }
    }
}

#[derive(Serialize)]
pub(in crate::api) struct Edited {
    design: String,
}

/// Changes the text of a design. The result need not be a design: what is wrong with it is shown by a preview.
pub(in crate::api) async fn edit(
    body: Result<Json<EditRequest>, JsonRejection>,
) -> Result<Json<Edited>, ApiError> {
    let Json(EditRequest { design, edits }) = body?;
    let text = Draft::read(&design).text;
    if edits.is_empty() {
        return Ok(Json(Edited { design: text }));
    }
    let edits: Vec<Edit> = edits.iter().map(Edit::from).collect();
    let Some(design) = edited(&text, &edits) else {
        let changes: Vec<String> = edits.iter().map(ToString::to_string).collect();
        let message = format!("this can't be changed in the text as it is: {}", changes.join("; "));
        return Err(ApiError::bad_input(message));
    };
    Ok(Json(Edited { design }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_written_as_it_is_read() {
        for json in [
            r#"{"path":["key","parts",0,"pad"],"set":"4"}"#,
            r#"{"path":["key","parts",1],"insert":"{ text = \"_\" }"}"#,
            r#"{"path":["key","parts",1],"move_to":0}"#,
            r#"{"path":["key","parts",1],"remove":true}"#,
        ] {
            let document: EditDocument = serde_json::from_str(json).unwrap();
            let again = EditDocument::from(&Edit::from(&document));
            assert_eq!(serde_json::to_string(&again).unwrap(), json);
        }
        for json in [r#"{"path":["a"]}"#, r#"{"path":["a"],"remove":false}"#, r#"{"path":["a"],"drop":1}"#] {
            assert!(serde_json::from_str::<EditDocument>(json).is_err(), "{json}");
        }
    }
}
