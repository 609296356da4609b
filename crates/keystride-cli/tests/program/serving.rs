//! The console as a process: what it prints, whom it keeps from the store, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command};

use super::calls::Calls;
use super::{stderr, stdout};

/// A console as a process.
pub(super) struct Serving {
    child: Child,
    /// What is left of its output.
    output: BufReader<ChildStdout>,
    /// Its address without the token.
    pub(super) url: String,
    token: String,
}

impl Serving {
    /// A console of a folder with a table of calls.
    fn start(calls: &Calls, args: &[&str]) -> Self {
        Self::of(calls.start(&[&["serve"], args].concat()))
    }

    /// Waits until it has printed its address.
    pub(super) fn of(mut child: Child) -> Self {
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let Some((url, token)) = line.trim_end().split_once("?token=") else {
            panic!("{line:?}: {}", stderr(&child.wait_with_output().unwrap()));
        };
        let (token, _page) = token.split_once('#').unwrap();
        Self { url: url.to_owned(), token: token.to_owned(), child, output }
    }

    /// Sends a request with a cookie, and returns the answer as it is.
    pub(super) fn get(&self, path: &str, cookie: &str) -> String {
        let host = self.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Begins a session, and returns its cookie.
    pub(super) fn session(&self) -> String {
        let page = self.get(&format!("/?token={}", self.token), "");
        let cookie = page.split_once("set-cookie: ").unwrap_or_else(|| panic!("{page}")).1;
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Ends it by Ctrl-C, and returns the rest of what it says.
    pub(super) fn end(mut self) -> String {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "only the address is data");
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    }
}

#[test]
fn a_console_prints_its_address_and_answers_who_has_its_token() {
    let calls = Calls::new();
    let serving = Serving::start(&calls, &["--listen", "127.0.0.1:0"]);
    assert!(serving.get("/api/v1/tables", "").starts_with("HTTP/1.1 401 "));
    let cookie = serving.session();
    let tables = serving.get("/api/v1/tables", &cookie);
    assert!(tables.ends_with(r#"{"tables":["calls"]}"#), "{tables}");
    assert!(serving.get(&format!("/?token={}", serving.token), "").starts_with("HTTP/1.1 401 "));
    let told = serving.end();
    assert!(told.contains("tables are only read") && told.contains("for another browser: http://"), "{told}");
}

#[test]
fn a_command_on_the_folder_of_a_console_is_told_at_once_where_it_is() {
    let calls = Calls::new();
    let serving = Serving::start(&calls, &["--listen", "127.0.0.1:0"]);
    // It does not wait these ten minutes.
    let refused = calls.run(&["count", "calls", "--wait", "600s"]);
    assert_eq!((refused.status.code(), stdout(&refused)), (Some(3), String::new()));
    for told in [format!("process {}, `", serving.child.id()), format!("the console at {}", serving.url)] {
        assert!(stderr(&refused).contains(&told), "{told}: {}", stderr(&refused));
    }
    serving.end();
    // It is closed as a whole: nothing is left in the journal, and nobody has it.
    assert_eq!(calls.count(), 0);
}

#[test]
fn a_port_that_is_taken_is_an_error_where_it_was_named() {
    let calls = Calls::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = calls.run(&["serve", "--listen", &address]);
    assert_eq!((refused.status.code(), stdout(&refused)), (Some(3), String::new()));
    assert!(
        stderr(&refused).contains(&address) && stderr(&refused).contains("--listen"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn the_next_free_port_is_taken_where_none_was_named() {
    let (calls, others) = (Calls::new(), Calls::new());
    // The port may be another program's: then this can't be bound either, and the next one is taken all the same.
    let _taken = TcpListener::bind("127.0.0.1:7070");
    let (one, other) = (Serving::start(&calls, &[]), Serving::start(&others, &[]));
    for serving in [&one, &other] {
        let port: u16 = serving.url.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
        assert!((7071..7120).contains(&port), "{port}");
    }
    assert_ne!(one.url, other.url);
    one.end();
    other.end();
}

#[test]
fn arguments_that_can_not_be_meant_are_refused() {
    let calls = Calls::new();
    for (args, told) in [
        (&["--listen", "7070"][..], "such as 127.0.0.1:7070"),
        (&["--listen", "localhost:7070"], "write both in numbers"),
        (&["--base-path", "keys"], "write /name"),
        (&["--allow-host", "https://keys.example.com"], "such as keys.example.com,"),
        (&["--allow-host", "keys.example.com/keys"], "is not the name of a host"),
        (&["--trust-header", "Host"], "such as X-Forwarded-User"),
        (&["--files", "nothing"], "nothing can't be the folder of --files"),
        (&["more"], "unexpected argument"),
    ] {
        let refused = calls.run(&[&["serve"], args].concat());
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains(told), "{args:?}: {}", stderr(&refused));
    }
    let nothing = calls.run(&["serve", "--backend", "embedded:nothing", "--listen", "127.0.0.1:0"]);
    assert_eq!((nothing.status.code(), stdout(&nothing)), (Some(3), String::new()));
    assert!(stderr(&nothing).contains("there is no store in nothing; "), "{}", stderr(&nothing));
    assert!(stderr(&nothing).contains("`keystride serve --allow-write`"), "{}", stderr(&nothing));
    assert!(!calls.path().join("nothing").exists());
}
