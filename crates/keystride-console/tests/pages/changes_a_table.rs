//! A table's page: its regions, and what changes them.

use keystride::KeyRange;
use keystride_store::{Scan, TableName};
use serde_json::json;

use super::fixture::{Console, Done, column, demand_sound, keep_picture, wait_for_column, wait_for_path};

/// Numbers as pages write them.
fn numbers(texts: &[String]) -> Vec<u64> {
    texts.iter().map(|text| text.replace(',', "").parse().unwrap()).collect()
}

#[tokio::test]
async fn regions_are_sorted_and_counted_by_bucket() -> Done {
    let Some(console) = Console::start("regions_are_sorted_and_counted_by_bucket").await else {
        return Ok(());
    };
    let page = console.page("t/flights").await?;
    let says_empty = "return document.body.innerText.includes('No row was written')";
    assert_eq!(page.run_js(says_empty, &[]).await?, json!(false));
    page.click("Rows written").await?;
    page.wait_until("return document.querySelector('[aria-sort=descending]') !== null", &[]).await?;
    let sorted = numbers(&column(&page, "Regions", "Rows written").await?);
    assert!(sorted.len() == 8 && sorted.is_sorted_by(|one, other| one >= other), "{sorted:?}");
    page.click("Rows written ↓").await?;
    page.wait_until("return document.querySelector('[aria-sort]') === null", &[]).await?;

    let by_region = numbers(&column(&page, "Regions", "Rows written").await?);
    page.choose("Shown by", "bucket").await?;
    let buckets: Vec<String> = (0..8).map(|bucket| bucket.to_string()).collect();
    wait_for_column(&page, "bucket", "Bucket", &buckets).await?;
    assert_eq!(numbers(&column(&page, "bucket", "Rows written").await?), by_region);

    page.click("Check against the design").await?;
    page.wait_for_text("Fits").await?;
    page.click("Design").await?;
    page.wait_for_text("[key]").await?;
    page.press("ArrowRight").await?;
    assert_eq!(page.focused().await?, "Split points");
    page.wait_until("return document.querySelector('[role=tabpanel]').innerText.startsWith('1\\n2\\n')", &[])
        .await?;
    page.click("As commands").await?;
    page.wait_for_text("keystride table regions 'flights' --backend 'embedded:data'").await?;
    demand_sound(&page, "a table by bucket").await?;
    Ok(())
}

#[tokio::test]
async fn a_region_is_split_and_the_table_compacted() -> Done {
    let Some(console) = Console::start("a_region_is_split_and_the_table_compacted").await else {
        return Ok(());
    };
    let page = console.page("t/flights").await?;
    page.click("Split").await?;
    page.fill("Key", "3N5").await?;
    keep_picture(&page, "split").await?;
    demand_sound(&page, "the window for a split").await?;
    page.click("Split").await?;
    let starts = ["−∞", "1", "2", "3", "3N5", "4", "5", "6", "7"].map(str::to_owned);
    wait_for_column(&page, "Regions", "Start", &starts).await?;

    // No flight's key has a second "!" there, so nothing can come before it.
    page.click("Split").await?;
    page.fill("Key", "8").await?;
    page.click("Split").await?;
    page.wait_until("return document.querySelector('dialog [role=alert]') !== null", &[]).await?;
    page.click("Cancel").await?;

    page.click("Compact").await?;
    page.click("Compact").await?;
    page.wait_until("return document.querySelector('dialog') === null", &[]).await?;
    wait_for_column(&page, "Regions", "Start", &starts).await?;
    Ok(())
}

#[tokio::test]
async fn removing_takes_the_name_of_the_table() -> Done {
    let Some(console) = Console::start("removing_takes_the_name_of_the_table").await else { return Ok(()) };
    let table = TableName::new("flights")?;
    let page = console.page("t/flights").await?;
    let is_off = "return document.querySelector('dialog button[type=submit]').disabled";

    page.click("Truncate").await?;
    page.fill("Type flights to confirm", "flight").await?;
    page.wait_until(is_off, &[]).await?;
    demand_sound(&page, "the window for a truncation").await?;
    page.fill("Type flights to confirm", "flights").await?;
    page.click("Truncate").await?;
    page.wait_until("return document.querySelector('dialog') === null", &[]).await?;
    assert_eq!(console.store.count(&table, Scan::of(KeyRange::all())).await?, 0);
    assert_eq!(console.store.regions(&table).await?.len(), 8);

    page.click("Drop").await?;
    page.wait_until(is_off, &[]).await?;
    page.fill("Type flights to confirm", "flights").await?;
    page.click("Drop").await?;
    wait_for_path(&page, "").await?;
    page.wait_for_text("flights_by_time").await?;
    assert!(!column(&page, "Tables", "Table").await?.contains(&"flights".to_owned()));
    assert!(!console.store.exists(&table).await?);
    demand_sound(&page, "the tables without one").await?;
    Ok(())
}
