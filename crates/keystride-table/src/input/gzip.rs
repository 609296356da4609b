//! Gzip with several members and trailing zeros.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// Decompresses one member after another. Like `gzip`, ignores zeros after the last one, because tapes and disks pad
/// their blocks with them.
pub(super) struct GzipMembers<R> {
    /// `None` after the last member.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> GzipMembers<R> {
    pub(super) fn new(packed: R) -> Self {
        Self { member: Some(GzDecoder::new(BufReader::new(packed))) }
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            self.member = match self.member.take().map(GzDecoder::into_inner) {
                Some(rest) => next_member(rest)?,
                None => None,
            };
        }
        Ok(0)
    }
}

/// The first byte of a member.
const MAGIC: u8 = 0x1F;

/// Returns the next member. After a member, anything but zeros must be another one.
fn next_member<R: Read>(mut rest: BufReader<R>) -> io::Result<Option<GzDecoder<BufReader<R>>>> {
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let (len, zeros) = (bytes.len(), bytes.iter().take_while(|byte| **byte == 0).count());
        let is_member = bytes.get(zeros).is_none_or(|byte| *byte == MAGIC);
        rest.consume(zeros);
        if !is_member {
            let what = "there are bytes behind its end that are not gzip data";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        if zeros < len {
            return Ok(Some(GzDecoder::new(rest)));
        }
    }
}
