//! Mistakes that the server tells, on pages in Chinese.

use std::fs;
use std::net::TcpListener;
use std::sync::Arc;

use keystride_browser_harness::{Look, Page, within};
use keystride_hbase::{Client, ClientOptions};
use keystride_store::HBaseStore;
use serde_json::json;

use super::catalogue::words;
use super::fixture::{Console, Done, faults, go, keep_picture};

/// What the console of a browser says of requests that are refused.
const REFUSALS: [&str; 2] = ["422 (Unprocessable Entity)", "502 (Bad Gateway)"];

/// Demands that nothing is wrong with a page on a desk and in a hand, beside the refusal that it shows.
async fn demand_sound_at_all_widths(page: &Page, about: &str) -> Done {
    for width in [1280, 400] {
        page.set_size(width, 800).await?;
        keep_picture(page, &format!("{about} {width}")).await?;
        let is_refusal = |fault: &String| REFUSALS.iter().any(|refusal| fault.contains(refusal));
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
    fs::write(
        console.files.path().join("items.jsonl"),
        "{\"id\":21,\"name\":\"pears\"}\n{\"id\":22,\"name\":}\n",
    )?;
    let look = Look { language: "zh-CN", ..Look::default() };
    let page = console.page_as("t/items/load", look).await?;
    page.click("这台机器上的文件").await?;
    page.click("items.csv").await?;
    page.wait_for_text("items.csv:3: 列 \"id\"：\"twenty\" 不是十进制整数").await?;
    demand_sound_at_all_widths(&page, "a rejected row in Chinese").await?;
    page.click("这台机器上的文件").await?;
    page.click("items.jsonl").await?;
    page.wait_for_text("items.jsonl:2: ").await?;
    page.wait_for_text("不是 JSON 对象：这里没有值；文本要放在双引号里（记录的第 17 字节）").await?;

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

#[tokio::test]
async fn a_cluster_that_is_not_there_is_told_in_chinese() -> Done {
    let test = "a_cluster_that_is_not_there_is_told_in_chinese";
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let address = format!("hbase://127.0.0.1:{port}/hbase");
    let mut options = ClientOptions::default();
    options.max_attempts = 1;
    let store = Arc::new(HBaseStore::new(Client::with_options(&address.parse()?, options)));
    let Some(console) = Console::of(test, store, &address).await else { return Ok(()) };
    let page = console.page_as("", Look { language: "zh-CN", ..Look::default() }).await?;
    let told = "次后放弃：找不到集群：没有 ZooKeeper 服务器应答：";
    page.wait_for_text(&format!("{told}127.0.0.1:{port}: 连不上：连接被拒绝")).await?;
    demand_sound_at_all_widths(&page, "no cluster in Chinese").await
}

/// Errors of clusters as the server sends them, and as pages show them.
const OF_CLUSTERS: [(&str, &str); 5] = [
    (
        "gave up after 4 attempts in 20 s: cluster can't be found: no ZooKeeper server answered: zk1:2181: no answer within 3 s; zk2:2181: error -122 (request timed out)",
        "20 s 内试了 4 次后放弃：找不到集群：没有 ZooKeeper 服务器应答：zk1:2181: 3 s 内没有应答；zk2:2181: 错误 -122（请求超时）",
    ),
    (
        "gave up after 4 attempts in 20 s: NotServingRegionException: t,,1.ab. is not online on rs1,16020,7 (server rs1:16020, region t,,1.ab.)",
        "20 s 内试了 4 次后放弃：NotServingRegionException: t,,1.ab. 不在线：rs1,16020,7（服务器 rs1:16020，region t,,1.ab.）",
    ),
    (
        "progress is kept in table notes, which this user may not read and write: AccessDeniedException: Insufficient permissions for user 'bob' (table=notes, action=READ) (server rs1:16020)",
        "进度保存在表 notes 里，而当前用户无权读写：AccessDeniedException: 用户 'bob' 权限不足 (table=notes, action=READ)（服务器 rs1:16020）",
    ),
    (
        "connection to rs1:16020 ended: Connection reset by peer (os error 104)",
        "与 rs1:16020 的连接断开：连接被对方重置（系统错误 104）",
    ),
    (
        "DoNotRetryIOException: Set hbase.table.sanity.checks to false at conf if you want to bypass sanity checks (server m1:16000)",
        "DoNotRetryIOException: Set hbase.table.sanity.checks to false at conf if you want to bypass sanity checks（服务器 m1:16000）",
    ),
];

#[tokio::test]
async fn causes_in_causes_are_told_in_chinese() -> Done {
    let Some(console) = Console::start("causes_in_causes_are_told_in_chinese").await else { return Ok(()) };
    let page = console.page_as("", Look { language: "zh-CN", ..Look::default() }).await?;
    let script = format!("return (async (sent) => {{ {IMPORT} return translated(sent); }})(arguments[0])");
    for (sent, shown) in OF_CLUSTERS {
        assert_eq!(page.run_js(&script, &[json!(sent)]).await?, json!(shown));
    }
    Ok(())
}

/// Gives a script what pages translate messages with.
const IMPORT: &str = "const script = [...document.scripts].find(({ src }) => src.endsWith('app.js')).src;
    const { translated } = await import(new URL('lib/messages.js', script));";

/// The messages of the catalogue that are not shown as it says, when a page translates them with values.
const TOLD_OTHERWISE: &str =
    "const filled = (text) => text.replace(/\\{(?:word )?(\\d+)\\}/g, 'v$1').replaceAll(' ', '');
    return Object.entries(catalogue).filter(([message, translation]) => {
        const shown = translated(message.replace(/\\{(\\d+)\\}/g, 'v$1'));
        return message.includes(' ') && shown.replaceAll(' ', '') !== filled(translation);
    }).map(([message]) => message)";

#[tokio::test]
async fn every_message_is_told_as_the_catalogue_says() -> Done {
    let test = "every_message_is_told_as_the_catalogue_says";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let page = console.page_as("", Look { language: "zh-CN", ..Look::default() }).await?;
    let script = format!("return (async (catalogue) => {{ {IMPORT} {TOLD_OTHERWISE} }})(arguments[0])");
    let otherwise = page.run_js(&script, &[json!(words("messages.zh-CN"))]).await?;
    assert_eq!(otherwise, json!([]));
    Ok(())
}
