//! The records of a CSV text, whatever its columns mean.
//!
//! A record whose quotes break the grammar is given up, but of a record of several lines only the first: behind it may
//! be records that have nothing to do with its quote.

use keystride::design::Charset;

use super::buffer::RecordBuffer;
use super::csv_fields::{Fields, without_cr};
use super::csv_parser::{Break, CsvParser, Parsed};
use super::dialect::Dialect;
use super::overlong::Overlong;
use super::reject::RejectReason;
use super::{Advance, InputError};

pub(super) struct CsvText {
    parser: CsvParser,
    buffer: RecordBuffer,
    /// Length of the current record in bytes, with its line end.
    taken: usize,
    /// The first line of the current record, and the number of line ends in it.
    line: u64,
    line_ends: u64,
    fields: Fields,
    flaw: Option<Flaw>,
    /// The current record, if it is too long to be buffered.
    overlong: Option<Overlong>,
    doom: Doom,
}

/// Why a record is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    /// The grammar is broken in a line.
    Broken(Break, u64),
    /// A quote is open up to a line, where the record becomes too long.
    LongQuote(u64),
    TooLong,
}

/// What is known of the lines behind a record that was given up: a quote that is open at the end of one of them leads to
/// the same flaw. Without this, each line of a file might be parsed as often as there are lines before it.
#[derive(Debug, Clone, Copy)]
struct Doom {
    /// Where the flaw is, in bytes of the source.
    until: u64,
    flaw: Flaw,
}

impl CsvText {
    pub(super) fn new(buffer: RecordBuffer, dialect: Dialect) -> Self {
        Self {
            parser: CsvParser::new(dialect),
            buffer,
            taken: 0,
            line: 1,
            line_ends: 0,
            fields: Fields::new(dialect),
            flaw: None,
            overlong: None,
            doom: Doom { until: 0, flaw: Flaw::TooLong },
        }
    }

    /// Goes to a message of its own, whose lines are counted from 1.
    pub(super) fn begin_message(&mut self, message: &[u8]) {
        self.buffer.replace(message);
        (self.taken, self.line, self.line_ends, self.doom.until) = (0, 1, 0, 0);
    }

    /// Whether nothing but line ends follows the current record in what was read.
    pub(super) fn is_last(&self) -> bool {
        self.buffer.pending()[self.taken..].iter().all(|byte| matches!(byte, b'\r' | b'\n'))
    }

    pub(super) fn name(&self) -> &str {
        self.buffer.name()
    }

    /// Returns the first line of the current record.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the texts of the current record's fields, and the bytes they are in.
    pub(super) fn fields(&self) -> (&Fields, &[u8]) {
        (&self.fields, self.buffer.pending())
    }

    /// Returns why the current record is given up, if it is.
    pub(super) fn flaw(&self) -> Option<RejectReason> {
        Some(match self.flaw? {
            Flaw::Broken(Break::BehindQuote, line) => RejectReason::TextBehindQuote { line },
            Flaw::Broken(Break::OpenQuote, to_line) => RejectReason::OpenQuote { to_line },
            Flaw::Broken(Break::LoneEscape, _) => RejectReason::LoneEscape,
            Flaw::LongQuote(to_line) => RejectReason::LongQuote { to_line, limit: RecordBuffer::LIMIT },
            Flaw::TooLong => RejectReason::TooLong { limit: RecordBuffer::LIMIT },
        })
    }

    /// Returns the original text of the current record without its line end, or its beginning if it is too long.
    pub(super) fn raw(&self) -> &[u8] {
        if let Some(overlong) = &self.overlong {
            return overlong.head();
        }
        let record = &self.buffer.pending()[..self.taken];
        without_cr(record.strip_suffix(b"\n").unwrap_or(record))
    }

