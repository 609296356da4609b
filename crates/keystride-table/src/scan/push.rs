//! Predicate pushdown: which conditions a store can evaluate itself, because comparing a column's bytes is equivalent
//! to comparing its values.

use keystride::design::{Column, Encoding, FieldKind, TimeText};
use keystride::plan::{Comparison, Literal, Predicate};
use keystride::range::after_prefix;
use keystride::{Design, Row, Value};
use keystride_store::{Compare, Filter, Missing};

use crate::Table;

/// The largest number of comparisons of a condition that a store evaluates. A store makes them one after the other for
/// each row, while the reader looks a value up in a list; beyond this many, reading the row costs less.
const MOST_COMPARISONS: usize = 64;

/// A predicate divided between the store and the reader. A row is wanted if it satisfies both parts.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The conditions that the store evaluates exactly.
    pub(super) pushed: Vec<Predicate>,
    /// The same conditions as a filter of the store.
    pub(super) filter: Option<Filter>,
    /// The conditions left to the reader, all of which must be true.
    pub(super) rest: Vec<Predicate>,
}

/// Divides the conditions of a conjunction.
pub(super) fn share(table: &Table, predicate: &Predicate) -> Shared {
    let mut shared = Shared::default();
    let mut filters = Vec::new();
    let pusher = Pusher { table, design: table.design(), in_key: table.design().fields_in_key() };
    for condition in conditions(predicate) {
        match pusher.filter(condition, Sense::True) {
            Some(filter) if count_comparisons(&filter) <= MOST_COMPARISONS => {
                filters.push(filter);
                shared.pushed.push(condition.clone());
            }
            _ => shared.rest.push(condition.clone()),
        }
    }
    shared.filter = one_of(filters, Filter::All);
    shared
}

fn count_comparisons(filter: &Filter) -> usize {
    match filter {
        Filter::All(filters) | Filter::Any(filters) => filters.iter().map(count_comparisons).sum(),
        Filter::Column { .. } => 1,
    }
}

fn conditions(predicate: &Predicate) -> Vec<&Predicate> {
    match predicate {
        Predicate::And(list) => list.iter().flat_map(conditions).collect(),
        other => vec![other],
    }
}

/// Combines a list with `join`; a single element is returned unchanged.
pub(super) fn one_of<T>(mut list: Vec<T>, join: impl Fn(Vec<T>) -> T) -> Option<T> {
    match list.len() {
        0 => None,
        1 => list.pop(),
        _ => Some(join(list)),
    }
}

/// Whether a filter must pass the rows for which a predicate is true or those for which it is false. With a missing
/// value it is neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    True,
    False,
}

struct Pusher<'a> {
    table: &'a Table,
    design: &'a Design,
    in_key: Vec<bool>,
}

/// How the bytes of a column relate to its values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bytes {
    /// Bytes sort like values, and equal values have equal bytes.
    Sort,
    /// Equal values have equal bytes.
    Identify,
    /// A value may have several encodings.
    Neither,
}

