use keystride::codec::KeyFault;
use keystride::key::EncodeError;

use crate::recipe::{Recipe, Refused};
use crate::tally::{Outcome, same};

/// Checks a key that holds Java's `Long.MAX_VALUE - ms`; `key` puts the reversed time between the other parts.
///
/// Java does not pad a number of fewer than 19 digits, which then sorts among larger ones (ENC06): ours is padded, and
/// Java's key is not read back as this row.
pub(crate) fn check_reversed(
    recipe: &Recipe,
    row: &[&str],
    ms: i64,
    java: &str,
    key: impl Fn(&str) -> String,
) -> Outcome {
    let ours = recipe.key(row);
    let Some(reversed) = i64::MAX.checked_sub(ms) else { return negative(&ours) };
    let padded = key(&format!("{reversed:019}"));
    let is_padded = padded == java;
    let read = recipe.decode(java.as_bytes()).ok() == recipe.row(row).ok();
    let theirs = (Ok(padded.into_bytes()), key(&reversed.to_string()), is_padded);
    same(&(ours, java.to_owned(), read), &theirs)
}

/// A time before 1970 gives a number beyond Java's `long`, which wraps.
fn negative(ours: &Result<Vec<u8>, Refused>) -> Outcome {
    match ours.as_ref().map_err(Refused::fault) {
        Err(Some(KeyFault::Encode(EncodeError::OutOfRange { .. }))) => Outcome::Passed,
        _ => Outcome::Failed(format!("{ours:?}")),
    }
}
