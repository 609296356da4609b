use std::io::ErrorKind;
use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::Arc;

use keystride_store::Store;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::api;
use crate::jobs::{FileLoad, begin_load};
use crate::safety::Sessions;
use crate::served::{Served, Shared};
use crate::{ConsoleError, Options};

/// Where to listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listen {
    /// At this address.
    At(SocketAddr),
    /// At this address or, where its port is taken, at one of the next ports.
    From(SocketAddr),
}

/// A text that is not an address with a port.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{found}\" is not an address with a port: write both in numbers, such as 127.0.0.1:7070 or 0.0.0.0:7070"
)]
pub struct InvalidListen {
    found: String,
}

impl FromStr for Listen {
    type Err = InvalidListen;

    fn from_str(text: &str) -> Result<Self, InvalidListen> {
        text.parse().map(Self::At).map_err(|_| InvalidListen { found: text.to_owned() })
    }
}

/// How many ports are tried.
const PORTS: u16 = 50;

impl Default for Listen {
    /// At 127.0.0.1:7070, or the next free port.
    fn default() -> Self {
        Self::From(SocketAddr::from(([127, 0, 0, 1], 7070)))
    }
}

/// A console that has an address, and no store yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    sessions: Sessions,
}

/// A console at an address.
#[derive(Debug, Clone)]
pub struct Running {
    /// Its address, without a token.
    pub url: String,
    served: Shared,
    tokens: watch::Receiver<String>,
    quit: watch::Sender<bool>,
}

impl Running {
    /// Returns the address of a page, with the token that is valid now. It is valid once; the browser that used it needs it no
    /// more.
    pub fn url_with_token(&self, page: &str) -> String {
        format!("{}?token={}#/{page}", self.url, *self.tokens.borrow())
    }

    /// Returns the store that it serves. What passes through it is shown in the heat of its tables.
    pub fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.served.store)
    }

    /// Begins a load, as if a browser had asked for it.
    pub fn begin_load(&self, load: FileLoad) {
        self.served.watch(load.table.name());
        begin_load(&self.served.jobs, load, None);
    }

    /// Ends the console: jobs are cancelled, and requests under way are cut off.
    pub fn end(&self) {
        self.quit.send_replace(true);
    }

    /// Waits until the token has been used, so that there is another one; `false` when the console has ended.
    pub async fn token_used(&mut self) -> bool {
        self.tokens.changed().await.is_ok()
    }
}

impl Listener {
    /// Takes an address.
    ///
    /// # Errors
    ///
    /// [`ConsoleError::Listen`] when it can't be had.
    pub async fn bind(listen: Listen) -> Result<Self, ConsoleError> {
        let (first, tries) = match listen {
            Listen::At(address) => (address, 1),
            Listen::From(address) => (address, PORTS),
        };
        let mut address = first;
        let socket = loop {
            match TcpListener::bind(address).await {
                Ok(socket) => break socket,
                Err(error)
                    if error.kind() == ErrorKind::AddrInUse && address.port() - first.port() + 1 < tries =>
                {
                    address.set_port(address.port() + 1);
                }
                Err(source) => return Err(ConsoleError::Listen { address, source }),
            }
        };
        let address = socket.local_addr().map_err(ConsoleError::Serve)?;
        Ok(Self { socket, address, sessions: Sessions::new(address.port()).map_err(ConsoleError::Random)? })
    }

    /// Returns where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its address for a browser, without a token.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns the console of a store, and the future that answers requests until it is [to end](Running::end).
    ///
    /// # Errors
    ///
    /// [`ConsoleError`] when a folder can't be used; the future's, when it can't be served.
    pub fn serve(
        self,
        store: Arc<dyn Store>,
        options: Options,
    ) -> Result<(Running, impl Future<Output = Result<(), ConsoleError>>), ConsoleError> {
        let url = format!("http://{}{}/", self.address, options.base_path);
        let (tokens, quit) = (self.sessions.tokens(), watch::Sender::new(false));
        let served = Arc::new(Served::new(store, options, self.sessions, self.address)?);
        let mut to_end = quit.subscribe();
        let running = Running { url, served: Arc::clone(&served), tokens, quit };
        let app = api::app(Arc::clone(&served)).into_make_service_with_connect_info::<SocketAddr>();
        let serve = axum::serve(self.socket, app);
        let serving = async move {
            // A table that can't be listed is not there to be watched.
            let _ = served.heat.watch_all().await;
            tokio::select! {
                done = async { serve.await } => done.map_err(ConsoleError::Serve)?,
                _ = to_end.wait_for(|is_to_end| *is_to_end) => {}
            }
            served.jobs.end_all().await;
            served.heat.close().await;
            Ok(())
        };
        Ok((running, serving))
    }
}
