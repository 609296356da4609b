//! Questions to a table: the plan before they run, their rows, and the same rows as files.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use keystride_browser_harness::css;
use serde_json::json;

use super::examples;
use super::fixture::{Console, Done, column, demand_sound, keep_picture, wait_for_path};

const PLANE: &str = "N739MQ";

fn flights_of_the_plane() -> usize {
    examples::flights(examples::FLIGHTS).lines().filter(|line| line.contains(&format!(",{PLANE},"))).count()
}

#[tokio::test]
async fn a_plan_is_shown_and_then_its_rows() -> Done {
    let Some(console) = Console::start("a_plan_is_shown_and_then_its_rows").await else { return Ok(()) };
    let page = console.page("t/flights/query").await?;
    page.wait_for_text("FULL SCAN").await?;
    page.click("Add a condition").await?;
    page.choose("Field", "tailnum").await?;
    page.fill("Value", PLANE).await?;
    page.wait_for_text("RANGE SCAN ×1").await?;
    assert_eq!(page.value("Predicate").await?, format!("tailnum = '{PLANE}'"));
    let strip = "return document.querySelector('main .strip').ariaLabel";
    assert_eq!(page.run_js(strip, &[]).await?, json!("1 of 8 regions are read"));
    page.wait_for_text("Buckets 1 / 8 computed").await?;
    page.click("1 range").await?;
    let start = column(&page, "Ranges", "Start (incl.)").await?.remove(0);
    assert!(start.ends_with(&format!("{PLANE}!")), "{start}");

    page.click("Run Ctrl ↵").await?;
    let count = flights_of_the_plane();
    page.wait_for_text(&format!("{count} rows")).await?;
    let rows = format!("{count} rows");
    let keys = column(&page, &rows, "Key").await?;
    assert!(count > 1 && keys.len() == count && keys.iter().all(|key| key.starts_with(&start)), "{keys:?}");
    page.choose("Keys as", "hex").await?;
    let hex = column(&page, &rows, "Key").await?;
    assert_eq!(hex[0], HEXLOWER.encode(keys[0].as_bytes()));
    assert_eq!(column(&page, &rows, "tailnum").await?, vec![PLANE; count]);
    keep_picture(&page, "rows").await?;
    demand_sound(&page, "rows of a query").await?;

    // The address holds the question.
    page.open(&page.url().await?).await?;
    page.wait_for_text("RANGE SCAN ×1").await?;
    page.fill("Predicate", "tailnum is N739MQ").await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[]).await?;
    Ok(())
}

#[tokio::test]
async fn a_question_under_way_is_cancelled() -> Done {
    let Some(console) = Console::start("a_question_under_way_is_cancelled").await else { return Ok(()) };
    let page = console.page("t/flights/query?limit=1000").await?;
    page.wait_for_text("FULL SCAN").await?;
    // A line so slow that the answer takes minutes.
    page.devtools("Network.enable", &json!({})).await?;
    let slow = json!({"offline": false, "latency": 500, "downloadThroughput": 2_000, "uploadThroughput": -1});
    page.devtools("Network.emulateNetworkConditions", &slow).await?;
    page.click("Run Ctrl ↵").await?;
    page.click("Cancel").await?;
    page.wait_for_text("Cancelled.").await?;
    page.wait_until(
        "return ![...document.querySelectorAll('main button')].some((one) => one.innerText === 'Cancel')",
        &[],
    )
    .await?;
    Ok(())
}

#[tokio::test]
async fn an_extract_is_a_job_that_leaves_files() -> Done {
    let Some(console) = Console::start("an_extract_is_a_job_that_leaves_files").await else { return Ok(()) };
    let page = console.page(&format!("t/flights/query?where=tailnum='{PLANE}'")).await?;
    page.wait_for_text("RANGE SCAN ×1").await?;
    page.click("Extract these rows to files").await?;
    page.fill("Folder", "../outside").await?;
    page.click("Extract").await?;
    page.wait_for_text("no such file below the folder of --files").await?;
    assert_eq!(page.console_errors().await?.len(), 1, "the refusal alone");
    page.fill("Folder", "planes").await?;
    page.click("Extract").await?;
    wait_for_path(&page, "jobs").await?;
    page.wait_for_text("complete").await?;
    page.wait_for_text(&format!("{} rows", flights_of_the_plane())).await?;
    let files = files_below(&console.files.path().join("planes"));
    let parquet = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "parquet");
    let written = fs::read(files.iter().find(|path| parquet(path)).expect("a file of rows"))?;
    assert_eq!((&written[..4], &written[written.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    page.click(css("main summary")).await?;
    page.wait_for_text("keystride extract 'flights' --to 'planes'").await?;
    keep_picture(&page, "jobs-with-extract").await?;
    demand_sound(&page, "jobs with an extract").await?;
    Ok(())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn a_table_without_a_design_says_what_would_do() -> Done {
    let Some(console) = Console::start("a_table_without_a_design_says_what_would_do").await else {
        return Ok(());
    };
    let page = console.page("t/plain/query").await?;
    page.wait_for_text("keystride table adopt").await?;
    demand_sound(&page, "a query without a design").await?;
    Ok(())
}

#[tokio::test]
async fn the_zone_of_each_time_is_told_beside_it() -> Done {
    let Some(console) = Console::start("the_zone_of_each_time_is_told_beside_it").await else {
        return Ok(());
    };
    let page = console.page("t/flights/query").await?;
    page.wait_for_text("Days and hours are of the zone of their field: time_hour in America/New_York.")
        .await?;
    page.click("Add a condition").await?;
    page.choose("Field", "tailnum").await?;
    let beside = "return document.querySelector('.conditions .row').innerText.includes('America/New_York')";
    assert_eq!(page.run_js(beside, &[]).await?, json!(false));
    page.choose("Field", "time_hour").await?;
    page.wait_until(beside, &[]).await?;
    page.click("Extract these rows to files").await?;
    page.wait_for_text("Days of time_hour are those in America/New_York.").await?;
    demand_sound(&page, "zones beside times").await?;
    Ok(())
}
