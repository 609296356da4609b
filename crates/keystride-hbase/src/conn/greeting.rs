//! How a connection begins.

use std::io;

use tokio::io::AsyncWriteExt;

use super::stream::{Input, Output};
use crate::ClientOptions;
use crate::wire::{SIMPLE, Service, connection_header, preamble};

/// Says what the connection is for; requests may follow at once, as servers answer nothing to it.
///
/// Authentication has its place between preamble and header. SIMPLE has no step there, so both are sent as one. SASL
/// (Kerberos, auth byte 0x51; delegation tokens, 0x52) would send the preamble alone, exchange its tokens over both
/// halves, and send the header after the server's last word. What it returns then need not be the halves it was
/// given: with `auth-int` and `auth-conf` everything behind the handshake is wrapped, the header too. A server that
/// wants none of it says so (a token's length of -88) and then expects what SIMPLE sends.
pub(super) async fn greet(
    (input, mut output): (Input, Output),
    service: Service,
    options: &ClientOptions,
) -> io::Result<(Input, Output)> {
    let header = connection_header(service, &options.user, options.codec(), options.compressor());
    output.write_all(&[&preamble(SIMPLE)[..], &header].concat()).await?;
    output.flush().await?;
    Ok((input, output))
}
