//! Fields of CSV, written so that they read back as the same text.

use super::dialect::Dialect;

impl Dialect {
    /// Appends a text as a field. Returns whether the dialect has a field for it: without a quote and an escape, there is
    /// none for a delimiter or a line end.
    pub(crate) fn write_field(self, text: &str, out: &mut Vec<u8>) -> bool {
        let is_special = |byte: u8| {
            byte == self.delimiter || matches!(byte, b'\n' | b'\r') || self.has_meaning_in_quotes(byte)
        };
        if !text.bytes().any(is_special) {
            out.extend_from_slice(text.as_bytes());
            return true;
        }
        match (self.quote, self.escape) {
            (Some(quote), escape) => {
                out.push(quote);
                let before = escape.unwrap_or(quote);
                write_escaped(text, before, |byte| self.has_meaning_in_quotes(byte), out);
                out.push(quote);
            }
            (None, Some(escape)) => write_escaped(text, escape, is_special, out),
            (None, None) => return false,
        }
        true
    }

    /// Appends the delimiter between two fields.
    pub(crate) fn write_delimiter(self, out: &mut Vec<u8>) {
        out.push(self.delimiter);
    }

    /// Appends the text that stands for null. Databases write one for null that looks escaped, which a reader takes as
    /// it is. Returns whether the dialect has a field for it.
    pub(crate) fn write_null(self, null: &str, out: &mut Vec<u8>) -> bool {
        match null.as_bytes() {
            [escape, b'N'] if Some(*escape) == self.escape => {
                out.extend_from_slice(null.as_bytes());
                true
            }
            _ => self.write_field(null, out),
        }
    }

    /// Appends what makes a line of one empty field no empty line, which is none to readers. Returns whether the dialect
    /// has it.
    pub(crate) fn write_empty_record(self, out: &mut Vec<u8>) -> bool {
        out.extend(self.quote.into_iter().chain(self.quote));
        self.quote.is_some()
    }

    fn has_meaning_in_quotes(self, byte: u8) -> bool {
        Some(byte) == self.quote || Some(byte) == self.escape
    }
}

fn write_escaped(text: &str, before: u8, is_escaped: impl Fn(u8) -> bool, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        if is_escaped(byte) {
            out.push(before);
        }
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::super::csv_fields::Fields;
    use super::super::csv_parser::{CsvParser, Parsed};
    use super::*;

    /// Writes a record and returns the texts of its fields as they are read.
    fn read_back(dialect: Dialect, texts: &[&str]) -> Option<Vec<String>> {
        let mut line = Vec::new();
        for (column, text) in texts.iter().enumerate() {
            if column > 0 {
                dialect.write_delimiter(&mut line);
            }
            if !dialect.write_field(text, &mut line) {
                return None;
            }
        }
        line.push(b'\n');
        let (mut parser, mut fields) = (CsvParser::new(dialect), Fields::new(dialect));
        assert_eq!(parser.parse(&line, &mut fields, 0), Parsed::Record, "{}", line.escape_ascii());
        assert_eq!(parser.at(), line.len());
        let text = |column| String::from_utf8(fields.field(column, &line).to_vec()).unwrap();
        Some((0..fields.count()).map(text).collect())
    }

    #[test]
    fn fields_read_back_in_every_dialect_that_has_one_for_them() {
        let plain = ["a", "北", "", "a b", "x'y", "N"];
        let special =
            ["a,b", "say \"a\"", "\"", "a\nb", "a\r", "\r\n", "\\", "\\N", "a\\", "\\\"", ",\n\\\"\r"];
        let all: Vec<&str> = plain.into_iter().chain(special).collect();
        for (quote, escape) in [(Some(b'"'), None), (Some(b'"'), Some(b'\\')), (None, Some(b'\\'))] {
            let dialect = Dialect { delimiter: b',', quote, escape };
            assert_eq!(read_back(dialect, &all).unwrap(), all, "{dialect:?}");
            for text in &all {
                assert_eq!(read_back(dialect, &["x", text]).unwrap(), ["x", *text], "{dialect:?}");
            }
        }
        let bare = Dialect { delimiter: b',', quote: None, escape: None };
        assert_eq!(read_back(bare, &plain).unwrap(), plain);
        assert!(["a,b", "a\nb", "a\r"].iter().all(|text| read_back(bare, &[text]).is_none()));
    }
}
