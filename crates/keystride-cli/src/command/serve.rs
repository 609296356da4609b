//! `keystride serve`: the console, in a browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use keystride_console::{BasePath, Listen, Listener, Options, Running};
use keystride_store::{EmbeddedOptions, StoreAddress};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, in_store, run, store_options};
use crate::output::{print_lines, say};
use crate::stop;

/// Opens the console: pages in a browser, for this machine alone
///
/// The address that is printed has a token, which is valid once: the browser that opens it may ask from then on, until
/// the console ends. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// The address [default: 127.0.0.1:7070, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Allow what makes, changes and removes tables
    #[arg(long)]
    allow_write: bool,
    /// Open it in a browser
    #[arg(long)]
    open: bool,
    /// A folder whose files can be loaded, and to which extracts are written
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Another name by which browsers may ask: that of a proxy
    #[arg(long = "allow-host", value_name = "NAME")]
    allow_hosts: Vec<String>,
    /// The path below which a proxy serves it, such as /keys
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    base_path: BasePath,
}

impl Serve {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let options = self.options(global)?;
        run(async {
            let listener = Listener::bind(self.listen.map_or_else(Listen::default, Listen::At)).await?;
            let embedded = EmbeddedOptions { console: Some(listener.url()), ..store_options(global) };
            let missing = if self.allow_write { Missing::Make } else { Missing::Fail };
            in_store(global, missing, embedded, async |store| {
                let (quit, asked) = tokio::sync::oneshot::channel::<()>();
                let stop = async { asked.await.unwrap_or(()) };
                let serve =
                    listener.serve(Arc::clone(&store), options, |running| self.tell(global, running), stop);
                let ask = || drop(quit);
                Ok(stop::in_order(serve, ask).await?)
            })
            .await
        })?;
        Ok(Code::Done)
    }

    fn options(&self, global: &Global) -> Result<Options, Failure> {
        let mut options = Options::new(global.backend()?.clone());
        options.allow_write = self.allow_write;
        options.allowed_hosts.clone_from(&self.allow_hosts);
        options.base_path = self.base_path.clone();
        options.files.clone_from(&self.files);
        Ok(options)
    }

    /// Prints the address, and another one each time that it has been used.
    fn tell(&self, global: &Global, mut running: Running) {
        let what = match global.backend() {
            Ok(StoreAddress::Embedded(folder)) => folder.display().to_string(),
            Ok(cluster) => cluster.to_string(),
            Err(_) => String::new(),
        };
        let changes = if self.allow_write { "tables can be changed" } else { "tables are only read" };
        say(global, &format!("the console of {what}: {changes}; Ctrl-C ends it"));
        let url = running.url_with_token();
        if self.open && !open_browser(&url) {
            say(global, "no browser could be opened; open this address");
        }
        // Nothing is lost when nobody reads it any more.
        let _ = print_lines(global, "url", std::iter::once(url));
        let global = global.clone();
        tokio::spawn(async move {
            while running.token_used().await {
                say(&global, &format!("for another browser: {}", running.url_with_token()));
            }
        });
    }
}

/// Opens an address in the browser of the system, and returns whether that was begun.
fn open_browser(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
