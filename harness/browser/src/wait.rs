//! Trying again until a page is ready, and telling what it shows when it never is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, process, thread};

use serde_json::{Value, json};

use crate::page::text_of;
use crate::{BrowserError, Page};

const LOOK_EVERY: Duration = Duration::from_millis(20);
const SHOWN_CHARS: usize = 2_000;

/// Why an attempt did not succeed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The page may still come to it; what was in the way.
    NotYet(String),
    /// It never will.
    Failed(BrowserError),
}

impl From<BrowserError> for Trouble {
    fn from(error: BrowserError) -> Self {
        match error {
            BrowserError::Refused { code, message, .. } if passes(&code, &message) => Self::NotYet(message),
            error => Self::Failed(error),
        }
    }
}

/// Whether an error is one of a page that is being drawn or left just now.
fn passes(code: &str, message: &str) -> bool {
    let passing = ["element click intercepted", "element not interactable", "stale element reference"];
    passing.contains(&code) || message.contains("aborted by navigation")
}

impl Page {
    /// Returns when the page's text contains this one, wherever lines are broken.
    ///
    /// # Errors
    ///
    /// It does not in time; the error has what the page shows.
    pub async fn wait_for_text(&self, text: &str) -> Result<(), BrowserError> {
        let script = "const clean = (text) => text.replace(/\\s+/g, ' ').trim();
            return clean(document.body.innerText).includes(clean(arguments[0]))";
        self.wait(&format!("wait for text {text:?}"), "it is not there", script, &[json!(text)]).await
    }

    /// Returns when a script returns what JavaScript takes for true: the body of a function, as in
    /// [`run_js`](Self::run_js).
    ///
    /// # Errors
    ///
    /// It throws, or does not in time; then the error has what the page shows.
    pub async fn wait_until(&self, script: &str, arguments: &[Value]) -> Result<(), BrowserError> {
        self.wait(&format!("wait until {script:?}"), "it is not so", script, arguments).await
    }

    async fn wait(
        &self,
        wanted: &str,
        problem: &str,
        script: &str,
        arguments: &[Value],
    ) -> Result<(), BrowserError> {
        let script =
            format!("return Promise.resolve((function() {{ {script}\n}})(...arguments)).then(Boolean)");
        self.until(wanted, async || match self.run_js(&script, arguments).await? {
            Value::Bool(true) => Ok(()),
            _ => Err(Trouble::NotYet(problem.to_owned())),
        })
        .await
    }

    /// Tries until an attempt succeeds or fails for good, as long as the page's patience lasts.
    pub(crate) async fn until<T>(
        &self,
        wanted: &str,
        mut attempt: impl AsyncFnMut() -> Result<T, Trouble>,
    ) -> Result<T, BrowserError> {
        let started = Instant::now();
        loop {
            let problem = match attempt().await {
                Ok(done) => return Ok(done),
                Err(Trouble::Failed(error)) => return Err(error),
                Err(Trouble::NotYet(problem)) => problem,
            };
            if started.elapsed() > self.patience {
                return self.unmet(wanted, problem).await;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn unmet<T>(&self, wanted: &str, problem: String) -> Result<T, BrowserError> {
        let text = self.run_js("return document.body?.innerText ?? ''", &[]).await.map(text_of)?;
        let picture = picture_path();
        Err(BrowserError::Unmet {
            wanted: wanted.to_owned(),
            problem,
            waited_s: self.patience.as_secs_f32(),
            url: self.url().await?,
            text: cut(&text),
            // The text is what matters: a full disk is no reason to lose it.
            screenshot: self.screenshot(&picture).await.ok().map(|()| picture),
        })
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A new file in `failed-pages` of the build's folder, named after the test, which its thread is named after.
fn picture_path() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    let program = env::current_exe().unwrap_or_default();
    let build = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    let folder = build.map_or_else(env::temp_dir, PathBuf::from).join("failed-pages");
    let thread = thread::current();
    let test = thread.name().unwrap_or("page").replace(|letter: char| !letter.is_alphanumeric(), "_");
    folder.join(format!("{test}-{}-{}.png", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
}
