use axum::Json;
use axum::extract::State;
use keystride_advisor::lint::Language;
use keystride_store::{StoreAddress, StoreError};
use serde::Serialize;

use super::ApiError;
use crate::served::Shared;

/// What a page must know before it asks for anything else.
#[derive(Serialize)]
pub(super) struct Session {
    version: &'static str,
    /// The address of the store.
    store: String,
    /// What the store is: a folder or a cluster.
    kind: &'static str,
    allow_write: bool,
    /// Whether files of the server can be named.
    files: bool,
    /// The language that was asked for.
    language: Option<&'static str>,
    /// The servers of the cluster.
    servers: Vec<String>,
}

pub(super) async fn session(State(served): State<Shared>) -> Result<Json<Session>, ApiError> {
    let options = &served.options;
    let kind = match options.store {
        StoreAddress::HBase(_) => "hbase",
        _ => "embedded",
    };
    let language = options.language.map(|language| match language {
        Language::English => "en",
        Language::Chinese => "zh-CN",
    });
    let servers = match served.store.servers().await {
        // Without a master, rows are read all the same.
        Err(StoreError::Cluster(_)) => Vec::new(),
        servers => servers?,
    };
    Ok(Json(Session {
        version: env!("CARGO_PKG_VERSION"),
        store: options.store.to_string(),
        kind,
        allow_write: options.allow_write,
        files: options.files.is_some(),
        language,
        servers,
    }))
}
