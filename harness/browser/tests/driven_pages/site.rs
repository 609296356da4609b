//! A site of two files under a strict Content-Security-Policy.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const PAGE: &str = include_str!("site/page.html");
const SCRIPT: &str = include_str!("site/page.js");

/// Serves the site for as long as this process runs, and returns its address.
///
/// `/` is the page, and `/?BODY` one of which BODY is all.
pub(crate) fn serve() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}/", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A browser also opens connections that it never uses, and leaves early.
            thread::spawn(move || answer(&stream));
        }
    });
    Ok(address)
}

fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let language = head.iter().find_map(|line| line.strip_prefix("Accept-Language: ")).unwrap_or_default();
    let (status, kind, body) = match first.split(' ').nth(1).unwrap_or_default() {
        "/" => ("200 OK", "html", PAGE.replace("LANGUAGE", language)),
        "/page.js" => ("200 OK", "javascript", SCRIPT.to_owned()),
        "/favicon.ico" => ("204 No Content", "plain", String::new()),
        path => match path.strip_prefix("/?") {
            Some(body) => {
                ("200 OK", "html", body.replace("%20", " ").replace("%3C", "<").replace("%3E", ">"))
            }
            None => ("404 Not Found", "plain", String::new()),
        },
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: default-src 'self'\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
