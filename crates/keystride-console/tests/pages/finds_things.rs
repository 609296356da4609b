//! The search of the overview, and the key tool.

use std::fs;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use keystride::KeyCodec;
use keystride::escape::to_escaped;
use keystride_store::TableName;
use keystride_table::Table;

use super::examples;
use super::fixture::{Console, Done, column, demand_sound, keep_picture, wait_for_column};

#[tokio::test]
async fn tables_are_found_by_a_part_of_their_name() -> Done {
    let Some(console) = Console::start("tables_are_found_by_a_part_of_their_name").await else {
        return Ok(());
    };
    let page = console.page("").await?;
    page.fill("Search tables", "by_t").await?;
    wait_for_column(&page, "Tables", "Table", &["flights_by_time".to_owned()]).await?;
    // The address keeps it.
    page.open(&page.url().await?).await?;
    wait_for_column(&page, "Tables", "Table", &["flights_by_time".to_owned()]).await?;
    assert_eq!(page.value("Search tables").await?, "by_t");
    Ok(())
}

/// The key of the first call of seed 000.
fn key_of_a_call(codec: &KeyCodec, table: &Table) -> Vec<u8> {
    let calls = fs::File::open(examples::example("seed-000/input.csv")).unwrap();
    let mut reader = examples::reader(table, calls);
    let (mut row, mut key) = (reader.new_row(), Vec::new());
    reader.next(&mut row).unwrap();
    codec.encoder().encode(&row, &mut key).unwrap();
    key
}

#[tokio::test]
async fn a_key_in_any_form_is_read() -> Done {
    let Some(console) = Console::start("a_key_in_any_form_is_read").await else { return Ok(()) };
    let table = Table::open(Arc::clone(&console.store), &TableName::new("calls")?).await?;
    let key = key_of_a_call(table.codec(), &table);
    let page = console.page("key").await?;
    page.fill("Key", &to_escaped(&key)).await?;
    page.choose("Table", "calls").await?;
    page.wait_for_text("A whole key of this design.").await?;
    page.wait_for_text(&format!("{} bytes", key.len())).await?;
    let values = column(&page, "Parts", "Value").await?;
    assert!(values.contains(&"15483910690".to_owned()), "{values:?}");
    keep_picture(&page, "key-of-a-call").await?;
    demand_sound(&page, "a key of a call").await?;

    let hex = HEXLOWER.encode(&key);
    page.choose("Written as", "hex").await?;
    page.fill("Key", &hex).await?;
    page.wait_for_text("A whole key of this design.").await?;
    assert_eq!(column(&page, "Parts", "Value").await?, values);
    page.fill("Key", &hex[..6]).await?;
    page.wait_for_text("It is no whole key of this design").await?;
    page.fill("Key", "0g").await?;
    page.wait_until("return document.querySelector('main [role=alert]') !== null", &[]).await?;
    page.choose("Table", "none: bytes only").await?;
    page.choose("Written as", "int").await?;
    page.fill("Key", "15").await?;
    page.wait_for_text("\\x00\\x00\\x00\\x0F").await?;
    Ok(())
}
