//! Makes predicates of values, for callers that have no text. They are checked as what [`Predicate::parse`] reads is.

use std::ops::Not;

use super::error::PredicateFault;
use super::literal::{check_equal, read_value};
use super::predicate::{Comparison, Predicate};
use super::set::Literal;
use crate::design::{Design, Expr, FieldKind, FloatKind, derived_kind};
use crate::value::Value;

impl Predicate {
    /// Compares an operand with a value: a field, or a function of one as in the design file.
    ///
    /// ```
    /// # use keystride::{Design, Value, plan::{Comparison, Predicate}};
    /// # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?;
    /// let predicate = Predicate::compare(&design, "id", Comparison::Less, Value::Int(9))?;
    /// assert_eq!(Predicate::parse("id < 9", &design)?, predicate);
    /// assert!(Predicate::compare(&design, "id", Comparison::Less, Value::Text("9")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PredicateFault`] when there is no such operand, or its type has no such value or no order.
    pub fn compare(
        design: &Design,
        operand: &str,
        op: Comparison,
        value: Value<'_>,
    ) -> Result<Self, PredicateFault> {
        let expr = read_operand(operand, design)?;
        check_order(&expr, op, design)?;
        let literal = literal_of(value, &expr, op, design)?;
        Ok(Self::Compare { expr, op, literal })
    }

    /// Requires that an operand is equal to one of some values.
    ///
    /// # Errors
    ///
    /// As [`compare`](Self::compare), and when there are no values.
    pub fn one_of<'a>(
        design: &Design,
        operand: &str,
        values: impl IntoIterator<Item = Value<'a>>,
    ) -> Result<Self, PredicateFault> {
        let expr = read_operand(operand, design)?;
        let literals = values.into_iter().map(|value| literal_of(value, &expr, Comparison::Equal, design));
        let literals = literals.collect::<Result<Vec<_>, _>>()?;
        if literals.is_empty() {
            return Err(PredicateFault::NoValues { operand: operand.to_owned() });
        }
        Ok(Self::In { expr, literals: literals.into_iter().collect() })
    }

    /// Requires that an operand lies between two values, or is one of them.
    ///
    /// # Errors
    ///
    /// As [`compare`](Self::compare).
    pub fn between(
        design: &Design,
        operand: &str,
        low: Value<'_>,
        high: Value<'_>,
    ) -> Result<Self, PredicateFault> {
        let low = Self::compare(design, operand, Comparison::GreaterOrEqual, low)?;
        Ok(Self::And(vec![low, Self::compare(design, operand, Comparison::LessOrEqual, high)?]))
    }

    /// Requires that the text of an operand starts with a prefix.
    ///
    /// # Errors
    ///
    /// [`PredicateFault`] when there is no such operand, or it is no text.
    pub fn starts_with(design: &Design, operand: &str, prefix: &str) -> Result<Self, PredicateFault> {
        let expr = read_operand(operand, design)?;
        check_text(&expr, design)?;
        Ok(Self::Prefix { expr, prefix: prefix.as_bytes().to_vec() })
    }

    /// Requires that an operand has no value.
    ///
    /// # Errors
    ///
    /// [`PredicateFault`] when there is no such operand.
    pub fn is_null(design: &Design, operand: &str) -> Result<Self, PredicateFault> {
        read_operand(operand, design).map(Self::IsNull)
    }
}

impl Not for Predicate {
    type Output = Self;

    /// Returns the predicate that this one does not hold.
    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// Reads a field, or a function of one as in the design file.
pub(super) fn read_operand(text: &str, design: &Design) -> Result<Expr, PredicateFault> {
    Expr::parse(text, &design.fields).map_err(|problem| PredicateFault::Operand(Box::new(problem)))
}

/// Values of every type can be ordered, except true and false, which can only be equal.
pub(super) fn check_order(expr: &Expr, op: Comparison, design: &Design) -> Result<(), PredicateFault> {
    let kind = derived_kind(expr, &design.fields);
    if op.is_equality() || kind != FieldKind::Bool {
        return Ok(());
    }
    Err(unfit(expr, &kind, "an order; compare it with = or !=", design))
}

/// Only texts have prefixes.
pub(super) fn check_text(expr: &Expr, design: &Design) -> Result<(), PredicateFault> {
    match derived_kind(expr, &design.fields) {
        FieldKind::String(_) | FieldKind::Digits { .. } => Ok(()),
        kind => Err(unfit(expr, &kind, "like, which takes the beginning of a text", design)),
    }
}

fn unfit(expr: &Expr, kind: &FieldKind, what: &'static str, design: &Design) -> PredicateFault {
    let field = design.fields[expr.field].name.clone();
    PredicateFault::Unfit { field, kind: kind.name(), what }
}

/// Returns the literal of a value that `expr` is compared with. The type is the operand's own: a literal of another would
/// compare by another order than the key's.
fn literal_of(
    value: Value<'_>,
    expr: &Expr,
    op: Comparison,
    design: &Design,
) -> Result<Literal, PredicateFault> {
    let kind = derived_kind(expr, &design.fields);
    let field = &design.fields[expr.field];
    let is_of_kind = match value {
        Value::Text(_) => matches!(kind, FieldKind::String(_) | FieldKind::Digits { .. }),
        Value::Int(_) => matches!(kind, FieldKind::Int(_) | FieldKind::Time(_)),
        Value::F32(_) => matches!(kind, FieldKind::Float(FloatKind::F32)),
        Value::F64(_) => matches!(kind, FieldKind::Float(FloatKind::F64)),
        Value::Bool(_) => kind == FieldKind::Bool,
        Value::Bytes(_) => matches!(kind, FieldKind::Bytes { .. }),
        Value::Uuid(_) => matches!(kind, FieldKind::Uuid { .. }),
    };
    let literal = match value {
        _ if !is_of_kind => None,
        // As in a predicate's text, a bound may be longer or shorter than the field's values.
        Value::Text(_) | Value::Int(_) => Some(Literal::of(value)),
        value => field.text_of(value).map(|text| read_value(&text, field)).transpose()?,
    };
    let literal = literal.ok_or_else(|| PredicateFault::OtherType {
        operand: expr.to_text(&design.fields),
        kind: kind.name(),
        found: value.type_name(),
    })?;
    if op.is_equality() {
        check_equal(&literal, expr, design)?;
    }
    Ok(literal)
}
