//! Looks up fields by name.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::field::Field;
use super::problem::{Problem, nearest};
use super::reader::{Complaints, Spanned};

/// Looks up a field by name; adds a complaint when there is none.
pub(crate) fn field_index(
    name: &Spanned<String>,
    fields: &[Field],
    path: &str,
    complaints: &mut Complaints,
) -> Option<usize> {
    complaints.ok(find_field(&name.value, fields), &name.span, path)
}

/// Returns a name in Unicode NFC, in which names are compared: the same text may be written in several ways.
pub fn nfc(name: &str) -> Cow<'_, str> {
    match is_nfc_quick(name.chars()) {
        IsNormalized::Yes => Cow::Borrowed(name),
        _ => Cow::Owned(name.nfc().collect()),
    }
}

/// Returns the index of the field named `name`.
pub(crate) fn find_field(name: &str, fields: &[Field]) -> Result<usize, Problem> {
    let name = &*nfc(name);
    fields.iter().position(|field| field.name == name).ok_or_else(|| Problem::UnknownName {
        what: "field",
        found: name.to_owned(),
        nearest: nearest(name, fields.iter().map(|field| field.name.as_str())),
        known: fields.iter().map(|field| field.name.clone()).collect(),
    })
}
