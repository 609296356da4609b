//! Reads the frames of batches in a journal of the engine.
//!
//! | Bytes | Field |
//! |---|---|
//! | 1, 4, 8 | 1, number of items, sequence number of the batch |
//! | then for each item: | |
//! | 1, 1, 1, 8 | 2, kind, compression, keyspace |
//! | 2, 4, 4 | length of the key, of the value, of the value as it is stored |
//! | n, n | the key, the value as it is stored |
//! | or, for an emptied keyspace: | |
//! | 1, 8 | 4, keyspace |
//! | then at the end: | |
//! | 1, 8, 4 | 3, XXH3 of the items, `FJL` and 3 |
//!
//! All numbers are little-endian. Zeros may follow the last batch.

#![expect(clippy::little_endian_bytes, reason = "the engine's files are little-endian")]

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

use xxhash_rust::xxh3::Xxh3;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;

/// The start of a batch and the first byte after it.
const HEAD_BYTES: usize = 14;

/// The last bytes of every batch.
pub(super) const MARK: [u8; 4] = *b"FJL\x03";

/// What is found where a batch should start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    Whole {
        sequence: u64,
    },
    /// It does not read back, but was written to its end.
    Finished {
        /// Where the next batch starts.
        next: u64,
    },
    /// It does not read back.
    Broken,
}

/// A journal that is read from front to back.
#[derive(Debug)]
pub(super) struct Frames<R> {
    source: BufReader<R>,
    at: u64,
}

impl<R: Read + Seek> Frames<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source: BufReader::with_capacity(1 << 16, source), at: 0 }
    }

    /// Returns where the next byte is read.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    pub(super) fn seek(&mut self, at: u64) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(at))?;
        self.at = at;
        Ok(())
    }

    /// Reads the batch that starts here.
    pub(super) fn next(&mut self) -> io::Result<Frame> {
        match self.batch() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(Frame::Broken),
            frame => frame,
        }
    }

    /// Goes to where the next batch ends; `false` if none does.
    pub(super) fn skip_past_mark(&mut self) -> io::Result<bool> {
        let mut last = [0; MARK.len()];
        loop {
            let bytes = self.source.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let passed = bytes.iter().position(|&byte| {
                last = [last[1], last[2], last[3], byte];
                last == MARK
            });
            let read = passed.map_or(bytes.len(), |index| index + 1);
            self.source.consume(read);
            self.at += read as u64;
            if passed.is_some() {
                return Ok(true);
            }
        }
    }

    /// Whether nothing but zeros follows.
    pub(super) fn ends_here(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.source.fill_buf()?;
            let read = bytes.len();
            if read == 0 || bytes.iter().any(|&byte| byte != 0) {
                return Ok(read == 0);
            }
            self.source.consume(read);
            self.at += read as u64;
        }
    }

    /// Whether a batch may start here, or none does: a value, too, may have the bytes that end a batch.
    pub(super) fn may_start_here(&mut self) -> io::Result<bool> {
        let start = self.at;
        let mut head = Vec::with_capacity(HEAD_BYTES);
        self.source.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        let is_start = head.first() == Some(&START)
            && matches!(head.get(HEAD_BYTES - 1), None | Some(&(ITEM | CLEAR | END)));
        self.seek(start)?;
        Ok(is_start || self.ends_here()?)
    }

    fn batch(&mut self) -> io::Result<Frame> {
        let mut checksum = Xxh3::new();
        if self.bytes()? != [START] {
            return Ok(Frame::Broken);
        }
        let (count, sequence) = (u32::from_le_bytes(self.bytes()?), u64::from_le_bytes(self.bytes()?));
        for _ in 0..count {
            if !self.item(&mut checksum)? {
                return Ok(Frame::Broken);
            }
        }
        self.end(sequence, checksum.digest())
    }

    fn end(&mut self, sequence: u64, expected: u64) -> io::Result<Frame> {
        let ([tag], checksum, mark) = (self.bytes()?, u64::from_le_bytes(self.bytes()?), self.bytes()?);
        Ok(match (checksum == expected, mark == MARK) {
            (true, true) if tag == END => Frame::Whole { sequence },
            (true, false) if self.is_torn(mark)? => Frame::Broken,
            (true, _) | (_, true) => Frame::Finished { next: self.at },
            (false, false) => Frame::Broken,
        })
    }

    /// Whether only the first bytes of the mark were written, and nothing after them.
    fn is_torn(&mut self, mark: [u8; MARK.len()]) -> io::Result<bool> {
        let is_torn = (0..MARK.len())
            .any(|len| mark[..len] == MARK[..len] && mark[len..].iter().all(|&byte| byte == 0));
        let next = self.at;
        let is_torn = is_torn && self.ends_here()?;
        self.seek(next)?;
        Ok(is_torn)
    }

    /// Reads an item; `false` if there is none.
    fn item(&mut self, checksum: &mut Xxh3) -> io::Result<bool> {
        let tag: [u8; 1] = self.bytes()?;
        checksum.update(&tag);
        match tag {
            [ITEM] => {
                let head: [u8; 20] = self.bytes()?;
                checksum.update(&head);
                let (key, value) =
                    (u16::from_le_bytes([head[10], head[11]]), [head[16], head[17], head[18], head[19]]);
                self.pass(u64::from(key) + u64::from(u32::from_le_bytes(value)), checksum)?;
            }
            [CLEAR] => self.pass(8, checksum)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    /// Reads `len` bytes for their checksum.
    fn pass(&mut self, mut len: u64, checksum: &mut Xxh3) -> io::Result<()> {
        while len > 0 {
            let bytes = self.source.fill_buf()?;
            if bytes.is_empty() {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let read = bytes.len().min(usize::try_from(len).unwrap_or(usize::MAX));
            checksum.update(&bytes[..read]);
            self.source.consume(read);
            self.at += read as u64;
            len -= read as u64;
        }
        Ok(())
    }
}
