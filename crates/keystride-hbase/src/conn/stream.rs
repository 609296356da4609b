//! Streams to servers, plain or over TLS.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream, lookup_host};

#[cfg(feature = "tls")]
use crate::tls::{Connector, HandshakeError, TlsError};
use crate::{ClientOptions, Error, HostPort};

pub(super) type Input = Box<dyn AsyncRead + Unpin + Send>;
/// Bytes to a server. It must be flushed.
pub(super) type Output = Box<dyn AsyncWrite + Unpin + Send>;

#[derive(Debug)]
pub(super) struct Dialer {
    /// An error of reading certificates is kept for the calls that need them: creating a client does not fail.
    #[cfg(feature = "tls")]
    tls: Option<Result<Connector, TlsError>>,
}

impl Dialer {
    #[cfg_attr(not(feature = "tls"), expect(unused_variables, reason = "plain streams have no settings"))]
    pub(super) fn new(options: &ClientOptions) -> Self {
        Self {
            #[cfg(feature = "tls")]
            tls: options.tls.as_ref().map(Connector::new),
        }
    }

    /// Opens a stream. Nothing has been sent on it.
    pub(super) async fn dial(&self, server: &HostPort) -> Result<(Input, Output), Error> {
        #[cfg(feature = "tls")]
        if let Some(connector) = &self.tls {
            let connector = connector.as_ref().map_err(|error| Error::tls(server, error.clone()))?;
            return dial_tls(server, connector).await;
        }
        let (input, output) = dial_plain(server).await?.into_split();
        Ok((Box::new(input), Box::new(output)))
    }
}

#[cfg(feature = "tls")]
async fn dial_tls(server: &HostPort, connector: &Connector) -> Result<(Input, Output), Error> {
    let stream = dial_plain(server).await?;
    let stream = connector.connect(&server.host, stream).await.map_err(|failed| match failed {
        HandshakeError::Tls(error) => Error::tls(server, error),
        HandshakeError::Io(error) => Error::Connect {
            server: server.clone(),
            reason: format!("it ended the TLS handshake ({error}); does it speak TLS on this port?"),
        },
    })?;
    let (input, output) = tokio::io::split(stream);
    Ok((Box::new(input), Box::new(output)))
}

async fn dial_plain(server: &HostPort) -> Result<TcpStream, Error> {
    connect_any(server).await.map_err(|error| Error::connect(server, &error))
}

/// Connects to the first of a host's addresses that accepts.
async fn connect_any(server: &HostPort) -> io::Result<TcpStream> {
    let mut last = None;
    for address in lookup_host((&*server.host, server.port)).await? {
        match connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the host has no address")))
}

/// TCP keep-alive takes hours to detect that a server is gone; no call waits for that.
async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_keepalive(true)?;
    socket.set_nodelay(true)?;
    socket.connect(address).await
}
