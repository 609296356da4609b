//! The heat of a table while rows arrive, seen, read and found with keys alone.

use std::io::Cursor;
use std::num::{NonZeroU64, NonZeroUsize};

use keystride_browser_harness::{BrowserError, Page, css};
use keystride_console::FileLoad;
use keystride_store::TableName;
use keystride_table::Table;
use keystride_table::load::{Check, LoadId, LoadOptions, Way};
use serde_json::json;

use super::examples;
use super::fixture::{Console, Done, demand_sound, go, keep_picture, wait_for_path};

const ROWS_A_SECOND: NonZeroU64 = NonZeroU64::new(400).expect("not zero");
/// So that several batches are stored in each column of the map.
const BATCH_BYTES: NonZeroUsize = NonZeroUsize::new(16 << 10).expect("not zero");
/// More than arrive while a test looks.
const ROWS: usize = 50_000;

/// Begins a load of flights that goes on for as long as the test.
pub(crate) async fn begin_load(console: &Console, table: &str) -> Done {
    let table = Table::open(console.running.store(), &TableName::new(table)?).await?;
    let options = LoadOptions {
        way: Way::Batches,
        check: Check::None,
        rows_per_s: Some(ROWS_A_SECOND),
        batch_bytes: BATCH_BYTES,
        ..LoadOptions::of(LoadId::new("test"))
    };
    console.running.begin_load(FileLoad {
        reader: examples::reader(&table, Cursor::new(examples::flights(ROWS))),
        what: "flights.csv".to_owned(),
        command: "keystride load flights.csv".to_owned(),
        rejects: None,
        table,
        options,
    });
    Ok(())
}

/// A script's function `pixel(row, share)`: the colour of a row of the map, of eight, at a share of its width.
const PIXEL: &str = "const canvas = document.querySelector('main canvas');
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const pixel = (row, share) => context.getImageData(Math.round(share * (copy.width - 1)),
      Math.round((row + 0.5) * copy.height / 8), 1, 1).data.join();";

/// A script's number of columns of the map.
const COLUMNS: &str =
    "Number(/(\\d+) columns/.exec(document.querySelector('main canvas')?.ariaLabel)?.[1] ?? 0)";

#[tokio::test]
async fn columns_arrive_with_a_load_and_tell_what_is_hot() -> Done {
    let Some(console) = Console::start("columns_arrive_with_a_load_and_tell_what_is_hot").await else {
        return Ok(());
    };
    let page = console.page("t/flights_by_time/heat").await?;
    page.wait_until(&format!("return {COLUMNS} > 0"), &[]).await?;
    let before = page.run_js(&format!("return {COLUMNS}"), &[]).await?;
    begin_load(&console, "flights_by_time").await?;
    page.wait_until(&format!("return {COLUMNS} > arguments[0] + 2"), &[before]).await?;

    // All flights of the first days are in the first region.
    page.wait_until(&format!("{PIXEL} return pixel(0, 1) !== pixel(7, 1)"), &[]).await?;
    for row in 1..7 {
        let is_cold = format!("{PIXEL} return pixel(arguments[0], 1) === pixel(7, 1)");
        assert_eq!(page.run_js(&is_cold, &[json!(row)]).await?, json!(true), "row {row}");
    }

    // The same rows by ranges of keys, and who they are of.
    page.click("keys").await?;
    page.wait_until(
        "return Number(/(\\d+) rows/.exec(document.querySelector('main canvas')?.ariaLabel)?.[1]) > 20",
        &[],
    )
    .await?;
    page.click(css("main canvas")).await?;
    page.press("Home").await?;
    for _ in 0..4 {
        page.press("Shift+PageDown").await?;
        page.press("Shift+End").await?;
    }
    page.press("w").await?;
    page.wait_for_text("keys that went through this console").await?;
    page.wait_for_text("carrier").await?;
    keep_picture(&page, "heat-of-keys").await?;
    demand_sound(&page, "heat of keys").await?;
    page.click("regions").await?;

    page.click("As a table").await?;
    let rates =
        "return [...document.querySelectorAll('main tbody tr')].map((row) => row.lastElementChild.innerText)";
    page.wait_until(
        &format!("const rates = (() => {{ {rates} }})(); return rates.length === 8 && rates[0] !== '0/s'"),
        &[],
    )
    .await?;
    assert_eq!(
        page.run_js(&format!("{rates}.slice(1).every((rate) => rate === '0/s')"), &[]).await?,
        json!(true)
    );

    page.wait_until(TIME_IS_THAT_OF_ITS_COLUMN, &[]).await?;

    page.wait_for_text("Region 0 is hot").await?;
    page.click(css(".finding.error")).await?;
    keep_picture(&page, "heat-while-a-load-runs").await?;
    demand_sound(&page, "heat while a load runs").await?;

    go(&page, "").await?;
    page.wait_until(
        "return [...document.querySelectorAll('main tr')].some((row) => /flights_by_time.*\\d\\/s/s.test(row.innerText))",
        &[],
    )
    .await?;
    demand_sound(&page, "the overview while a load runs").await?;
    Ok(())
}

