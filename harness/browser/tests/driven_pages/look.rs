use std::error::Error;

use keystride_browser_harness::{Browser, Look, Page, Theme, browser_or_skip};
use serde_json::{Value, json};

use crate::site::serve;

#[tokio::test]
async fn pages_side_by_side_have_looks_of_their_own() -> Result<(), Box<dyn Error>> {
    let Some(browser) = browser_or_skip("pages_side_by_side_have_looks_of_their_own") else { return Ok(()) };
    let url = serve()?;
    let chinese = Look { language: "zh-CN", theme: Theme::Dark, width: 390, height: 844 };
    let (chinese, english) =
        tokio::try_join!(opened(browser, &url, chinese), opened(browser, &url, Look::default()))?;

    assert_eq!(seen(&chinese).await?, json!([["zh-CN", "zh"], "zh-CN", true, 390, 844]));
    assert_eq!(chinese.text("#language").await?, "zh-CN,zh;q=0.9");
    assert_eq!(seen(&english).await?, json!([["en-US", "en"], "en-US", false, 1280, 800]));
    assert_eq!(english.text("#language").await?, "en-US,en;q=0.9");

    // Nor do they share what pages store.
    chinese.run_js("localStorage.name = 'calls'", &[]).await?;
    assert_eq!(english.run_js("return localStorage.name ?? null", &[]).await?, Value::Null);

    // They stay so on the next page, and a picture has their size.
    chinese.open(&url).await?;
    chinese.set_size(400, 300).await?;
    assert_eq!(seen(&chinese).await?, json!([["zh-CN", "zh"], "zh-CN", true, 400, 300]));
    let folder = tempfile::tempdir()?;
    let picture = folder.path().join("new folder/page.png");
    chinese.screenshot(&picture).await?;
    let picture = std::fs::read(picture)?;
    assert_eq!(picture[..4], *b"\x89PNG");
    assert_eq!(picture[16..24], [0, 0, 1, 144, 0, 0, 1, 44]);
    Ok(())
}

async fn opened(browser: &Browser, url: &str, look: Look<'_>) -> Result<Page, Box<dyn Error>> {
    let page = browser.page(look).await?;
    page.open(url).await?;
    Ok(page)
}

async fn seen(page: &Page) -> Result<Value, Box<dyn Error>> {
    let script = "return [navigator.languages, Intl.DateTimeFormat().resolvedOptions().locale,
        matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, innerHeight]";
    Ok(page.run_js(script, &[]).await?)
}
