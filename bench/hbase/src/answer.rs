//! What a client answers, in one line: `rows=336776 cells=6352149 cpu_ns=...`.

use std::fmt;

use crate::Failure;

/// What a client did, and what it took. What does not apply is 0, and left out of the line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Rows that were written or read.
    pub(crate) rows: u64,
    /// Cells that were read.
    pub(crate) cells: u64,
    /// Bytes of the qualifiers and values that were read.
    pub(crate) bytes: u64,
    /// CRC-32 of all cells that were read: of each its row, qualifier, timestamp (8 bytes, big-endian) and value.
    pub(crate) crc: u64,
    /// Time on the processor, of all threads.
    pub(crate) cpu_ns: u64,
    /// Time by the clock.
    pub(crate) wall_ns: u64,
    /// Half of the gets took no longer.
    pub(crate) p50_ns: u64,
    /// All but one in a hundred took no longer.
    pub(crate) p99_ns: u64,
}

impl Answer {
    const NAMES: [&'static str; 8] =
        ["rows", "cells", "bytes", "crc", "cpu_ns", "wall_ns", "p50_ns", "p99_ns"];

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The line itself, when it is something else: then it says what went wrong.
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let mut numbers = [0; 8];
        for word in line.split_whitespace() {
            let field = word.split_once('=').and_then(|(name, number)| {
                let at = Self::NAMES.iter().position(|known| *known == name)?;
                Some((at, number.parse().ok()?))
            });
            let (at, number) = field.ok_or_else(|| line.to_owned())?;
            numbers[at] = number;
        }
        let [rows, cells, bytes, crc, cpu_ns, wall_ns, p50_ns, p99_ns] = numbers;
        Ok(Self { rows, cells, bytes, crc, cpu_ns, wall_ns, p50_ns, p99_ns })
    }

    /// What was read: the same for every client.
    pub(crate) fn read(&self) -> [u64; 4] {
        [self.rows, self.cells, self.bytes, self.crc]
    }

    /// The same with its 50th and 99th percentile.
    pub(crate) fn with_latencies(self, mut nanos: Vec<u64>) -> Self {
        nanos.sort_unstable();
        let at = |share: usize| nanos.get((nanos.len() * share / 100).min(nanos.len().saturating_sub(1)));
        let [p50_ns, p99_ns] = [50, 99].map(|share| at(share).copied().unwrap_or_default());
        Self { p50_ns, p99_ns, ..self }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, cells, bytes, crc, cpu_ns, wall_ns, p50_ns, p99_ns } = *self;
        let numbers = [rows, cells, bytes, crc, cpu_ns, wall_ns, p50_ns, p99_ns];
        let told = Self::NAMES.iter().zip(numbers).filter(|&(_, number)| number > 0);
        let words: Vec<String> = told.map(|(name, number)| format!("{name}={number}")).collect();
        out.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_is_printed() {
        let answer = Answer { rows: 3, crc: 7, ..Answer::default() };
        assert_eq!(Answer::parse(&answer.to_string()).unwrap(), answer);
        assert!(Answer::parse("java.io.IOException: no").is_err());
    }

    #[test]
    fn half_of_the_gets_took_no_longer_than_the_median() {
        let answer = Answer::default().with_latencies((0..100).rev().collect());
        assert_eq!((answer.p50_ns, answer.p99_ns), (50, 99));
    }
}
