//! The handshake of a connection.

use tokio::io::AsyncWriteExt;

use super::stream::{Input, Output};
use crate::wire::{SIMPLE, Service, connection_header, preamble};
use crate::{Auth, ClientOptions, Error, HostPort};

/// Sends the preamble and the connection header. The server answers neither, so requests may follow at once. `server`
/// is the name a Kerberos ticket would be for.
///
/// Authentication goes between preamble and header. SIMPLE has no step there, so both are sent as one. SASL (Kerberos,
/// auth byte 0x51; delegation tokens, 0x52) would send the preamble alone, exchange tokens over both halves, and send
/// the header after the server's last token. It may also return other halves than it was given: with `auth-int` and
/// `auth-conf` everything after the handshake is wrapped, including the header. A server that does not want SASL says
/// so (a token length of -88) and then expects what SIMPLE sends.
pub(super) async fn send_handshake(
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
