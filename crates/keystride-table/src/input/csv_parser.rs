//! The grammar of CSV.
//!
//! A field that begins with the quote ends with the next one, behind which come a delimiter, a line end or the end of
//! the source. Other fields end with the delimiter or the line. Lines end with LF or CRLF; a lone CR is text. Line ends
//! in quotes and behind the escape are text, too.

use super::csv_fields::Fields;
use super::dialect::Dialect;

/// Parses one record after another, piece by piece as it comes.
pub(super) struct CsvParser {
    dialect: Dialect,
    state: State,
    /// Number of bytes of the record that are parsed.
    at: usize,
    /// Number of bytes up to the last one that was taken as it is.
    taken_as_is: usize,
    /// The first line end in quotes.
    first_line_end: Option<usize>,
    field_start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Bare,
    /// Behind the escape in a field without quotes.
    BareEscape,
    Quoted,
    /// Behind the escape in quotes.
    QuotedEscape,
    /// Behind a quote that closes the field, unless it is doubled.
    Closed,
    /// Behind a CR behind such a quote.
    ClosedCr,
}

/// How far a record was parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parsed {
    /// To its end, with its line end.
    Record,
    /// To the end of the bytes that are there.
    Part,
    /// To where it breaks the grammar.
    Broken(Break),
}

/// How a record breaks the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Break {
    /// Something else than a delimiter or a line end follows a closing quote.
    BehindQuote,
    /// A quote is open at the end of the source.
    OpenQuote,
    /// An escape is the last byte of the source.
    LoneEscape,
}

impl CsvParser {
    pub(super) fn new(dialect: Dialect) -> Self {
        let state = State::FieldStart;
        Self { dialect, state, at: 0, taken_as_is: 0, first_line_end: None, field_start: 0 }
    }

    /// Begins a record.
    pub(super) fn begin(&mut self) {
        *self = Self::new(self.dialect);
    }

    /// Returns how many bytes of the record are parsed.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether what was parsed last lies in quotes.
    pub(super) fn is_in_quotes(&self) -> bool {
        matches!(self.state, State::Quoted | State::QuotedEscape)
    }

    /// Returns the place of the first line end in quotes. Where the record is broken, lines behind it are read as
    /// records of their own.
    pub(super) fn first_line_end(&self) -> Option<usize> {
        self.first_line_end
    }

    /// Parses on in `record`, which begins with the record and has as many bytes as before or more. A line end in
    /// quotes before `doomed` is known to lead to a break.
    pub(super) fn parse(&mut self, record: &[u8], fields: &mut Fields, doomed: usize) -> Parsed {
        while let Some(&byte) = record.get(self.at) {
            match self.state {
                State::FieldStart => self.start_field(byte),
                State::Bare => {
                    if self.parse_bare(record, fields) {
                        return Parsed::Record;
                    }
                }
                State::Quoted => {
                    self.parse_quoted(record, fields);
                    if self.first_line_end.is_some_and(|end| end < doomed) {
                        return Parsed::Broken(Break::OpenQuote);
                    }
                }
                State::BareEscape => self.take_as_is(byte, State::Bare, fields),
                State::QuotedEscape => self.take_as_is(byte, State::Quoted, fields),
                State::Closed | State::ClosedCr => match self.parse_closed(byte, fields) {
                    Parsed::Part => {}
                    ended => return ended,
                },
            }
        }
        Parsed::Part
    }

    fn start_field(&mut self, byte: u8) {
        self.field_start = self.at;
        if Some(byte) == self.dialect.quote {
            self.at += 1;
            self.state = State::Quoted;
        } else {
            self.state = State::Bare;
        }
    }

    /// Returns whether the record ends.
    fn parse_bare(&mut self, record: &[u8], fields: &mut Fields) -> bool {
        let Dialect { delimiter, escape, .. } = self.dialect;
        let rest = &record[self.at..];
        let found = memchr::memchr3(delimiter, b'\n', escape.unwrap_or(b'\n'), rest);
        let len = found.unwrap_or(rest.len());
        fields.push(&rest[..len]);
        self.at += len;
        let Some(&byte) = rest.get(len) else { return false };
        if Some(byte) == escape {
            self.at += 1;
            self.state = State::BareEscape;
            return false;
        }
        self.end_bare(record, byte == b'\n', fields);
        self.at += 1;
        byte == b'\n'
    }

    /// Ends a field without quotes, and with it maybe the line: a CR before that is no part of the field, unless the
    /// escape is before it. `\N` alone stays as it is: it is no escaped N, but how databases write null.
    fn end_bare(&mut self, record: &[u8], ends_line: bool, fields: &mut Fields) {
        let mut text = &record[self.field_start..self.at];
        if ends_line
            && self.taken_as_is < self.at
            && let [before @ .., b'\r'] = text
        {
            fields.drop_last_byte();
            text = before;
        }
        if let [escape, b'N'] = text
            && Some(*escape) == self.dialect.escape
        {
            fields.replace_last(text);
        }
        fields.end_field();
        self.state = State::FieldStart;
    }

    fn parse_quoted(&mut self, record: &[u8], fields: &mut Fields) {
        let Dialect { quote, escape, .. } = self.dialect;
        let quote = quote.unwrap_or(b'\n');
        let rest = &record[self.at..];
        let found = memchr::memchr2(quote, escape.unwrap_or(quote), rest);
        let text = &rest[..found.unwrap_or(rest.len())];
        if self.first_line_end.is_none() {
            self.first_line_end = memchr::memchr(b'\n', text).map(|end| self.at + end);
        }
        fields.push(text);
        self.at += text.len();
        if let Some(found) = found {
            self.at += 1;
            self.state = if rest[found] == quote { State::Closed } else { State::QuotedEscape };
        }
    }

    fn take_as_is(&mut self, byte: u8, next: State, fields: &mut Fields) {
        fields.push(&[self.dialect.unescaped(byte)]);
        if byte == b'\n' && next == State::Quoted {
            self.first_line_end.get_or_insert(self.at);
        }
        self.at += 1;
        self.taken_as_is = self.at;
        self.state = next;
    }

    fn parse_closed(&mut self, byte: u8, fields: &mut Fields) -> Parsed {
        let is_doubled = self.dialect.escape.is_none() && Some(byte) == self.dialect.quote;
        match (self.state, byte) {
            (State::Closed, _) if is_doubled => {
                fields.push(&[byte]);
                self.state = State::Quoted;
            }
            (State::Closed, byte) if byte == self.dialect.delimiter => {
                fields.end_field();
                self.state = State::FieldStart;
            }
            (_, b'\n') => {
                self.at += 1;
                fields.end_field();
                return Parsed::Record;
            }
            (State::Closed, b'\r') => self.state = State::ClosedCr,
            _ => return Parsed::Broken(Break::BehindQuote),
        }
        self.at += 1;
        Parsed::Part
    }

    /// Ends the record at the end of the source.
    pub(super) fn end(&mut self, record: &[u8], fields: &mut Fields) -> Parsed {
        match self.state {
            State::FieldStart => fields.end_field(),
            State::Bare => self.end_bare(record, true, fields),
            State::Closed | State::ClosedCr => fields.end_field(),
            State::Quoted | State::QuotedEscape => return Parsed::Broken(Break::OpenQuote),
            State::BareEscape => return Parsed::Broken(Break::LoneEscape),
        }
        Parsed::Record
    }
}
