//! All pages, in both languages and themes, on desks and in a hand.

use std::fs;

use keystride_browser_harness::{Look, Theme};
use serde_json::json;

use super::examples;
use super::fixture::{Console, Done, faults, go, keep_picture};

/// Each page, and a script that returns whether it has all that it shows.
const PAGES: [(&str, &str); 18] = [
    ("", "document.querySelectorAll('main tbody tr').length >= 8"),
    ("create?name=calls&by=hex&regions=16", "document.querySelector('main pre') !== null"),
    ("t/flights", "document.querySelector('main dl, main tbody tr') !== null"),
    ("t/flights?by=bucket", "document.querySelectorAll('main tbody tr').length >= 8"),
    ("t/plain", "document.querySelectorAll('main tbody tr').length >= 3"),
    ("t/flights/heat", "document.querySelector('canvas') !== null"),
    (
        "t/flights/query?where=tailnum%20%3D%20'N14228'&limit=20",
        "document.querySelector('main .strip') !== null",
    ),
    ("t/plain/query", "document.querySelector('main .note') !== null"),
    ("t/flights/load", "document.querySelector('main .drop') !== null"),
    ("key?key=31&form=hex&table=flights", "document.querySelector('main dl') !== null"),
    ("design", "document.querySelector('main textarea, main button') !== null"),
    ("jobs", "document.querySelector('main p') !== null"),
    ("design?sample=flights.csv", "document.querySelector('.design-finding, .regions') !== null"),
    ("t/nothing", "document.querySelector('main [role=alert]') !== null"),
    ("t/nothing/heat", "document.querySelector('main [role=alert]') !== null"),
    ("t/nothing/query", "document.querySelector('main [role=alert]') !== null"),
    ("t/nothing/load", "document.querySelector('main [role=alert]') !== null"),
    ("nowhere", "document.querySelector('main a') !== null"),
];

const HEADER_IS_HIGH: &str = "return document.querySelector('header').offsetHeight > 72";

#[tokio::test]
async fn every_page_is_sound_in_english() -> Done {
    every_page("every_page_is_sound_in_english", "en-US").await
}

#[tokio::test]
async fn every_page_is_sound_in_chinese() -> Done {
    every_page("every_page_is_sound_in_chinese", "zh-CN").await
}

async fn every_page(test: &str, language: &str) -> Done {
    let Some(console) = Console::start(test).await else { return Ok(()) };
    fs::write(console.files.path().join("flights.csv"), examples::flights(300))?;
    let mut found = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        let page = console.page_as("", Look { language, theme, ..Look::default() }).await?;
        for (path, is_whole) in PAGES {
            go(&page, path).await?;
            page.wait_until(&format!("return {is_whole}"), &[]).await?;
            for width in [1920, 1280, 400] {
                page.set_size(width, 800).await?;
                let about = format!("#/{path} in {language}, {theme:?}, {width} wide");
                let name = path.split('&').next().unwrap_or(path);
                keep_picture(&page, &format!("{name}-{language}-{theme:?}-{width}")).await?;
                // That there is no such table is an answer that the console has an error for.
                let is_told =
                    |fault: &String| path.starts_with("t/nothing") && fault.contains("404 (Not Found)");
                if width == 400 && page.run_js(HEADER_IS_HIGH, &[]).await? == json!(true) {
                    found.push(format!("{about}: the header has more than two lines"));
                }
                found.extend(faults(&page, &about).await?.into_iter().filter(|fault| !is_told(fault)));
            }
            page.set_size(1280, 800).await?;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}
