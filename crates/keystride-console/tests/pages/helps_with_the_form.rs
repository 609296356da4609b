//! What the form for a table does by itself: for a design, for a name that is taken, and where there is room.

use super::examples::design_text;
use super::fixture::{Console, Done, wait_for_path};

#[tokio::test]
async fn a_pasted_design_brings_its_name_and_its_split() -> Done {
    let test = "a_pasted_design_brings_its_name_and_its_split";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let page = console.page("create").await?;
    page.choose("Families from", "a design").await?;
    let design = design_text("seed-003/design.toml").replace("\"recommend_log\"", "\"recommended\"");
    page.fill("Design", &design).await?;
    page.wait_for_text("15 points, 16 regions").await?;
    page.wait_until("return /(?=.*name=recommended)(?=.*by=design)/.test(location.hash)", &[]).await?;
    assert_eq!(page.value("Name").await?, "recommended");

    // A name that is taken is told before anything is made.
    page.fill("Name", "recommend_log").await?;
    page.wait_for_text("There is a table recommend_log already.").await?;
    page.fill("Name", "recommended").await?;
    page.click("Create table with 16 regions").await?;
    wait_for_path(&page, "t/recommended").await?;
    Ok(())
}

#[tokio::test]
async fn regions_stand_beside_the_form_where_there_is_room() -> Done {
    let test = "regions_stand_beside_the_form_where_there_is_room";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    let page = console.page("create?name=wide&regions=16").await?;
    page.wait_for_text("15 points, 16 regions").await?;
    let place = "const [form, regions, make] = [...document.querySelector('.create').children].map((e) => e.getBoundingClientRect());
        return regions.left > form.right && make.right <= form.right && regions.top === form.top";
    page.set_size(1920, 1080).await?;
    page.wait_until(place, &[]).await?;
    page.set_size(1280, 800).await?;
    let below = "const [form, regions] = document.querySelector('.create').children;
        return regions.getBoundingClientRect().top >= form.getBoundingClientRect().bottom";
    page.wait_until(below, &[]).await?;
    Ok(())
}