/// Points at the map above the last time of its axis, and returns whether the column there has that time.
const TIME_IS_THAT_OF_ITS_COLUMN: &str = "
    const tick = [...document.querySelectorAll('.heat-times span')].at(-1);
    const canvas = document.querySelector('main canvas');
    const { top } = canvas.getBoundingClientRect();
    const clientX = tick.getBoundingClientRect().left + 0.5;
    canvas.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY: top + 5, bubbles: true }));
    const [from, to] = document.querySelector('#heat-cell').innerText.split(' · ')[0].split(' – ');
    return from <= tick.innerText && tick.innerText <= to";

/// The labels of the map's rows.
const LABELS: &str = "[...document.querySelectorAll('.heat-label-column:first-child span')].map((span) => span.innerText).join()";

async fn cell(page: &Page) -> Result<String, BrowserError> {
    page.text("#heat-cell").await
}

async fn wait_for_labels(page: &Page, labels: &str) -> Result<(), BrowserError> {
    page.wait_until(&format!("return {LABELS} === arguments[0]"), &[json!(labels)]).await
}

#[tokio::test]
async fn the_map_is_read_with_keys_alone() -> Done {
    let Some(console) = Console::start("the_map_is_read_with_keys_alone").await else { return Ok(()) };
    let page = console.page("t/flights/heat").await?;
    page.wait_until(&format!("return {COLUMNS} > 1"), &[]).await?;
    let mut presses = 0;
    while !page.focused().await?.starts_with("Heat map") {
        presses += 1;
        assert!(presses < 60, "the map can't be reached by Tab");
        page.press("Tab").await?;
    }
    let hint = cell(&page).await?;

    page.press("ArrowDown").await?;
    page.wait_until("return /0\\/s$/.test(document.querySelector('#heat-cell').innerText)", &[]).await?;
    let first = cell(&page).await?;
    assert!(first.contains(" · 1 · ") && first != hint, "{first}");
    page.press("ArrowDown").await?;
    assert!(cell(&page).await?.contains(" · 2 · "));
    page.press("ArrowUp").await?;
    assert_eq!(cell(&page).await?, first);
    page.press("ArrowLeft").await?;
    let earlier = cell(&page).await?;
    assert!(earlier < first, "{earlier} is before {first}");
    page.press("Enter").await?;

    page.run_js("navigator.clipboard.writeText = async (text) => { window.copied = text; }", &[]).await?;
    page.press("c").await?;
    page.wait_until("return window.copied === '31'", &[]).await?;

    let whole = "0,1,2,3,4,5,6,7";
    wait_for_labels(&page, whole).await?;
    page.press("+").await?;
    page.wait_until(&format!("return {LABELS}.split(',').length <= 4"), &[]).await?;
    page.press("Backspace").await?;
    wait_for_labels(&page, whole).await?;
    page.press("+").await?;
    page.press("+").await?;
    page.press("-").await?;
    page.wait_until(&format!("return {LABELS}.split(',').length <= 4"), &[]).await?;
    page.press("r").await?;
    wait_for_labels(&page, whole).await?;

    page.press("[").await?;
    page.wait_until("return location.hash.includes('brightness=0.5')", &[]).await?;
    page.press("]").await?;
    page.wait_until("return !location.hash.includes('brightness')", &[]).await?;
    page.press("t").await?;
    page.wait_until("return document.querySelectorAll('main tbody tr').length === 8", &[]).await?;
    demand_sound(&page, "heat with a table").await?;
    page.press("t").await?;

    // A rectangle of rows 1 and 2, drawn with keys.
    page.press("Shift+ArrowDown").await?;
    page.press("w").await?;
    page.wait_for_text("Who is behind this part of the map").await?;
    page.wait_for_text("--raw-start '1' --raw-stop '3'").await?;
    page.press("Enter").await?;
    wait_for_labels(&page, "1,2").await?;
    page.press("Backspace").await?;
    wait_for_labels(&page, whole).await?;
    Ok(())
}

#[tokio::test]
async fn keys_lead_from_page_to_page() -> Done {
    let Some(console) = Console::start("keys_lead_from_page_to_page").await else { return Ok(()) };
    let page = console.page("t/flights").await?;
    page.press("?").await?;
    page.wait_for_text("go to the heat of the table").await?;
    keep_picture(&page, "keys").await?;
    demand_sound(&page, "the list of keys").await?;
    page.press("Escape").await?;
    page.wait_until("return document.querySelector('dialog') === null", &[]).await?;
    for (second, path) in [
        ("h", "t/flights/heat"),
        ("q", "t/flights/query"),
        ("k", "key"),
        ("j", "jobs"),
        ("d", "design"),
        ("c", "create"),
        ("t", ""),
    ] {
        page.type_text(&format!("g{second}")).await?;
        wait_for_path(&page, path).await?;
        if !path.starts_with("t/") && second != "t" {
            page.open(&format!("{}#/t/flights", console.running.url)).await?;
            page.wait_until("return document.title.startsWith('flights')", &[]).await?;
        }
    }
    page.wait_until("return document.querySelector('input[type=search]') !== null", &[]).await?;
    page.press("/").await?;
    assert_eq!(page.focused().await?, "Search tables");
    page.type_text("gt?").await?;
    page.wait_for_text("No table has that in its name.").await?;
    Ok(())
}
