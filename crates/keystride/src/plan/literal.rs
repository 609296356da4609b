//! Reads the literals of a predicate as values of the field that they are compared with.

use super::error::PredicateFault;
use super::set::Literal;
use super::token::TokenKind;
use crate::design::{Design, Expr, Field, FieldKind, Function, derived_kind};
use crate::time::TimeError;
use crate::value::{Row, ValueError};

/// What an expression is compared with.
pub(super) enum Compared {
    Value(Literal),
    /// A day or time that clocks skipped: no value, but it lies between those before this number and those from it on.
    Skipped(i128),
}

/// Returns what `expr` is compared with.
pub(super) fn read_compared(
    token: &TokenKind,
    expr: &Expr,
    design: &Design,
) -> Result<Compared, PredicateFault> {
    let field = &design.fields[expr.field];
    match (token, &expr.function, field.time()) {
        (TokenKind::Text(text), None | Some(Function::Floor(_)), Some(time)) => {
            match time.read_literal(text) {
                Ok(number) => Ok(Compared::Value(Literal::Int(number))),
                Err(TimeError::InGap { at, .. }) => Ok(Compared::Skipped(time.number_of_second(at))),
                Err(cause) => Err(unfit(field, ValueError::Time { found: text.to_owned(), cause })),
            }
        }
        _ => read_literal(token, expr, design).map(Compared::Value),
    }
}

/// Checks that an expression can be equal to a literal: all digits have one length. A text may have any, and is equal to none
/// that it can't be.
pub(super) fn check_equal(literal: &Literal, expr: &Expr, design: &Design) -> Result<(), PredicateFault> {
    let kind = derived_kind(expr, &design.fields);
    let (FieldKind::Digits { len }, Literal::Bytes(bytes)) = (&kind, literal) else { return Ok(()) };
    let (expected, found) = (*len, String::from_utf8_lossy(bytes));
    let found_len = found.chars().count();
    if found_len != expected {
        let (operand, found) = (expr.to_text(&design.fields), found.into_owned());
        return Err(PredicateFault::Length { operand, expected, found, found_len });
    }
    Row::new(1).read(0, &kind, &found).map_err(|cause| unfit(&design.fields[expr.field], cause))
}

/// Returns the value of a literal that is compared with `expr`.
fn read_literal(token: &TokenKind, expr: &Expr, design: &Design) -> Result<Literal, PredicateFault> {
    let field = &design.fields[expr.field];
    match (token, &expr.function) {
        (TokenKind::Text(text), Some(function)) if !matches!(function, Function::Floor(_)) => {
            Ok(Literal::Bytes(text.clone().into_bytes()))
        }
        (TokenKind::Text(text), _) => read_text(text, field),
        (TokenKind::Number(text), Some(Function::Left(_) | Function::Right(_))) => {
            Ok(Literal::Bytes(text.clone().into_bytes()))
        }
        (TokenKind::Number(text), _) => read_number(text, expr.field, design),
        (TokenKind::Word(word), Some(_)) if !word.eq_ignore_ascii_case("null") => Err(unquoted(field, word)),
        (TokenKind::Word(word), _) => read_word(word, field),
        (TokenKind::Name(_) | TokenKind::Symbol(_) | TokenKind::End, _) => Err(unquoted(field, "")),
    }
}

fn read_text(text: &str, field: &Field) -> Result<Literal, PredicateFault> {
    match &field.kind {
        // Bounds need not be values of the field: '2' is a valid bound for a field of eleven digits.
        FieldKind::String(_) | FieldKind::Digits { .. } => Ok(Literal::Bytes(text.as_bytes().to_vec())),
        _ => read_value(text, field),
    }
}

fn read_number(text: &str, index: usize, design: &Design) -> Result<Literal, PredicateFault> {
    let field = &design.fields[index];
    design.check_day(index, text).map_err(|cause| unfit(field, cause))?;
    match &field.kind {
        FieldKind::Time(time) if time.is_time(text) && !design.takes_any_number(index) => {
            Err(unquoted(field, text))
        }
        FieldKind::String(_) | FieldKind::Uuid { .. } | FieldKind::Bytes { .. } => Err(unquoted(field, text)),
        FieldKind::Digits { .. } => Ok(Literal::Bytes(text.as_bytes().to_vec())),
        FieldKind::Int(_) | FieldKind::Time(_) => match text.parse::<i128>() {
            Ok(number) => Ok(Literal::Int(number)),
            Err(_) if matches!(field.kind, FieldKind::Time(_)) => {
                Err(PredicateFault::NotWhole { field: field.name.clone(), found: text.to_owned() })
            }
            Err(_) => read_value(text, field),
        },
        FieldKind::Float(_) | FieldKind::Bool => read_value(text, field),
    }
}

