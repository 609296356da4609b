//! One connection of a server.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;

use super::frame::{frame, read_handshake, read_request};
use super::handle::SERVICES;
use super::shared::Shared;
use super::{Answer, Exception, Fault};
use crate::ServerName;
use crate::wire::CONNECTION_CALL;

enum Out {
    Bytes(Bytes),
    /// Closes the connection; later items are not sent.
    End,
}

/// Serves a connection until either side ends it.
pub(super) async fn serve(shared: Arc<Shared>, server: usize, name: ServerName, stream: TcpStream) {
    let _connected = shared.connect();
    let (mut input, output) = stream.into_split();
    let Ok(hello) = read_handshake(&mut input).await else { return };
    let service = hello.service_name().to_owned();
    // For a service it does not have, it closes the connection without an answer.
    if !SERVICES.contains(&&*service) || shared.state().settings.lacks == Some((server, service.clone())) {
        return;
    }
    let (out, to_write) = mpsc::unbounded_channel();
    tokio::select! {
        () = write(output, to_write) => {}
        () = read(&shared, server, &name, &service, &mut input, out) => {}
    }
}

/// Calls are executed in the order of arrival.
async fn read(
    shared: &Arc<Shared>,
    server: usize,
    name: &ServerName,
    service: &str,
    input: &mut OwnedReadHalf,
    out: mpsc::UnboundedSender<Out>,
) {
    loop {
        let request = match read_request(input).await {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(error) => return shared.state().complain(error.to_string()),
        };
        let taken = shared.take(server, name, service, &request);
        let Some((outcome, fault)) = taken else { return };
        deliver(request.id(), outcome, fault, &out);
    }
}

fn deliver(
    id: u32,
    outcome: Result<Answer, Exception>,
    fault: Option<Fault>,
    out: &mpsc::UnboundedSender<Out>,
) {
    // The writing task may have ended with the connection.
    let send = |item| drop(out.send(item));
    let whole = frame(id, &outcome);
    match fault {
        None | Some(Fault::Exception(_) | Fault::LateException(_)) => send(Out::Bytes(whole)),
        Some(Fault::Silence | Fault::LostAnswer) => {}
        Some(Fault::CloseBefore | Fault::CloseAfter) => send(Out::End),
        Some(Fault::CutShort(len)) => {
            send(Out::Bytes(whole.slice(..len.min(whole.len() - 1))));
            send(Out::End);
        }
        Some(Fault::Garbage(bytes)) => send(Out::Bytes(Bytes::from_static(bytes))),
        Some(Fault::StrangerFirst) => {
            let stranger =
                frame(0x7fff_fff0, &Ok(Answer { message: Bytes::from_static(b"?"), ..Answer::default() }));
            let mut both = BytesMut::from(&stranger[..]);
            both.put_slice(&whole);
            send(Out::Bytes(both.freeze()));
        }
        Some(Fault::Twice) => (0..2).for_each(|_| send(Out::Bytes(whole.clone()))),
        Some(Fault::Hold(gate)) => {
            let out = out.clone();
            tokio::spawn(async move {
                gate.passed().await;
                drop(out.send(Out::Bytes(whole)));
            });
        }
        Some(Fault::Fatal(exception)) => {
            send(Out::Bytes(frame(CONNECTION_CALL, &Err(exception))));
            send(Out::End);
        }
        Some(Fault::Edit(edit)) => {
            let edited = outcome.map(|mut answer| {
                edit(&mut answer);
                answer
            });
            send(Out::Bytes(frame(id, &edited)));
        }
    }
}

async fn write(mut output: OwnedWriteHalf, mut items: mpsc::UnboundedReceiver<Out>) {
    while let Some(Out::Bytes(bytes)) = items.recv().await {
        if output.write_all(&bytes).await.is_err() {
            return;
        }
    }
    // The client may be gone.
    drop(output.shutdown().await);
}
