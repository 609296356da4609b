//! A page in a browser, and what can be asked of it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::look::size;
use crate::wire::Wire;
use crate::{BrowserError, Look};

const PATIENCE: Duration = Duration::from_secs(10);

/// A page in a Chromium and a profile of its own. Both end when it is dropped.
///
/// What it is told to do is tried again until the page is ready for it, for ten seconds unless
/// [`with_patience`](Self::with_patience) says otherwise.
#[derive(Debug)]
pub struct Page {
    wire: Wire,
    session: String,
    pub(crate) patience: Duration,
}

impl Page {
    pub(crate) async fn new(wire: Wire, look: Look<'_>) -> Result<Self, BrowserError> {
        let answer = wire.post("/session", &look.capabilities()).await?;
        let Some(id) = answer["sessionId"].as_str() else {
            return Err(BrowserError::Answer { asked: "/session".to_owned(), answer: answer.to_string() });
        };
        let page = Self { wire, session: format!("/session/{id}"), patience: PATIENCE };
        for (command, parameters) in look.commands() {
            page.devtools(command, &parameters).await?;
        }
        Ok(page)
    }

    /// With another limit for what it waits for.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Goes to an address and returns when it is loaded.
    ///
    /// # Errors
    ///
    /// Nobody answers there, or not within 30 seconds.
    pub async fn open(&self, url: &str) -> Result<(), BrowserError> {
        self.post("url", &json!({"url": url})).await.map(drop)
    }

    /// The address that the page is at.
    ///
    /// # Errors
    ///
    /// The browser is gone, as everywhere here.
    pub async fn url(&self) -> Result<String, BrowserError> {
        self.get("url").await.map(text_of)
    }

    /// The page's title.
    ///
    /// # Errors
    ///
    /// See [`url`](Self::url).
    pub async fn title(&self) -> Result<String, BrowserError> {
        self.get("title").await.map(text_of)
    }

    /// Runs the body of a function in the page, and returns what it returns, or what its promise becomes.
    ///
    /// Its arguments are in `arguments`. The page's Content-Security-Policy does not apply to it.
    ///
    /// # Errors
    ///
    /// The script throws, or returns nothing for 30 seconds.
    pub async fn run_js(&self, script: &str, arguments: &[Value]) -> Result<Value, BrowserError> {
        self.post("execute/sync", &json!({"script": script, "args": arguments})).await
    }

    /// A command of Chrome's `DevTools`, such as `Emulation.setTimezoneOverride`.
    ///
    /// # Errors
    ///
    /// There is no such command, or not with these parameters.
    pub async fn devtools(&self, command: &str, parameters: &Value) -> Result<Value, BrowserError> {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters})).await
    }

    /// Gives the page another size, in pixels.
    ///
    /// # Errors
    ///
    /// The size is beyond what Chromium can show.
    pub async fn set_size(&self, width: u32, height: u32) -> Result<(), BrowserError> {
        let (command, parameters) = size(width, height);
        self.devtools(command, &parameters).await.map(drop)
    }

    /// Errors and warnings in the browser's console since this was last asked: those of scripts, requests that failed, and
    /// what the Content-Security-Policy has blocked.
    ///
    /// # Errors
    ///
    /// See [`url`](Self::url).
    pub async fn console_errors(&self) -> Result<Vec<String>, BrowserError> {
        let entries = self.post("se/log", &json!({"type": "browser"})).await?;
        let bad = |entry: &&Value| matches!(entry["level"].as_str(), Some("WARNING" | "SEVERE"));
        let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default().iter();
        Ok(entries.filter(bad).map(|entry| text_of(entry["message"].clone())).collect())
    }

    /// Writes a picture of what is in the window, as PNG; the file's folder is made if need be.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub async fn screenshot(&self, path: impl AsRef<Path>) -> Result<(), BrowserError> {
        let path = path.as_ref();
        let picture = text_of(self.get("screenshot").await?);
        let picture = BASE64.decode(picture.as_bytes()).map_err(|error| BrowserError::Answer {
            asked: "screenshot".to_owned(),
            answer: format!("{error} in {} bytes of base64", picture.len()),
        })?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(BrowserError::file(folder))?;
        }
        fs::write(path, picture).map_err(BrowserError::file(path))
    }

    pub(crate) async fn get(&self, command: &str) -> Result<Value, BrowserError> {
        self.wire.get(&format!("{}/{command}", self.session)).await
    }

    pub(crate) async fn post(&self, command: &str, body: &Value) -> Result<Value, BrowserError> {
        self.wire.post(&format!("{}/{command}", self.session), body).await
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // What can't be closed ends with chromedriver, and drop has nobody to tell.
        let _ = self.wire.delete_blocking(&self.session);
    }
}

/// The text of a value that is one.
pub(crate) fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
