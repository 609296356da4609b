//! Mapping of a file's columns to a design's fields.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use keystride::Design;
use keystride::design::{Charset, Field, FieldKind, OtherColumns};
use keystride::internal::{NO_FIELD, nfc};

use super::unfit_columns::MissingColumn;
use super::{InputError, RequiredFields};

/// The destination of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A field, whose texts are in this character set.
    Field { index: usize, charset: Charset },
    /// The other columns that are kept; index among those of the file.
    Other(usize),
    /// Nowhere.
    Dropped,
}

/// The columns of one file.
#[derive(Debug, Default)]
pub(super) struct ColumnMap {
    /// In file order.
    pub(super) names: Vec<String>,
    /// The target of each column.
    pub(super) targets: Vec<Target>,
    /// The field index of each column, or [`NO_FIELD`] if it has none.
    pub(super) fields: Vec<usize>,
    /// Whether the texts of any field are in a character set other than UTF-8.
    pub(super) has_charsets: bool,
    /// Whether any other columns are kept.
    pub(super) has_others: bool,
    /// Names of the other columns that are kept.
    pub(super) others: Vec<String>,
    /// Indexes of columns that belong to no field, if the design does not allow such columns.
    pub(super) unknown: Vec<usize>,
}

impl ColumnMap {
    /// Creates one column per source field of the design that is not `given` otherwise, in the design's order.
    pub(super) fn of_design(design: &Design, given: &[usize], encoding: Option<Charset>) -> Self {
        let mut map = Self::default();
        for (index, field) in design.source_fields().filter(|(index, _)| !given.contains(index)) {
            map.names.push(field.column().to_owned());
            map.targets.push(field_target(design, index, encoding));
        }
        map.look_at_targets();
        map
    }

    /// Maps the columns of a header. A column with the name of a derived field is dropped, because that field is
    /// computed. The fields `given` need no column.
    pub(super) fn of_header(
        source: &str,
        names: Vec<String>,
        design: &Design,
        given: &[usize],
        required: RequiredFields,
        encoding: Option<Charset>,
    ) -> Result<Self, InputError> {
        let for_key = design.fields_for_key();
        let is_required =
            |field: usize| !given.contains(&field) && (required == RequiredFields::All || for_key[field]);
        let fields = fields_of_columns(design, &names);
        // A file or a design may have many thousand columns.
        let found: HashSet<usize> =
            names.iter().filter_map(|name| fields.get(&*nfc(name)).copied()).collect();
        let is_missing = |(index, _): &(usize, &Field)| is_required(*index) && !found.contains(index);
        let missing: Vec<&Field> =
            design.source_fields().filter(is_missing).map(|(_, field)| field).collect();
        if !missing.is_empty() {
            let missing = MissingColumn::all(&missing, &names);
            return Err(InputError::MissingColumns { name: source.to_owned(), missing, header: names });
        }
        let (mut map, mut before) = (Self::default(), HashSet::new());
        for (index, name) in names.iter().enumerate() {
            let target = map.target(index, name, fields.get(&*nfc(name)).copied(), design, encoding);
            if !before.insert(name) && target != Target::Dropped {
                return Err(InputError::ColumnTwice { name: source.to_owned(), column: name.clone() });
            }
            map.targets.push(target);
        }
        map.names = names;
        map.look_at_targets();
        Ok(map)
    }

    fn look_at_targets(&mut self) {
        let field = |target: &Target| match *target {
            Target::Field { index, .. } => index,
            Target::Other(_) | Target::Dropped => NO_FIELD,
        };
        self.fields = self.targets.iter().map(field).collect();
        self.has_others = !self.others.is_empty();
        let has_charset = |target: &Target| match target {
            Target::Field { charset, .. } => *charset != Charset::Utf8,
            Target::Other(_) | Target::Dropped => false,
        };
        self.has_charsets = self.targets.iter().any(has_charset);
    }

    /// Returns the target of a column with the name of `field`, if that is one.
    fn target(
        &mut self,
        column: usize,
        name: &str,
        field: Option<usize>,
        design: &Design,
        encoding: Option<Charset>,
    ) -> Target {
        if let Some(index) = field {
            return match design.fields()[index].from {
                None => field_target(design, index, encoding),
                Some(_) => Target::Dropped,
            };
        }
        match design.columns().other {
            OtherColumns::Drop => Target::Dropped,
            OtherColumns::Error => {
                self.unknown.push(column);
                Target::Dropped
            }
            OtherColumns::Store(_) => {
                self.others.push(name.to_owned());
                Target::Other(self.others.len() - 1)
            }
        }
    }
}

/// Returns the fields by the columns that a header has for them: by the names that the source has for them, or else by
/// their own, as rows that keystride prints have these. Derived fields are among them; their columns are dropped.
fn fields_of_columns<'d>(design: &'d Design, header: &[String]) -> HashMap<&'d str, usize> {
    let header: HashSet<Cow<'_, str>> = header.iter().map(|name| nfc(name)).collect();
    let fields = || design.fields().iter().enumerate();
    let by_name = fields().filter(|(_, field)| !header.contains(field.column()));
    let by_name = by_name.map(|(index, field)| (field.name.as_str(), index));
    by_name.chain(fields().map(|(index, field)| (field.column(), index))).collect()
}

/// Returns the target of a field. If the whole source was converted to UTF-8, the field's own character set does not
/// apply.
fn field_target(design: &Design, index: usize, encoding: Option<Charset>) -> Target {
    let charset = match (&design.fields()[index].kind, encoding) {
        (FieldKind::String(kind), None) => kind.charset,
        _ => Charset::Utf8,
    };
    Target::Field { index, charset }
}
