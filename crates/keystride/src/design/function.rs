//! The fixed set of functions of a design file: `left(f,n)`, `right(f,n)`, `floor(t,1h)`, `reverse_labels(f)`,
//! `lower(f)`.

use std::fmt;

use crate::time::Period;

/// A field, or a function of one: what `of`, `by`, `from` and predicates accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// Index of the field in the design.
    pub field: usize,
    /// The function, if any.
    pub function: Option<Function>,
}

impl Expr {
    /// Returns the field itself.
    pub fn field(field: usize) -> Self {
        Self { field, function: None }
    }
}

/// A function of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Function {
    /// The first n UTF-16 units of the default text; undefined for a shorter value.
    Left(usize),
    /// The last n UTF-16 units of the default text; undefined for a shorter value.
    Right(usize),
    /// A time rounded down to the start of a period.
    Floor(Period),
    /// Labels between dots in reverse order: `a.b.com` → `com.b.a`.
    ReverseLabels,
    /// ASCII letters in lower case.
    Lower,
}

/// The names of all functions.
pub(super) const NAMES: [&str; 5] = ["left", "right", "floor", "reverse_labels", "lower"];

impl Function {
    /// Returns the function's name in a design file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Left(_) => "left",
            Self::Right(_) => "right",
            Self::Floor(_) => "floor",
            Self::ReverseLabels => "reverse_labels",
            Self::Lower => "lower",
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Left(n) | Self::Right(n) => write!(f, "{}(…,{n})", self.name()),
            Self::Floor(period) => write!(f, "floor(…,{period})"),
            Self::ReverseLabels | Self::Lower => write!(f, "{}(…)", self.name()),
        }
    }
}
