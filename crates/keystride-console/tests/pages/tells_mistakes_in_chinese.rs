//! Mistakes that the server tells, on pages in Chinese.

use std::fs;

use keystride_browser_harness::{Look, Page, within};
use serde_json::json;

use super::catalogue::words;
use super::fixture::{Console, Done, faults, go, keep_picture};

/// Demands that nothing is wrong with a page on a desk and in a hand, beside the refusal that it shows.
async fn demand_sound_at_all_widths(page: &Page, about: &str) -> Done {
    for width in [1280, 400] {
        page.set_size(width, 800).await?;
        keep_picture(page, &format!("{about} {width}")).await?;
        let is_refusal = |fault: &String| fault.contains("422 (Unprocessable Entity)");
        let others = faults(page, about).await?.into_iter().filter(|fault| !is_refusal(fault));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{width} wide");
    }
    page.set_size(1280, 800).await?;
    Ok(())
}

#[tokio::test]
async fn mistakes_are_told_in_chinese_with_their_values() -> Done {
    let test = "mistakes_are_told_in_chinese_with_their_values";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("items.csv"), "id,name\n21,pears\ntwenty,plums\n")?;
    let look = Look { language: "zh-CN", ..Look::default() };
    let page = console.page_as("t/items/load", look).await?;
    page.click("这台机器上的文件").await?;
    page.click("items.csv").await?;
    page.wait_for_text("items.csv:3: 列 \"id\"：\"twenty\" 不是十进制整数").await?;
    demand_sound_at_all_widths(&page, "a rejected row in Chinese").await?;

    go(&page, "t/items/query").await?;
    page.fill("谓词", "nme = 'x'").await?;
    page.wait_for_text("谓词从第 1 个字符起不能读：没有名为 \"nme\" 的字段（是不是想写 \"name\"？）").await?;
    demand_sound_at_all_widths(&page, "a wrong predicate in Chinese").await?;

    go(&page, "design?sample=items.csv").await?;
    page.click(within("main", "设计文件")).await?;
    page.wait_until("return document.querySelector('.code textarea').value.includes('id = ')", &[]).await?;
    let design = page.value("设计").await?;
    let broken = design.replacen("type = ", "tpe = ", 1).replace("by = \"bucket\"", "by = \"buckets\"");
    page.fill("设计", &broken).await?;
    page.wait_for_text("缺少 \"type\"").await?;
    page.wait_for_text("例如写成：type = \"string\"").await?;
    page.wait_for_text("没有名为 \"buckets\" 的预分区规则").await?;
    demand_sound_at_all_widths(&page, "a mistaken design in Chinese").await
}

/// The messages of the catalogue that are not shown as it says, when a page translates them with values.
const TOLD_OTHERWISE: &str =
    "const script = [...document.scripts].find(({ src }) => src.endsWith('app.js')).src;
    const { translated } = await import(new URL('lib/messages.js', script));
    const filled = (text) => text.replace(/\\{(?:word )?(\\d+)\\}/g, 'v$1').replaceAll(' ', '');
    return Object.entries(catalogue).filter(([message, translation]) => {
        const shown = translated(message.replace(/\\{(\\d+)\\}/g, 'v$1'));
        return message.includes(' ') && shown.replaceAll(' ', '') !== filled(translation);
    }).map(([message]) => message)";

#[tokio::test]
async fn every_message_is_told_as_the_catalogue_says() -> Done {
    let test = "every_message_is_told_as_the_catalogue_says";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let page = console.page_as("", Look { language: "zh-CN", ..Look::default() }).await?;
    let script = format!("return (async (catalogue) => {{ {TOLD_OTHERWISE} }})(arguments[0])");
    let otherwise = page.run_js(&script, &[json!(words("messages.zh-CN"))]).await?;
    assert_eq!(otherwise, json!([]));
    Ok(())
}
