//! A file that is dropped onto a page: as the sample of a design, and to be loaded.

use keystride::KeyRange;
use keystride_browser_harness::{BrowserError, Page, css};
use keystride_store::{Scan, TableName};

use super::examples;
use super::fixture::{Console, Done, column, wait_for_path};

#[tokio::test]
async fn a_sample_is_dropped_onto_the_designer() -> Done {
    let Some(console) = Console::start("a_sample_is_dropped_onto_the_designer").await else { return Ok(()) };
    let page = console.page("design").await?;
    drop_file(&page, "flights.csv", &examples::flights(200)).await?;
    page.wait_for_text("flights.csv · 200 rows read · CSV · UTF-8 · 19 columns").await?;
    page.wait_until("return document.querySelectorAll('.parts > li').length > 1", &[]).await?;
    page.click("Columns and how the file is read").await?;
    let names = column(&page, "19 columns", "Column").await?;
    assert_eq!((&*names[0], &*names[11]), ("year", "tailnum"));

    // What can't be read is told, and the design stays.
    page.click("Another file").await?;
    drop_file(&page, "flights.parquet", "year,month").await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[]).await?;
    page.wait_until("return document.querySelectorAll('.parts > li').length > 1", &[]).await?;
    Ok(())
}

#[tokio::test]
async fn a_dropped_file_is_loaded() -> Done {
    let Some(console) = Console::start("a_dropped_file_is_loaded").await else { return Ok(()) };
    let table = TableName::new("items")?;
    let before = console.store.count(&table, Scan::of(KeyRange::all())).await?;
    let page = console.page("t/items/load").await?;
    drop_file(&page, "items.csv", "id,name\n31,pears\n32,plums\n33,figs\n").await?;
    page.wait_for_text("The first 3 rows, as the design reads them").await?;
    page.click("Load items.csv").await?;
    wait_for_path(&page, "jobs").await?;
    page.wait_for_text("complete").await?;
    assert_eq!(console.store.count(&table, Scan::of(KeyRange::all())).await?, before + 3);
    Ok(())
}

async fn drop_file(page: &Page, name: &str, text: &str) -> Result<(), BrowserError> {
    page.drop_file(css(".drop"), name, text).await
}
