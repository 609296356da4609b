//! A console in this process, and requests to it, written byte by byte.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use keystride_console::{Listen, Listener, Options, Running};
use keystride_store::{MemoryStore, Store, SystemClock};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::stream::Stream;

/// No answer takes as long, even where many builds share the machine.
pub(crate) const SOON: Duration = Duration::from_mins(2);

/// The headers of what is not GET.
const AS_PAGES: [&str; 2] = ["x-keystride: 1", "content-type: application/json"];

pub(crate) struct Console {
    pub(crate) address: SocketAddr,
    pub(crate) running: Running,
    pub(crate) store: Arc<dyn Store>,
    /// The cookie of a session.
    pub(crate) cookie: String,
    base_path: String,
}

impl Console {
    /// A console that may change tables.
    pub(crate) async fn start() -> Self {
        Self::with(|options| options.allow_write = true).await
    }

    pub(crate) async fn with(set: impl FnOnce(&mut Options)) -> Self {
        Self::serve(memory(), ([127, 0, 0, 1], 0).into(), set).await
    }

    /// A console that may change tables, and the folder whose files it takes.
    pub(crate) async fn with_files() -> (TempDir, Self) {
        let files = tempfile::tempdir().unwrap();
        let console = Self::with(|options| {
            options.allow_write = true;
            options.files = Some(files.path().to_owned());
        });
        let console = console.await;
        (files, console)
    }

    pub(crate) async fn serve(
        store: Arc<dyn Store>,
        address: SocketAddr,
        set: impl FnOnce(&mut Options),
    ) -> Self {
        let mut options = Options::new("embedded:data".parse().unwrap());
        set(&mut options);
        let base_path = options.base_path.to_string();
        let listener = Listener::bind(Listen::At(address)).await.unwrap();
        let (address, served) = (listener.address(), Arc::clone(&store));
        let (running, serving) = listener.serve(served, options).unwrap();
        tokio::spawn(async { serving.await.unwrap() });
        let mut console = Self { address, running, store, cookie: String::new(), base_path };
        let first = console.ask(&format!("GET {}", console.first_page()), &[], "").await;
        assert_eq!(first.status, 200, "{}", first.body);
        let cookie = first.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut console.cookie);
        console
    }

    /// The path of the first page, with the token that is valid now.
    pub(crate) fn first_page(&self) -> String {
        format!("{}/?token={}", self.base_path, self.token())
    }

    pub(crate) fn token(&self) -> String {
        let url = self.running.url_with_token("");
        url.split_once("token=").unwrap().1.trim_end_matches("#/").to_owned()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {}/api/v1{path}", self.base_path), &[], "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &body.to_string()).await
    }

    /// Sends a body as the pages do.
    pub(crate) async fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        self.ask(&format!("{method} {}/api/v1{path}", self.base_path), &AS_PAGES, body).await
    }

    /// Sends a request; a host and the session are named unless the headers do.
    pub(crate) async fn ask(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let answer = self.raw(self.request(line, headers, body)).await;
        answer.demand_safe();
        answer
    }

    /// Sends a request as the pages do, and returns its answer as far as it is read.
    pub(crate) async fn open(&self, method: &str, path: &str, body: &str) -> Stream {
        let socket = TcpStream::connect(self.address).await.unwrap();
        self.open_on(socket, method, path, body).await
    }

    pub(crate) async fn open_on(&self, socket: TcpStream, method: &str, path: &str, body: &str) -> Stream {
        let line = format!("{method} {}/api/v1{path}", self.base_path);
        let stream = Stream::open(socket, &self.request(&line, &AS_PAGES, body)).await;
        stream.head.demand_safe();
        stream
    }

    /// Waits until a job has ended.
    pub(crate) async fn end_of(&self, job: &Value) -> Value {
        let mut events = self.open("GET", &format!("/jobs/{}/events", job["id"]), "").await;
        loop {
            let (_, job) = events.event().await.expect("the last event has the end");
            if !job["end"].is_null() {
                return job;
            }
        }
    }

    fn request(&self, line: &str, headers: &[&str], body: &str) -> String {
        let (host, cookie) = (format!("host: {}", self.address), format!("cookie: {}", self.cookie));
        let is_given =
            |own: &str| headers.iter().any(|header| header.split(':').next() == own.split(':').next());
        let own = [host.as_str(), &cookie].into_iter().filter(|own| !is_given(own));
        let length = format!("content-length: {}", body.len());
        let lines = own.chain(headers.iter().copied()).chain([length.as_str(), "", body]);
        format!("{line} HTTP/1.1\r\n{}", lines.collect::<Vec<_>>().join("\r\n"))
    }

    /// Sends bytes, and reads the answer while they are sent: some requests are not read to their end.
    pub(crate) async fn raw(&self, request: impl AsRef<[u8]>) -> Answer {
        let (mut read, mut write) = TcpStream::connect(self.address).await.unwrap().into_split();
        let request = request.as_ref();
        let sent = async {
            // Whoever is refused early finds the connection closed.
            let _ = write.write_all(request).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = sent => unreachable!(),
            answer = Answer::read(&mut read, request.starts_with(b"HEAD")) => answer,
            () = tokio::time::sleep(SOON) => panic!("no answer to {:?}", String::from_utf8_lossy(&request[..request.len().min(200)])),
        }
    }
}

