//! A sample that the address names, in a designer that is open already.

use std::fs;

use super::designs_a_key::{calls, wait_for_parts};
use super::fixture::{Console, Done, go};

#[tokio::test]
async fn an_address_with_a_sample_opens_it_although_the_designer_is_open() -> Done {
    let test = "an_address_with_a_sample_opens_it_although_the_designer_is_open";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("calls.csv"), calls())?;
    let few = calls().lines().take(31).collect::<Vec<_>>().join("\n");
    fs::write(console.files.path().join("few.csv"), few)?;
    let page = console.page("design?sample=calls.csv").await?;
    page.wait_for_text("400 rows read").await?;
    wait_for_parts(&page, &["bucket 16", "opera_time"]).await?;
    page.click("Remove bucket 16").await?;
    wait_for_parts(&page, &["opera_time"]).await?;
    go(&page, "design?sample=few.csv").await?;
    page.wait_for_text("30 rows read").await?;
    // The design is still the one that was worked on.
    wait_for_parts(&page, &["opera_time"]).await?;
    // A file that was chosen meanwhile does not hide that the address leads elsewhere.
    page.click("Another file").await?;
    page.click("A file of this machine").await?;
    page.click("calls.csv").await?;
    page.wait_for_text("400 rows read").await?;
    go(&page, "design?sample=few.csv").await?;
    page.wait_for_text("30 rows read").await?;
    Ok(())
}
