//! axe-core: looks for what keeps people from using a page.

use std::sync::OnceLock;
use std::{fmt, fs};

use keystride_hbase_harness::{Brought, Kept};
use serde_json::Value;

use crate::page::text_of;
use crate::{BrowserError, Page};

const FOLDER: &str = "axe-4.11.1";
const POM: &str = include_str!("../axe.pom.xml");
const RUN: &str = "
return axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations.map((violation) => ({
  id: violation.id,
  impact: violation.impact,
  help: violation.help,
  nodes: violation.nodes.slice(0, 5).map((node) => node.html),
})))";

/// A rule of axe-core that a page breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule's name, such as `image-alt`.
    pub id: String,
    /// How bad it is: `minor`, `moderate`, `serious` or `critical`.
    pub impact: String,
    /// What the rule demands.
    pub help: String,
    /// The first elements that break it, as HTML: at most five.
    pub nodes: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}): {}", self.id, self.impact, self.help)?;
        self.nodes.iter().try_for_each(|node| write!(out, "\n    {node}"))
    }
}

impl Page {
    /// The rules of axe-core that the page breaks as it is now, those of good practice included; colors too.
    ///
    /// # Errors
    ///
    /// Maven could not bring axe-core, which it does once.
    pub async fn axe(&self) -> Result<Vec<Violation>, BrowserError> {
        let violations = self.run_js(&format!("{}\n{RUN}", script()?), &[]).await?;
        let violations = violations.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(violations.iter().map(violation).collect())
    }
}

fn violation(told: &Value) -> Violation {
    let text = |name: &str| text_of(told[name].clone());
    let nodes = told["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    Violation {
        id: text("id"),
        impact: text("impact"),
        help: text("help"),
        nodes: nodes.iter().cloned().map(text_of).collect(),
    }
}

/// `axe.min.js`, which Deque publishes with what it has for Java.
fn script() -> Result<&'static str, BrowserError> {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    if let Some(script) = SCRIPT.get() {
        return Ok(script);
    }
    let file = Brought::ready(FOLDER, POM.to_owned(), Kept::Files)?.lib().join("axe.min.js");
    let script = fs::read_to_string(&file).map_err(BrowserError::file(file))?;
    Ok(SCRIPT.get_or_init(|| script))
}
