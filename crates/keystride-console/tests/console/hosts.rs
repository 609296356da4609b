//! Names by which a console is asked: a page whose own name leads to this machine gets nothing.

use super::fixture::{Console, memory};

async fn status(console: &Console, host: &str) -> u16 {
    let answer = console.ask("GET /api/v1/session", &[&format!("host: {host}")], "").await;
    if answer.status != 200 {
        answer.demand_refused(421, "unknown-host");
    }
    answer.status
}

#[tokio::test]
async fn only_names_of_the_loopback_with_the_consoles_port_are_known() {
    let console = Console::start().await;
    let port = console.address.port();
    for name in ["127.0.0.1", "localhost", "LocalHost", "[::1]"] {
        assert_eq!(status(&console, &format!("{name}:{port}")).await, 200, "{name}");
        for other in ["", ":", ":80", ":0", ":x"] {
            assert_eq!(status(&console, &format!("{name}{other}")).await, 421, "{name}{other}");
        }
    }
    for name in
        ["evil.example", "127.0.0.1.evil.example", "localhost.", "evil.example@127.0.0.1", "[::2]", "127.1"]
    {
        assert_eq!(status(&console, &format!("{name}:{port}")).await, 421, "{name}");
    }
    assert_eq!(status(&console, "evil.example").await, 421);
    assert_eq!(status(&console, "").await, 421);
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let console = Console::start().await;
    let cookie = &console.cookie;
    for version in ["1.0", "1.1"] {
        let request = format!("GET /api/v1/session HTTP/{version}\r\ncookie: {cookie}\r\n\r\n");
        console.raw(request).await.demand_refused(421, "unknown-host");
    }
    let second = format!("host: {}\r\nhost: evil.example", console.address);
    console.ask("GET /api/v1/session", &[&second], "").await.demand_refused(421, "unknown-host");
}

#[tokio::test]
async fn a_name_that_is_allowed_is_known_with_any_port_or_with_its_own() {
    let allowed = ["keys.example", "other.example:8443"].map(|host| host.parse().unwrap());
    let console = Console::with(|options| options.allowed_hosts = allowed.into()).await;
    for host in ["keys.example", "KEYS.example", "keys.example:8443", "other.example:8443"] {
        assert_eq!(status(&console, host).await, 200, "{host}");
    }
    for host in
        ["evil.keys.example", "keys.example.evil", "xkeys.example", "other.example", "other.example:1"]
    {
        assert_eq!(status(&console, host).await, 421, "{host}");
    }
    for (origin, expected) in [("https://keys.example", 200), ("https://keys.example.evil", 403)] {
        let origin = format!("origin: {origin}");
        let headers = ["host: keys.example", "x-keystride: 1", "content-type: application/json", &origin];
        let body = r#"{"split":{"by":"none"}}"#;
        assert_eq!(console.ask("POST /api/v1/splits", &headers, body).await.status, expected, "{origin}");
    }
}

/// Numbers can't be made to lead elsewhere, so the address that was asked for with `--listen` is known.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_address_that_it_listens_at_is_known() {
    let console = Console::serve(memory(), ([127, 0, 0, 2], 0).into(), |_| ()).await;
    let port = console.address.port();
    assert_eq!(status(&console, &format!("127.0.0.2:{port}")).await, 200);
    assert_eq!(status(&console, &format!("127.0.0.3:{port}")).await, 421);
}
