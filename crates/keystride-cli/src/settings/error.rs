//! Settings that can't be used: where they were set, what was found and what is expected.

use std::path::PathBuf;

use keystride::time::TimeError;
use keystride_advisor::lint::UnknownLanguage;

use super::context::{BadContextName, ContextName, UnknownContext};
use super::origin::{Origin, Place};
use crate::duration::BadDuration;
use crate::usage::Usage;

/// Why settings can't be used, or can't be stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("{path}: {cause}", path = path.display())]
    Read {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("{place}: {message}")]
    Syntax { place: Place, message: String },
    #[error("{place}: unknown word \"{found}\"{}", would_do(near.as_deref(), known))]
    UnknownWord { place: Place, found: String, near: Option<String>, known: Vec<&'static str> },
    #[error("{place}: \"{word}\" is {found}; it takes {wanted}")]
    Kind { place: Place, word: String, found: &'static str, wanted: &'static str },
    #[error("{path}: contexts is no table; write [contexts.NAME], and below it backend = …", path = path.display())]
    ContextsAreNoTable { path: PathBuf },
    #[error("{place}: context \"{name}\" has no store; write backend = \"hbase://zk1,zk2:2181/hbase\"")]
    NoBackend { place: Place, name: ContextName },
    #[error("{origin}: {cause}")]
    Value {
        origin: Origin,
        #[source]
        cause: Box<BadValue>,
    },
    #[error("{second}: a store and a context are both named, the other by {first}; name one of them")]
    TwoHomes { first: Box<Origin>, second: Box<Origin> },
    #[error(transparent)]
    UnknownContext(#[from] Box<UnknownContext>),
    #[error("no place is known for the user file; name one with KEYSTRIDE_CONFIG")]
    NoUserFile,
    #[error("{path}: there is a context \"{name}\" already; --replace gives it another store", path = path.display())]
    ContextExists { path: PathBuf, name: ContextName },
    #[error("{path}: backend = … is said there, beside which no context can be in use; take it out", path = path.display())]
    BackendInUse { path: PathBuf },
    #[error("a cluster acknowledges a write when its region server has logged it; leave out --durability")]
    DurabilityOfCluster,
}

/// A text that is not a value of its setting.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadValue {
    #[error(transparent)]
    Home(#[from] Usage),
    #[error(transparent)]
    Context(#[from] BadContextName),
    #[error("\"{found}\" is no format; write {}", .known.join(", "))]
    Format { found: String, known: Vec<&'static str> },
    #[error(transparent)]
    Zone(#[from] TimeError),
    #[error(transparent)]
    Language(#[from] UnknownLanguage),
    #[error(transparent)]
    Timeout(#[from] BadDuration),
    #[error("the value is no text in UTF-8")]
    NotUtf8,
}

fn would_do(near: Option<&str>, known: &[&str]) -> String {
    match near {
        Some(near) => format!(": did you mean \"{near}\"?"),
        None => format!("; there are {}", known.join(", ")),
    }
}
