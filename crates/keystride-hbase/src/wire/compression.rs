//! Compression of cell blocks, in the formats of Hadoop's codecs.
//!
//! For gzip that is a plain gzip stream. For Snappy and LZ4 it is Hadoop's block stream, which is neither Snappy's nor
//! LZ4's own frame format: blocks until the end, each with its uncompressed size (`u32 BE`) and chunks until that size
//! is reached, each chunk with its compressed size (`u32 BE`). Java's writer makes a block of several chunks for each
//! large write, and one for all small writes that fill its buffer, so a cell block often has several blocks.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::CellCompression;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadCompression {
    #[error("{part} of {len} bytes does not fit into the {left} bytes that are left")]
    Short { part: &'static str, len: usize, left: usize },
    #[error("chunk of {len} bytes is not {codec}: {reason}")]
    Chunk { codec: &'static str, len: usize, reason: String },
    #[error("chunk has {found} bytes, but its block has {room} left")]
    Overfull { found: usize, room: usize },
    #[error("cells are not Gzip: {reason}")]
    Gzip { reason: String },
    #[error("cells are more than {limit} bytes when decompressed")]
    TooLarge { limit: usize },
}

/// Far above what servers send: they limit answers to `hbase.server.scanner.max.result.size`, 100 MiB by default.
const MAX_BYTES: usize = 1 << 30;

/// Maximum size of a chunk before compression.
///
/// Java's buffers have 256 KiB on both sides. Snappy's codec reserves a sixth and 32 bytes for incompressible data;
/// LZ4's reserves less.
const CHUNK_BYTES: usize = 262_144 * 5 / 6 - 32;

pub(crate) fn compress(compression: CellCompression, cells: &Bytes) -> Bytes {
    match compression {
        CellCompression::None => cells.clone(),
        // Servers expect no bytes at all for no cells.
        _ if cells.is_empty() => Bytes::new(),
        CellCompression::Gzip => gzip(cells),
        CellCompression::Snappy => write_blocks(cells, |chunk| {
            snap::raw::Encoder::new().compress_vec(chunk).expect("a chunk is shorter than 4 GiB")
        }),
        CellCompression::Lz4 => write_blocks(cells, lz4_flex::block::compress),
    }
}

/// Decompresses cells from any writer.
pub(crate) fn decompress(compression: CellCompression, cells: &Bytes) -> Result<Bytes, BadCompression> {
    decompress_below(MAX_BYTES, compression, cells)
}

fn decompress_below(
    limit: usize,
    compression: CellCompression,
    cells: &Bytes,
) -> Result<Bytes, BadCompression> {
    match compression {
        CellCompression::None => Ok(cells.clone()),
        _ if cells.is_empty() => Ok(Bytes::new()),
        CellCompression::Gzip => gunzip(limit, cells),
        CellCompression::Snappy => read_blocks(limit, cells, unsnap),
        CellCompression::Lz4 => read_blocks(limit, cells, unlz4),
    }
}

fn gzip(cells: &[u8]) -> Bytes {
    // The fastest level: a higher one would take longer than most networks.
    let mut out = GzEncoder::new(Vec::with_capacity(cells.len() / 4), Compression::fast());
    let written = out.write_all(cells).and_then(|()| out.finish());
    written.expect("a Vec takes all that is written").into()
}

/// The output grows as needed; the length in the stream is not used.
fn gunzip(limit: usize, cells: &[u8]) -> Result<Bytes, BadCompression> {
    let mut out = Vec::new();
    let read = MultiGzDecoder::new(cells).take(limit as u64 + 1).read_to_end(&mut out);
    read.map_err(|error| BadCompression::Gzip { reason: error.to_string() })?;
    if out.len() > limit {
        return Err(BadCompression::TooLarge { limit });
    }
    Ok(out.into())
}

fn write_blocks(cells: &[u8], compress: impl Fn(&[u8]) -> Vec<u8>) -> Bytes {
    let mut out = Vec::with_capacity(cells.len() / 2);
    for chunk in cells.chunks(CHUNK_BYTES) {
        let compressed = compress(chunk);
        out.extend_from_slice(&u32_of(chunk.len()));
        out.extend_from_slice(&u32_of(compressed.len()));
        out.extend_from_slice(&compressed);
    }
    out.into()
}

fn u32_of(len: usize) -> [u8; 4] {
    u32::try_from(len).expect("a chunk is short").to_be_bytes()
}

/// Decompresses a chunk, and appends at most `room` bytes.
type ReadChunk = fn(chunk: &[u8], room: usize, out: &mut Vec<u8>) -> Result<(), BadCompression>;

/// Sizes of blocks are only compared with the output, so memory is allocated only for what chunks can hold.
fn read_blocks(limit: usize, mut cells: &[u8], read_chunk: ReadChunk) -> Result<Bytes, BadCompression> {
    let mut out = Vec::new();
    while !cells.is_empty() {
        let len = take_len(&mut cells, "block's length")?;
        let full = out.len().checked_add(len).filter(|&full| full <= limit);
        let full = full.ok_or(BadCompression::TooLarge { limit })?;
        while out.len() < full {
            let len = take_len(&mut cells, "chunk's length")?;
            let chunk = take(&mut cells, len, "chunk")?;
            read_chunk(chunk, full - out.len(), &mut out)?;
        }
    }
    Ok(out.into())
}

fn take_len(cells: &mut &[u8], part: &'static str) -> Result<usize, BadCompression> {
    let (head, rest) =
        cells.split_first_chunk().ok_or(BadCompression::Short { part, len: 4, left: cells.len() })?;
    *cells = rest;
    Ok(u32::from_be_bytes(*head) as usize)
}

fn take<'a>(cells: &mut &'a [u8], len: usize, part: &'static str) -> Result<&'a [u8], BadCompression> {
    let (chunk, rest) =
        cells.split_at_checked(len).ok_or(BadCompression::Short { part, len, left: cells.len() })?;
    *cells = rest;
    Ok(chunk)
}

/// Three bytes of Snappy expand to at most 64; this leaves some margin.
const MAX_SNAPPY_RATIO: usize = 32;

fn unsnap(chunk: &[u8], room: usize, out: &mut Vec<u8>) -> Result<(), BadCompression> {
    let bad = |reason: String| BadCompression::Chunk { codec: "Snappy", len: chunk.len(), reason };
    let found = snap::raw::decompress_len(chunk).map_err(|error| bad(error.to_string()))?;
    if found > room {
        return Err(BadCompression::Overfull { found, room });
    }
    if found > chunk.len() * MAX_SNAPPY_RATIO {
        return Err(bad(format!("it can't hold the {found} bytes that it claims")));
    }
    fill(out, found, |space| {
        snap::raw::Decoder::new().decompress(chunk, space).map_err(|error| bad(error.to_string()))
    })
}

/// A byte of LZ4 adds at most 255 to a length; a short chunk has a few more at its start.
const MAX_LZ4_RATIO: usize = 256;

/// A chunk does not store its uncompressed size.
fn unlz4(chunk: &[u8], room: usize, out: &mut Vec<u8>) -> Result<(), BadCompression> {
    fill(out, room.min(chunk.len() * MAX_LZ4_RATIO), |space| {
        lz4_flex::block::decompress_into(chunk, space).map_err(|error| BadCompression::Chunk {
            codec: "LZ4",
            len: chunk.len(),
            reason: error.to_string(),
        })
    })
}

/// Appends at most `space` bytes; `write` returns their number.
fn fill(
    out: &mut Vec<u8>,
    space: usize,
    write: impl FnOnce(&mut [u8]) -> Result<usize, BadCompression>,
) -> Result<(), BadCompression> {
    let begin = out.len();
    out.resize(begin + space, 0);
    let written = write(&mut out[begin..])?;
    out.truncate(begin + written);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER_PERMISSIVE;
    use proptest::prelude::*;

    const ALL: [CellCompression; 4] =
        [CellCompression::None, CellCompression::Gzip, CellCompression::Snappy, CellCompression::Lz4];

    fn hex(text: &str) -> Bytes {
        HEXLOWER_PERMISSIVE.decode(text.replace(' ', "").as_bytes()).unwrap().into()
    }

    /// Neither constant nor random.
    fn cells(len: usize) -> Bytes {
        (0..len).map(|at| at * at / 7_919 % 251).map(|byte| u8::try_from(byte).unwrap()).collect()
    }

    #[test]
    fn nothing_stays_nothing() {
        for compression in ALL {
            assert!(compress(compression, &Bytes::new()).is_empty());
            assert!(decompress(compression, &Bytes::new()).unwrap().is_empty());
        }
    }

    #[test]
    fn what_is_more_than_a_chunk_is_several_blocks() {
        let cells = cells(CHUNK_BYTES * 2 + 1);
        for compression in [CellCompression::Snappy, CellCompression::Lz4] {
            let small = compress(compression, &cells);
            assert_eq!(&small[..4], 218_421_u32.to_be_bytes());
            assert_eq!(decompress(compression, &small).unwrap(), cells);
        }
    }

    /// `hello` twice in each: too short for repetitions, so all literals.
    #[test]
    fn blocks_of_several_chunks_and_several_blocks_are_read() {
        let snappy = "00000007 05 10 68656c6c6f".replace(' ', "");
        let snappy_chunk = &snappy[8..];
        let chunk = format!("00000007{snappy_chunk}");
        let text = format!("0000000a {chunk} {chunk} 00000005 {chunk} 00000000 00000005 {chunk}");
        assert_eq!(decompress(CellCompression::Snappy, &hex(&text)).unwrap(), "hello".repeat(4));
        let chunk = "00000006 50 68656c6c6f";
        let text = format!("0000000a {chunk} {chunk} 00000005 {chunk} 00000000 00000005 {chunk}");
        assert_eq!(decompress(CellCompression::Lz4, &hex(&text)).unwrap(), "hello".repeat(4));
    }

    #[test]
    fn gzip_of_several_members_is_read() {
        let member = compress(CellCompression::Gzip, &"hello".into());
        let both = [&member[..], &member].concat().into();
        assert_eq!(decompress(CellCompression::Gzip, &both).unwrap(), "hellohello");
    }

    #[test]
    fn every_truncation_is_an_error() {
        let cells = cells(1_000);
        for compression in [CellCompression::Gzip, CellCompression::Snappy, CellCompression::Lz4] {
            let whole = compress(compression, &cells);
            for len in 1..whole.len() {
                assert!(decompress(compression, &whole.slice(..len)).is_err(), "{compression:?} {len}");
            }
        }
    }

    #[test]
    fn what_decompresses_to_too_much_is_refused() {
        let cells = Bytes::from(vec![0; 10_000]);
        for compression in [CellCompression::Gzip, CellCompression::Snappy, CellCompression::Lz4] {
            let small = compress(compression, &cells);
            let outcome = decompress_below(9_999, compression, &small);
            assert_eq!(outcome, Err(BadCompression::TooLarge { limit: 9_999 }), "{compression:?}");
            assert_eq!(decompress_below(10_000, compression, &small).unwrap(), cells);
        }
    }

    #[test]
    fn announced_sizes_are_not_trusted() {
        // A block of nearly 1 GiB with a chunk that claims to be all of it.
        let text = "3fffffff 00000006 ffffffff03 00";
        let error = decompress(CellCompression::Snappy, &hex(text)).unwrap_err();
        assert!(error.to_string().contains("can't hold the 1073741823 bytes"), "{error}");
        let error =
            decompress(CellCompression::Snappy, &hex("00000004 00000007 05 10 68656c6c6f")).unwrap_err();
        assert_eq!(error, BadCompression::Overfull { found: 5, room: 4 });
        let error = decompress(CellCompression::Lz4, &hex("00000004 00000006 50 68656c6c6f")).unwrap_err();
        assert!(matches!(error, BadCompression::Chunk { len: 6, codec: "LZ4", .. }), "{error}");
    }

    #[test]
    fn the_best_ratios_are_allowed() {
        let cells = Bytes::from(vec![7; CHUNK_BYTES]);
        for compression in ALL {
            assert_eq!(decompress(compression, &compress(compression, &cells)).unwrap(), cells);
        }
    }

    proptest! {
        #[test]
        fn decompressing_undoes_compressing(bytes in prop::collection::vec(0..4_u8, 0..5_000), which in 0..4_usize) {
            let bytes = Bytes::from(bytes);
            prop_assert_eq!(decompress(ALL[which], &compress(ALL[which], &bytes)).unwrap(), bytes);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, which in 0..4_usize) {
            drop(decompress_below(1 << 20, ALL[which], &bytes.into()));
        }

        #[test]
        fn no_change_of_good_bytes_makes_it_panic(at in 0..200_usize, byte: u8, which in 1..4_usize) {
            let mut bytes = compress(ALL[which], &cells(1_000)).to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            drop(decompress_below(1 << 20, ALL[which], &bytes.into()));
        }
    }
}
