//! The form and the heat of a table on a real HBase.

use std::io::Cursor;
use std::process;
use std::sync::Arc;

use keystride_browser_harness::Look;
use keystride_hbase::Client;
use keystride_store::{HBaseStore, Store, TableName};
use keystride_table::Table;
use serde_json::json;

use super::examples;
use super::fixture::{Console, Done, column, demand_sound, go, wait_for_path};

#[tokio::test]
async fn a_table_is_made_on_a_cluster_and_watched() -> Done {
    let test = "a_table_is_made_on_a_cluster_and_watched";
    let Some(hbase) = keystride_hbase_harness::shared_or_skip(test) else { return Ok(()) };
    let address = format!("hbase+rpc://{}", hbase.address().master());
    let store: Arc<dyn Store> = Arc::new(HBaseStore::new(Client::new(&address)?));
    let Some(console) = Console::of(test, Arc::clone(&store), &address).await else { return Ok(()) };
    let name = format!("pages_{}", process::id());

    let page = console.page(&format!("create?name={name}")).await?;
    let servers = store.servers().await?.len();
    page.wait_for_text(&format!("This cluster has {servers} server")).await?;
    page.choose("Families from", "a design").await?;
    page.fill("Design", &examples::design_text("flights/design.toml")).await?;
    page.choose("Split by", "the design").await?;
    page.wait_for_text("7 points, 8 regions").await?;
    page.click("Create table with 8 regions").await?;
    wait_for_path(&page, &format!("t/{name}")).await?;
    page.wait_until("return document.querySelectorAll('main tbody tr').length >= 8", &[]).await?;
    let on = column(&page, "Regions", "Server").await?;
    assert!(on.len() == 8 && on.iter().all(|server| server.contains(':')), "{on:?}");
    demand_sound(&page, "a table of a cluster").await?;

    go(&page, &format!("t/{name}/heat")).await?;
    let columns =
        "return Number(/(\\d+) columns/.exec(document.querySelector('main canvas')?.ariaLabel)?.[1]) >= 1";
    page.wait_until(columns, &[]).await?;
    let table = Table::open(Arc::clone(&store), &TableName::new(&name)?).await?;
    examples::put(&table, Cursor::new(examples::flights(examples::FLIGHTS))).await;
    let is_drawn = "const canvas = document.querySelector('main canvas');
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
        return pixels.some((pixel) => pixel !== pixels[0])";
    page.wait_until(is_drawn, &[]).await?;
    demand_sound(&page, "heat of a cluster").await?;
    page.click("servers").await?;
    page.wait_until(
        "return document.querySelectorAll('.heat-servers li').length === arguments[0]",
        &[json!(servers)],
    )
    .await?;
    demand_sound(&page, "heat of servers").await?;

    go(&page, &format!("t/{name}")).await?;
    page.click("Drop").await?;
    page.fill(format!("Type {name} to confirm").as_str(), &name).await?;
    page.click("Drop").await?;
    wait_for_path(&page, "").await?;
    assert!(!store.exists(&TableName::new(&name)?).await?);

    let page = console
        .page_as("create?name=nowhere:t&by=none", Look { language: "zh-CN", ..Look::default() })
        .await?;
    page.fill("列族", "cf").await?;
    page.click("建表（1 个 region）").await?;
    page.wait_for_text("NamespaceNotFoundException: nowhere（服务器 ").await?;
    Ok(())
}
