//! Malformed ZooKeeper answers and znode values.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use prost::Message;

use super::message::{ReadOp, read_children, read_data};
use super::session::ask;
use super::{fake, znode};
use crate::fuzz::Fuzz;
use crate::proto;

#[test]
fn a_session_ends_whatever_a_server_says() {
    let opened = fake::connect_response(10_000);
    let bodies = [&b"\0\0\0\x02hi"[..], b"\0\0\0\x02\0\0\0\x03abc\0\0\0\x01d", b"\xff\xff\xff\xff"];
    let sessions = bodies.map(|body| [&opened[..], &fake::reply(1, 0, body)].concat());
    let refused = [&opened[..], &fake::reply(1, -101, b"")].concat();
    // The buffer for an answer is allocated from its length prefix, up to ZooKeeper's own limit.
    Fuzz::of("zookeeper").and(sessions).and([refused]).memory(16 << 20, 512).run(|input| {
        let stream = tokio::io::join(input, tokio::io::sink());
        let asked = ask(stream, Duration::from_secs(10), ReadOp::Data, "/hbase");
        match asked.now_or_never().expect("reading a slice never waits") {
            Ok(body) => {
                let body = body.unwrap_or_default();
                drop((read_data(body.clone()), read_children(body)));
            }
            Err(failure) => drop(failure.to_string()),
        }
    });
}

#[test]
fn names_of_children_and_values_are_read_or_refused() {
    let bodies = [&b"\0\0\0\x02hi"[..], b"\0\0\0\x02\0\0\0\x03abc\0\0\0\x01d", b"\xff\xff\xff\xff"];
    Fuzz::of("jute").and(bodies).run(|input| {
        let body = Bytes::copy_from_slice(input);
        assert!(
            read_data(body.clone()).is_ok_and(|value| value.len() + 4 <= input.len())
                || read_data(body.clone()).is_err()
        );
        let names = read_children(body).unwrap_or_default();
        assert!(names.iter().map(|name| 4 + name.len()).sum::<usize>() <= input.len());
    });
}

#[test]
fn a_znode_names_a_server_that_can_be_asked_or_is_refused() {
    let server = proto::ServerName {
        host_name: "rs1".into(),
        port: Some(16_020),
        start_code: Some(1_700_000_000_000),
    };
    let meta = proto::MetaRegionServer { server: server.clone(), state: Some(3), ..Default::default() };
    let master = proto::Master { master: server, ..Default::default() };
    let id = proto::ClusterId { cluster_id: "507d9bd5-88ca-4d2d-845b-30cd68101c7a".into() };
    let written = |message: Vec<u8>| [&b"\xff\0\0\0\x06master"[..], b"PBUF", &message].concat();
    let values = [meta.encode_to_vec(), master.encode_to_vec(), id.encode_to_vec()].map(written);
    Fuzz::of("znode").and(values).and(["rs1,16020,17"]).run(|input| {
        let value = Bytes::copy_from_slice(input);
        let meta = znode::meta_server(value.clone()).ok().flatten();
        for server in meta.into_iter().chain(znode::master(value.clone())) {
            drop((server.address().to_string(), server.to_proto()));
        }
        znode::cluster_id(value).err().iter().for_each(|error| drop(error.to_string()));
    });
}
