use std::fmt::Debug;

use keystride::key::{DecodeError, EncodeError, SortOrder};
use serde_json::Value;

use crate::tally::{Outcome, hex};

/// Checks `asc` and `desc` of a vector, each encoded and decoded; where the vector holds an error instead, the encoder
/// has to refuse the value.
pub(crate) fn check_both_orders<T: PartialEq + Debug>(
    vector: &Value,
    value: &T,
    encode: impl Fn(&mut Vec<u8>, SortOrder) -> Result<(), EncodeError>,
    decode: impl Fn(&[u8], SortOrder) -> Result<(T, usize), DecodeError>,
) -> Outcome {
    for (order, field) in [(SortOrder::Ascending, "asc"), (SortOrder::Descending, "desc")] {
        let mut ours = Vec::new();
        let encoded = encode(&mut ours, order);
        let refused = vector.get(format!("{field}_error")).is_some();
        if refused && encoded.is_err() && ours.is_empty() {
            continue;
        }
        if refused || encoded.is_err() || ours != hex(vector, field) {
            return Outcome::Failed(format!("{field}: ours {encoded:?} {ours:02x?}"));
        }
        match decode(&ours, order) {
            Ok((read, len)) if read == *value && len == ours.len() => {}
            other => return Outcome::Failed(format!("{field}: decoded {other:?} of {} bytes", ours.len())),
        }
    }
    Outcome::Passed
}
