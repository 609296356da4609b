//! `keystride serve`: the console, in a browser.

use std::path::PathBuf;

use keystride_console::{AllowedHost, BasePath, Listen, Options, TrustedHeader};

use crate::console::Console;
use crate::failure::{Code, Failure};
use crate::global::Global;

/// Opens the console: pages in a browser, for this machine alone
///
/// The address that is printed has a token, which is valid once: the browser that opens it may ask from then on, until
/// the console ends. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// The address [default: 127.0.0.1:7070, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<Listen>,
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
    allow_hosts: Vec<AllowedHost>,
    /// The path below which a proxy serves it, such as /keys
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    base_path: BasePath,
    /// A header by which a proxy on this machine names its users, such as X-Forwarded-User: they need no token
    #[arg(long, value_name = "NAME")]
    trust_header: Option<TrustedHeader>,
}

impl Serve {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let mut options = Options::new(global.backend()?.clone());
        options.allow_write = self.allow_write;
        options.allowed_hosts.clone_from(&self.allow_hosts);
        options.base_path = self.base_path.clone();
        options.trusted_header.clone_from(&self.trust_header);
        options.files.clone_from(&self.files);
        let listen = self.listen.unwrap_or_default();
        let console = Console { listen, options, open: self.open, page: "" };
        console.serve(global, async |_| Ok(()))?;
        Ok(Code::Done)
    }
}