    /// Moves to the header, and returns its names. `charset` is that of the source, for messages.
    pub(super) fn read_header(&mut self, charset: Charset) -> Result<Vec<String>, InputError> {
        if self.advance()? == Advance::End {
            return Err(InputError::NoHeader { name: self.name().to_owned() });
        }
        let (name, line) = (self.name().to_owned(), self.line);
        if let Some(reason) = self.flaw() {
            return Err(InputError::BrokenHeader { name, line, reason: Box::new(reason) });
        }
        let bytes = self.buffer.pending();
        let names = (0..self.fields.count()).map(|column| {
            let text = str::from_utf8(self.fields.field(column, bytes)).ok();
            text.map(str::to_owned).ok_or(column + 1)
        });
        let charset = charset.name();
        names.collect::<Result<_, _>>().map_err(|column| InputError::HeaderNotText {
            name,
            line,
            column,
            charset,
        })
    }

    /// Moves to the next record, skipping empty lines.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        self.buffer.pass(self.taken);
        self.line += self.line_ends;
        (self.flaw, self.overlong) = (None, None);
        self.fields.clear();
        // Most records are of one line without quotes, and need no parser.
        if let Some(taken) = self.fields.split(self.buffer.pending()) {
            (self.taken, self.line_ends) = (taken, 1);
            return Ok(Advance::Record);
        }
        (self.taken, self.line_ends) = (0, 0);
        if self.skip_empty_lines()? == Advance::End {
            return Ok(Advance::End);
        }
        self.parse_record()?;
        self.line_ends += memchr::memchr_iter(b'\n', &self.buffer.pending()[..self.taken]).count() as u64;
        Ok(Advance::Record)
    }

    fn skip_empty_lines(&mut self) -> Result<Advance, InputError> {
        loop {
            let empty = match self.buffer.pending() {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                [] | [b'\r'] if self.buffer.ended() => return Ok(Advance::End),
                [] | [b'\r'] => {
                    self.buffer.fill(self.line)?;
                    continue;
                }
                _ => return Ok(Advance::Record),
            };
            self.buffer.pass(empty);
            self.line += 1;
        }
    }

    fn parse_record(&mut self) -> Result<(), InputError> {
        self.parser.begin();
        loop {
            let doomed = usize::try_from(self.doom.until.saturating_sub(self.buffer.passed())).unwrap_or(0);
            let pending = self.buffer.pending();
            let parsed = match self.parser.parse(pending, &mut self.fields, doomed) {
                Parsed::Part if self.buffer.ended() => self.parser.end(pending, &mut self.fields),
                parsed => parsed,
            };
            match parsed {
                Parsed::Record => {
                    self.taken = self.parser.at();
                    return Ok(());
                }
                Parsed::Broken(_) if self.is_doomed(doomed) => return self.give_up(self.doom.flaw),
                Parsed::Broken(broken) => return self.give_up(Flaw::Broken(broken, self.line_reached())),
                Parsed::Part if !self.buffer.is_full() => self.buffer.fill(self.line)?,
                Parsed::Part if self.parser.is_in_quotes() && self.parser.first_line_end().is_some() => {
                    return self.give_up(Flaw::LongQuote(self.line_reached()));
                }
                Parsed::Part => return self.give_up(Flaw::TooLong),
            }
        }
    }

    fn is_doomed(&self, doomed: usize) -> bool {
        self.parser.first_line_end().is_some_and(|end| end < doomed)
    }

    /// Returns the line up to which the current record is parsed.
    fn line_reached(&self) -> u64 {
        let parsed = &self.buffer.pending()[..self.parser.at()];
        // A line end at the end of the source begins no line.
        let parsed = parsed.strip_suffix(b"\n").unwrap_or(parsed);
        self.line + memchr::memchr_iter(b'\n', parsed).count() as u64
    }

    /// Gives up the first line of the current record.
    fn give_up(&mut self, flaw: Flaw) -> Result<(), InputError> {
        self.flaw = Some(flaw);
        self.fields.clear();
        let parsed = self.parser.at();
        match self.parser.first_line_end() {
            Some(end) => {
                let until = self.buffer.passed() + parsed as u64;
                if until > self.doom.until {
                    self.doom = Doom { until, flaw };
                }
                self.taken = end + 1;
            }
            None => self.taken = self.buffer.line_len(parsed, self.line, &mut self.overlong)?,
        }
        Ok(())
    }
}
