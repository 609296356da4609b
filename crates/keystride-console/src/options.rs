use std::path::PathBuf;

use keystride_advisor::lint::Language;
use keystride_store::StoreAddress;

use crate::{AllowedHost, BasePath, TrustedHeader};

/// What a console shows and allows.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where the tables are, for commands that are shown.
    pub store: StoreAddress,
    /// Whether tables can be made, changed and removed.
    pub allow_write: bool,
    /// Names of this machine, or of a proxy, by which browsers may ask, beside those of the loopback.
    pub allowed_hosts: Vec<AllowedHost>,
    /// The path below which a proxy serves the console.
    pub base_path: BasePath,
    /// The header by which a proxy on this machine names its users, who then need no token.
    pub trusted_header: Option<TrustedHeader>,
    /// The folder whose files can be read, and written by extracts; without it, there are those that browsers send.
    pub files: Option<PathBuf>,
    /// The folder in which the heat of tables is kept, so that it outlasts the console; without it, it is kept in memory.
    pub history: Option<PathBuf>,
    /// The language of the pages; without it, the browser's.
    pub language: Option<Language>,
}

impl Options {
    /// Returns the options of a console that only reads.
    pub fn new(store: StoreAddress) -> Self {
        Self {
            store,
            allow_write: false,
            allowed_hosts: Vec::new(),
            base_path: BasePath::default(),
            trusted_header: None,
            files: None,
            history: None,
            language: None,
        }
    }
}
