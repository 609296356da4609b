//! One session with one request.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::error::{Failure, MAX_FRAME_LEN};
use super::message::{self, ReadOp};

/// Sends one request and closes the session. `None` if the znode does not exist.
///
/// If the future is dropped, the server ends the session after `session_timeout`.
pub(super) async fn ask<S>(
    mut stream: S,
    session_timeout: Duration,
    op: ReadOp,
    path: &str,
) -> Result<Option<Bytes>, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    open(&mut stream, session_timeout).await?;
    // A server handles the requests of a session in order, so the close request is sent along, and its answer is not
    // awaited.
    let mut frames = message::read_request(1, op, path);
    frames.unsplit(message::close_request(2));
    write(&mut stream, &frames, Failure::Closed).await?;
    message::read_reply(read_frame(&mut stream, Failure::Closed).await?, 1)
}

async fn open<S>(stream: &mut S, session_timeout: Duration) -> Result<(), Failure>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    write(stream, &message::connect_request(session_timeout), Failure::NotServing).await?;
    let response = read_frame(stream, Failure::NotServing).await?;
    if message::is_hbase_exception(&response) {
        return Err(Failure::HBase);
    }
    // SASL (opcode 102) would go here: before it, a server that requires SASL answers -124 or hangs up.
    if message::read_connect_response(response)? { Ok(()) } else { Err(Failure::Expired) }
}

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8], hung_up: Failure) -> Result<(), Failure> {
    stream.write_all(bytes).await.map_err(|error| Failure::of_io(&error, hung_up))
}

async fn read_frame<S: AsyncRead + Unpin>(stream: &mut S, hung_up: Failure) -> Result<Bytes, Failure> {
    let len = stream.read_u32().await.map_err(|error| Failure::of_io(&error, hung_up))?;
    if len > MAX_FRAME_LEN {
        return Err(Failure::TooLong { len });
    }
    let mut frame = BytesMut::zeroed(len as usize);
    let truncated = Failure::Truncated { len: frame.len() };
    stream.read_exact(&mut frame).await.map_err(|error| Failure::of_io(&error, truncated))?;
    Ok(frame.freeze())
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorCode;
    use super::super::fake;
    use super::super::jute::BadJute;
    use super::*;

    /// Asks a server that sends the next of `answers` for each frame it receives, then hangs up.
    async fn ask_scripted(answers: Vec<Bytes>) -> Result<Option<Bytes>, Failure> {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let server = tokio::spawn(fake::serve_script(theirs, answers));
        let answer = ask(ours, Duration::from_secs(10), ReadOp::Data, "/hbase").await;
        server.await.unwrap();
        answer
    }

    #[tokio::test]
    async fn an_answer_is_a_body_or_none() {
        let answer = ask_scripted(vec![fake::connect_response(10_000), fake::reply(1, 0, b"body")]).await;
        assert_eq!(answer, Ok(Some(Bytes::from_static(b"body"))));
        let answer = ask_scripted(vec![fake::connect_response(10_000), fake::reply(1, -101, b"")]).await;
        assert_eq!(answer, Ok(None));
    }

    #[tokio::test]
    async fn when_a_server_hangs_up_decides_the_error() {
        assert_eq!(ask_scripted(vec![]).await, Err(Failure::NotServing));
        assert_eq!(ask_scripted(vec![fake::connect_response(10_000)]).await, Err(Failure::Closed));
        assert_eq!(ask_scripted(vec![fake::connect_response(0)]).await, Err(Failure::Expired));
    }

    #[tokio::test]
    async fn codes_are_failures() {
        let ask_code =
            async |code| ask_scripted(vec![fake::connect_response(1), fake::reply(1, code, b"")]).await;
        assert_eq!(ask_code(-112).await, Err(Failure::Expired));
        assert_eq!(ask_code(-102).await, Err(Failure::Code { code: ErrorCode(-102) }));
    }

    #[tokio::test]
    async fn an_answer_to_another_request_is_refused() {
        let answer = ask_scripted(vec![fake::connect_response(10_000), fake::reply(-2, 0, b"")]).await;
        assert_eq!(answer, Err(Failure::Xid { expected: 1, found: -2 }));
    }

    #[tokio::test]
    async fn impossible_lengths_are_refused() {
        for len in [MAX_FRAME_LEN + 1, u32::MAX] {
            let bytes = Bytes::copy_from_slice(&len.to_be_bytes());
            assert_eq!(ask_scripted(vec![bytes.clone()]).await, Err(Failure::TooLong { len }));
            assert_eq!(
                ask_scripted(vec![fake::connect_response(1), bytes]).await,
                Err(Failure::TooLong { len })
            );
        }
    }

    #[tokio::test]
    async fn every_truncation_is_a_failure() {
        let reply = fake::reply(1, 0, b"body");
        for end in 0..reply.len() {
            let answer = ask_scripted(vec![fake::connect_response(10_000), reply.slice(..end)]).await;
            let expected = if end < 4 { Failure::Closed } else { Failure::Truncated { len: 20 } };
            assert_eq!(answer, Err(expected), "{end}");
        }
    }

    #[tokio::test]
    async fn a_frame_too_short_for_its_header_is_a_failure() {
        let short = BadJute::Short { what: "xid", needed: 4, left: 0 };
        let answer = ask_scripted(vec![fake::connect_response(10_000), Bytes::from_static(&[0; 4])]).await;
        assert_eq!(answer, Err(Failure::BadAnswer(short)));
    }
}
