//! Malformed frames and compressed cells.

use bytes::Bytes;
use prost::Message;

use super::{compress, decode_answer, decompress};
use crate::cell::CellWriter;
use crate::fuzz::Fuzz;
use crate::{CellCompression, proto};

#[test]
fn a_frame_is_decoded_or_refused() {
    let header = |header: &proto::ResponseHeader| header.encode_length_delimited_to_vec();
    let plain = proto::ResponseHeader { call_id: Some(7), ..Default::default() };
    let with_cells = proto::ResponseHeader {
        cell_block_meta: Some(proto::CellBlockMeta { length: Some(5) }),
        ..plain.clone()
    };
    let frames = [
        header(&plain),
        [header(&plain), b"\x02\x08\x01".to_vec()].concat(),
        [header(&with_cells), b"\x02\x08\x01cells".to_vec()].concat(),
    ];
    Fuzz::of("frame").and(frames).run(|input| {
        let Ok(answer) = decode_answer(Bytes::copy_from_slice(input)) else { return };
        match answer.outcome {
            Ok(reply) => assert!(reply.message.len() + reply.cells.len() < input.len()),
            Err(error) => drop((error.to_string(), error.recovery(), error.is_fatal())),
        }
    });
}

/// Whatever can be decompressed survives another round trip.
fn survives(name: &'static str, compression: CellCompression) {
    let mut cells = CellWriter::default();
    for at in 0..40_u32 {
        cells.put(b"row", b"cf", &at.to_be_bytes(), 7, b"a value that repeats itself, itself").unwrap();
    }
    let [few, many] =
        [Bytes::from_static(b"few bytes"), cells.into_bytes()].map(|cells| compress(compression, &cells));
    let both = [&few[..], &many].concat();
    // Gzip can expand a byte to a thousand, and they are copied several times here.
    Fuzz::of(name).and([&few[..], &many, &both]).memory(1 << 20, 16 << 10).run(|input| {
        let Ok(cells) = decompress(compression, &Bytes::copy_from_slice(input)) else { return };
        assert!(cells.len() <= 1_100 * input.len(), "{} bytes of {}", cells.len(), input.len());
        assert_eq!(decompress(compression, &compress(compression, &cells)).unwrap(), cells);
    });
}

#[test]
fn gzip_is_decompressed_or_refused() {
    survives("gzip", CellCompression::Gzip);
}

#[test]
fn snappy_is_decompressed_or_refused() {
    survives("snappy", CellCompression::Snappy);
}

#[test]
fn lz4_is_decompressed_or_refused() {
    survives("lz4", CellCompression::Lz4);
}
