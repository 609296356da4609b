//! The form for a pre-split table: families, every way to say split points, and what mends them.

use keystride::SplitPoints;
use keystride::escape::to_escaped;
use keystride::split::{SplitAlgorithm, list};
use keystride_browser_harness::{BrowserError, Page, within};
use keystride_store::TableName;
use serde_json::json;

use super::examples::design_text;
use super::fixture::{Console, Done, column, demand_sound, keep_picture, wait_for_column, wait_for_path};

/// Demands that the preview has the regions that points make.
async fn demand_points(page: &Page, points: &SplitPoints) -> Result<(), BrowserError> {
    let starts = points.keys().iter().map(|key| to_escaped(key.as_bytes()));
    let starts: Vec<String> = std::iter::once("−∞".to_owned()).chain(starts).collect();
    wait_for_column(page, "Regions", "Start", &starts).await
}

#[tokio::test]
async fn each_rule_makes_the_points_of_the_crate() -> Done {
    let Some(console) = Console::start("each_rule_makes_the_points_of_the_crate").await else {
        return Ok(());
    };
    let page = console.page("create").await?;

    page.choose("Split by", "a list").await?;
    page.fill("Points", "apple, mango, peach").await?;
    demand_points(&page, &SplitPoints::new(["apple", "mango", "peach"])?).await?;
    // As a Chinese keyboard writes it.
    page.fill("Points", "fig\u{ff0c}kiwi\u{3001}lime").await?;
    demand_points(&page, &SplitPoints::new(["fig", "kiwi", "lime"])?).await?;
    page.choose("Written as", "int").await?;
    page.fill("Points", "1, 10, 15").await?;
    demand_points(&page, &list::ints(&[1, 10, 15])?).await?;
    page.choose("Points as", "hex").await?;
    let hex = ["−∞", "00000001", "0000000a", "0000000f"].map(str::to_owned);
    wait_for_column(&page, "Regions", "Start", &hex).await?;
    page.choose("Points as", "escaped").await?;

    page.fill("Name", "items_by_form").await?;
    for (rule, algorithm) in
        [("HexStringSplit", SplitAlgorithm::HexString), ("UniformSplit", SplitAlgorithm::Uniform)]
    {
        page.choose("Split by", rule).await?;
        page.fill("Regions", "7").await?;
        demand_points(&page, &algorithm.split(7, None, None)?).await?;
    }
    page.fill("Regions", "0").await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[])
        .await
        .map_err(Into::into)
}

#[tokio::test]
async fn what_a_rule_needs_is_asked_for_and_is_no_error() -> Done {
    let Some(console) = Console::start("what_a_rule_needs_is_asked_for_and_is_no_error").await else {
        return Ok(());
    };
    let page = console.page("create?name=calls").await?;
    for (rule, needed) in [
        ("start to end", "The first and the last point are needed"),
        ("quantiles of a sample", "Keys of a sample are needed"),
    ] {
        page.choose("Split by", rule).await?;
        page.wait_for_text(needed).await?;
        assert_eq!(
            page.run_js("return document.querySelector('main [role=alert]')", &[]).await?,
            json!(null)
        );
    }
    page.fill("Keys", "a\nb\nc\nd").await?;
    page.fill("Regions", "2").await?;
    demand_points(&page, &SplitPoints::new(["c"])?).await?;
    page.choose("Split by", "start to end").await?;
    page.fill("First point", "b").await?;
    page.fill("Last point", "c").await?;
    page.fill("Regions", "3").await?;
    demand_points(&page, &SplitPoints::new(["b", "c"])?).await?;
    // Fields that are filled slowly are refused in between, which the browser notes.
    for noted in page.console_errors().await? {
        assert!(noted.contains("422"), "{noted}");
    }

    page.choose("Split by", "one region").await?;
    page.wait_for_text("all writes go there until the table has grown").await?;
    demand_sound(&page, "the form for a table of one region").await?;
    Ok(())
}

#[tokio::test]
async fn families_keep_their_settings() -> Done {
    let Some(console) = Console::start("families_keep_their_settings").await else { return Ok(()) };
    let page = console.page("create?by=none").await?;
    page.wait_for_text("Give the table a name").await?;
    page.fill("Name", "events").await?;
    page.fill("Family", "cf1").await?;
    page.fill("VERSIONS", "3").await?;
    page.fill("TTL", "86400").await?;
    page.choose("COMPRESSION", "SNAPPY").await?;
    page.click("More settings").await?;
    page.choose("BLOOMFILTER", "ROWCOL").await?;
    page.click("HBase shell").await?;
    page.wait_for_text("BLOOMFILTER => 'ROWCOL'").await?;
    let shell = page.text("main pre").await?;
    for word in
        ["create 'events'", "NAME => 'cf1'", "VERSIONS => '3'", "TTL => '86400'", "COMPRESSION => 'SNAPPY'"]
    {
        assert!(shell.contains(word), "{word} in {shell}");
    }

    page.click("Create table with 1 region").await?;
    wait_for_path(&page, "t/events").await?;
    wait_for_column(&page, "Families", "VERSIONS", &["3".to_owned()]).await?;
    for (setting, value) in
        [("Family", "cf1"), ("TTL", "86400"), ("COMPRESSION", "SNAPPY"), ("BLOOMFILTER", "ROWCOL")]
    {
        assert_eq!(column(&page, "Families", setting).await?, [value], "{setting}");
    }
    demand_sound(&page, "a new table").await?;
    Ok(())
}

