//! Fuzzing of decoders.
//!
//! Each module has its own fuzz tests in a file `fuzz.rs`, because its decoders are private; this module has what they
//! share. [`Fuzz::of`] starts with the messages in `tests/corpus/NAME`, which real servers sent, and those that the
//! test adds. [`Mutator`] then changes them. Runs are deterministic.
//!
//! A decoder must not panic, must not allocate memory for a length that is only announced, and must accept only
//! consistent input. A failing input is printed in hexadecimal; once added to the corpus it is tried first.
//!
//! CONTRIBUTING.md says how to run millions of inputs.

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

/// Counts the memory that decoders allocate.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Number of inputs for each decoder. Memory is checked only if this is set, because it is counted for all threads.
const COUNT_VARIABLE: &str = "KEYSTRIDE_FUZZ";
/// Another seed: any number.
const SEED_VARIABLE: &str = "KEYSTRIDE_FUZZ_SEED";

const USUAL_COUNT: u64 = 4_000;

#[derive(Debug)]
pub(crate) struct Fuzz {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
    lengths: usize,
    /// Bytes that a run may allocate: in total, and for each input byte.
    memory: (usize, usize),
}

/// Prints the input if the test panics.
struct PrintOnPanic<'a> {
    name: &'static str,
    input: &'a [u8],
}

impl Fuzz {
    /// A test that starts with the messages in that folder of the corpus.
    pub(crate) fn of(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(folder)
            .map(|files| files.map(|file| file.unwrap().path()).collect())
            .unwrap_or_default();
        // Directory entries come in no particular order.
        files.sort();
        let corpus = files.into_iter().map(|file| fs::read(file).unwrap()).collect();
        Self { name, corpus, lengths: 0, memory: (1 << 20, 512) }
    }

    pub(crate) fn and(mut self, messages: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        self.corpus.extend(messages.into_iter().map(|message| message.as_ref().to_vec()));
        self
    }

    /// For Protobuf messages with this many lengths of two bytes before them, as made by [`join`].
    pub(crate) fn length_prefixed(self, lengths: usize) -> Self {
        Self { lengths, ..self }
    }

    /// Allows the decoder more memory: bytes in total, and for each input byte.
    pub(crate) fn memory(self, bytes: usize, per_byte: usize) -> Self {
        Self { memory: (bytes, per_byte), ..self }
    }

    /// Runs the decoder on the messages, then on changed messages.
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
        let tried = PrintOnPanic { name: self.name, input };
        let memory = Region::new(ALLOCATOR);
        decode(input);
        let taken = memory.change().bytes_allocated;
        if env::var_os(COUNT_VARIABLE).is_some() {
            assert!(taken <= self.memory.0 + self.memory.1 * input.len(), "{taken} bytes were taken");
        }
        drop(tried);
    }
}

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("{} does not survive {}", self.name, HEXLOWER.encode(self.input));
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    Some(env::var(variable).ok()?.parse().expect("it is a number"))
}

/// Joins a message and its cells to one input. The message's length comes first, in two bytes.
pub(crate) fn join(message: &[u8], cells: &[u8]) -> Vec<u8> {
    let len = u16::try_from(message.len()).unwrap();
    [&len.to_be_bytes(), message, cells].concat()
}

/// Splits an input made by [`join`], even if it was changed since.
pub(crate) fn split(input: &[u8]) -> (Bytes, Bytes) {
    let (len, rest) = input.split_first_chunk().unwrap_or((&[0; 2], input));
    let (message, cells) = rest.split_at(usize::from(u16::from_be_bytes(*len)).min(rest.len()));
    (Bytes::copy_from_slice(message), Bytes::copy_from_slice(cells))
}
