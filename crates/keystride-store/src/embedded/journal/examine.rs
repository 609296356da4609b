//! Reads a journal through.

use std::io::{self, Read, Seek};

use super::frame::{Frame, Frames};

/// The engine keeps sequence numbers from here on for itself.
const NO_SEQUENCE: u64 = 1 << 63;

/// A journal, read through.
#[derive(Debug)]
pub(super) struct Examined {
    /// Where the batches that read back end.
    pub(super) good: u64,
    pub(super) ending: Ending,
    /// Sequence number of the last of them.
    pub(super) last: Option<u64>,
}

/// What follows the batches that read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing but zeros.
    Zeros,
    /// A part of a batch.
    Torn,
    /// A batch that was written to its end, but does not read back.
    Damaged {
        /// Where the next batch that reads back starts; the end of the damage if there is none.
        to: u64,
        /// How many batches that read back follow in this journal.
        following: u64,
    },
}

/// Reads a journal through; `last` is the last sequence number of those before it.
pub(super) fn examine(journal: impl Read + Seek, mut last: Option<u64>) -> io::Result<Examined> {
    let mut frames = Frames::new(journal);
    let mut good = 0;
    let next = loop {
        match frames.next()? {
            // The number of a batch is in no checksum, but numbers ascend.
            Frame::Whole { sequence } if last < Some(sequence) && sequence < NO_SEQUENCE => {
                (good, last) = (frames.at(), Some(sequence));
            }
            Frame::Whole { .. } => break Some(frames.at()),
            Frame::Finished { next } => break Some(next),
            Frame::Broken => break None,
        }
    };
    let ending = match next {
        Some(next) => damaged(&mut frames, next)?,
        None => ending_from(&mut frames, good)?,
    };
    Ok(Examined { good, ending, last })
}

/// Returns how many batches of a journal read back.
pub(super) fn batches_in(journal: impl Read + Seek) -> io::Result<u64> {
    let mut frames = Frames::new(journal);
    match damaged(&mut frames, 0)? {
        Ending::Damaged { following, .. } => Ok(following),
        Ending::Zeros | Ending::Torn => Ok(0),
    }
}

fn ending_from(frames: &mut Frames<impl Read + Seek>, good: u64) -> io::Result<Ending> {
    frames.seek(good)?;
    if frames.ends_here()? {
        return Ok(Ending::Zeros);
    }
    frames.seek(good)?;
    while frames.skip_past_mark()? {
        let end = frames.at();
        if frames.may_start_here()? {
            return damaged(frames, end);
        }
        frames.seek(end)?;
    }
    Ok(Ending::Torn)
}

/// Counts the batches from `end` on, where the damage may end.
fn damaged(frames: &mut Frames<impl Read + Seek>, mut end: u64) -> io::Result<Ending> {
    let (mut to, mut following) = (None, 0);
    loop {
        frames.seek(end)?;
        while matches!(frames.next()?, Frame::Whole { .. }) {
            to.get_or_insert(end);
            (end, following) = (frames.at(), following + 1);
        }
        frames.seek(end)?;
        if !frames.skip_past_mark()? {
            return Ok(Ending::Damaged { to: to.unwrap_or(end), following });
        }
        end = frames.at();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Where the sequence number is in a batch.
    const SEQUENCE: std::ops::Range<u64> = 5..13;

    /// The journal of a store with three batches, each written by the engine.
    fn journal() -> (Vec<u8>, Vec<u64>) {
        let folder = tempfile::tempdir().unwrap();
        let db = fjall::Database::builder(folder.path()).worker_threads_unchecked(0).open().unwrap();
        let keyspace = db.keyspace("k", Default::default).unwrap();
        let path = folder.path().join("0.jnl");
        let mut ends = vec![0];
        for value in [b"1".repeat(10), b"2".repeat(9_000), b"3".repeat(10)] {
            let mut batch = db.batch().durability(Some(fjall::PersistMode::Buffer));
            batch.insert(&keyspace, "a", value.as_slice());
            batch.remove(&keyspace, "b");
            batch.commit().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            ends.push(bytes.iter().rposition(|&byte| byte != 0).unwrap() as u64 + 1);
        }
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.truncate(usize::try_from(ends[3]).unwrap() + 100);
        (bytes, ends)
    }

    fn examined(bytes: &[u8]) -> (u64, Ending) {
        let examined = examine(Cursor::new(bytes), None).unwrap();
        (examined.good, examined.ending)
    }

    #[test]
    fn sequence_numbers_that_do_not_ascend_are_damage() {
        let (mut bytes, ends) = journal();
        let [first, second] = [0, 1].map(|batch| usize::try_from(ends[batch] + SEQUENCE.start).unwrap());
        bytes.copy_within(first..first + 8, second);
        assert_eq!(examined(&bytes), (ends[1], Ending::Damaged { to: ends[2], following: 1 }));
        bytes[second + 7] = 0x80;
        assert_eq!(examined(&bytes), (ends[1], Ending::Damaged { to: ends[2], following: 1 }));
    }

    #[test]
    fn a_journal_of_the_engine_reads_back() {
        let (bytes, ends) = journal();
        assert_eq!(examined(&bytes), (ends[3], Ending::Zeros));
        assert_eq!(batches_in(Cursor::new(&bytes)).unwrap(), 3);
    }

    #[test]
    fn a_journal_that_was_cut_anywhere_is_torn() {
        let (bytes, ends) = journal();
        let whole = usize::try_from(ends[3]).unwrap();
        for len in 0..whole {
            let good = ends.iter().rfind(|&&end| end <= len as u64).copied().unwrap();
            let ending = if good == len as u64 { Ending::Zeros } else { Ending::Torn };
            assert_eq!(examined(&bytes[..len]), (good, ending), "cut at {len}");
            let zeros = [&bytes[..len], &[0; 50]].concat();
            assert_eq!(examined(&zeros).0, good, "zeros from {len} on");
            assert!(!matches!(examined(&zeros).1, Ending::Damaged { .. }), "zeros from {len} on");
        }
    }

    #[test]
    fn a_value_with_the_bytes_that_end_a_batch_does_not_make_a_torn_end_damage() {
        let (mut bytes, ends) = journal();
        let value = usize::try_from(ends[1]).unwrap() + 40;
        bytes[value..value + 9].copy_from_slice(b"FJL\x03 text");
        bytes.truncate(value + 20);
        assert!(bytes.len() < usize::try_from(ends[2]).unwrap());
        assert_eq!(examined(&bytes), (ends[1], Ending::Torn));
    }

    #[test]
    fn every_changed_byte_is_damage() {
        let (bytes, ends) = journal();
        for at in 0..usize::try_from(ends[3]).unwrap() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            let batch = ends.iter().rposition(|&end| end <= at as u64).unwrap();
            if SEQUENCE.contains(&(at as u64 - ends[batch])) {
                continue;
            }
            let expected =
                (ends[batch], Ending::Damaged { to: ends[batch + 1], following: 2 - batch as u64 });
            assert_eq!(examined(&changed), expected, "byte {at}");
        }
    }
}
