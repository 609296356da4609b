//! Fields by the names that people give.

use keystride::Design;
use keystride::design::Part;

/// A name that is not the one of a field that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The design has no such field.
    #[error("the design has no field \"{found}\"; it has {known}")]
    Unknown {
        /// The name.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// A field is named twice.
    #[error("column \"{name}\" is named twice; name it once")]
    Twice {
        /// The name.
        name: String,
    },
    /// The field is not a time.
    #[error("field \"{field}\" is not a time")]
    NotATime {
        /// The name.
        field: String,
    },
    /// There are several times to choose from.
    #[error("the design has several times ({times}); say which with --on")]
    ManyTimes {
        /// Their names.
        times: String,
    },
}

/// Returns the index of the field that a word names.
///
/// # Errors
///
/// [`FieldError::Unknown`].
pub fn field_named(design: &Design, name: &str) -> Result<usize, FieldError> {
    design.field_index(name).ok_or_else(|| {
        let known = design.fields().iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        FieldError::Unknown { found: name.to_owned(), known }
    })
}

/// Returns the indexes of the fields listed.
///
/// # Errors
///
/// [`FieldError::Unknown`] and [`FieldError::Twice`].
pub fn fields_named(design: &Design, names: &[String]) -> Result<Vec<usize>, FieldError> {
    let mut fields = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let field = field_named(design, name)?;
        if fields.contains(&field) {
            return Err(FieldError::Twice { name: name.to_owned() });
        }
        fields.push(field);
    }
    Ok(fields)
}

/// Returns the time field to use: the one named, or else the only one that is read from the source, or of several the
/// only one in the key; `None` if there is none.
///
/// # Errors
///
/// [`FieldError`] when the name is not that of a time, or there are several times.
pub fn time_named(design: &Design, name: Option<&str>) -> Result<Option<usize>, FieldError> {
    if let Some(name) = name {
        let field = field_named(design, name)?;
        let is_time = design.fields()[field].time().is_some();
        return if is_time { Ok(Some(field)) } else { Err(FieldError::NotATime { field: name.to_owned() }) };
    }
    let times = design.source_fields().filter(|(_, field)| field.time().is_some());
    let times: Vec<usize> = times.map(|(index, _)| index).collect();
    let is_in_key = |time: &usize| {
        let mut parts = design.parts().iter();
        parts.any(|part| matches!(part, Part::Field(part) if design.source_of(part.field) == *time))
    };
    if let [_, _, ..] = times.as_slice() {
        let in_key: Vec<usize> = times.iter().copied().filter(is_in_key).collect();
        if let [time] = in_key[..] {
            return Ok(Some(time));
        }
        let names: Vec<&str> = times.iter().map(|&time| design.fields()[time].name.as_str()).collect();
        return Err(FieldError::ManyTimes { times: names.join(", ") });
    }
    Ok(times.first().copied())
}