impl Pusher<'_> {
    fn filter(&self, predicate: &Predicate, sense: Sense) -> Option<Filter> {
        let all_of =
            |list: &[Predicate]| list.iter().map(|one| self.filter(one, sense)).collect::<Option<_>>();
        match (predicate, sense) {
            (Predicate::Not(inner), Sense::True) => self.filter(inner, Sense::False),
            (Predicate::Not(inner), Sense::False) => self.filter(inner, Sense::True),
            (Predicate::And(list), Sense::True) | (Predicate::Or(list), Sense::False) => {
                all_of(list).map(Filter::All)
            }
            (Predicate::Or(list), Sense::True) | (Predicate::And(list), Sense::False) => {
                all_of(list).map(Filter::Any)
            }
            (Predicate::IsNull(expr), sense) => {
                let column = self.column(expr.field).filter(|_| expr.function.is_none())?;
                // Nothing sorts before the empty value, so for a row with the column the first is never true and the
                // second always is.
                Some(match sense {
                    Sense::True => self.compare(column, Compare::Less, Vec::new(), Missing::Passes),
                    Sense::False => self.compare(column, Compare::GreaterOrEqual, Vec::new(), Missing::Fails),
                })
            }
            (Predicate::Compare { expr, op, literal }, sense) => {
                let column = self.column(expr.field).filter(|_| expr.function.is_none())?;
                self.comparison(column, if sense == Sense::True { *op } else { opposite(*op) }, literal)
            }
            (Predicate::In { expr, literals }, sense) => {
                let column = self.column(expr.field).filter(|_| expr.function.is_none())?;
                let op = if sense == Sense::True { Comparison::Equal } else { Comparison::NotEqual };
                let each = literals.iter().map(|literal| self.comparison(column, op, literal));
                let each = each.collect::<Option<_>>()?;
                Some(if sense == Sense::True { Filter::Any(each) } else { Filter::All(each) })
            }
            (Predicate::Prefix { expr, prefix }, sense) => {
                let column = self.column(expr.field).filter(|_| expr.function.is_none())?;
                self.prefix(column, prefix, sense)
            }
        }
    }

    /// Returns the column from which a field is read, if it is read from a column.
    fn column(&self, field: usize) -> Option<&Column> {
        let is_stored = !self.in_key[field] && self.design.fields()[field].from.is_none();
        self.design.columns().cells.iter().find(|column| is_stored && column.field == field)
    }

    fn comparison(&self, column: &Column, op: Comparison, literal: &Literal) -> Option<Filter> {
        let (op, wants_order) = match op {
            Comparison::Equal => (Compare::Equal, false),
            Comparison::NotEqual => (Compare::NotEqual, false),
            Comparison::Less => (Compare::Less, true),
            Comparison::LessOrEqual => (Compare::LessOrEqual, true),
            Comparison::Greater => (Compare::Greater, true),
            Comparison::GreaterOrEqual => (Compare::GreaterOrEqual, true),
        };
        let bytes = self.bytes_of(column);
        let holds = bytes == Bytes::Sort || (bytes == Bytes::Identify && !wants_order);
        let value = self.cell_of(column, literal).filter(|_| holds && self.is_in_range(column, literal))?;
        Some(self.compare(column, op, value, Missing::Fails))
    }

    /// Whether a literal is in the field's range. The bytes of other numbers may sort anywhere among the field's
    /// values.
    fn is_in_range(&self, column: &Column, literal: &Literal) -> bool {
        match (literal, self.design.fields()[column.field].kind.number_range()) {
            (Literal::Int(number), Some((min, max))) => (min..=max).contains(number),
            _ => true,
        }
    }

    fn prefix(&self, column: &Column, prefix: &[u8], sense: Sense) -> Option<Filter> {
        if column.encoding != Encoding::Text || self.bytes_of(column) != Bytes::Sort {
            return None;
        }
        let (low, high) = match sense {
            Sense::True => (Compare::GreaterOrEqual, Compare::Less),
            Sense::False => (Compare::Less, Compare::GreaterOrEqual),
        };
        let low = self.compare(column, low, prefix.to_vec(), Missing::Fails);
        let Some(after) = after_prefix(prefix) else { return Some(low) };
        let high = self.compare(column, high, after, Missing::Fails);
        Some(if sense == Sense::True { Filter::All(vec![low, high]) } else { Filter::Any(vec![low, high]) })
    }

    fn compare(&self, column: &Column, op: Compare, value: Vec<u8>, missing: Missing) -> Filter {
        let (family, qualifier) =
            (self.table.family(column.family).clone(), column.qualifier.as_bytes().to_vec());
        Filter::Column { family, qualifier, comparison: op, value, missing }
    }

    fn bytes_of(&self, column: &Column) -> Bytes {
        let kind = &self.design.fields()[column.field].kind;
        match (column.encoding, kind) {
            (Encoding::Text | Encoding::Plain, kind) => match kind {
                FieldKind::String(_) | FieldKind::Digits { .. } | FieldKind::Bytes { .. } => Bytes::Sort,
                FieldKind::Int(_) => Bytes::Identify,
                FieldKind::Time(time) if matches!(time.text, TimeText::Epoch(_)) => Bytes::Identify,
                // Two instants may have the same local time, and floats, UUIDs and booleans have several text forms.
                FieldKind::Time(_) | FieldKind::Float(_) | FieldKind::Bool | FieldKind::Uuid { .. } => {
                    Bytes::Neither
                }
            },
            (Encoding::Ordered | Encoding::Phoenix, kind) if kind.is_number() => Bytes::Sort,
            (Encoding::Be, kind) if kind.is_number() => match kind.number_range() {
                Some((min, _)) if min >= 0 => Bytes::Sort,
                _ => Bytes::Identify,
            },
            _ => Bytes::Neither,
        }
    }

    /// Encodes a literal as the column does; `None` if that is not possible.
    fn cell_of(&self, column: &Column, literal: &Literal) -> Option<Vec<u8>> {
        let kind = &self.design.fields()[column.field].kind;
        let mut row = Row::new(self.design.fields().len());
        match (literal, kind) {
            (Literal::Int(number), FieldKind::Int(_) | FieldKind::Time(_)) => {
                row.set(column.field, Value::Int(*number));
            }
            // The literal need not be a valid value of the field, because texts are compared by their bytes anyway.
            (
                Literal::Bytes(bytes),
                FieldKind::String(_) | FieldKind::Digits { .. } | FieldKind::Bytes { .. },
            ) => {
                return matches!(column.encoding, Encoding::Text | Encoding::Plain).then(|| bytes.clone());
            }
            _ => return None,
        }
        let mut cell = Vec::new();
        // A number that the encoding can't represent is left to the reader, which compares numbers.
        matches!(self.design.encode_cell(column, &row, &mut cell), Ok(true)).then_some(cell)
    }
}

fn opposite(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}
