//! The values HBase writes to its znodes.
//!
//! ```text
//! ff                 marks an identifier
//! u32                its length
//! n bytes            the identifier: the process that wrote the value, and a random number
//! "PBUF"             a message follows
//! the rest           MetaRegionServer, Master or ClusterId
//! ```

use bytes::{Buf, Bytes};
use prost::Message;

use crate::proto::table_state::State;
use crate::{ServerName, proto};

/// A value that HBase did not write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadZnode {
    #[error("its identifier takes {len} bytes, {left} are left")]
    Identifier { len: usize, left: usize },
    #[error(transparent)]
    Message(#[from] prost::DecodeError),
    #[error("it names no server with a host and a port")]
    Server,
    #[error("it is neither a message nor text")]
    Text,
}

/// The server of hbase:meta, from znode `meta-region-server`. `None` while hbase:meta is in transition.
pub(crate) fn meta_server(value: Bytes) -> Result<Option<ServerName>, BadZnode> {
    match content(value)? {
        Content::Message(message) => {
            let found = proto::MetaRegionServer::decode(message)?;
            // A missing state means open.
            if found.state.is_some_and(|state| state != proto::region_state::State::Open as i32) {
                return Ok(None);
            }
            server(&found.server).map(Some)
        }
        Content::Plain(text) => plain_server(&text).map(Some),
    }
}

/// The active master, from znode `master`.
pub(crate) fn master(value: Bytes) -> Result<ServerName, BadZnode> {
    match content(value)? {
        Content::Message(message) => server(&proto::Master::decode(message)?.master),
        Content::Plain(text) => plain_server(&text),
    }
}

/// The cluster's id, from znode `hbaseid`.
pub(crate) fn cluster_id(value: Bytes) -> Result<String, BadZnode> {
    match content(value)? {
        Content::Message(message) => Ok(proto::ClusterId::decode(message)?.cluster_id),
        Content::Plain(text) => String::from_utf8(text.into()).map_err(|_| BadZnode::Text),
    }
}

/// Whether a table is enabled, from znode `table/<name>`.
pub(crate) fn table_state(value: Bytes) -> Result<State, BadZnode> {
    match content(value)? {
        // The message there is `Table`, whose state has the same numbers.
        Content::Message(message) => Ok(proto::TableState::decode(message)?.state()),
        Content::Plain(_) => Err(BadZnode::Text),
    }
}

/// A value without its header.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Message(Bytes),
    /// The whole value, without a header.
    Plain(Bytes),
}

fn content(mut value: Bytes) -> Result<Content, BadZnode> {
    if value.first() == Some(&0xff) {
        value.advance(1);
        let short = |len, value: &Bytes| BadZnode::Identifier { len, left: value.len() };
        let len = value.try_get_u32().map_err(|_| short(4, &value))? as usize;
        if len > value.len() {
            return Err(short(len, &value));
        }
        value.advance(len);
    }
    if value.starts_with(b"PBUF") {
        return Ok(Content::Message(value.slice(4..)));
    }
    Ok(Content::Plain(value))
}

fn server(name: &proto::ServerName) -> Result<ServerName, BadZnode> {
    ServerName::from_proto(name).filter(|name| !name.host.is_empty()).ok_or(BadZnode::Server)
}

