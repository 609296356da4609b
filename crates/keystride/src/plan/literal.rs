//! Reads the literals of a predicate as values of the field that they are compared with.

use super::error::PredicateFault;
use super::set::Literal;
use super::token::TokenKind;
use crate::design::{Design, Expr, Field, FieldKind, Function};
use crate::value::{Row, ValueError};

/// Returns the value of a literal that is compared with `expr`.
pub(super) fn read_literal(
    token: &TokenKind,
    expr: &Expr,
    design: &Design,
) -> Result<Literal, PredicateFault> {
    let field = &design.fields[expr.field];
    match (token, &expr.function) {
        (TokenKind::Text(text), Some(function)) if !matches!(function, Function::Floor(_)) => {
            Ok(Literal::Bytes(text.clone().into_bytes()))
        }
        (TokenKind::Text(text), _) => read_text(text, field),
        (TokenKind::Number(text), Some(Function::Left(_) | Function::Right(_))) => {
            Ok(Literal::Bytes(text.clone().into_bytes()))
        }
        (TokenKind::Number(text), _) => read_number(text, field),
        (TokenKind::Word(word), Some(_)) if !word.eq_ignore_ascii_case("null") => Err(unquoted(field, word)),
        (TokenKind::Word(word), _) => read_word(word, field),
        (TokenKind::Symbol(_) | TokenKind::End, _) => Err(unquoted(field, "")),
    }
}

fn read_text(text: &str, field: &Field) -> Result<Literal, PredicateFault> {
    match &field.kind {
        // Bounds need not be values of the field: '2' is a valid bound for a field of eleven digits.
        FieldKind::String(_) | FieldKind::Digits { .. } => Ok(Literal::Bytes(text.as_bytes().to_vec())),
        FieldKind::Time(time) => {
            if let Some(digits) = time.misses_digits(text) {
                let (field, found) = (field.name.clone(), text.to_owned());
                return Err(PredicateFault::DateInDigits { field, found, digits });
            }
            time.read_literal(text).map(Literal::Int).map_err(|cause| PredicateFault::Literal {
                field: field.name.clone(),
                cause: Box::new(ValueError::Time { found: text.to_owned(), cause }),
            })
        }
        _ => read_value(text, field),
    }
}

fn read_number(text: &str, field: &Field) -> Result<Literal, PredicateFault> {
    match &field.kind {
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

fn read_value(text: &str, field: &Field) -> Result<Literal, PredicateFault> {
    let mut row = Row::new(1);
    row.read(0, &field.kind, text)
        .map_err(|cause| PredicateFault::Literal { field: field.name.clone(), cause: Box::new(cause) })?;
    row.get(0).map(Literal::of).ok_or_else(|| unquoted(field, text))
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
        assert_eq!(read("", "ts = 20240612").unwrap(), "ts = '1970-01-01T05:37:20.612Z'");
        for date in ["2024", "20240612", "20240612000000"] {
            assert!(
                read("", &format!("ts = '{date}'")).unwrap_err().contains("an epoch has 13 digits"),
                "{date}"
            );
        }
        assert_eq!(read("", "ts = '20249999'").unwrap(), "ts = '1970-01-01T05:37:29.999Z'");
        assert!(read(from_source, "ts = '20240612'").unwrap_err().contains("an epoch has 13 digits"));
        assert_eq!(read(from_source, "ts = '20240612000000'").unwrap(), "ts = '2024-06-12T00:00:00.000Z'");
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
