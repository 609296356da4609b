//! Tokens and sessions: a token is valid once and on the first page alone, and nothing is told without a session.

use super::fixture::Console;

async fn demand_no_session(console: &Console, line: &str, headers: &[&str]) {
    let none = ["cookie: ", "x-keystride: 1"];
    let headers: Vec<&str> = if headers.is_empty() { none.into() } else { headers.into() };
    let answer = console.ask(line, &headers, "").await;
    assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{line} {headers:?}");
    if line.contains("/api/") {
        answer.demand_refused(401, "no-session");
    } else {
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    }
}

#[tokio::test]
async fn nothing_is_told_without_a_session() {
    let console = Console::start().await;
    for line in [
        "GET /",
        "GET /assets/app.js",
        "GET /api/v1/session",
        "GET /api/v1/tables",
        "GET /api/v1/nothing",
        "GET /nothing",
        "POST /api/v1/splits",
        "DELETE /api/v1/tables/calls",
    ] {
        demand_no_session(&console, line, &[]).await;
    }
}

#[tokio::test]
async fn the_page_of_a_browser_without_a_session_has_its_style_and_its_language() {
    let console = Console::start().await;
    let style = console.ask("GET /assets/style/base.css", &["cookie: "], "").await;
    assert_eq!((style.status, style.header("set-cookie")), (200, None));
    for line in ["GET /assets/style/parts.css", "POST /assets/style/base.css", "GET /x/assets/style/base.css"]
    {
        demand_no_session(&console, line, &[]).await;
    }
    let stranger = console.ask("GET /assets/style/base.css", &["cookie: ", "host: example.com"], "").await;
    stranger.demand_refused(421, "unknown-host");
    for (languages, first) in [("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"), ("en-US,en;q=0.9,zh;q=0.8", "en")] {
        let accepted = format!("accept-language: {languages}");
        let page = console.ask("GET /", &["cookie: ", &accepted], "").await;
        assert!(page.body.contains(&format!("<html lang=\"{first}\">")), "{languages}: {}", page.body);
    }
}

#[tokio::test]
async fn a_cookie_that_is_not_the_sessions_is_none() {
    let console = Console::start().await;
    let (name, id) = console.cookie.split_once('=').unwrap();
    for wrong in [
        format!("{name}="),
        format!("{name}={}", &id[..31]),
        format!("{name}={id}0"),
        format!("{name}={}", "0".repeat(32)),
        format!("keystride={id}"),
        format!("{}={id}", name.to_uppercase()),
        format!("x={name}={id}"),
        format!("{name}=\"{id}\""),
        id.to_owned(),
    ] {
        demand_no_session(&console, "GET /api/v1/session", &[&format!("cookie: {wrong}")]).await;
    }
    let among = format!("cookie: a=b; {name}={id}; c=d");
    assert_eq!(console.ask("GET /api/v1/session", &[&among], "").await.status, 200);
}

#[tokio::test]
async fn a_cookie_is_for_the_browser_that_got_it() {
    let console = Console::start().await;
    let answer = console.ask(&format!("GET {}", console.first_page()), &["cookie: "], "").await;
    let cookie = answer.header("set-cookie").unwrap();
    let words: Vec<&str> = cookie.split("; ").skip(1).collect();
    assert_eq!(words, ["HttpOnly", "SameSite=Strict", "Path=/"]);
    assert_ne!(cookie.split(';').next().unwrap(), console.cookie);
}

#[tokio::test]
async fn a_token_is_valid_once() {
    let console = Console::start().await;
    let page = console.first_page();
    assert_eq!(console.ask(&format!("GET {page}"), &["cookie: "], "").await.status, 200);
    assert_ne!(console.first_page(), page);
    demand_no_session(&console, &format!("GET {page}"), &[]).await;
    let next = console.first_page();
    assert_eq!(console.ask(&format!("GET {next}"), &["cookie: "], "").await.status, 200);
}

#[tokio::test]
async fn a_token_anywhere_but_in_the_address_of_the_first_page_is_none() {
    let console = Console::start().await;
    let token = console.token();
    for line in [
        format!("GET /{token}"),
        format!("GET /?Token={token}"),
        format!("GET /?x=token={token}"),
        format!("GET /?{token}"),
        format!("GET /?token=%20{token}"),
        format!("GET /api/v1/session?token={token}"),
        format!("GET /assets/app.js?token={token}"),
        format!("POST /?token={token}"),
        format!("HEAD /?token={token}"),
        format!("DELETE /api/v1/tables/calls?token={token}"),
    ] {
        let answer = console.ask(&line, &["cookie: ", "x-keystride: 1"], "").await;
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{line}");
    }
    demand_no_session(&console, "GET /", &[&format!("cookie: token={token}")]).await;
    demand_no_session(&console, "GET /", &["cookie: ", &format!("authorization: Bearer {token}")]).await;
    assert_eq!(console.token(), token);
    assert_eq!(console.ask(&format!("GET {}", console.first_page()), &["cookie: "], "").await.status, 200);
}

#[tokio::test]
async fn wrong_tokens_give_nothing_and_do_not_use_up_the_right_one() {
    let console = Console::start().await;
    let token = console.token();
    for n in 0..100 {
        let wrong = if n % 2 == 0 { format!("{n:032x}") } else { token[..n * 31 / 100].to_owned() };
        demand_no_session(&console, &format!("GET /?token={wrong}"), &[]).await;
    }
    assert_eq!(console.ask(&format!("GET /?token={token}"), &["cookie: "], "").await.status, 200);
}
