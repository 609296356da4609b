//! Encodes a field's value as a cell of its column, and decodes it again.

use super::error::{KeyDecodeFault, KeyFault};
use super::read_value::read_cell_value;
use super::write_value::write_value;
use crate::Design;
use crate::design::{Column, Encoding, Expr, FieldKind, Steps};
use crate::escape::to_shown;
use crate::value::{Row, Value, write_text};

/// Why a cell can't be written or read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("column \"{qualifier}\": {fault}")]
pub struct CellError {
    /// The column's qualifier.
    pub qualifier: String,
    /// What was found and what is expected.
    #[source]
    pub fault: CellFault,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellFault {
    /// The column's encoding can't hold the value.
    #[error(transparent)]
    Unfit(Box<KeyFault>),
    /// The number of bytes in the cell is not that of the field's values.
    #[error("\"{}\" has {} bytes, and its values have {expected}", to_shown(found), found.len())]
    Width {
        /// The cell's bytes.
        found: Vec<u8>,
        /// The number of bytes that every value has.
        expected: usize,
    },
    /// The bytes are not a value of the field.
    #[error("at byte {at}: {fault}")]
    NotAValue {
        /// Offset in the cell, in bytes.
        at: usize,
        /// What was found there.
        #[source]
        fault: KeyDecodeFault,
    },
}

impl Design {
    /// Returns the value of a field in a row. A derived field is computed from its source, as a key may have less of it: a
    /// pattern of months has no weeks. Without the source it is what was read back from the key. A default does not count
    /// as a value: it is written to the key and nowhere else. Texts that have to be built are built in `text`.
    ///
    /// # Errors
    ///
    /// [`KeyFault`] when the value that the field is derived from is too short, or can't be cut at that place.
    #[inline]
    pub fn value_of<'a>(
        &'a self,
        field: usize,
        row: &'a Row,
        text: &'a mut Vec<u8>,
    ) -> Result<Option<Value<'a>>, Box<KeyFault>> {
        match &self.fields[field].from {
            Some(from) if row.get(from.field).is_some() => self.result_of(from, row, text),
            _ => Ok(row.get(field)),
        }
    }

    /// Returns the value of an expression in a row, as [`value_of`](Self::value_of) has it of a field.
    pub(crate) fn result_of<'a>(
        &'a self,
        expr: &Expr,
        row: &'a Row,
        text: &'a mut Vec<u8>,
    ) -> Result<Option<Value<'a>>, Box<KeyFault>> {
        let Some(function) = &expr.function else { return self.value_of(expr.field, row, text) };
        let Some(value) = row.get(expr.field) else { return Ok(None) };
        super::derive::apply(function, value, &self.fields[expr.field], text).map(Some)
    }

    /// Appends the cell of `column` to `out`; returns `false`, and appends nothing, when the row has no value for it.
    ///
    /// ```
    /// # use keystride::{Design, Row, Value};
    /// let design = Design::from_toml(
    ///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
    ///      delay = { type = \"i32\" }\n[key]\nparts = [{ field = \"id\" }]\n[columns]\ndelay = { as = \"be\" }",
    /// )?;
    /// let mut row = Row::new(2);
    /// row.set(1, Value::Int(-2));
    /// let mut cell = Vec::new();
    /// assert!(design.encode_cell(&design.columns().cells[0], &row, &mut cell)?);
    /// assert_eq!(cell, [0xff, 0xff, 0xff, 0xfe]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CellError`] when the column's encoding can't hold the value; `out` is then unchanged.
    pub fn encode_cell(&self, column: &Column, row: &Row, out: &mut Vec<u8>) -> Result<bool, CellError> {
        let fail = |fault| CellError { qualifier: column.qualifier.clone(), fault: CellFault::Unfit(fault) };
        let mut text = Vec::new();
        let Some(value) = self.value_of(column.field, row, &mut text).map_err(fail)? else {
            return Ok(false);
        };
        let start = out.len();
        let kind = &self.fields[column.field].kind;
        let written = match column.encoding {
            Encoding::Plain | Encoding::Text => write_text(value, kind, out).map_err(Box::<KeyFault>::from),
            encoding => write_value(value, &steps(encoding), kind, out),
        };
        if written.is_err() {
            out.truncate(start);
        }
        written.map(|()| true).map_err(fail)
    }

    /// Reads a cell of `column` into its field's slot of `row`.
    ///
    /// # Errors
    ///
    /// [`CellError`] when the bytes are not a value of the field in the column's encoding.
    pub fn decode_cell(&self, column: &Column, cell: &[u8], row: &mut Row) -> Result<(), CellError> {
        let kind = &self.fields[column.field].kind;
        if let (Encoding::Plain | Encoding::Text, FieldKind::String(_), Ok(text)) =
            (column.encoding, kind, std::str::from_utf8(cell))
            && row.read(column.field, kind, text).is_ok()
        {
            return Ok(());
        }
        read_cell(column, kind, cell, row)
            .map_err(|fault| CellError { qualifier: column.qualifier.clone(), fault })
    }
}

