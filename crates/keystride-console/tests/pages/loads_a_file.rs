//! A load that is begun on a page: its first rows, and the record that it rejects.

use std::fs;

use keystride::KeyRange;
use keystride_store::{Scan, TableName};

use super::fixture::{Console, Done, demand_sound, keep_picture, wait_for_path};

const ITEMS: &str = "id,name\n21,pears\ntwenty,plums\n22,figs\n";

#[tokio::test]
async fn a_rejected_record_is_told_before_and_after_the_load() -> Done {
    let Some(console) = Console::start("a_rejected_record_is_told_before_and_after_the_load").await else {
        return Ok(());
    };
    let table = TableName::new("items")?;
    let before = console.store.count(&table, Scan::of(KeyRange::all())).await?;
    fs::create_dir(console.files.path().join("march"))?;
    fs::write(console.files.path().join("march/items.csv"), ITEMS)?;

    let page = console.page("t/items/load").await?;
    page.click("A file of this machine").await?;
    page.click("march/").await?;
    page.click("items.csv").await?;
    page.wait_for_text("The first 2 rows, as the design reads them").await?;
    page.wait_for_text("twenty").await?;
    page.wait_for_text("\\x00\\x00\\x00\\x15").await?;
    keep_picture(&page, "first-rows").await?;
    demand_sound(&page, "the first rows of a file").await?;
    page.click("Load march/items.csv").await?;

    wait_for_path(&page, "jobs").await?;
    page.wait_for_text("Load of march/items.csv into items").await?;
    page.wait_for_text("1 rejected").await?;
    page.wait_for_text("complete").await?;
    page.click("Log").await?;
    page.wait_for_text("rejected").await?;
    let log = page.text("pre.log").await?;
    assert!(log.contains(":3") && log.contains("twenty"), "{log}");
    keep_picture(&page, "jobs-with-log").await?;
    demand_sound(&page, "jobs with a log").await?;
    assert_eq!(console.store.count(&table, Scan::of(KeyRange::all())).await?, before + 2);
    Ok(())
}