fn read_word(word: &str, field: &Field) -> Result<Literal, PredicateFault> {
    match field.kind {
        _ if word.eq_ignore_ascii_case("null") => Err(PredicateFault::Null { field: field.name.clone() }),
        FieldKind::Bool => read_value(&word.to_ascii_lowercase(), field),
        _ => Err(unquoted(field, word)),
    }
}

/// Reads a text as a value of the field, within its limits.
pub(super) fn read_value(text: &str, field: &Field) -> Result<Literal, PredicateFault> {
    let mut row = Row::new(1);
    row.read(0, &field.kind, text).map_err(|cause| unfit(field, cause))?;
    row.get(0).map(Literal::of).ok_or_else(|| unquoted(field, text))
}

fn unfit(field: &Field, cause: ValueError) -> PredicateFault {
    PredicateFault::Literal { field: field.name.clone(), cause: Box::new(cause) }
}

fn unquoted(field: &Field, found: &str) -> PredicateFault {
    PredicateFault::Unquoted { field: field.name.clone(), found: found.to_owned() }
}

#[cfg(test)]
mod tests {
    use crate::{Design, Predicate};

    #[test]
    fn a_comparison_with_null_says_how_missing_values_are_found() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
             [key]\nparts = [{ field = \"id\" }]",
        );
        let error = Predicate::parse("id != NULL", &design.unwrap()).unwrap_err().to_string();
        assert!(error.contains("id is null, or id is not null"), "{error}");
    }

    #[test]
    fn a_date_in_digits_is_none_but_in_the_pattern_of_the_source() {
        let read = |input: &str, predicate: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 ts = {{ type = \"time\", unit = \"ms\"{input} }}\n[key]\nparts = [{{ field = \"ts\" }}]",
            ));
            let design = design.unwrap();
            Predicate::parse(predicate, &design)
                .map(|read| read.to_text(&design))
                .map_err(|error| error.to_string())
        };
        let from_source = ", input = \"yyyyMMddHHmmss\"";
        assert_eq!(read("", "ts = '1718150400000'").unwrap(), "ts = '2024-06-12T00:00:00.000Z'");
        assert!(read("", "ts = 20240612").unwrap_err().contains("an epoch has 13 digits"));
        for date in ["2024", "20240612", "20240612000000"] {
            assert!(
                read("", &format!("ts = '{date}'")).unwrap_err().contains("an epoch has 13 digits"),
                "{date}"
            );
        }
        assert_eq!(read("", "ts = '20249999'").unwrap(), "ts = '1970-01-01T05:37:29.999Z'");
        assert!(read(from_source, "ts = '20240612'").unwrap_err().contains("an epoch has 13 digits"));
        assert_eq!(read(from_source, "ts = '20240612000000'").unwrap(), "ts = '2024-06-12T00:00:00.000Z'");
        assert!(read(from_source, "ts = 20240612000000").unwrap_err().contains("in single quotes"));
    }

    #[test]
    fn a_bare_number_in_the_pattern_of_its_field_lacks_its_quotes() {
        let parse = |part: &str, predicate: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 d = {{ type = \"time\", format = \"yyyyMMdd\" }}\n[key]\nparts = [{{ field = \"d\"{part} }}]",
            ));
            Predicate::parse(predicate, &design.unwrap()).map_err(|error| error.to_string())
        };
        let expected = "field \"d\" takes a text in single quotes: '20240612'";
        assert_eq!(parse("", "d = 20240612"), Err(expected.to_owned()));
        assert!(parse("", "d = 1718150400000").is_ok());
        assert!(parse(", desc = \"long-max\"", "d = 20240612").is_ok());
    }

    #[test]
    fn a_bare_number_is_a_whole_one_of_the_times_unit() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             ts = { type = \"time\", unit = \"ms\" }\n[key]\nparts = [{ field = \"ts\" }]",
        );
        let error = Predicate::parse("ts > 1586131200000.5", &design.unwrap()).unwrap_err().to_string();
        assert!(error.contains("takes a whole number in its unit"), "{error}");
    }

    #[test]
    fn what_a_function_is_compared_with_is_a_text() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\nok = { type = \"bool\" }\n\
             ts = { type = \"time\", format = \"yyyyMMddHHmm\" }\n[key]\nparts = [{ field = \"ts\" }, { field = \"id\" }]",
        );
        let design = design.unwrap();
        let error = |text: &str| Predicate::parse(text, &design).unwrap_err().to_string();
        assert!(Predicate::parse("left(ts,8) = '20200901'", &design).is_ok());
        assert_eq!(error("left(ts,8) = now"), "field \"ts\" takes a text in single quotes: 'now'");
        assert_eq!(error("left(ok,1) = true"), "field \"ok\" takes a text in single quotes: 'true'");
        assert!(error("left(ts,8) = Null").contains("ts is null, or ts is not null"));
        assert!(!error("id = 1.5").contains("takes a whole number in its unit"), "{}", error("id = 1.5"));
    }
}