#[tokio::test]
async fn a_pasted_list_with_mistakes_is_mended_by_its_button() -> Done {
    let Some(console) = Console::start("a_pasted_list_with_mistakes_is_mended_by_its_button").await else {
        return Ok(());
    };
    let page = console.page("create?name=fruit&by=list").await?;
    page.fill("Points", "peach\napple\napple\nmango").await?;
    page.wait_for_text("is the same as point 2").await?;
    page.wait_for_text("sorts before the one above it").await?;
    page.wait_for_text("Mend the split points first").await?;
    page.click("Sort them, and drop doubles and what can't be read").await?;
    demand_points(&page, &SplitPoints::new(["apple", "mango", "peach"])?).await?;
    assert_eq!(page.value("Points").await?, "apple\nmango\npeach\n");
    page.click("Create table with 4 regions").await?;
    wait_for_path(&page, "t/fruit").await?;
    let points = console.store.split_points(&TableName::new("fruit")?).await?;
    assert_eq!(points, SplitPoints::new(["apple", "mango", "peach"])?);
    Ok(())
}

#[tokio::test]
async fn regions_that_stay_empty_go_with_one_click() -> Done {
    let Some(console) = Console::start("regions_that_stay_empty_go_with_one_click").await else {
        return Ok(());
    };
    let page = console.page("create").await?;
    page.fill("Name", "posted").await?;
    page.choose("Families from", "a design").await?;
    page.fill("Design", &design_text("flights/seed-003.toml")).await?;
    page.choose("Split by", "the design").await?;
    page.wait_for_text("17 points, 18 regions").await?;
    page.wait_for_text("SPL05").await?;
    let shares = column(&page, "Regions", "Share of keys").await?;
    assert_eq!((&*shares[0], &*shares[17]), ("stays empty", "stays empty"));

    page.click("Use 001 … 015: 16 regions").await?;
    page.wait_for_text("15 points, 16 regions").await?;
    assert!(!column(&page, "Regions", "Share of keys").await?.contains(&"stays empty".to_owned()));
    keep_picture(&page, "form-with-design").await?;
    demand_sound(&page, "the form with a design").await?;
    for (form, words) in [("HBase shell", "SPLITS => ['001'"), ("keystride", "keystride table create")] {
        page.click(within("main", form)).await?;
        page.wait_for_text(words).await?;
    }
    page.click("Create table with 16 regions").await?;
    wait_for_path(&page, "t/posted").await?;
    page.wait_for_text("bucket").await?;
    assert_eq!(console.store.regions(&TableName::new("posted")?).await?.len(), 16);
    Ok(())
}

#[tokio::test]
async fn a_mistake_in_a_design_is_told_with_its_place() -> Done {
    let Some(console) = Console::start("a_mistake_in_a_design_is_told_with_its_place").await else {
        return Ok(());
    };
    let page = console.page("create").await?;
    page.choose("Families from", "a design").await?;
    page.fill("Design", &design_text("seed-001/design.toml").replace("[key]", "[keys]")).await?;
    page.wait_until(
        "return /^\\d+:\\d+$/.test(document.querySelector('main [role=alert] code')?.innerText)",
        &[],
    )
    .await?;
    page.wait_for_text("keys").await?;
    Ok(())
}

#[tokio::test]
async fn a_console_that_only_reads_says_why_nothing_is_made() -> Done {
    let test = "a_console_that_only_reads_says_why_nothing_is_made";
    let Some(console) = Console::with(test, |options| options.allow_write = false).await else {
        return Ok(());
    };
    let page = console.page("create?name=calls").await?;
    page.wait_for_text("This console only reads. keystride serve --allow-write allows changes.").await?;
    let disabled = "const button = [...document.querySelectorAll('main button')].find((one) => one.innerText.startsWith(arguments[0]));
        return button?.disabled === true && button.title !== ''";
    page.wait_until(disabled, &["Create table".into()]).await?;
    page.open(&format!("{}#/t/flights", console.running.url)).await?;
    for change in ["Split", "Compact", "Truncate", "Drop"] {
        page.wait_until(disabled, &[change.into()]).await?;
    }
    Ok(())
}
