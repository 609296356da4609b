//! An extract that is cancelled on the page of jobs, and goes on from there.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use keystride_browser_harness::css;
use keystride_store::{MemoryStore, Store};

use super::examples::{self, FLIGHTS};
use super::fixture::{Console, Done, demand_sound, keep_picture, wait_for_path};
use super::held_store::Held;

#[tokio::test]
async fn a_cancelled_extract_goes_on_from_the_jobs() -> Done {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    examples::add_to(&store).await;
    let held = Arc::new(Held::over(store));
    let test = "a_cancelled_extract_goes_on_from_the_jobs";
    let Some(console) = Console::of(test, Arc::clone(&held) as Arc<dyn Store>, "embedded:data").await else {
        return Ok(());
    };
    let page = console.page("t/flights/query").await?;
    page.wait_for_text("FULL SCAN").await?;
    page.click("Extract these rows to files").await?;
    page.choose("Format", "CSV").await?;
    let pause = held.layer.hold();
    page.click("Extract").await?;
    wait_for_path(&page, "jobs").await?;
    page.click("Cancel").await?;
    page.wait_for_text("cancelled").await?;
    assert!(csv_files(&console).is_empty(), "files have hidden names until all are complete");
    keep_picture(&page, "jobs-with-cancelled-extract").await?;
    demand_sound(&page, "a cancelled extract").await?;

    drop(pause);
    page.click("Go on").await?;
    page.wait_for_text("complete").await?;
    assert_eq!(page.text("article.job:first-of-type .tag").await?, "complete");
    page.click(css("article.job:first-of-type summary")).await?;
    page.wait_for_text("--to 'flights' --to-format 'csv' --resume").await?;
    let lines = csv_files(&console).iter().map(|text| text.lines().count() - 1).sum::<usize>();
    assert_eq!(lines, FLIGHTS);
    Ok(())
}

/// The texts of the files that the extract has published.
fn csv_files(console: &Console) -> Vec<String> {
    let Ok(entries) = fs::read_dir(console.files.path().join("flights")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_hidden = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    let is_csv = |path: &Path| path.extension().is_some_and(|ending| ending == "csv");
    let published = paths.filter(|path| !is_hidden(path) && is_csv(path));
    published.map(|path| fs::read_to_string(path).unwrap()).collect()
}
