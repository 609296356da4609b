//! Commands on the pages are ones that a shell takes as they are, whatever is in their words.

use std::process::Command;

use keystride_browser_harness::Page;

use super::fixture::{Console, Done};

const STORE: &str = "embedded:it's here; exit 1";

/// The words of the last command that is shown, as a POSIX shell gives them to a program.
async fn words(page: &Page) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let shown =
        page.run_js("return [...document.querySelectorAll('main pre')].at(-1).innerText", &[]).await?;
    let script = format!("keystride() {{ printf '%s\\n' \"$@\"; }}\n{}", shown.as_str().unwrap_or_default());
    let ran = Command::new("sh").arg("-c").arg(script).output()?;
    assert!(ran.status.success() && ran.stderr.is_empty(), "{shown}: {ran:?}");
    Ok(String::from_utf8(ran.stdout)?.lines().map(str::to_owned).collect())
}

#[tokio::test]
async fn words_of_commands_are_quoted() -> Done {
    let test = "words_of_commands_are_quoted";
    let with_store = |options: &mut keystride_console::Options| options.store = STORE.parse().unwrap();
    let Some(console) = Console::with(test, with_store).await else { return Ok(()) };
    let page = console.page("t/calls/query?limit=5;exit").await?;
    page.fill("Predicate", "call1 = 'it''s $HOME `x`'").await?;
    page.wait_until("return document.querySelector('main pre').innerText.includes('HOME')", &[]).await?;
    let condition = "call1 = 'it''s $HOME `x`'";
    let expected = ["query", "calls", "--where", condition, "--limit", "1000", "--backend", STORE];
    assert_eq!(words(&page).await?, expected);

    // What a shell leaves alone within double quotes is easier to read there.
    page.fill("Predicate", "call1 = '13800138000'").await?;
    page.wait_for_text("--where \"call1 = '13800138000'\" --limit").await?;
    assert_eq!(words(&page).await?[3], "call1 = '13800138000'");

    page.open(&format!("{}#/key?key=4_1&table=calls", console.running.url)).await?;
    page.wait_for_text("As a command").await?;
    assert_eq!(words(&page).await?, ["get", "calls", "--hex", "345f31", "--backend", STORE]);
    page.open(&format!("{}#/t/calls", console.running.url)).await?;
    page.click("As commands").await?;
    page.wait_for_text("keystride stats").await?;
    let all = words(&page).await?;
    assert_eq!(all.iter().filter(|word| *word == STORE).count(), 4, "{all:?}");
    Ok(())
}
