//! A sample that the address names, in a designer that is open already.

use std::fs;

use super::designs_a_key::{calls, wait_for_parts};
use super::fixture::{Console, Done, demand_sound, go, keep_picture};

#[tokio::test]
async fn an_address_with_a_sample_opens_it_although_the_designer_is_open() -> Done {
    let test = "an_address_with_a_sample_opens_it_although_the_designer_is_open";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("calls.csv"), calls())?;
    let few = calls().lines().take(31).collect::<Vec<_>>().join("\n");
    fs::write(console.files.path().join("few.csv"), few)?;
    let page = console.page("design?sample=calls.csv").await?;
    page.wait_for_text("400 rows read").await?;
    wait_for_parts(&page, &["bucket 16", "phone", "opera_time"]).await?;
    page.click("Remove bucket 16").await?;
    wait_for_parts(&page, &["phone", "opera_time"]).await?;
    go(&page, "design?sample=few.csv").await?;
    page.wait_for_text("30 rows read").await?;
    // The design is still the one that was worked on.
    wait_for_parts(&page, &["phone", "opera_time"]).await?;
    // A file that was chosen meanwhile does not hide that the address leads elsewhere.
    page.click("Another file").await?;
    page.click("A file of this machine").await?;
    page.click("calls.csv").await?;
    page.wait_for_text("400 rows read").await?;
    go(&page, "design?sample=few.csv").await?;
    page.wait_for_text("30 rows read").await?;
    Ok(())
}

/// Calls of six phones, as a Chinese system writes them: in GBK, with local times.
fn calls_in_gbk() -> Vec<u8> {
    // 电话, 时间 and 李.
    let (phone, at, name) = (b"\xb5\xe7\xbb\xb0", b"\xca\xb1\xbc\xe4", b"\xc0\xee");
    let row = |call: usize| {
        let at = format!("1380013800{},2024-03-01 08:{:02}:{:02},", call % 6, call / 60, call % 60);
        [at.as_bytes(), name, b"\n"].concat()
    };
    let header = [phone, &b","[..], at, b",name\n"].concat();
    [header].into_iter().chain((0..120).map(row)).collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn a_chinese_file_gives_a_design_that_reads_it_and_a_key_of_several_rows_is_told() -> Done {
    let test = "a_chinese_file_gives_a_design_that_reads_it_and_a_key_of_several_rows_is_told";
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("calls.csv"), calls_in_gbk())?;
    let page = console.page("design?sample=calls.csv").await?;
    wait_for_parts(&page, &["bucket 16", "电话", "时间"]).await?;
    page.wait_for_text("Guessed key: 电话, 时间. It tells the 120 rows apart.").await?;
    page.wait_for_text("时间 has no offset from UTC: it is taken for local times of").await?;
    keep_picture(&page, "designer-with-a-chinese-file").await?;

    page.click("Remove 时间").await?;
    page.wait_for_text("120 of 120 rows have a key that another row has, too").await?;
    page.wait_until("return !document.body.innerText.includes('Guessed key')", &[]).await?;
    demand_sound(&page, "the designer with a key of several rows").await?;
    page.click("Undo").await?;
    page.wait_for_text("It tells the 120 rows apart.").await?;
    page.wait_until("return !document.body.innerText.includes('another row has')", &[]).await?;

    page.click("Design file").await?;
    let made = page.value("Design").await?;
    assert!(made.contains("encoding = \"gb18030\""), "{made}");
    let without_name = made.replace("name = { type = \"string\" }\n", "# Nobody is named.\n");
    page.fill("Design", &without_name).await?;
    page.wait_for_text("does not name 1 column of the sample").await?;
    demand_sound(&page, "the designer with a column of no field").await?;
    page.click("Drop it").await?;
    page.wait_for_text("Spread over 16 regions").await?;
    let dropped = page.value("Design").await?;
    assert!(dropped.contains("# Nobody is named.") && dropped.contains("other = \"drop\""), "{dropped}");
    page.click("Undo").await?;
    page.click("Add it as a field").await?;
    page.wait_for_text("Spread over 16 regions").await?;
    let added = page.value("Design").await?;
    assert!(
        added.contains("# Nobody is named.") && added.contains("name = { type = \"string\" }"),
        "{added}"
    );
    Ok(())
}
