//! Mistakes of a design that the designer mends in one step.

use std::fs;

use super::designs_a_key::{calls, wait_for_parts};
use super::fixture::{Console, Done, demand_sound, keep_picture};

#[tokio::test]
async fn a_bucket_that_was_moved_away_is_put_first_again_or_loses_its_split() -> Done {
    let test = "a_bucket_that_was_moved_away_is_put_first_again_or_loses_its_split";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("calls.csv"), calls())?;
    let page = console.page("design?sample=calls.csv").await?;
    wait_for_parts(&page, &["bucket 16", "phone", "opera_time"]).await?;
    page.click("Move bucket 16 down").await?;
    wait_for_parts(&page, &["phone", "bucket 16", "opera_time"]).await?;
    page.wait_for_text("cuts at the buckets, but the key does not begin with one").await?;
    keep_picture(&page, "designer-with-a-mistake").await?;
    demand_sound(&page, "the designer with a mistake").await?;
    page.click("Put the bucket first").await?;
    wait_for_parts(&page, &["bucket 16", "phone", "opera_time"]).await?;
    page.wait_for_text("Spread over 16 regions").await?;

    page.click("Move bucket 16 down").await?;
    page.click("Leave the split out").await?;
    page.wait_for_text("Spread over 1 region").await?;
    wait_for_parts(&page, &["phone", "bucket 16", "opera_time"]).await?;
    page.click("Undo").await?;
    page.wait_for_text("does not begin with one").await?;
    Ok(())
}