fn read_cell(column: &Column, kind: &FieldKind, cell: &[u8], row: &mut Row) -> Result<(), CellFault> {
    let steps = steps(column.encoding);
    let is_binary = !matches!(column.encoding, Encoding::Plain | Encoding::Text);
    if let Some(expected) = steps.fixed_width(kind).filter(|width| is_binary && *width != cell.len()) {
        return Err(CellFault::Width { found: cell.to_vec(), expected });
    }
    read_cell_value(kind, &steps, cell, column.field, row)
        .map_err(|(at, fault)| CellFault::NotAValue { at, fault })
}

/// Returns the steps of a cell: none other than its encoding.
pub(super) fn steps(encoding: Encoding) -> Steps {
    Steps { encoding, ..Steps::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(field: &str, encoding: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n\
             v = {field}\n[key]\nparts = [{{ field = \"id\" }}]\n[columns]\nv = {{ as = \"{encoding}\" }}"
        );
        Design::from_toml(&toml).unwrap()
    }

    fn cell_of(design: &Design, value: Value<'_>) -> Vec<u8> {
        let mut row = Row::new(2);
        row.set(1, value);
        let (mut cell, column) = (Vec::new(), &design.columns.cells[0]);
        assert!(design.encode_cell(column, &row, &mut cell).unwrap());
        let mut back = Row::new(2);
        design.decode_cell(column, &cell, &mut back).unwrap();
        assert_eq!(back, row);
        cell
    }

    #[test]
    fn values_have_the_bytes_of_their_encoding_and_read_back() {
        let int = |encoding: &str| design("{ type = \"int\" }", encoding);
        assert_eq!(cell_of(&int("text"), Value::Int(-12)), b"-12");
        assert_eq!(cell_of(&int("be"), Value::Int(1)), 1i64.to_be_bytes());
        assert_eq!(cell_of(&int("ordered"), Value::Int(1)), [0x80, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(cell_of(&int("ordered-bytes"), Value::Int(1)), [0x18, 0x02]);
        let float = design("{ type = \"f32\" }", "be");
        assert_eq!(cell_of(&float, Value::F32(1.5)), 1.5f32.to_be_bytes());
        assert_eq!(cell_of(&design("{ type = \"f64\" }", "text"), Value::F64(-0.25)), b"-0.25");
        assert_eq!(cell_of(&design("{ type = \"bool\" }", "be"), Value::Bool(true)), [0xff]);
        assert_eq!(cell_of(&design("{ type = \"bool\" }", "text"), Value::Bool(true)), b"1");
        assert_eq!(cell_of(&design("{ type = \"bytes\" }", "text"), Value::Bytes(b"\0\xff")), b"\0\xff");
        let uuid = cell_of(&design("{ type = \"uuid\" }", "text"), Value::Uuid([0xab; 16]));
        assert_eq!(uuid, b"abababab-abab-abab-abab-abababababab");
    }

    #[test]
    fn a_time_in_a_cell_may_have_any_number_of_digits() {
        let time = design("{ type = \"time\", unit = \"ms\" }", "text");
        assert_eq!(cell_of(&time, Value::Int(5)), b"5");
        let formatted = design("{ type = \"time\", format = \"yyyyMMdd\" }", "text");
        assert_eq!(cell_of(&formatted, Value::Int(1_362_700_800_000)), b"20130308");
    }

    #[test]
    fn bytes_that_are_no_value_are_told() {
        let told = |field: &str, encoding: &str, cell: &[u8]| {
            let design = design(field, encoding);
            let read = design.decode_cell(&design.columns.cells[0], cell, &mut Row::new(2));
            read.unwrap_err().to_string()
        };
        assert_eq!(
            told("{ type = \"i32\" }", "be", b"\0\0\0"),
            "column \"v\": \"\\x00\\x00\\x00\" has 3 bytes, and its values have 4"
        );
        for (field, cell) in [
            ("{ type = \"int\" }", "012"),
            ("{ type = \"int\", max = 9 }", "10"),
            ("{ type = \"f32\" }", "x"),
        ] {
            assert!(told(field, "text", cell.as_bytes()).starts_with("column \"v\": at byte "), "{field}");
        }
    }

    #[test]
    fn an_absent_value_has_no_cell_and_a_default_is_none() {
        let design = design("{ type = \"string\", default = \"-\" }", "text");
        let mut cell = Vec::new();
        assert_eq!(design.encode_cell(&design.columns.cells[0], &Row::new(2), &mut cell), Ok(false));
        assert!(cell.is_empty());
    }

    #[test]
    fn a_derived_field_has_the_cell_of_its_function() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"string\" }\n\
                    head = { from = \"left(id,2)\" }\n[key]\nparts = [{ field = \"id\" }]\n[columns]\nhead = {}";
        let design = Design::from_toml(toml).unwrap();
        let mut row = Row::new(2);
        row.set(0, Value::Text("abc"));
        let mut cell = Vec::new();
        assert_eq!(design.encode_cell(&design.columns.cells[0], &row, &mut cell), Ok(true));
        assert_eq!(cell, b"ab");
        row.set(0, Value::Text("a"));
        assert!(design.encode_cell(&design.columns.cells[0], &row, &mut cell).is_err());
    }
}
