//! The primary key: the column of Phoenix for each part, or the reason why there is none.

use super::sql_type::{NoType, SqlType};
use crate::design::{Base, BucketInput, BucketPart, Design, FieldPart, Part};
use crate::hash::BucketHash;

/// A column of the primary key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyColumn {
    pub(super) field: usize,
    pub(super) sql: SqlType,
    pub(super) is_descending: bool,
    pub(super) is_nullable: bool,
}

/// Why Phoenix has no column for a part of the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoColumn {
    /// No type encodes the value in these bytes.
    #[error(transparent)]
    Type(#[from] NoType),
    /// A step that changes the field's value.
    #[error("a column holds its value as it is, without \"{0}\"")]
    Step(&'static str),
    /// A salt other than Phoenix's.
    #[error(
        "SALT_BUCKETS is one byte that Phoenix computes from the rest of the key: \
             say hash = \"phoenix\", of = [\"rest\"]"
    )]
    Salt,
    /// A bucket that is not the first part of the key.
    #[error("Phoenix has its salt in front")]
    SaltInside,
    /// Text that is not the end of a column of variable width.
    #[error("no constant stands between columns")]
    Constant,
    /// A column of variable width that does not end with Phoenix's separator.
    #[error("{0} is followed by a zero byte: write {{ text = '\\x00' }} after it")]
    Separator(&'static str),
    /// An ascending column of variable width that is last and has an end mark.
    #[error("the last column has no end mark when it ascends: drop the text after it")]
    LastSeparator,
    /// A VARBINARY that is not the last column.
    #[error("VARBINARY stands last")]
    VarbinaryInside,
    /// A descending VARBINARY.
    #[error("no VARBINARY descends")]
    VarbinaryDescending,
    /// The key contains the field twice.
    #[error("no column is in the key twice")]
    Twice,
    /// A descending value that may be null.
    #[error("Phoenix ends a descending NULL with 00, not with ff: drop default = \"\"")]
    DescendingNull,
    /// A last value that may be null.
    #[error("Phoenix drops the separator before a NULL in last place: drop default = \"\"")]
    LastNull,
    /// A key that is a single value, which may be null.
    #[error("Phoenix takes no row whose whole key is NULL: drop default = \"\"")]
    OnlyNull,
}

/// The key as Phoenix can express it.
#[derive(Debug, Default)]
pub(super) struct Key {
    pub(super) salt_buckets: Option<u32>,
    pub(super) columns: Vec<KeyColumn>,
    /// The parts that Phoenix has no column for, by index.
    pub(super) refused: Vec<(usize, NoColumn)>,
}

impl Key {
    pub(super) fn of(design: &Design) -> Self {
        let mut key = Self::default();
        let mut at = 0;
        while let Some(part) = design.parts.get(at) {
            at += match part {
                Part::Text(_) => key.refuse(at, NoColumn::Constant),
                Part::Bucket(bucket) => key.add_bucket(at, bucket),
                Part::Field(part) => key.add_field(design, at, part),
            };
        }
        key
    }

    fn refuse(&mut self, part: usize, reason: NoColumn) -> usize {
        self.refused.push((part, reason));
        1
    }

    fn add_bucket(&mut self, at: usize, bucket: &BucketPart) -> usize {
        let is_phoenix = bucket.hash == BucketHash::Phoenix
            && bucket.of == BucketInput::Rest
            && (bucket.base, bucket.width) == (Base::Byte, 1)
            && bucket.spread.is_none();
        if at > 0 {
            return self.refuse(at, NoColumn::SaltInside);
        }
        if !is_phoenix {
            return self.refuse(at, NoColumn::Salt);
        }
        self.salt_buckets = Some(bucket.count.get());
        1
    }

    /// Adds the column of a field's part and its separator; returns how many parts that is.
    fn add_field(&mut self, design: &Design, at: usize, part: &FieldPart) -> usize {
        match self.column(design, at, part) {
            Ok((column, taken)) => {
                self.columns.push(column);
                taken
            }
            Err(reason) => {
                self.refuse(at, reason);
                1 + usize::from(is_separator(design.parts.get(at + 1)))
            }
        }
    }

    fn column(&self, design: &Design, at: usize, part: &FieldPart) -> Result<(KeyColumn, usize), NoColumn> {
        if let Some(step) = step_without_column(part) {
            return Err(NoColumn::Step(step));
        }
        if self.columns.iter().any(|column| column.field == part.field) {
            return Err(NoColumn::Twice);
        }
        let field = &design.fields[part.field];
        let is_descending = part.steps.invert;
        let separated = is_separator(design.parts.get(at + 1));
        let is_last = !design.parts[at + 1..].iter().any(|part| !matches!(part, Part::Text(_)));
        let sql = match SqlType::of(&field.kind, &part.steps)? {
            // A default text may have another length.
            SqlType::Char(_) if design.layout[at].end.fixed().is_none() => SqlType::Varchar,
            // Text whose values all have the same length may still have an end mark.
            SqlType::Char(_) if separated && !is_descending && !is_last => SqlType::Varchar,
            sql => sql,
        };
        let is_nullable = field.default.as_deref() == Some("");
        let column = KeyColumn { field: part.field, sql, is_descending, is_nullable };
        if !sql.is_variable() {
            return Ok((column, 1));
        }
        self.check_variable(column, is_last, separated)?;
        Ok((column, 1 + usize::from(separated)))
    }

    fn check_variable(&self, column: KeyColumn, is_last: bool, separated: bool) -> Result<(), NoColumn> {
        let follows_variable = self.columns.last().is_some_and(|before| before.sql.is_variable());
        match (is_last, column.is_descending) {
            (false, _) if column.sql == SqlType::Varbinary => Err(NoColumn::VarbinaryInside),
            (_, true) if column.sql == SqlType::Varbinary => Err(NoColumn::VarbinaryDescending),
            (true, false) if separated => Err(NoColumn::LastSeparator),
            (false, _) if !separated => Err(NoColumn::Separator("a VARCHAR before other columns")),
            (true, true) if !separated => Err(NoColumn::Separator("a descending last column")),
            (_, true) if column.is_nullable => Err(NoColumn::DescendingNull),
            (true, _) if column.is_nullable && follows_variable => Err(NoColumn::LastNull),
            (true, _) if column.is_nullable && self.columns.is_empty() => Err(NoColumn::OnlyNull),
            _ => Ok(()),
        }
    }
}

/// Returns the first step that changes the field's value.
fn step_without_column(part: &FieldPart) -> Option<&'static str> {
    let steps = &part.steps;
    let words = [
        (steps.floor.is_some(), "floor"),
        (steps.desc.is_some(), "desc"),
        (steps.reverse, "reverse"),
        (steps.hash.is_some(), "hash"),
        (steps.escape, "escape"),
    ];
    words.into_iter().find_map(|(is_there, word)| is_there.then_some(word))
}

fn is_separator(part: Option<&Part>) -> bool {
    matches!(part, Some(Part::Text(text)) if text.bytes == [0])
}
