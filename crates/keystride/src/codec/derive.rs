//! Values of fields and of functions of fields.

use super::defaulted_design::DefaultedDesign;
use super::error::{KeyError, KeyFault};
use super::number::check_epoch;
use crate::design::floor_number;
use crate::design::{Expr, Field, FieldKind, Function, TimeKind, TimeText};
use crate::value::{Row, Side, Value, write_text};

/// Returns the value of an expression in a row, or its default if it is absent. Texts that have to be built are built
/// in `text`.
pub(super) fn value_of<'a>(
    base: &'a DefaultedDesign,
    expr: &Expr,
    row: &'a Row,
    text: &'a mut Vec<u8>,
) -> Result<Value<'a>, KeyError> {
    let field = &base.design.fields[expr.field];
    // A derived field holds the expression itself; a design with functions of derived fields is rejected when it is
    // read.
    if let (Some(from), None) = (&field.from, &expr.function) {
        return match value_of(base, from, row, text) {
            Err(KeyError::Missing { .. }) => default_of(base, expr.field),
            value => value,
        };
    }
    let value = match row.get(expr.field) {
        Some(value) => value,
        None => default_of(base, expr.field)?,
    };
    match &expr.function {
        None => Ok(value),
        Some(function) => apply(function, value, field, text)
            .map_err(|cause| KeyError::Field { field: field.name.clone(), cause }),
    }
}

/// Returns the text of an expression if the row holds it as is; `None` for any other, which [`value_of`] handles.
pub(super) fn held_text<'a>(base: &DefaultedDesign, expr: &Expr, row: &'a Row) -> Option<&'a str> {
    if base.design.fields[expr.field].from.is_some() {
        return None;
    }
    let text = row.text(expr.field)?;
    match &expr.function {
        None => Some(text),
        Some(Function::Left(count)) => ascii_cut(text, *count, Side::Left),
        Some(Function::Right(count)) => ascii_cut(text, *count, Side::Right),
        Some(_) => None,
    }
}

fn default_of(base: &DefaultedDesign, field: usize) -> Result<Value<'_>, KeyError> {
    base.defaults
        .get(field)
        .ok_or_else(|| KeyError::Missing { field: base.design.fields[field].name.clone() })
}

/// Writes the text that keys have of a value, for functions of texts.
fn write_key_text(value: Value<'_>, kind: &FieldKind, text: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    write_text(value, kind, text)?;
    match (value, kind) {
        (Value::Int(number), FieldKind::Time(TimeKind { text: TimeText::Epoch(unit), .. })) => {
            check_epoch(number, text.len(), unit.digits())
        }
        _ => Ok(()),
    }
}

/// Applies a function to a value of `field`.
pub(crate) fn apply<'a>(
    function: &Function,
    value: Value<'a>,
    field: &Field,
    text: &'a mut Vec<u8>,
) -> Result<Value<'a>, Box<KeyFault>> {
    if let (Function::Floor(period), Value::Int(number), FieldKind::Time(time)) =
        (function, value, &field.kind)
    {
        return Ok(Value::Int(floor_number(number, *period, time)));
    }
    if let (Function::Left(count), Value::Text(text)) = (function, value) {
        return cut(text, *count, Side::Left).map(Value::Text);
    }
    if let (Function::Right(count), Value::Text(text)) = (function, value) {
        return cut(text, *count, Side::Right).map(Value::Text);
    }
    text.clear();
    write_key_text(value, &field.kind, text)?;
    match function {
        Function::Left(count) => cut(as_text(text), *count, Side::Left).map(Value::Text),
        Function::Right(count) => cut(as_text(text), *count, Side::Right).map(Value::Text),
        Function::Lower => {
            text.make_ascii_lowercase();
            Ok(Value::Text(as_text(text)))
        }
        Function::ReverseLabels => {
            reverse_labels(text);
            Ok(Value::Text(as_text(text)))
        }
        Function::Floor(_) => Ok(value),
    }
}

/// Returns the first or last `count` UTF-16 units.
fn cut(text: &str, count: usize, side: Side) -> Result<&str, Box<KeyFault>> {
    if let Some(ascii) = ascii_cut(text, count, side) {
        return Ok(ascii);
    }
    let units: usize = text.chars().map(char::len_utf16).sum();
    let Some(spare) = units.checked_sub(count) else {
        return Err(Box::new(KeyFault::Short { found: text.to_owned(), wanted: count }));
    };
    let at = match side {
        Side::Left => unit_offset(text, count)?,
        Side::Right => unit_offset(text, spare)?,
    };
    Ok(match side {
        Side::Left => &text[..at],
        Side::Right => &text[at..],
    })
}

/// Like `cut`, if the units cut out are all ASCII, whatever the rest of the text is.
fn ascii_cut(text: &str, count: usize, side: Side) -> Option<&str> {
    let cut = match side {
        Side::Left => text.get(..count)?,
        Side::Right => text.get(text.len().checked_sub(count)?..)?,
    };
    cut.is_ascii().then_some(cut)
}

/// Returns the byte offset of UTF-16 unit `unit`.
fn unit_offset(text: &str, unit: usize) -> Result<usize, Box<KeyFault>> {
    let mut units = 0;
    for (at, character) in text.char_indices() {
        if units == unit {
            return Ok(at);
        }
        units += character.len_utf16();
        if units > unit {
            return Err(Box::new(KeyFault::InsideCharacter { found: text.to_owned() }));
        }
    }
    Ok(text.len())
}

/// `a.b.com` → `com.b.a`: reverses all bytes, then the bytes of each label.
fn reverse_labels(text: &mut [u8]) {
    text.reverse();
    for label in text.split_mut(|byte| *byte == b'.') {
        label.reverse();
    }
}

/// Returns bytes from `write_text`, which writes UTF-8 for every kind of value that has a text.
fn as_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_count_utf16_units() {
        assert_eq!(cut("13812345678", 4, Side::Right), Ok("5678"));
        assert_eq!(cut("a😀b", 3, Side::Left), Ok("a😀"));
        assert_eq!(cut("a😀b", 3, Side::Right), Ok("😀b"));
        let fault = |text, count, side| *cut(text, count, side).unwrap_err();
        assert!(matches!(fault("a😀b", 2, Side::Left), KeyFault::InsideCharacter { .. }));
        assert!(matches!(fault("999", 4, Side::Right), KeyFault::Short { wanted: 4, .. }));
    }

    #[test]
    fn labels_are_turned_round_whole() {
        let mut host = b"www.example.com".to_vec();
        reverse_labels(&mut host);
        assert_eq!(host, b"com.example.www");
    }
}