fn plain_server(text: &[u8]) -> Result<ServerName, BadZnode> {
    let text = std::str::from_utf8(text).map_err(|_| BadZnode::Text)?;
    ServerName::parse(text).ok_or(BadZnode::Server)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER_PERMISSIVE;

    /// `meta-region-server` of rs1,16020,1700000000000, open.
    const META: &str = "ff 00 00 00 1a 72 65 67 69 6f 6e 73 65 72 76 65 72 3a 31 36 30 32 30 00 00 00 00 00 00 00 00 \
        50 42 55 46 0a 0f 0a 03 72 73 31 10 94 7d 18 80 d0 95 ff bc 31 10 00 18 03";
    /// From a cluster of HBase 2.6.1, like the next one.
    const MASTER: &str = "ff 00 00 00 14 6d 61 73 74 65 72 3a 34 32 39 35 37 cc 7a 7c 08 1d 6e f6 a2 50 42 55 46 \
        0a 16 0a 09 6c 6f 63 61 6c 68 6f 73 74 10 cd cf 02 18 81 96 ce 80 a0 34 10 00 18 ff ff ff ff 0f";
    const CLUSTER_ID: &str = "ff 00 00 00 14 6d 61 73 74 65 72 3a 34 32 39 35 37 58 50 b2 54 ff 6a ec 56 50 42 55 46 \
        0a 24 35 30 37 64 39 62 64 35 2d 38 38 63 61 2d 34 64 32 64 2d 38 34 35 62 2d 33 30 63 64 36 38 31 30 31 63 37 61";

    /// An enabled table on a cluster of HBase 1.2.12.
    const TABLE: &str =
        "ff 00 00 00 14 6d 61 73 74 65 72 3a 34 30 36 32 37 74 fc 22 7e a5 b2 6a dd 50 42 55 46 08 00";

    fn bytes(hex: &str) -> Bytes {
        HEXLOWER_PERMISSIVE.decode(hex.replace(' ', "").as_bytes()).unwrap().into()
    }

    #[test]
    fn golden_values_are_read() {
        let meta = meta_server(bytes(META)).unwrap().unwrap();
        assert_eq!(meta.to_string(), "rs1,16020,1700000000000");
        assert_eq!(master(bytes(MASTER)).unwrap().to_string(), "localhost,42957,1795297610497");
        assert_eq!(cluster_id(bytes(CLUSTER_ID)).unwrap(), "507d9bd5-88ca-4d2d-845b-30cd68101c7a");
    }

    #[test]
    fn a_table_has_a_state() {
        let enabled = bytes(TABLE);
        assert_eq!(table_state(enabled.clone()), Ok(State::Enabled));
        let disabled = [&enabled[..enabled.len() - 1], &[1]].concat();
        assert_eq!(table_state(disabled.into()), Ok(State::Disabled));
        assert_eq!(table_state(Bytes::from_static(b"ENABLED")), Err(BadZnode::Text));
    }

    #[test]
    fn meta_in_transition_has_no_server() {
        let open = bytes(META);
        for state in (0..20_u8).filter(|&state| state != 3) {
            let moving = [&open[..open.len() - 1], &[state]].concat();
            assert_eq!(meta_server(moving.into()), Ok(None), "{state}");
        }
        let stateless = open.slice(..open.len() - 2);
        assert_eq!(meta_server(stateless), meta_server(open));
    }

    #[test]
    fn values_without_an_identifier_are_used_whole() {
        assert_eq!(meta_server(bytes(META).slice(31..)), meta_server(bytes(META)));
        assert_eq!(cluster_id(Bytes::from_static(b"some id")).unwrap(), "some id");
        assert_eq!(master(Bytes::from_static(b"rs1,16020,17")).unwrap().to_string(), "rs1,16020,17");
    }

    #[test]
    fn an_identifier_must_fit() {
        let value = |text: &'static [u8]| cluster_id(Bytes::from_static(text));
        assert_eq!(value(b"\xff\0\0"), Err(BadZnode::Identifier { len: 4, left: 2 }));
        assert_eq!(value(b"\xff\xff\xff\xff\xffab"), Err(BadZnode::Identifier { len: 0xffff_ffff, left: 2 }));
        assert_eq!(value(b"\xff\0\0\0\x02ab"), Ok(String::new()));
    }

    #[test]
    fn a_server_needs_a_host_and_a_port() {
        assert_eq!(master(Bytes::from_static(b"PBUF\x0a\x05\x0a\x03rs1")), Err(BadZnode::Server));
        assert_eq!(master(Bytes::from_static(b"PBUF\x0a\x04\x0a\0\x10\x01")), Err(BadZnode::Server));
        assert!(matches!(master(Bytes::from_static(b"PBUF\x0a\x05\x0a")), Err(BadZnode::Message(_))));
        assert_eq!(master(Bytes::from_static(b"rs1")), Err(BadZnode::Server));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, at in 0..4_usize) {
            let prefix = [&b""[..], b"\xff", b"PBUF", b"\xff\0\0\0\x01xPBUF"][at];
            let value = Bytes::from([prefix, &bytes].concat());
            drop((meta_server(value.clone()), master(value.clone()), table_state(value.clone()), cluster_id(value)));
        }
    }
}
