//! Messages about columns that do not match the fields of a design.

use std::fmt;

use keystride::design::{Field, field_name_of};
use keystride::internal::{toml_key, toml_text};

/// A field without a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingColumn {
    /// The field.
    pub field: String,
    /// The name that the source has for it, if it is not the field's own.
    pub column: Option<String>,
    /// The column with the most similar name.
    pub nearest: Option<String>,
}

/// A column that belongs to no field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    /// Its name.
    pub name: String,
    /// A suggested declaration for the design file, based on its first value or its type: `type = "int"`. `None` for a
    /// column of lists or objects, which no field holds.
    pub suggested: Option<&'static str>,
}

impl MissingColumn {
    /// Returns the fields, each with its nearest column where a message lists it: to look for one is slow.
    pub(super) fn all(fields: &[&Field], header: &[String]) -> Vec<Self> {
        let (listed, others) = fields.split_at(told(fields.len()));
        let new = |field: &Field, nearest| Self {
            field: field.name.clone(),
            column: field.column.clone(),
            nearest,
        };
        let listed = listed.iter().map(|field| new(field, nearest(field.column(), header)));
        listed.chain(others.iter().map(|field| new(field, None))).collect()
    }
}

/// Returns the name of a header that is most similar to a column's.
fn nearest(column: &str, header: &[String]) -> Option<String> {
    let len = column.chars().count();
    let column = column.to_lowercase();
    let far = (len / 3).max(1) + 1;
    // Most names can be excluded by their lengths alone, and comparing a very long one would be slow.
    let is_alike = |name: &&String| name.trim().chars().count().abs_diff(len) < far;
    let alike = header.iter().filter(is_alike);
    let alike = alike.map(|name| (strsim::damerau_levenshtein(&name.trim().to_lowercase(), &column), name));
    alike.filter(|(distance, _)| *distance < far).min().map(|(_, name)| name.clone())
}

impl UnknownColumn {
    /// Creates it with a type guessed from the column's first value.
    pub(super) fn new(name: &str, value: &str) -> Self {
        Self { name: name.to_owned(), suggested: Some(suggest_type(value)) }
    }

    /// Creates it with a type guessed from a value of a JSON object.
    pub(super) fn of_json(name: &str, value: &str) -> Self {
        let is_nested = value.starts_with(['[', '{']);
        Self { suggested: (!is_nested).then(|| suggest_type(value)), ..Self::new(name, "") }
    }
}

/// Suggests a type for a value. Numbers with leading zeros are strings, because only text keeps the zeros.
fn suggest_type(value: &str) -> &'static str {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    match value {
        "true" | "false" => r#"type = "bool""#,
        _ if is_padded => r#"type = "string""#,
        _ if value.parse::<i64>().is_ok() && !value.starts_with('+') => r#"type = "int""#,
        _ if digits.starts_with(|first: char| first.is_ascii_digit()) && value.parse::<f64>().is_ok() => {
            r#"type = "f64""#
        }
        _ => r#"type = "string""#,
    }
}

/// Returns how many of so many columns a message lists: all, to be pasted, or some of a list that nobody would read.
fn told(count: usize) -> usize {
    const MOST: usize = 100;
    const SOME: usize = 10;
    if count > MOST { SOME } else { count }
}

/// Writes how many of `count` columns are not listed.
fn write_rest(f: &mut fmt::Formatter<'_>, before: &str, count: usize) -> fmt::Result {
    match count - told(count) {
        0 => Ok(()),
        more => write!(f, "{before}and {more} more"),
    }
}

/// A column name in a message: truncated if it is long, because something that is not a header may be taken as a
/// single name, and with control characters escaped.
pub(super) struct Shown<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST_CHARACTERS: usize = 60;
        let Some((end, _)) = self.0.char_indices().nth(MOST_CHARACTERS) else {
            return write!(f, "{}", self.0.escape_debug());
        };
        write!(f, "{}…", self.0[..end].escape_debug())
    }
}

pub(super) struct MissingColumns<'a>(pub(super) &'a [MissingColumn], pub(super) &'a [String]);

impl fmt::Display for MissingColumns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(missing, header) = self;
        f.write_str("no column for ")?;
        for (index, one) in missing.iter().take(told(missing.len())).enumerate() {
            let MissingColumn { field, column, nearest } = one;
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}field \"{field}\"")?;
            if let Some(column) = column {
                write!(f, ", column \"{}\"", Shown(column))?;
            }
            if let Some(nearest) = nearest {
                write!(f, " (nearest: \"{nearest}\")")?;
            }
        }
        write_rest(f, ", ", missing.len())?;
        f.write_str("; the columns are: ")?;
        for (index, name) in header.iter().take(told(header.len())).enumerate() {
            write!(f, "{}{}", if index > 0 { ", " } else { "" }, Shown(name))?;
        }
        write_rest(f, ", ", header.len())?;
        let is_within = |separator: &char| header.len() == 1 && header[0].contains(*separator);
        match [';', '\t', '|'].into_iter().find(is_within) {
            Some(separator) => write!(f, "; is the separator {separator:?}? (--delimiter)"),
            None => Ok(()),
        }
    }
}

