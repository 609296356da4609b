use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;

use keystride_store::Store;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::api;
use crate::safety::Sessions;
use crate::served::Served;
use crate::{ConsoleError, Options};

/// Where to listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listen {
    /// At this address.
    At(SocketAddr),
    /// At this address or, where its port is taken, at one of the next ports.
    From(SocketAddr),
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
    tokens: watch::Receiver<String>,
}

impl Running {
    /// Returns the address with the token that is valid now. It is valid once; the browser that used it needs it no more.
    pub fn url_with_token(&self) -> String {
        format!("{}?token={}", self.url, *self.tokens.borrow())
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

    /// Answers requests about a store until `stop` is done; requests under way are then cut off. `running` is told the
    /// address with its token.
    ///
    /// # Errors
    ///
    /// [`ConsoleError`] when it can't be served.
    pub async fn serve(
        self,
        store: Arc<dyn Store>,
        options: Options,
        running: impl FnOnce(Running),
        stop: impl Future<Output = ()>,
    ) -> Result<(), ConsoleError> {
        let url = format!("http://{}{}/", self.address, options.base_path);
        running(Running { url, tokens: self.sessions.tokens() });
        let served = Arc::new(Served::new(store, options, self.sessions, self.address.port())?);
        let serve = axum::serve(self.socket, api::app(served));
        tokio::select! {
            served = async { serve.await } => served.map_err(ConsoleError::Serve),
            () = stop => Ok(()),
        }
    }
}
