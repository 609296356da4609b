//! The note that is stored with a table for each load, so that the load can be resumed and repeated.

use keystride_store::Note;
use serde_json::{Value, json};

use super::LoadId;
use super::counts::Counts;
use super::options::Check;
use super::reject::RejectKind;
use crate::source::Checkpoint;

/// Progress of a load. It is a part of the same [`Write`](keystride_store::Write) as the rows it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoadNote {
    /// The timestamp, in milliseconds, of cells that are not stamped by a field.
    pub(super) stamp_ms: i64,
    /// Digest of the design.
    pub(super) design: String,
    /// The name of the check.
    pub(super) check: String,
    pub(super) state: LoadState,
    pub(super) counts: Counts,
    /// Digest of the keys of all records so far.
    pub(super) input_digest: u64,
    /// Where a source that is not read again goes on.
    pub(super) checkpoint: Option<Checkpoint>,
}

/// Whether a load is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadState {
    UnderWay,
    Complete,
}

const FORMAT: u64 = 1;

impl LoadNote {
    pub(super) fn to_note(&self, id: &LoadId) -> Note {
        Note { key: id.note_key(), value: Some(self.to_json().to_string().into_bytes()) }
    }

    /// Decodes a note; `None` if the bytes are not a valid note of a load.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let json: Value = serde_json::from_slice(bytes).ok()?;
        let number = |word: &str| json[word].as_u64();
        let text = |word: &str| json[word].as_str().map(str::to_owned);
        if number("format")? != FORMAT {
            return None;
        }
        Some(Self {
            stamp_ms: json["stamp_ms"].as_i64()?,
            design: text("design")?,
            check: text("check")?,
            state: if json["complete"].as_bool()? { LoadState::Complete } else { LoadState::UnderWay },
            counts: counts_from(&json)?,
            input_digest: number("trail")?,
            checkpoint: text("checkpoint").map(Checkpoint::new),
        })
    }

    fn to_json(&self) -> Value {
        let counts = &self.counts;
        let rejected: Value =
            counts.rejected.iter().map(|(kind, count)| (kind.word().to_owned(), json!(count))).collect();
        let mut json = json!({
            "format": FORMAT,
            "stamp_ms": self.stamp_ms,
            "design": self.design,
            "check": self.check,
            "complete": self.state == LoadState::Complete,
            "records": counts.records,
            "rows": counts.rows,
            "cells": counts.cells,
            "bytes": counts.bytes,
            "repeats": counts.repeats,
            "replaced": counts.replaced,
            "rejected": rejected,
            "trail": self.input_digest,
        });
        for (word, count) in [
            ("overwritten", counts.overwritten),
            ("hidden", counts.hidden),
            ("deletes", counts.deletes),
            ("tombstones", counts.tombstones),
        ] {
            if count > 0 {
                json[word] = count.into();
            }
        }
        if let Some(checkpoint) = &self.checkpoint {
            json["checkpoint"] = checkpoint.as_str().into();
        }
        json
    }
}

impl Check {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stored => "stored",
            Self::None => "none",
        }
    }
}

fn counts_from(json: &Value) -> Option<Counts> {
    let number = |word: &str| json[word].as_u64();
    let rejected = json["rejected"].as_object()?.iter().map(|(word, count)| {
        let kind = RejectKind::ALL.into_iter().find(|kind| kind.word() == word)?;
        Some((kind, count.as_u64()?))
    });
    Some(Counts {
        records: number("records")?,
        rows: number("rows")?,
        cells: number("cells")?,
        bytes: number("bytes")?,
        repeats: number("repeats")?,
        replaced: number("replaced")?,
        overwritten: number("overwritten").unwrap_or(0),
        hidden: number("hidden").unwrap_or(0),
        deletes: number("deletes").unwrap_or(0),
        tombstones: number("tombstones").unwrap_or(0),
        rejected: rejected.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_reads_back_as_it_was_written() {
        let rejected = RejectKind::ALL.into_iter().zip(7..).collect();
        let counts = Counts {
            records: 1,
            rows: 2,
            cells: 3,
            bytes: 4,
            repeats: 5,
            replaced: 6,
            overwritten: 2,
            hidden: 1,
            deletes: 8,
            tombstones: 9,
            rejected,
        };
        let note = |checkpoint| LoadNote {
            stamp_ms: -1,
            design: "d".into(),
            check: Check::Stored.word().into(),
            state: LoadState::Complete,
            counts: counts.clone(),
            input_digest: u64::MAX,
            checkpoint,
        };
        for note in [note(None), note(Some(Checkpoint::new("7")))] {
            let kept = note.to_note(&LoadId::new("march"));
            assert_eq!(kept.key, "load/march");
            assert_eq!(LoadNote::from_bytes(&kept.value.unwrap()), Some(note));
        }
        for damaged in [&b""[..], b"{}", b"{\"format\":2}", b"\xff"] {
            assert_eq!(LoadNote::from_bytes(damaged), None);
        }
    }
}
