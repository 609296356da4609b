//! Files of the pages, and no others.

use super::fixture::Console;

#[tokio::test]
async fn files_beside_those_of_the_pages_are_not_there() {
    let console = Console::start().await;
    let up = ["..", "%2e%2e", "%252e%252e", ".%2e", "..%2f", "..%5c", "....//", "..;"];
    // A file with an ending that pages have, beside their folder, where a debug build reads them.
    let ends = ["/src/api/openapi.json", "%2fsrc%2fapi%2fopenapi.json", "%2Fetc%2Fpasswd", "/etc/passwd"];
    let ways = up.iter().flat_map(|up| ends.iter().map(move |end| format!("{up}{end}")));
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi.json");
    let others = [
        "",
        ".",
        "/",
        "parts",
        "parts/",
        "index.html/",
        "app.js%00",
        "app.js%00.json",
        "app.js/../app.js",
        "%ff.js",
        "/etc/passwd",
        here,
        &here.replace('/', "%2F"),
        "C:%5CWindows%5Cwin.ini",
    ]
    .map(str::to_owned);
    for path in ways.chain(others) {
        let answer = console.ask(&format!("GET /assets/{path}"), &[], "").await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(
            !answer.body.contains("openapi") && !answer.body.contains("root:"),
            "{path}: {}",
            answer.body
        );
    }
    assert_eq!(console.ask("GET /assets/app.js", &[], "").await.status, 200);
}

#[tokio::test]
async fn bytes_that_no_address_has_are_refused() {
    let console = Console::start().await;
    for path in [&b"/assets/\0app.js"[..], b"/assets/a b.js", b"/assets/\r\n\r\n", b"\xff"] {
        let end = format!(" HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\r\n", console.address, console.cookie);
        let answer = console.raw([b"GET ", path, end.as_bytes()].concat()).await;
        assert!((400..500).contains(&answer.status), "{path:?}: {answer:?}");
    }
}

#[tokio::test]
async fn every_file_of_the_pages_has_its_type() {
    let console = Console::start().await;
    for (path, kind) in [
        ("app.js", "text/javascript; charset=utf-8"),
        ("lib/api.js", "text/javascript; charset=utf-8"),
        ("style/base.css", "text/css; charset=utf-8"),
        ("i18n/en.json", "application/json"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let answer = console.ask(&format!("GET /assets/{path}"), &[], "").await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
    }
}
