//! The way from a file of rows to a table: a key that is guessed, changed by keyboard, judged, compared, saved and used.

use std::fmt::Write as _;
use std::fs;

use keystride::Design;
use keystride_browser_harness::{BrowserError, Page, within};
use keystride_store::TableName;
use serde_json::json;

use super::fixture::{Console, Done, column, demand_sound, go, keep_picture, wait_for_path};

/// Calls, one every 37 seconds, each of another phone.
pub(crate) fn calls() -> String {
    let mut text = "phone,opera_time,seconds\n".to_owned();
    for call in 0..400 {
        let (seconds, phone) = (call * 37, 13_800_000_000_u64 + (call * 7_919) % 1_009);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        writeln!(text, "{phone},20200406{hour:02}{minute:02}{second:02},{}", call % 600).unwrap();
    }
    text
}

/// Returns when the parts of the key are these.
pub(crate) async fn wait_for_parts(page: &Page, parts: &[&str]) -> Result<(), BrowserError> {
    let script = "const found = [...document.querySelectorAll('.parts .chip')].map((chip) => chip.innerText);
        return found.join('|') === arguments[0]";
    page.wait_until(script, &[json!(parts.join("|"))]).await
}

/// Returns when these are the findings, in their order.
async fn wait_for_findings(page: &Page, findings: &[&str]) -> Result<(), BrowserError> {
    let script = "const found = [...document.querySelectorAll('.design-finding > p:first-child > .tag')];
        return found.map((tag) => tag.innerText).join('|') === arguments[0]";
    page.wait_until(script, &[json!(findings.join("|"))]).await
}

/// Presses Tab until an element of this name has the focus.
async fn tab_to(page: &Page, name: &str) -> Result<(), BrowserError> {
    for _ in 0..80 {
        if page.focused().await? == name {
            return Ok(());
        }
        page.press("Tab").await?;
    }
    panic!("{name} can't be reached by Tab");
}

#[tokio::test]
async fn a_key_is_designed_from_a_file() -> Done {
    let Some(console) = Console::start("a_key_is_designed_from_a_file").await else { return Ok(()) };
    fs::write(console.files.path().join("calls.csv"), calls())?;
    let page = console.page("design").await?;
    open_sample(&page).await?;
    remove_what_leads(&page).await?;
    apply_fixes(&page).await?;
    add_and_move_by_keyboard(&page).await?;
    compare(&page).await?;
    let text = save(&page, &console).await?;
    let design = Design::from_toml(&text)?;
    assert_eq!(design.leading_bucket().unwrap().count.get(), 16);
    create(&page, &console).await
}

async fn open_sample(page: &Page) -> Result<(), BrowserError> {
    page.click("A file of this machine").await?;
    page.click("calls.csv").await?;
    wait_for_parts(page, &["bucket 16", "phone", "opera_time"]).await?;
    wait_for_findings(page, &[]).await?;
    page.wait_for_text("nothing found").await?;
    page.wait_for_text("Spread over 16 regions").await
}

/// Without the bucket and the phone, the key begins with the time.
async fn remove_what_leads(page: &Page) -> Result<(), BrowserError> {
    tab_to(page, "1 bucket 16").await?;
    page.press("Delete").await?;
    wait_for_parts(page, &["phone", "opera_time"]).await?;
    assert_eq!(page.focused().await?, "1 phone");
    page.press("Delete").await?;
    wait_for_parts(page, &["opera_time"]).await?;
    wait_for_findings(page, &["Warning HOT01"]).await?;
    page.wait_for_text("the key begins with opera_time").await?;
    keep_picture(page, "designer-with-findings").await?;
    demand_sound(page, "the designer with a sample and findings").await
}

async fn apply_fixes(page: &Page) -> Result<(), BrowserError> {
    page.click("put 16 buckets of rest in front").await?;
    wait_for_parts(page, &["bucket 16", "opera_time"]).await?;
    wait_for_findings(page, &[]).await?;
    page.wait_for_text("nothing found").await?;
    page.click("Undo").await?;
    wait_for_findings(page, &["Warning HOT01"]).await
}

/// With a phone in front of it, the time is not hot.
async fn add_and_move_by_keyboard(page: &Page) -> Result<(), BrowserError> {
    tab_to(page, "+ Field").await?;
    page.press("Enter").await?;
    wait_for_parts(page, &["opera_time", "phone"]).await?;
    wait_for_findings(page, &["Warning HOT01"]).await?;
    assert_eq!(page.focused().await?, "2 phone");
    page.press("Alt+ArrowUp").await?;
    wait_for_parts(page, &["phone", "opera_time"]).await?;
    assert_eq!(page.focused().await?, "1 phone");
    wait_for_findings(page, &[]).await
}

/// With the design so far as A, one with a bucket as B.
async fn compare(page: &Page) -> Done {
    page.click("Keep this as A").await?;
    page.click("+ Bucket").await?;
    wait_for_parts(page, &["bucket 16", "phone", "opera_time"]).await?;
    page.choose("Split", "between buckets").await?;
    page.wait_for_text("Spread over 16 regions").await?;
    let both = "return [...document.querySelectorAll('.figures-table tbody tr')][2]?.innerText === 'Regions\\t1\\t16'";
    page.wait_until(both, &[]).await?;
    let figures = "Compare two designs";
    let (a, b) = (column(page, figures, "A, kept").await?, column(page, figures, "B, present").await?);
    assert_eq!((&*a[0], &*b[0]), ("phone + opera_time", "bucket + phone + opera_time"));
    assert_eq!((&*a[1], &*b[1]), ("24", "26"));
    keep_picture(page, "designer-compares").await?;
    demand_sound(page, "two designs compared").await?;
    page.click("End the comparison").await?;
    Ok(())
}

/// Returns what was saved: the text that the page shows.
async fn save(page: &Page, console: &Console) -> Result<String, Box<dyn std::error::Error>> {
    page.fill("Name", "calls_by_phone").await?;
    page.press("Tab").await?;
    page.fill("Families", "d").await?;
    page.press("Tab").await?;
    page.click("Design file").await?;
    let is_renamed = "const { value } = document.querySelector('.code textarea');
        return value.includes('calls_by_phone') && value.includes('families.d = { encoding = ')";
    page.wait_until(is_renamed, &[]).await?;
    let shown = page.value("Design").await?;
    fs::write(console.files.path().join("calls.toml"), "# of somebody else\n")?;
    page.click("Save").await?;
    page.fill("Or a file below the folder of --files", "calls.toml").await?;
    page.click("Save there").await?;
    page.click("Replace calls.toml").await?;
    page.wait_for_text("Saved as calls.toml.").await?;
    page.click("Close").await?;
    let saved = fs::read_to_string(console.files.path().join("calls.toml"))?;
    assert_eq!(saved, shown);
    Ok(saved)
}

async fn create(page: &Page, console: &Console) -> Done {
    page.click("Create table \u{2192}").await?;
    wait_for_path(page, "create").await?;
    page.wait_for_text("15 points, 16 regions").await?;
    assert_eq!(page.value("Name").await?, "calls_by_phone");
    page.click(within("main", "Create table with 16 regions")).await?;
    wait_for_path(page, "t/calls_by_phone").await?;
    page.wait_for_text("No row was written to this table yet.").await?;
    assert_eq!(console.store.regions(&TableName::new("calls_by_phone")?).await?.len(), 16);
    // The designer has still what it had.
    go(page, "design").await?;
    wait_for_parts(page, &["bucket 16", "phone", "opera_time"]).await?;
    Ok(())
}