/// Returns how many tasks there are, once those of closed connections have noticed that.
pub(crate) async fn tasks() -> usize {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

pub(crate) fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new(Arc::new(SystemClock)))
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    async fn read(stream: &mut (impl AsyncRead + Unpin), is_head: bool) -> Self {
        let (mut answer, mut body) = Self::head(stream).await;
        let length = answer.header("content-length").filter(|_| !is_head);
        let length = length.map_or(0, |length| length.parse().unwrap());
        let rest = length - body.len();
        body.resize(length, 0);
        stream.read_exact(&mut body[length - rest..]).await.unwrap();
        answer.body = String::from_utf8(body).unwrap();
        answer
    }

    /// Reads the head of an answer; returns also the first bytes of its body.
    pub(crate) async fn head(stream: &mut (impl AsyncRead + Unpin)) -> (Self, Vec<u8>) {
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
        loop {
            let count = stream.read(&mut buffer).await.unwrap();
            bytes.extend_from_slice(&buffer[..count]);
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
                let answer = Self { status: head[9..12].parse().unwrap(), head, body: String::new() };
                return (answer, bytes.split_off(end + 4));
            }
            assert!(count > 0, "cut off: {}", String::from_utf8_lossy(&bytes));
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn done(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }

    /// Demands a refusal that has a word and a sentence.
    pub(crate) fn demand_refused(&self, status: u16, code: &str) {
        let error = &self.json()["error"];
        let message = error["message"].as_str().unwrap_or_default();
        assert_eq!((self.status, error["code"].as_str()), (status, Some(code)), "{message}");
        assert!(message.contains(' '), "{message}");
    }

    /// What every answer has: nothing in it runs, nobody frames it, nobody keeps it.
    fn demand_safe(&self) {
        let policy = self.header("content-security-policy").unwrap_or_default();
        let is_strict = policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'");
        assert!(is_strict && !policy.contains("unsafe"), "{self:?}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{self:?}");
        assert_eq!(self.header("referrer-policy"), Some("no-referrer"), "{self:?}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{self:?}");
        assert_eq!(self.header("access-control-allow-origin"), None, "{self:?}");
    }
}

/// The text of a design whose rows are calls, in `count` buckets.
pub(crate) fn calls(count: u32) -> String {
    format!(
        "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"]\n[fields]\nphone = {{ type = \"digits\", len = 11 }}\n\
         ts = {{ type = \"time\", unit = \"ms\" }}\n[key]\n\
         parts = [{{ bucket = {count}, of = [\"phone\"] }}, {{ field = \"phone\" }}, {{ field = \"ts\" }}]\n\
         [split]\nby = \"bucket\"\n"
    )
}
