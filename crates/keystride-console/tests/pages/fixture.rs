//! A console in this process, and pages of it in a real Chromium.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keystride_browser_harness::{Browser, BrowserError, Look, Page, browser_or_skip};
use keystride_console::{Listen, Listener, Options, Running};
use keystride_store::{Durability, EmbeddedOptions, EmbeddedStore, Store};
use serde_json::json;
use tempfile::TempDir;

use super::examples;

pub(crate) type Done = Result<(), Box<dyn Error>>;

/// No page takes as long, even where many builds share the machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A console of an embedded store with the tables of `examples/`.
pub(crate) struct Console {
    pub(crate) running: Running,
    pub(crate) store: Arc<dyn Store>,
    /// The folder of `--files`.
    pub(crate) files: TempDir,
    browser: &'static Browser,
    _data: Option<TempDir>,
}

impl Console {
    /// A console that may change tables; `None` where there is to be no browser.
    pub(crate) async fn start(test: &str) -> Option<Self> {
        Self::with(test, |_| {}).await
    }

    pub(crate) async fn with(test: &str, set: impl FnOnce(&mut Options)) -> Option<Self> {
        let browser = browser_or_skip(test)?;
        let data = tempfile::tempdir().unwrap();
        let durability = Durability::Interval(Duration::from_secs(1));
        let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
        let store = EmbeddedStore::open(data.path().join("data"), options).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        examples::add_to(&store).await;
        Some(Self::serve(browser, store, "embedded:data", Some(data), set).await)
    }

    /// A console of another store.
    pub(crate) async fn of(test: &str, store: Arc<dyn Store>, address: &str) -> Option<Self> {
        let browser = browser_or_skip(test)?;
        Some(Self::serve(browser, store, address, None, |_| {}).await)
    }

    async fn serve(
        browser: &'static Browser,
        store: Arc<dyn Store>,
        address: &str,
        data: Option<TempDir>,
        set: impl FnOnce(&mut Options),
    ) -> Self {
        let files = tempfile::tempdir().unwrap();
        let mut options = Options::new(address.parse().unwrap());
        options.allow_write = true;
        options.files = Some(files.path().to_owned());
        set(&mut options);
        let listener = Listener::bind(Listen::At(([127, 0, 0, 1], 0).into())).await.unwrap();
        let (running, serving) = listener.serve(Arc::clone(&store), options).unwrap();
        tokio::spawn(async { serving.await.unwrap() });
        Self { running, store, files, browser, _data: data }
    }

    /// A page in English on light ground.
    pub(crate) async fn page(&self, path: &str) -> Result<Page, BrowserError> {
        self.page_as(path, Look::default()).await
    }

    /// A page in a browser that was let in by the token.
    pub(crate) async fn page_as(&self, path: &str, look: Look<'_>) -> Result<Page, BrowserError> {
        let page = self.empty_page(look).await?;
        page.open(&self.running.url_with_token(path)).await?;
        page.wait_until("return document.querySelector('main h1') !== null", &[]).await?;
        Ok(page)
    }

    /// A browser that was not let in yet.
    pub(crate) async fn empty_page(&self, look: Look<'_>) -> Result<Page, BrowserError> {
        Ok(self.browser.page(look).await?.with_patience(PATIENCE))
    }
}

/// Goes to another page of the console.
pub(crate) async fn go(page: &Page, path: &str) -> Result<(), BrowserError> {
    page.run_js("location.hash = '#/' + arguments[0]", &[json!(path)]).await.map(drop)
}

/// Returns when the address of the page is this one.
pub(crate) async fn wait_for_path(page: &Page, path: &str) -> Result<(), BrowserError> {
    let script = "return location.hash.split('?')[0] === '#/' + arguments[0]";
    page.wait_until(script, &[json!(path)]).await
}

/// The texts of a column of a table, by the names of both.
pub(crate) async fn column(page: &Page, table: &str, heading: &str) -> Result<Vec<String>, BrowserError> {
    let found = page.run_js(COLUMN, &[json!(table), json!(heading)]).await?;
    let texts = found.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(texts.iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect())
}

/// What is wrong with the page: what its console says, barriers, and what is wider than the window.
pub(crate) async fn faults(page: &Page, about: &str) -> Result<Vec<String>, BrowserError> {
    let mut faults = page.console_errors().await?;
    faults.extend(page.axe().await?.iter().map(ToString::to_string));
    let wide = page.run_js(WIDE, &[]).await?;
    faults.extend(
        wide.as_array().into_iter().flatten().map(|element| format!("wider than the window: {element}")),
    );
    Ok(faults.into_iter().map(|fault| format!("{about}: {fault}")).collect())
}

/// The elements that make the body wider than the window, the innermost last.
const WIDE: &str = "const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > width + 1);
    return wide.map((e) => e.cloneNode(false).outerHTML).slice(0, 5)";

/// Demands that nothing is wrong with the page.
pub(crate) async fn demand_sound(page: &Page, about: &str) -> Result<(), BrowserError> {
    assert_eq!(faults(page, about).await?, [""; 0]);
    Ok(())
}

/// Returns when a column of a table has these texts.
pub(crate) async fn wait_for_column(
    page: &Page,
    table: &str,
    heading: &str,
    texts: &[String],
) -> Result<(), BrowserError> {
    let script = format!(
        "const found = (function () {{ {COLUMN} }})(arguments[0], arguments[1]);
        return JSON.stringify(found) === JSON.stringify(arguments[2])"
    );
    page.wait_until(&script, &[json!(table), json!(heading), json!(texts)]).await
}

const COLUMN: &str = "const clean = (text) => text.replace(/[↑↓]/g, '').trim();
    const table = document.querySelector(`[role=region][aria-label=${JSON.stringify(arguments[0])}] table`);
    if (!table) return [];
    const at = [...table.tHead.rows[0].cells].findIndex((cell) => clean(cell.innerText) === arguments[1]);
    return [...table.tBodies[0].rows].map((row) => row.cells[at]?.innerText.trim() ?? '')";

/// With `KEYSTRIDE_PICTURES`, a folder, keeps a picture of the page in it, for whoever looks at all of them.
pub(crate) async fn keep_picture(page: &Page, name: &str) -> Result<(), BrowserError> {
    let Some(folder) = env::var_os("KEYSTRIDE_PICTURES").map(PathBuf::from) else { return Ok(()) };
    let name = name.replace(|letter: char| !letter.is_alphanumeric(), "-");
    page.screenshot(folder.join(format!("{name}.png"))).await
}
