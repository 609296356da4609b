//! A store without a table.

use std::sync::Arc;

use keystride_browser_harness::{Look, Theme, within};
use keystride_store::MemoryStore;

use super::fixture::{Console, Done, demand_sound, keep_picture, wait_for_path};

#[tokio::test]
async fn an_empty_store_leads_to_its_first_table() -> Done {
    let test = "an_empty_store_leads_to_its_first_table";
    for theme in [Theme::Light, Theme::Dark] {
        let store = Arc::new(MemoryStore::default());
        let Some(console) = Console::of(test, store, "embedded:data").await else { return Ok(()) };
        let page = console.page_as("", Look { theme, ..Look::default() }).await?;
        page.wait_for_text("There is no table yet.").await?;
        for width in [1280, 400] {
            page.set_size(width, 800).await?;
            keep_picture(&page, &format!("nothing-yet-{theme:?}-{width}")).await?;
            demand_sound(&page, &format!("an empty store, {theme:?}, {width} wide")).await?;
        }
        page.click(within("main", "Design a key from a sample")).await?;
        wait_for_path(&page, "design").await?;
        page.run_js("history.back()", &[]).await?;
        page.click(within("main", "Create the table with its split points")).await?;
        wait_for_path(&page, "create").await?;
    }
    Ok(())
}
