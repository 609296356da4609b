//! What a browser keeps: language, theme, and that it was let in.

use keystride_browser_harness::{Look, Theme};
use serde_json::json;

use super::fixture::{Console, Done};

#[tokio::test]
async fn language_and_theme_are_kept() -> Done {
    let Some(console) = Console::start("language_and_theme_are_kept").await else { return Ok(()) };
    let page = console.page("").await?;
    let theme = "return getComputedStyle(document.body).backgroundColor";
    let light = page.run_js(theme, &[]).await?;
    page.click("Light / dark").await?;
    let dark = page.run_js(theme, &[]).await?;
    assert_ne!(light, dark);
    page.click("中文").await?;
    page.wait_until("return document.documentElement.lang === 'zh-CN'", &[]).await?;
    page.wait_for_text("建表").await?;

    page.open(&console.running.url).await?;
    page.wait_for_text("建表").await?;
    assert_eq!(page.run_js(theme, &[]).await?, dark);
    page.click("English").await?;
    page.wait_for_text("Create table").await?;
    page.click("Light / dark").await?;
    assert_eq!(page.run_js(theme, &[]).await?, light);
    Ok(())
}

#[tokio::test]
async fn a_browser_is_asked_for_its_language_and_theme() -> Done {
    let Some(console) = Console::start("a_browser_is_asked_for_its_language_and_theme").await else {
        return Ok(());
    };
    let look = Look { language: "zh-CN", theme: Theme::Dark, ..Look::default() };
    let page = console.page_as("", look).await?;
    page.wait_for_text("建表").await?;
    let back = page.run_js("return getComputedStyle(document.body).backgroundColor", &[]).await?;
    assert_eq!(back, json!("rgb(20, 24, 27)"));
    Ok(())
}

#[tokio::test]
async fn a_token_lets_one_browser_in() -> Done {
    let Some(console) = Console::start("a_token_lets_one_browser_in").await else { return Ok(()) };
    let address = console.running.url_with_token("t/plain");
    let first = console.empty_page(Look::default()).await?;
    first.open(&address).await?;
    first.wait_for_text("No design is kept with this table").await?;
    assert_eq!(first.url().await?, format!("{}#/t/plain", console.running.url));
    // It was let in: it needs no token any more.
    first.open(&console.running.url).await?;
    first.wait_for_text("flights_by_time").await?;

    let second = console.empty_page(Look::default()).await?;
    for address in [&address, &console.running.url] {
        second.open(address).await?;
        second.wait_for_text("This browser may not ask yet").await?;
        second.wait_for_text("此浏览器还没有访问权限").await?;
        second.wait_until("return getComputedStyle(document.body).marginTop === '0px'", &[]).await?;
        let violations = second.axe().await?;
        assert!(violations.is_empty(), "{violations:?}");
    }
    Ok(())
}

#[tokio::test]
async fn an_address_is_followed_while_its_page_is_open() -> Done {
    let Some(console) = Console::start("an_address_is_followed_while_its_page_is_open").await else {
        return Ok(());
    };
    let page = console.page("t/flights/query?where=carrier%20%3D%20%27UA%27").await?;
    let is_asked =
        "return [...document.querySelectorAll('main input')].some(({ value }) => value === arguments[0])";
    page.wait_until(is_asked, &[json!("carrier = 'UA'")]).await?;
    page.run_js("location.hash = '#/t/flights/query?where=carrier%20%3D%20%27DL%27'", &[]).await?;
    page.wait_until(is_asked, &[json!("carrier = 'DL'")]).await?;
    page.run_js("history.back()", &[]).await?;
    page.wait_until(is_asked, &[json!("carrier = 'UA'")]).await?;
    Ok(())
}
