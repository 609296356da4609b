//! Settings that can't be used: where they were set, what was found and what is expected.

use std::path::PathBuf;

use keystride::time::TimeError;
use keystride_advisor::lint::UnknownLanguage;
use keystride_store::AddressError;

use super::context::{BadContextName, ContextName, UnknownContext};
use super::origin::{FileLine, Origin};
use crate::durability::BadDurability;
use crate::duration::BadDuration;

/// Why settings can't be used, or can't be stored.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A file can't be read.
    #[error("{path}: {cause}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// The user file can't be written.
    #[error("{path}: {cause}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// A file is not TOML.
    #[error("{place}: {message}")]
    Syntax {
        /// The line.
        place: FileLine,
        /// What the parser says.
        message: String,
    },
    /// A word is no setting.
    #[error("{place}: unknown word \"{found}\"{}", would_do(near.as_deref(), known))]
    UnknownWord {
        /// The line.
        place: FileLine,
        /// The word.
        found: String,
        /// A similar word that is a setting.
        near: Option<String>,
        /// All settings.
        known: Vec<&'static str>,
    },
    /// A value has the wrong type.
    #[error("{place}: \"{word}\" is {found}; it takes {wanted}")]
    Kind {
        /// The line.
        place: FileLine,
        /// The setting.
        word: String,
        /// The type of the value.
        found: &'static str,
        /// The type that it must have.
        wanted: &'static str,
    },
    /// The contexts of the user file are no table.
    #[error("{path}: contexts is not a table; write [contexts.NAME], and below it backend = …", path = path.display())]
    ContextsAreNoTable {
        /// The file.
        path: PathBuf,
    },
    /// A context names no store.
    #[error("{place}: context \"{name}\" has no store; write backend = \"hbase://zk1,zk2:2181/hbase\"")]
    NoBackend {
        /// The line.
        place: FileLine,
        /// The context.
        name: ContextName,
    },
    /// A text is not a value of its setting.
    #[error("{origin}: {cause}")]
    Value {
        /// Where it was set.
        origin: Origin,
        /// What is wrong with it.
        #[source]
        cause: Box<BadValue>,
    },
    /// One layer names two stores.
    #[error("{second}: a store and a context are both named, the other by {first}; name one of them")]
    TwoStores {
        /// Where the first is named.
        first: Box<Origin>,
        /// Where the second is named.
        second: Box<Origin>,
    },
    /// There is no such context.
    #[error(transparent)]
    UnknownContext(#[from] Box<UnknownContext>),
    /// The environment does not tell where the user file is.
    #[error("no place is known for the user file; name one with KEYSTRIDE_CONFIG")]
    NoUserFile,
    /// A context is to be added that exists.
    #[error("{path}: there is a context \"{name}\" already; --replace gives it another store", path = path.display())]
    ContextExists {
        /// The user file.
        path: PathBuf,
        /// The context.
        name: ContextName,
    },
    /// The user file names a store, so no context can be in use.
    #[error("{path}: backend = … is said there, beside which no context can be in use; take it out", path = path.display())]
    BackendInUse {
        /// The user file.
        path: PathBuf,
    },
    /// A level of durability was given for a cluster.
    #[error("a cluster acknowledges a write when its region server has logged it; leave out --durability")]
    DurabilityOfCluster,
}

/// A text that is not a value of its setting.
#[derive(Debug, thiserror::Error)]
pub enum BadValue {
    /// It is no address of a store.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// It is no level of durability.
    #[error(transparent)]
    Durability(#[from] BadDurability),
    /// It is no name of a context.
    #[error(transparent)]
    Context(#[from] BadContextName),
    /// It is no format.
    #[error("\"{found}\" is not a format; write {}", .known.join(", "))]
    Format {
        /// The text.
        found: String,
        /// All formats.
        known: Vec<&'static str>,
    },
    /// It is no time zone.
    #[error(transparent)]
    Zone(#[from] TimeError),
    /// It is no language.
    #[error(transparent)]
    Language(#[from] UnknownLanguage),
    /// It is no duration.
    #[error(transparent)]
    Timeout(#[from] BadDuration),
    /// It is not UTF-8.
    #[error("the value is not UTF-8 text")]
    NotUtf8,
}

fn would_do(near: Option<&str>, known: &[&str]) -> String {
    match near {
        Some(near) => format!(": did you mean \"{near}\"?"),
        None => format!("; there are {}", known.join(", ")),
    }
}