pub(super) struct UnknownColumns<'a>(pub(super) &'a [UnknownColumn]);

impl fmt::Display for UnknownColumns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = self.0.iter().take(told(self.0.len()));
        let (fit, unfit): (Vec<_>, Vec<_>) = listed.partition(|column| column.suggested.is_some());
        let (columns, verb) = if self.0.len() == 1 { ("column", "is") } else { ("columns", "are") };
        write!(f, "{} {columns} of the input {verb} named by no field", self.0.len())?;
        if !fit.is_empty() {
            f.write_str("; to keep them, paste under [fields] (types are guesses from the first record):")?;
        }
        for column in fit {
            let name = field_name_of(&column.name);
            write!(f, "\n{} = {{ {}", toml_key(&name), column.suggested.unwrap_or_default())?;
            if name != column.name {
                write!(f, ", column = {}", toml_text(&column.name))?;
            }
            f.write_str(" }")?;
        }
        for column in unfit {
            write!(f, "\n# \"{}\" has lists or objects, which no field holds", Shown(&column.name))?;
        }
        write_rest(f, "\n# ", self.0.len())?;
        f.write_str("\nor say under [columns] other = \"drop\", or other = a family to store them as text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::InputError;

    #[test]
    fn the_first_value_suggests_a_type() {
        for (value, expected) in [
            ("517", "int"),
            ("-3", "int"),
            ("0", "int"),
            ("007", "string"),
            ("-0", "int"),
            ("+1", "string"),
            ("1.5", "f64"),
            ("0.5", "f64"),
            ("1e9", "f64"),
            ("inf", "string"),
            ("NaN", "string"),
            ("true", "bool"),
            ("", "string"),
            ("99999999999999999999", "f64"),
        ] {
            assert_eq!(suggest_type(value), format!("type = \"{expected}\""), "{value}");
        }
    }

    #[test]
    fn the_nearest_column_is_found_whatever_its_case_and_blanks() {
        let header = ["Phone", " ts", "city"].map(str::to_owned);
        assert_eq!(nearest("phone", &header).as_deref(), Some("Phone"));
        assert_eq!(nearest("ts", &header).as_deref(), Some(" ts"));
        assert_eq!(nearest("duration", &header), None);
    }

    fn missing(field: &str, header: &[String]) -> Vec<MissingColumn> {
        vec![MissingColumn { field: field.to_owned(), column: None, nearest: nearest(field, header) }]
    }

    #[test]
    fn a_header_of_one_column_may_have_another_separator() {
        let header = vec!["phone;ts;city".to_owned()];
        let missing = missing("phone", &header);
        let error = InputError::MissingColumns { name: "f.csv".to_owned(), missing, header }.to_string();
        assert!(error.ends_with("phone;ts;city; is the separator ';'? (--delimiter)"), "{error}");
    }

    #[test]
    fn a_column_of_lists_is_no_line_to_paste() {
        let columns = vec![UnknownColumn::of_json("tags", "[1]"), UnknownColumn::of_json("n", "1")];
        let error = InputError::UnknownColumns { name: "f".to_owned(), columns }.to_string();
        assert!(error.contains("\nn = { type = \"int\" }\n# \"tags\" has lists or objects"), "{error}");
    }

    #[test]
    fn a_header_that_is_none_does_not_fill_the_screen() {
        let of = |header: Vec<String>| {
            let missing = missing("phone", &header);
            InputError::MissingColumns { name: "f.csv".to_owned(), missing, header }.to_string()
        };
        assert!(
            of(vec!["é\u{1}".repeat(1_000_000)])
                .ends_with(&format!("columns are: {}…", "é\\u{1}".repeat(30)))
        );
        let many = of((0..10_000).map(|number| format!("c{number}")).collect());
        assert!(many.ends_with("c8, c9, and 9990 more"), "{many}");
        let unknown = |count: usize| {
            let columns = (0..count).map(|number| UnknownColumn::new(&format!("c{number}"), "")).collect();
            InputError::UnknownColumns { name: "f.csv".to_owned(), columns }.to_string()
        };
        assert!(unknown(100).contains("\nc99 = { type = \"string\" }\nor say"));
        let many = unknown(100_000);
        assert!(many.starts_with("f.csv: 100000 columns of the input"), "{many}");
        assert!(many.contains("\nc9 = { type = \"string\" }\n# and 99990 more\nor say"), "{many}");
    }

    #[test]
    fn columns_without_a_field_are_lines_to_paste() {
        let columns = [("dep_delay", "517"), ("Dep Time", "x"), ("carrier", "UA")];
        let columns = columns.map(|(name, value)| UnknownColumn::new(name, value)).to_vec();
        let error = InputError::UnknownColumns { name: "f.csv".to_owned(), columns };
        assert_eq!(
            error.to_string(),
            "f.csv: 3 columns of the input are named by no field; to keep them, paste under [fields] (types are \
             guesses from the first record):\n\
             dep_delay = { type = \"int\" }\n\
             dep_time = { type = \"string\", column = \"Dep Time\" }\n\
             carrier = { type = \"string\" }\n\
             or say under [columns] other = \"drop\", or other = a family to store them as text"
        );
    }
}
