//! A real Chromium on this machine, for tests of pages: driven as a user would, by names, texts and keys.
//!
//! It takes Debian's packages `chromium` and `chromium-driver`. Chromedriver is started once for each test binary, and each
//! [`Page`] has a Chromium and a profile of its own. All of them end with the process that started them, however that
//! ends, and leave nothing behind.
//!
//! Nothing here knows keystride's pages.
//!
//! ```no_run
//! use keystride_browser_harness::{Look, browser_or_skip};
//!
//! # async fn makes_a_table(url: &str) -> Result<(), keystride_browser_harness::BrowserError> {
//! let Some(browser) = browser_or_skip("makes_a_table") else { return Ok(()) };
//! let page = browser.page(Look { language: "zh-CN", ..Look::default() }).await?;
//! page.open(url).await?;
//! page.fill("Name", "calls").await?;
//! page.choose("Split by", "HexStringSplit").await?;
//! page.click("Create table").await?;
//! page.wait_for_text("16 regions").await?;
//! assert_eq!(page.console_errors().await?, [""; 0]);
//! assert_eq!(page.axe().await?, []);
//! # Ok(())
//! # }
//! ```
//!
//! In reading order: `browser` starts chromedriver (`driver`) and makes pages, `look` is how a page appears to its user,
//! `page` what can be asked of it. `act` is what a user does to it, with elements that `find` finds and keys of `keys`;
//! `wait` tries again until the page is ready. `axe` looks for barriers. `wire` speaks the `WebDriver` protocol.

mod act;
mod axe;
mod browser;
mod driver;
mod error;
mod find;
mod keys;
mod look;
mod page;
mod wait;
mod wire;

pub use axe::Violation;
pub use browser::{Browser, browser_or_skip};
pub use error::BrowserError;
pub use find::{Target, css, within};
pub use look::{Look, Theme};
pub use page::Page;
