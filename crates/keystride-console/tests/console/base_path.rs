//! A console below a path of a proxy.

use super::fixture::Console;

#[tokio::test]
async fn below_a_base_path_is_all_and_beside_it_nothing() {
    let console = Console::with(|options| options.base_path = "/tools/keys".parse().unwrap()).await;
    assert!(console.running.url_with_token("").contains("/tools/keys/?token="));
    console.get("/session").await.done();
    for (path, expected) in [
        ("/tools/keys/", 200),
        ("/tools/keys/assets/app.js", 200),
        ("/", 404),
        ("/tools", 404),
        ("/tools/keysx/", 404),
        ("/assets/app.js", 404),
        ("/api/v1/session", 404),
        ("/tools/keys/tools/keys/", 404),
        ("/tools/keys/../../api/v1/session", 404),
    ] {
        assert_eq!(console.ask(&format!("GET {path}"), &[], "").await.status, expected, "{path}");
    }
}

#[tokio::test]
async fn a_cookie_is_not_sent_beside_the_base_path() {
    let console = Console::with(|options| options.base_path = "/keys".parse().unwrap()).await;
    let answer = console.ask(&format!("GET {}", console.first_page()), &["cookie: "], "").await;
    assert!(answer.header("set-cookie").unwrap().ends_with("; Path=/keys/"), "{answer:?}");
    let token = console.token();
    let beside = console.ask(&format!("GET /?token={token}"), &["cookie: "], "").await;
    assert_eq!((beside.status, console.token()), (401, token));
}

/// A proxy that takes the path away leaves the addresses of the first page as they are.
#[tokio::test]
async fn the_first_page_names_its_files_beside_itself() {
    let console = Console::with(|options| options.base_path = "/keys".parse().unwrap()).await;
    let page = console.ask("GET /keys/", &[], "").await.body;
    let names: Vec<&str> = ["src=\"", "href=\""]
        .iter()
        .flat_map(|attribute| page.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap()))
        .collect();
    assert!(names.len() > 2, "{page}");
    for name in names {
        assert!(!name.starts_with('/') && !name.contains("//"), "{name}");
        assert_eq!(console.ask(&format!("GET /keys/{name}"), &[], "").await.status, 200, "{name}");
    }
}
