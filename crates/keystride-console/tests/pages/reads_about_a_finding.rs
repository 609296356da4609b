//! The page of a lint, in the language of its reader, beside a finding of a design that was pasted.

use keystride_browser_harness::{Look, Page};
use serde_json::json;

use super::examples::design_text;
use super::fixture::{Console, Done, demand_sound, keep_picture};

/// The heading of each section of the page.
async fn headings(page: &Page) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    page.wait_until("return document.querySelector('.lint-page') !== null", &[]).await?;
    let script = "return [...document.querySelectorAll('.lint-page h4')].map((heading) => heading.innerText)";
    Ok(page.run_js(script, &[]).await?)
}

#[tokio::test]
async fn a_finding_has_a_page() -> Done {
    let Some(console) = Console::start("a_finding_has_a_page").await else { return Ok(()) };
    let page = console.page("design").await?;
    page.click("Open").await?;
    page.fill("Or paste a design, TOML or JSON", &design_text("flights/time-first.toml")).await?;
    page.click("Open what is pasted").await?;
    page.click("About HOT01").await?;
    let sections = ["What it checks", "Why it matters", "What to do", "What it needs"];
    assert_eq!(headings(&page).await?, json!(sections));
    let broken =
        "return [...document.querySelectorAll('.lint-page p')].some((one) => one.innerText.includes('\\n'))";
    assert_eq!(page.run_js(broken, &[]).await?, json!(false), "the window breaks the lines");
    demand_sound(&page, "the page of a lint").await?;
    Ok(())
}

#[tokio::test]
async fn the_page_of_a_finding_is_in_chinese() -> Done {
    let Some(console) = Console::start("the_page_of_a_finding_is_in_chinese").await else { return Ok(()) };
    let page = console.page_as("design", Look { language: "zh-CN", ..Look::default() }).await?;
    page.click("打开").await?;
    page.fill("或粘贴一份设计（TOML 或 JSON）", &design_text("flights/time-first.toml")).await?;
    page.click("打开粘贴的设计").await?;
    page.click("关于 HOT01").await?;
    assert_eq!(headings(&page).await?, json!(["检查什么", "为什么重要", "怎么办", "需要什么"]));
    keep_picture(&page, "lint-page-in-chinese").await?;
    let spaced =
        "return /\\p{Script=Han} \\p{Script=Han}/u.test(document.querySelector('.lint-page').innerText)";
    assert_eq!(page.run_js(spaced, &[]).await?, json!(false), "Chinese lines are joined without a space");
    Ok(())
}
