//! Conversion of text in other character sets to UTF-8.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, GB18030};
use keystride::design::Charset;

/// Number of bytes read at a time. A byte becomes at most three bytes of UTF-8, so the output buffer is three times
/// as large.
const CHUNK: usize = 64 * 1024;

/// Replaces a malformed sequence. This byte never occurs in UTF-8, so the field that contains it is rejected.
const MALFORMED: u8 = 0xFF;

/// A chunk of the source, and its UTF-8 form, part of which may already have been returned.
struct Chunks<R> {
    inner: R,
    chunk: Vec<u8>,
    utf8: Vec<u8>,
    handed_on: usize,
}

/// Converts GB 18030, a superset of GBK, to UTF-8.
pub(super) struct Gb18030Reader<R> {
    chunks: Chunks<R>,
    decoder: Decoder,
    /// Whether the end of the input was signaled to the decoder, which must happen only once.
    ended: bool,
}

/// Converts ISO 8859-1 to UTF-8.
pub(super) struct Latin1Reader<R> {
    chunks: Chunks<R>,
}

impl<R: Read> Chunks<R> {
    fn new(inner: R) -> Self {
        Self { inner, chunk: vec![0; CHUNK], utf8: Vec::with_capacity(3 * CHUNK), handed_on: 0 }
    }

    fn hand_on(&mut self, into: &mut [u8]) -> usize {
        let rest = &self.utf8[self.handed_on..];
        let len = rest.len().min(into.len());
        into[..len].copy_from_slice(&rest[..len]);
        self.handed_on += len;
        len
    }

    fn is_empty(&self) -> bool {
        self.handed_on == self.utf8.len()
    }

    fn refill(&mut self) -> io::Result<usize> {
        self.utf8.clear();
        self.handed_on = 0;
        self.inner.read(&mut self.chunk)
    }
}

impl<R: Read> Gb18030Reader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { chunks: Chunks::new(inner), decoder: GB18030.new_decoder_without_bom_handling(), ended: false }
    }

    fn decode(&mut self, read: usize) {
        self.ended = read == 0;
        decode_gb18030(&mut self.decoder, &self.chunks.chunk[..read], self.ended, &mut self.chunks.utf8);
    }
}

impl<R: Read> Read for Gb18030Reader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.chunks.is_empty() && !self.ended {
            let read = self.chunks.refill()?;
            self.decode(read);
        }
        Ok(self.chunks.hand_on(into))
    }
}

fn decode_gb18030(decoder: &mut Decoder, mut bytes: &[u8], last: bool, utf8: &mut Vec<u8>) {
    loop {
        let needed =
            decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(4 * bytes.len() + 16);
        let start = utf8.len();
        utf8.resize(start + needed, 0);
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(bytes, &mut utf8[start..], last);
        utf8.truncate(start + written);
        bytes = &bytes[read..];
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => utf8.push(MALFORMED),
        }
    }
}

impl<R: Read> Latin1Reader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { chunks: Chunks::new(inner) }
    }
}

impl<R: Read> Read for Latin1Reader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.chunks.is_empty() {
            let read = self.chunks.refill()?;
            let Chunks { chunk, utf8, .. } = &mut self.chunks;
            utf8.resize(2 * read, 0);
            let written = encoding_rs::mem::convert_latin1_to_utf8(&chunk[..read], utf8);
            utf8.truncate(written);
        }
        Ok(self.chunks.hand_on(into))
    }
}

/// Converts a field's bytes to text, using `scratch` if they are not UTF-8. Returns `None` if they are not valid in
/// the character set.
pub(crate) fn text_of<'a>(bytes: &'a [u8], charset: Charset, scratch: &'a mut String) -> Option<&'a str> {
    if charset == Charset::Utf8 || bytes.is_ascii() {
        return str::from_utf8(bytes).ok();
    }
    scratch.clear();
    match charset {
        Charset::Utf8 => {}
        Charset::Latin1 => scratch.extend(bytes.iter().map(|byte| char::from(*byte))),
        Charset::Gb18030 => {
            let mut decoder = GB18030.new_decoder_without_bom_handling();
            scratch.reserve(decoder.max_utf8_buffer_length_without_replacement(bytes.len())?);
            let (result, _) = decoder.decode_to_string_without_replacement(bytes, scratch, true);
            if result != DecoderResult::InputEmpty {
                return None;
            }
        }
    }
    Some(scratch)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes per read, so that characters are split between reads.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(self.0.len()).min(into.len());
            into[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    fn from_gb18030(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut utf8 = Vec::new();
        Gb18030Reader::new(Trickle(bytes, step)).read_to_end(&mut utf8).unwrap();
        utf8
    }

    #[test]
    fn gb18030_is_read_whole_however_it_is_cut() {
        // U+6CB3 U+5317 in two bytes each, U+1F600 in four.
        let bytes = b"a\xBA\xD3\xB1\xB1,\x94\x39\xFC\x36\n";
        for step in [1, 2, 3, 100] {
            assert_eq!(from_gb18030(bytes, step), "a河北,😀\n".as_bytes());
        }
    }

    #[test]
    fn malformed_gb18030_becomes_a_byte_that_utf8_never_holds() {
        assert_eq!(from_gb18030(b"a\xBA,b", 1), b"a\xFF,b");
        assert_eq!(
            from_gb18030(b"\xBA\xD3\x81", 2),
            "河".as_bytes().iter().chain(b"\xFF").copied().collect::<Vec<_>>()
        );
        assert_eq!(text_of(b"\xBA", Charset::Gb18030, &mut String::new()), None);
    }

    #[test]
    fn latin1_is_one_character_a_byte() {
        let mut text = String::new();
        Latin1Reader::new(Trickle(b"caf\xE9 \x80\xFF", 2)).read_to_string(&mut text).unwrap();
        assert_eq!(text, "café \u{80}ÿ");
        assert_eq!(text_of(b"\xE9\x80", Charset::Latin1, &mut String::new()), Some("é\u{80}"));
    }

    #[test]
    fn a_field_has_a_character_set_of_its_own() {
        let mut scratch = String::new();
        assert_eq!(text_of(b"\xBA\xD3", Charset::Gb18030, &mut scratch), Some("河"));
        assert_eq!(text_of(b"\xBA\xD3", Charset::Utf8, &mut scratch), None);
        assert_eq!(text_of(b"plain", Charset::Gb18030, &mut scratch), Some("plain"));
    }
}
