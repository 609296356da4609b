//! Commands and the like are copied by a button.

use serde_json::json;

use super::fixture::{Console, Done};

#[tokio::test]
async fn a_text_is_copied_or_selected() -> Done {
    let Some(console) = Console::start("a_text_is_copied_or_selected").await else { return Ok(()) };
    let page = console.page("t/plain").await?;
    page.click("As commands").await?;
    page.wait_for_text("keystride table regions 'plain'").await?;
    let shown = page.text("main pre").await?;

    page.run_js("navigator.clipboard.writeText = async (text) => { window.copied = text; }", &[]).await?;
    page.click("Copy").await?;
    page.wait_for_text("Copied").await?;
    assert_eq!(page.run_js("return window.copied", &[]).await?, json!(shown));

    // As browsers answer where the page is not trusted.
    page.run_js("navigator.clipboard.writeText = async () => { throw new Error('not allowed'); }", &[])
        .await?;
    page.click("Copy").await?;
    page.wait_until("return getSelection().toString().trim() === arguments[0]", &[json!(shown)]).await?;
    assert_eq!(page.console_errors().await?, [""; 0]);
    Ok(())
}
