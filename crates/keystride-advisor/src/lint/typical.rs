//! Makes up one value of each field, such as a query might name, to plan with.

use keystride::design::{BytesInput, Design, Expr, Field, FieldKind, FloatKind, StringKind};
use keystride::internal::literal_of;
use keystride::plan::Literal;
use keystride::value::{Row, Value};

/// 2014-05-21T08:01:25Z, in milliseconds: on the same day everywhere an hour later.
pub(super) const INSTANT_MS: i64 = 1_400_657_685_000;

/// Returns a row with a value in every field that is read from the source.
pub(super) fn row(design: &Design) -> Row {
    let mut row = Row::new(design.fields().len());
    for (index, field) in design.source_fields() {
        set(index, field, &mut row);
    }
    row
}

/// Returns the text of a bucket's item in the typical row.
pub(super) fn text(design: &Design, row: &Row, expr: &Expr) -> Option<String> {
    match literal_of(expr, design, row)? {
        Literal::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Literal::Int(number) => {
            let mut text = Vec::new();
            let kind = &design.fields()[design.source_of(expr.field)].kind;
            keystride::internal::write_text(Value::Int(number), kind, &mut text).ok()?;
            String::from_utf8(text).ok()
        }
        Literal::Float(_) => None,
    }
}

fn set(index: usize, field: &Field, row: &mut Row) {
    match &field.kind {
        FieldKind::String(kind) => row.set(index, Value::Text(&string(kind))),
        FieldKind::Digits { len } => row.set(index, Value::Text(&digits(*len))),
        FieldKind::Int(int) => row.set(index, Value::Int(number(int.min, int.max))),
        FieldKind::Time(time) => {
            let number = time.number_of_nanos(i128::from(INSTANT_MS) * 1_000_000).unwrap_or(time.min);
            row.set(index, Value::Int(number.clamp(time.min, time.max)));
        }
        FieldKind::Float(FloatKind::F32) => row.set(index, Value::F32(1.5)),
        FieldKind::Float(FloatKind::F64) => row.set(index, Value::F64(1.5)),
        FieldKind::Bool => row.set(index, Value::Bool(true)),
        FieldKind::Bytes { len, input: BytesInput::Hex | BytesInput::Base64 | BytesInput::Escaped } => {
            row.set(index, Value::Bytes(&vec![0x5a; len.unwrap_or(4)]));
        }
        FieldKind::Uuid { .. } => row.set(index, Value::Uuid([0x5a; 16])),
    }
}

/// Returns six characters from the middle of the alphabet, or as many as the length limits allow.
fn string(kind: &StringKind) -> String {
    let letters: Vec<char> = match kind.alphabet {
        Some(alphabet) => alphabet.bytes().map(char::from).collect(),
        None => ('a'..='z').collect(),
    };
    let len = kind.max_len.min(kind.min_len.max(6));
    letters.iter().cycle().skip(letters.len() / 2).take(len).collect()
}

fn digits(len: usize) -> String {
    "1380013800".chars().cycle().take(len).collect()
}

/// Returns the middle of a range, or the number nearest to 4711 if the range is very large, as when none is declared.
fn number(min: i128, max: i128) -> i128 {
    if max - min > 1 << 40 { 4711.clamp(min, max) } else { min + (max - min) / 2 }
}
