//! A script in what a page shows is text: in a value, a family, a design, an address and the name of a file.

use std::fs;
use std::io::Cursor;

use keystride::SplitPoints;
use keystride_browser_harness::{BrowserError, Page};
use keystride_store::{Family, FamilyName, TableDescription, TableName};
use serde_json::json;

use super::examples;
use super::fixture::{Console, Done, go, wait_for_path};

const SCRIPT: &str = "<img src=x onerror=hit=1><b>!";

/// Demands that the page shows the script, and made no element of it.
async fn demand_text(page: &Page, about: &str) -> Result<(), BrowserError> {
    let shown = "return [...document.querySelectorAll('main, main input, main textarea')].some((one) =>
        (one.value ?? one.innerText).includes(arguments[0]))";
    page.wait_until(shown, &[json!(SCRIPT)]).await?;
    let made = "return [...document.querySelectorAll('main :is(img, b, script, iframe)')].length + Number('hit' in window)";
    assert_eq!(page.run_js(made, &[]).await?, json!(0), "{about}");
    let errors = page.console_errors().await?;
    let own = errors.iter().filter(|error| !error.contains("Failed to load resource"));
    assert_eq!(own.collect::<Vec<_>>(), [""; 0], "{about}");
    Ok(())
}

#[tokio::test]
async fn a_script_is_shown_as_text_on_every_page() -> Done {
    let Some(console) = Console::start("a_script_is_shown_as_text_on_every_page").await else {
        return Ok(());
    };
    let design = examples::design_text("seed-001/design.toml")
        .replace("name = \"items\"", "name = \"scripted\"")
        .replace("# Items", &format!("# {SCRIPT} items"))
        .replace("max_len = 40 }", &format!("max_len = 40, default = \"{SCRIPT}\" }}"))
        + "[columns]\nother = \"drop\"\n";
    let table = examples::create_by(&console.store, &design).await;
    examples::put(&table, Cursor::new(format!("id,name\n7,{SCRIPT}\n"))).await;
    let family = Family::new(FamilyName::new(SCRIPT)?);
    let odd = TableDescription::new(TableName::new("odd")?, [family]);
    console.store.create(&odd, &SplitPoints::new([SCRIPT])?).await?;
    let file = format!("{SCRIPT}.csv");
    fs::write(console.files.path().join(&file), format!("id,name,{SCRIPT}\n8,x,y\n"))?;

    let page = console.page("t/odd").await?;
    demand_text(&page, "a family and a split point").await?;
    go(&page, "t/scripted").await?;
    page.click("Design").await?;
    demand_text(&page, "a design").await?;
    go(&page, "t/scripted/query").await?;
    page.click("Run Ctrl ↵").await?;
    page.wait_for_text("1 row").await?;
    demand_text(&page, "a value").await?;
    page.fill("Predicate", SCRIPT).await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[]).await?;
    demand_text(&page, "a predicate").await?;
    go(&page, "t/scripted/heat").await?;
    page.wait_until("return document.querySelector('main canvas') !== null", &[]).await?;

    go(&page, "create").await?;
    page.fill("Name", SCRIPT).await?;
    page.choose("Split by", "a list").await?;
    page.fill("Points", SCRIPT).await?;
    demand_text(&page, "the form for a table").await?;
    page.choose("Families from", "a design").await?;
    page.fill("Design", &format!("format = 1\n[table]\nname = \"{SCRIPT}\"\n")).await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[]).await?;
    demand_text(&page, "a design with mistakes").await?;
    go(&page, "key").await?;
    page.fill("Key", SCRIPT).await?;
    page.wait_until("return document.querySelector('main dl') !== null", &[]).await?;
    demand_text(&page, "a key").await?;
    go(&page, &format!("t/{SCRIPT}")).await?;
    demand_text(&page, "an address").await?;

    go(&page, "t/scripted/load").await?;
    page.click("A file of this machine").await?;
    page.click(file.as_str()).await?;
    page.wait_until("return document.querySelector('main tbody tr') !== null", &[]).await?;
    page.click(format!("Load {file}").as_str()).await?;
    wait_for_path(&page, "jobs").await?;
    page.wait_for_text(&file).await?;
    page.wait_for_text("complete").await?;
    page.click("Log").await?;
    page.wait_until("return document.querySelector('pre.log') !== null", &[]).await?;
    let made = "return document.querySelectorAll('main :is(img, b, script, iframe)').length + Number('hit' in window)";
    assert_eq!(page.run_js(made, &[]).await?, json!(0));
    Ok(())
}
