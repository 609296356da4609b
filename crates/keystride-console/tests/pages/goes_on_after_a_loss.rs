//! Pages whose console is gone, or does not know the browser any more: they say so, and go on when it answers again.

use keystride::SplitPoints;
use keystride_browser_harness::{Look, Page};
use keystride_store::{Family, FamilyName, TableDescription, TableName};
use serde_json::json;

use super::fixture::{Console, Done, column, demand_sound, go, keep_picture};
use super::watches_a_load::begin_load;

/// The texts of the labels at the jobs: how each is.
const ENDS: &str =
    "[...document.querySelectorAll('.job .tag:not(.figures-line *)')].map((tag) => tag.innerText).join()";
/// What the frame says above every page.
const LOSS: &str = "document.querySelector('.loss').innerText";

async fn wait_for_loss(page: &Page, words: &str) -> Done {
    page.wait_until(&format!("return {LOSS}.includes(arguments[0])"), &[json!(words)]).await?;
    Ok(())
}

#[tokio::test]
async fn jobs_of_others_are_shown_and_are_not_known_once_the_console_is_gone() -> Done {
    let test = "jobs_of_others_are_shown_and_are_not_known_once_the_console_is_gone";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let (jobs, query) = (console.page("jobs").await?, console.page("t/flights/query").await?);
    jobs.wait_for_text("No load or extract was begun since").await?;
    begin_load(&console, "flights").await?;
    jobs.wait_until(&format!("return {ENDS} === 'runs'"), &[]).await?;
    demand_sound(&jobs, "a job of another").await?;
    query.wait_until("return document.querySelector('.plan') !== null", &[]).await?;

    console.running.end();
    wait_for_loss(&jobs, "The console does not answer").await?;
    jobs.wait_until(&format!("return {ENDS} === 'not known now'"), &[]).await?;
    let buttons = "return [...document.querySelectorAll('.job button')].map((one) => one.innerText).join()";
    assert!(!jobs.run_js(buttons, &[]).await?.to_string().contains("Cancel"));
    keep_picture(&jobs, "jobs-of-a-console-that-is-gone").await?;
    assert_eq!(jobs.axe().await?.len(), 0);
    query.click("Run Ctrl ↵").await?;
    query.wait_until("return document.querySelector('main [role=alert]')?.innerText.includes('The console does not answer')", &[]).await?;
    Ok(())
}

#[tokio::test]
async fn a_browser_that_is_let_in_again_goes_on_where_it_was() -> Done {
    let test = "a_browser_that_is_let_in_again_goes_on_where_it_was";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    for language in ["en-US", "zh-CN"] {
        let look = Look { language, ..Look::default() };
        let page = console.page_as("t/plain", look).await?;
        let (refresh, regions, start, words) = match language {
            "en-US" => ("Refresh", "Regions", "Start", "it ends in ?token=\u{2026}"),
            _ => ("刷新", "Region", "起点", "以 ?token=\u{2026} 结尾"),
        };
        page.wait_until("return document.querySelectorAll('main tbody tr').length >= 3", &[]).await?;
        let starts = column(&page, regions, start).await?;
        page.devtools("Network.clearBrowserCookies", &json!({})).await?;
        page.click(refresh).await?;
        wait_for_loss(&page, words).await?;
        assert_eq!(column(&page, regions, start).await?, starts);
        keep_picture(&page, &format!("a-session-that-ended-{language}")).await?;
        assert_eq!(page.axe().await?.len(), 0);
        // A page that has nothing yet waits, too.
        go(&page, "t/items").await?;
        wait_for_loss(&page, words).await?;
        page.run_js("fetch(arguments[0])", &[json!(console.running.url_with_token("").split('#').next())])
            .await?;
        page.wait_until(&format!("return {LOSS} === ''"), &[]).await?;
        page.wait_until("return document.querySelectorAll('main tbody tr').length >= 1", &[]).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_heat_of_a_table_that_is_dropped_and_made_anew_goes_on() -> Done {
    let test = "the_heat_of_a_table_that_is_dropped_and_made_anew_goes_on";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let name = TableName::new("plain")?;
    let page = console.page("t/plain/heat").await?;
    page.wait_until("return document.querySelector('main .tag.good') !== null", &[]).await?;
    console.running.store().drop_table(&name).await?;
    page.wait_for_text("There is no such table.").await?;
    let table = TableDescription::new(name, [Family::new(FamilyName::new("f")?)]);
    console.running.store().create(&table, &SplitPoints::default()).await?;
    page.wait_until("return document.querySelector('main .tag.good') !== null", &[]).await?;
    page.wait_until("return document.querySelector('main [role=alert]') === null", &[]).await?;
    Ok(())
}
