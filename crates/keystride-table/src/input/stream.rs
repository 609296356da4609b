//! Opening of sources: bytes are counted, decompressed and converted to UTF-8.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keystride::design::Charset;

use super::gzip::GzipMembers;
use super::source::Source;
use super::transcode::{Gb18030Reader, Latin1Reader};
use super::{Format, InputError, InputOptions};

/// The compression of a source, detected from its first bytes whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Gzip (RFC 1952), possibly with several members.
    Gzip,
    /// Zstandard (RFC 8878), possibly with several frames.
    Zstd,
}

/// The decompressed text of a source.
pub(super) struct Stream {
    pub(super) name: Arc<str>,
    reader: Box<dyn Read + Send>,
    compression: Option<Compression>,
    /// Binary logarithm of the largest window of zstd data, in bytes.
    window_log: u32,
}

/// The number of bytes of a source that were read, before decompression; shared with the reader that counts them.
#[derive(Debug, Clone, Default)]
pub(super) struct ByteCount(Arc<AtomicU64>);

type Pieces = io::Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// Maximum number of bytes needed to detect a file type.
const MAGIC_LEN: usize = 6;

impl Stream {
    /// Opens `source` with the options `encoding` and `memory_bytes`.
    pub(super) fn open(
        source: Source,
        asked: Format,
        options: &InputOptions,
        count: &ByteCount,
    ) -> Result<Self, InputError> {
        let name: Arc<str> = source.name().into();
        let file = source.origin.open()?;
        let mut counted: Box<dyn Read + Send> = Box::new(Counted { inner: file, count: count.clone() });
        let head = read_head(&mut counted).map_err(|cause| InputError::read(&name, cause))?;
        refuse(&name, asked, &head)?;
        let compression = compression_of(&head);
        let window_log = window_log(options.memory_bytes);
        let unpacked = unpack(compression, Cursor::new(head).chain(counted), window_log)
            .map_err(|cause| InputError::read(&name, cause))?;
        Ok(Self { name, reader: to_utf8(unpacked, options.encoding), compression, window_log })
    }

    /// Creates a stream without bytes.
    pub(super) fn empty(name: &str) -> Self {
        Self { name: name.into(), reader: Box::new(io::empty()), compression: None, window_log: 0 }
    }

    /// Reads some bytes; returns 0 at the end. `line` is the last complete line so far, for error messages.
    pub(super) fn read(&mut self, into: &mut [u8], line: u64) -> Result<usize, InputError> {
        loop {
            match self.reader.read(into) {
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                done => return done.map_err(|cause| self.fail(cause, line)),
            }
        }
    }

    fn fail(&self, cause: io::Error, line: u64) -> InputError {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        let name = self.name.to_string();
        match (self.compression, cause.kind()) {
            (Some(Compression::Zstd), _) if cause.to_string().contains(WINDOW_TOO_LARGE) => {
                InputError::LargeWindow { name, limit_mib: 1 << (self.window_log - 20), cause }
            }
            (Some(compression), UnexpectedEof) => InputError::Truncated { name, compression, line, cause },
            (Some(compression), InvalidData | InvalidInput | Other) => {
                InputError::Damaged { name, compression, line, cause }
            }
            _ => InputError::Read { name, line, cause },
        }
    }
}

/// Part of the message of libzstd for data packed with a window beyond the limit.
const WINDOW_TOO_LARGE: &str = "requires too much memory";

impl InputError {
    fn read(name: &str, cause: io::Error) -> Self {
        Self::Read { name: name.to_owned(), line: 0, cause }
    }
}

impl ByteCount {
    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }
}

struct Counted {
    inner: Box<dyn Read + Send>,
    count: ByteCount,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.count.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

fn read_head(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(MAGIC_LEN);
    reader.take(MAGIC_LEN as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Rejects file types that are not supported here.
fn refuse(name: &str, asked: Format, head: &[u8]) -> Result<(), InputError> {
    let name = || name.to_owned();
    let found = match head {
        [b'P', b'K', 3, 4, ..] => "zip",
        [0xFD, b'7', b'z', b'X', b'Z', ..] => "xz",
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', ..] => "bzip2",
        [b'P', b'A', b'R', b'1', ..] => {
            return Err(InputError::OtherFormat { name: name(), asked, found: Format::Parquet });
        }
        _ => return Ok(()),
    };
    Err(InputError::UnknownCompression { name: name(), found })
}

/// Returns the compression of data that starts with `head`.
pub(super) fn compression_of(head: &[u8]) -> Option<Compression> {
    match head {
        [0x1F, 0x8B, ..] => Some(Compression::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Compression::Zstd),
        // A frame that is skipped; pzstd begins with one.
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd),
        _ => None,
    }
}

/// Returns the binary logarithm of the largest window of zstd data: a quarter of the memory, but not less than level 19
/// of zstd needs, and not more than its program takes by default.
fn window_log(memory_bytes: usize) -> u32 {
    (memory_bytes / 4).max(1).ilog2().clamp(23, 27)
}

fn unpack(
    compression: Option<Compression>,
    packed: Pieces,
    window_log: u32,
) -> io::Result<Box<dyn Read + Send>> {
    Ok(match compression {
        None => Box::new(packed),
        Some(Compression::Gzip) => Box::new(GzipMembers::new(packed)),
        Some(Compression::Zstd) => {
            let mut decoder = zstd::Decoder::new(packed)?;
            decoder.window_log_max(window_log)?;
            Box::new(decoder)
        }
    })
}

fn to_utf8(bytes: Box<dyn Read + Send>, encoding: Option<Charset>) -> Box<dyn Read + Send> {
    match encoding {
        None | Some(Charset::Utf8) => bytes,
        Some(Charset::Gb18030) => Box::new(Gb18030Reader::new(bytes)),
        Some(Charset::Latin1) => Box::new(Latin1Reader::new(bytes)),
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}
