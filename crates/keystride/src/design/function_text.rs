//! Reads and prints expressions as in a design file.

use super::field::{Field, FieldKind};
use super::field_names::find_field;
use super::function::{Expr, Function, NAMES};
use super::problem::{Problem, nearest};
use super::reader::{Complaints, Spanned};

impl Expr {
    /// Returns the expression as a design file writes it.
    pub fn to_text(&self, fields: &[Field]) -> String {
        self.to_text_of(&fields[self.field].name)
    }

    /// Returns the expression with this name of its field.
    pub(crate) fn to_text_of(&self, name: &str) -> String {
        match &self.function {
            None => name.to_owned(),
            Some(Function::Left(n)) => format!("left({name},{n})"),
            Some(Function::Right(n)) => format!("right({name},{n})"),
            Some(Function::Floor(period)) => format!("floor({name},{period})"),
            Some(Function::ReverseLabels) => format!("reverse_labels({name})"),
            Some(Function::Lower) => format!("lower({name})"),
        }
    }

    /// Parses an expression over `fields`.
    ///
    /// # Errors
    ///
    /// [`Problem`] for an unknown field or function, or one that does not fit the field's type.
    pub fn parse(text: &str, fields: &[Field]) -> Result<Self, Problem> {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return Ok(Self { field: find_field(text, fields)?, function: None });
        };
        let Some(inner) = rest.trim_end().strip_suffix(')') else {
            return Err(shape(text, "a closing parenthesis at the end"));
        };
        if inner.contains('(') {
            let what = format!("\"{text}\" has a function in a function, and functions are not nested");
            return Err(Problem::Rule { what, help: "name a field of the source" });
        }
        let arguments: Vec<&str> = inner.split(',').map(str::trim).collect();
        let field = find_field(arguments[0], fields)?;
        let function = parse_function(name.trim(), &arguments[1..], text)?;
        if fields[field].from.is_some() {
            return Err(derived_already(&fields[field].name));
        }
        check_fit(&function, &fields[field])?;
        Ok(Self { field, function: Some(function) })
    }
}

/// The problem of a function of a field that is derived itself.
pub(crate) fn derived_already(name: &str) -> Problem {
    let what = format!("\"{name}\" is derived already, and functions are not nested");
    Problem::Rule { what, help: "name a field of the source" }
}

/// Reads an expression with its place; adds a complaint when it can't be read.
pub(crate) fn read_expr(
    text: &Spanned<String>,
    fields: &[Field],
    path: &str,
    complaints: &mut Complaints,
) -> Option<Expr> {
    complaints.ok(Expr::parse(&text.value, fields), &text.span, path)
}

fn parse_function(name: &str, arguments: &[&str], text: &str) -> Result<Function, Problem> {
    match (name, arguments) {
        ("left", [n]) => Ok(Function::Left(parse_count(n)?)),
        ("right", [n]) => Ok(Function::Right(parse_count(n)?)),
        ("floor", [period]) => period.parse().map(Function::Floor).map_err(|cause| Problem::Time { cause }),
        ("reverse_labels", []) => Ok(Function::ReverseLabels),
        ("lower", []) => Ok(Function::Lower),
        ("left" | "right", _) => Err(shape(text, "a field and a count, as in left(phone,3)")),
        ("floor", _) => Err(shape(text, "a field and a period, as in floor(ts,1h)")),
        ("reverse_labels" | "lower", _) => Err(shape(text, "one field, as in lower(host)")),
        _ => Err(Problem::UnknownName {
            what: "function",
            found: name.to_owned(),
            nearest: nearest(name, NAMES),
            known: NAMES.map(str::to_owned).to_vec(),
        }),
    }
}

fn parse_count(text: &str) -> Result<usize, Problem> {
    match text.parse() {
        Ok(n) if (1..=32_767).contains(&n) => Ok(n),
        _ => {
            Err(Problem::BadValue { found: text.to_owned(), expected: "a count from 1 to 32767".to_owned() })
        }
    }
}

fn check_fit(function: &Function, field: &Field) -> Result<(), Problem> {
    let is_time = matches!(field.kind, FieldKind::Time(_));
    let is_text = matches!(field.kind, FieldKind::String(_));
    let fits = match function {
        Function::Floor(_) => is_time,
        Function::ReverseLabels | Function::Lower => is_text,
        Function::Left(_) | Function::Right(_) => {
            !matches!(field.kind, FieldKind::Bytes { .. } | FieldKind::Float(_))
        }
    };
    if fits {
        return Ok(());
    }
    let why = match function {
        Function::Floor(_) => "it cuts a time",
        Function::ReverseLabels | Function::Lower => "it takes a string",
        Function::Left(_) | Function::Right(_) => "it takes a field with a default text",
    };
    Err(Problem::UnfitStep {
        step: function.name(),
        field: field.name.clone(),
        kind: field.kind.name(),
        why: why.to_owned(),
    })
}

fn shape(found: &str, expected: &str) -> Problem {
    Problem::BadValue { found: format!("\"{found}\""), expected: expected.to_owned() }
}
