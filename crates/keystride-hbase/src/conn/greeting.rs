//! How a connection begins.

use tokio::io::AsyncWriteExt;

use super::stream::{Input, Output};
use crate::wire::{SIMPLE, Service, connection_header, preamble};
use crate::{Auth, ClientOptions, Error, HostPort};

/// Says what the connection is for; requests may follow at once, as servers answer nothing to it. `server` is whom a
/// ticket would be for.
///
/// Authentication has its place between preamble and header. SIMPLE has no step there, so both are sent as one. SASL
/// (Kerberos, auth byte 0x51; delegation tokens, 0x52) would send the preamble alone, exchange its tokens over both
/// halves, and send the header after the server's last word. What it returns then need not be the halves it was
/// given: with `auth-int` and `auth-conf` everything behind the handshake is wrapped, the header too. A server that
/// wants none of it says so (a token's length of -88) and then expects what SIMPLE sends.
pub(super) async fn greet(
    (input, mut output): (Input, Output),
    server: &HostPort,
    service: Service,
    options: &ClientOptions,
) -> Result<(Input, Output), Error> {
    let Auth::Simple { user } = &options.auth;
    let header = connection_header(service, user, options.codec(), options.compressor());
    let first = [&preamble(SIMPLE)[..], &header].concat();
    let sent = async {
        output.write_all(&first).await?;
        output.flush().await
    };
    sent.await.map_err(|error| Error::connect(server, &error))?;
    Ok((input, output))
}
