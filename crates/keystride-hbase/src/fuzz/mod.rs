//! Decoders of outside bytes, tried on bytes that nobody should send.
//!
//! Each room has its own tries in a file `fuzz.rs`, as its decoders are seen by nobody else; here is what they share.
//! [`Fuzz::of`] begins with the messages of `tests/corpus/NAME`, which real servers sent, adds those that a room makes
//! by itself, and changes them in all the ways of [`Mutator`]. The same inputs come each time.
//!
//! A decoder must never panic and never take memory for what is only announced; what it takes for good must hold
//! together. An input that it does not survive is shown in hexadecimal: put into the corpus, it is tried first.
//!
//! CONTRIBUTING.md says how to try millions.

mod fields;
mod mutate;
mod names;

use std::alloc::System;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, thread};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use mutate::Mutator;

/// So that it can be seen what a decoder takes.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many inputs each decoder gets. Memory is looked at only where this is set, for it is counted for all threads.
const COUNT_VARIABLE: &str = "KEYSTRIDE_FUZZ";
/// Others than the usual ones: any number.
const SEED_VARIABLE: &str = "KEYSTRIDE_FUZZ_SEED";

const USUAL_COUNT: u64 = 4_000;

/// Tries of one decoder.
#[derive(Debug)]
pub(crate) struct Fuzz {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
    lengths: usize,
    /// Bytes that a try may take in all, and for each byte of its input.
    room: (usize, usize),
}

/// Shows the input under which a test fails.
struct Tried<'a> {
    name: &'static str,
    input: &'a [u8],
}

impl Fuzz {
    /// Tries of the decoder whose messages are in that folder of the corpus.
    pub(crate) fn of(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(folder)
            .map(|files| files.map(|file| file.unwrap().path()).collect())
            .unwrap_or_default();
        // Folders have no order of their own.
        files.sort();
        let corpus = files.into_iter().map(|file| fs::read(file).unwrap()).collect();
        Self { name, corpus, lengths: 0, room: (1 << 20, 512) }
    }

    /// Adds messages.
    pub(crate) fn and(mut self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        self.corpus.extend(messages.into_iter().map(|message| message.as_ref().to_vec()));
        self
    }

    /// For messages of Protobuf with so many lengths of two bytes in front, as [`join`] makes one.
    pub(crate) fn behind(self, lengths: usize) -> Self {
        Self { lengths, ..self }
    }

    /// For decoders that take more memory, rightly: bytes in all, and for each byte of the input.
    pub(crate) fn room(self, bytes: usize, per_byte: usize) -> Self {
        Self { room: (bytes, per_byte), ..self }
    }

    /// Tries the messages as they are, then changed.
    pub(crate) fn run(self, mut decode: impl FnMut(&[u8])) {
        assert!(!self.corpus.is_empty(), "{} has no messages to begin with", self.name);
        let (begun, count) = (Instant::now(), number(COUNT_VARIABLE));
        for message in &self.corpus {
            self.run_one(message, &mut decode);
        }
        let mut mutator = Mutator::new(&self.corpus, self.lengths, number(SEED_VARIABLE).unwrap_or(1));
        let mut input = Vec::new();
        for _ in 0..count.unwrap_or(USUAL_COUNT) {
            mutator.next(&mut input);
            self.run_one(&input, &mut decode);
        }
        if let Some(count) = count {
            println!("fuzz {}: {count} inputs in {:.1?}", self.name, begun.elapsed());
        }
    }

    fn run_one(&self, input: &[u8], decode: &mut impl FnMut(&[u8])) {
        let tried = Tried { name: self.name, input };
        let memory = Region::new(ALLOCATOR);
        decode(input);
        let taken = memory.change().bytes_allocated;
        if env::var_os(COUNT_VARIABLE).is_some() {
            assert!(taken <= self.room.0 + self.room.1 * input.len(), "{taken} bytes were taken");
        }
        drop(tried);
    }
}

impl Drop for Tried<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("{} does not survive {}", self.name, HEXLOWER.encode(self.input));
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    Some(env::var(variable).ok()?.parse().expect("it is a number"))
}

/// A message and the cells behind it, as one input: the message's length in two bytes stands in front.
pub(crate) fn join(message: &[u8], cells: &[u8]) -> Vec<u8> {
    let len = u16::try_from(message.len()).unwrap();
    [&len.to_be_bytes(), message, cells].concat()
}

/// Undoes [`join`], whatever became of it.
pub(crate) fn split(input: &[u8]) -> (Bytes, Bytes) {
    let (len, rest) = input.split_first_chunk().unwrap_or((&[0; 2], input));
    let (message, cells) = rest.split_at(usize::from(u16::from_be_bytes(*len)).min(rest.len()));
    (Bytes::copy_from_slice(message), Bytes::copy_from_slice(cells))
}
