//! Prints a predicate as text that reads back as the same predicate.

use super::like::pattern_of;
use super::predicate::{Comparison, Predicate};
use super::set::Literal;
use crate::design::{Design, Expr, FieldKind, Function, TimeText};
use crate::escape::to_escaped;
use crate::value::{bytes_text, write_text};

impl Predicate {
    /// Returns the predicate as for `--where`. Times are in their field's pattern, or in ISO 8601 if it has none; those
    /// that can't be expressed so are numbers.
    ///
    /// ```
    /// # use keystride::{Design, plan::Predicate};
    /// # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?;
    /// let predicate = Predicate::parse("NOT id in (1,2) OR (id>5 and id<9)", &design)?;
    /// assert_eq!(predicate.to_text(&design), "not id in (1, 2) or id > 5 and id < 9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self, design: &Design) -> String {
        match self {
            Self::Compare { expr, op, literal } => {
                format!("{} {} {}", operand(expr, design), op.symbol(), literal_text(literal, expr, design))
            }
            Self::In { expr, literals } => {
                let literals: Vec<String> =
                    literals.iter().map(|literal| literal_text(literal, expr, design)).collect();
                format!("{} in ({})", operand(expr, design), literals.join(", "))
            }
            Self::Prefix { expr, prefix } => {
                format!("{} like {}", operand(expr, design), quoted(&pattern_of(prefix)))
            }
            Self::IsNull(expr) => format!("{} is null", operand(expr, design)),
            Self::And(list) => self.join(list, " and ", design),
            Self::Or(list) => self.join(list, " or ", design),
            Self::Not(inner) => match **inner {
                Self::And(_) | Self::Or(_) => format!("not ({})", inner.to_text(design)),
                _ => format!("not {}", inner.to_text(design)),
            },
        }
    }

    fn join(&self, list: &[Self], word: &str, design: &Design) -> String {
        let one = |one: &Self| {
            let text = one.to_text(design);
            let needs_parentheses = matches!((self, one), (_, Self::Or(_)) | (Self::And(_), Self::And(_)));
            if needs_parentheses { format!("({text})") } else { text }
        };
        list.iter().map(one).collect::<Vec<_>>().join(word)
    }
}

impl Comparison {
    /// Returns the operator as text.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

fn operand(expr: &Expr, design: &Design) -> String {
    let name = &design.fields[expr.field].name;
    let is_usual =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_usual && !WORDS.contains(&name.as_str()) {
        return expr.to_text_of(name);
    }
    expr.to_text_of(&format!("\"{name}\""))
}

/// The words of the language, which stand in double quotes where they are names.
const WORDS: [&str; 8] = ["and", "or", "not", "in", "between", "like", "is", "null"];

fn literal_text(literal: &Literal, expr: &Expr, design: &Design) -> String {
    let kind = &design.fields[expr.field].kind;
    match (literal, kind, &expr.function) {
        (Literal::Int(number), kind, _) => number_text(*number, kind),
        (Literal::Float(number), ..) if number.is_finite() => number.to_string(),
        (Literal::Float(number), ..) => quoted(number.to_string().as_bytes()),
        (Literal::Bytes(bytes), FieldKind::Bool, None) => (bytes.first() == Some(&1)).to_string(),
        (Literal::Bytes(bytes), _, Some(Function::Left(_) | Function::Right(_))) => quoted(bytes),
        (Literal::Bytes(bytes), FieldKind::Bytes { input, .. }, None) => {
            quoted(bytes_text(bytes, *input).as_bytes())
        }
        (Literal::Bytes(bytes), kind, _) => {
            let mut text = Vec::new();
            match literal.as_value(kind).map(|value| write_text(value, kind, &mut text)) {
                Some(Ok(())) => quoted(&text),
                _ => quoted(bytes),
            }
        }
    }
}

/// Returns a number as text; a time is written in its pattern or in ISO 8601 if that reads back as the same time.
fn number_text(number: i128, kind: &FieldKind) -> String {
    let FieldKind::Time(time) = kind else { return number.to_string() };
    let text = match &time.text {
        TimeText::Epoch(_) => time.iso8601(number),
        TimeText::Pattern(_) => {
            let mut text = Vec::new();
            let written = write_text(crate::Value::Int(number), kind, &mut text);
            written.ok().and_then(|()| String::from_utf8(text).ok())
        }
    };
    match text.filter(|text| time.read_literal(text) == Ok(number)) {
        Some(text) => quoted(text.as_bytes()),
        None => number.to_string(),
    }
}

fn quoted(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("'{}'", text.replace('\'', "''")),
        Err(_) => format!("'{}'", to_escaped(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_every_type_read_back() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    day = { type = \"time\", format = \"yyyyMMdd\", zone = \"+08:00\" }\nts = { type = \"time\", unit = \"ms\" }\n\
                    raw = { type = \"bytes\", input = \"escaped\" }\nhex = { type = \"bytes\", input = \"hex\" }\n\
                    id = { type = \"uuid\" }\nok = { type = \"bool\" }\nrate = { type = \"f32\" }\nname = { type = \"string\" }\n\
                    \"手机号\" = { type = \"string\" }\nuserId = { type = \"string\" }\nnot = { type = \"int\" }\n\
                    [key]\nparts = [{ field = \"day\" }]";
        let design = Design::from_toml(toml).unwrap();
        for text in [
            "day = '20130308'",
            "ts >= '2013-03-08T00:00:00.000Z'",
            "ts < -62135596800001",
            "raw = '\\x00a\\xFF'",
            "hex in ('', '00ff')",
            "id = 'abababab-abab-abab-abab-abababababab'",
            "ok = true",
            "rate < 0.5",
            "rate < 'inf'",
            "rate >= '-inf'",
            "rate != 'NaN'",
            "\"手机号\" = '138' and \"not\" = 1 and left(\"userId\",2) = 'ab'",
            "not \"not\" in (1, 2)",
            "name like 'O''Hare%'",
            r"name like 'x\_y%'",
            "left(name,2) = 'ab'",
            "floor(day,1mo) = '20130301'",
            "not name is null",
        ] {
            let predicate = Predicate::parse(text, &design).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(predicate.to_text(&design), text);
        }
    }
}
