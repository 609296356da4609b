use keystride::design::{Base, BucketInput, BucketPart};
use keystride::hash::{BucketCount, BucketHash};
use keystride::key::{EncodeError, decimal};
use serde_json::Value;

use crate::tally::{Outcome, same};

/// Checks the texts that Java's formatters make of `num` in `width` digits. Buckets are padded as Java does it, longer
/// ones in full; a padded number of a key has its width, or is refused.
pub(crate) fn check_padding(vector: &Value, texts: &[&str]) -> Outcome {
    let number = vector["num"].as_i64().expect("num");
    // Java's loop adds no zero where the width is negative.
    let width = vector["width"].as_i64().map(|width| usize::try_from(width).unwrap_or(0)).expect("width");
    let mut key = Vec::new();
    let encoded = decimal::encode_padded(&mut key, number, width);
    let Ok(bucket) = u32::try_from(number) else { return signed(encoded) };
    if texts.iter().any(|text| text.contains(',')) {
        return Outcome::NotApplicable("an empty pattern groups digits by commas");
    }
    let in_full = bucket_of_width(width).prefix(bucket);
    let fits = in_full.len() == width;
    let ours = (vec![in_full.as_slice(); texts.len()], encoded.is_ok().then_some(key.as_slice()));
    let theirs: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
    let padded = fits.then(|| theirs[0]);
    same(&ours, &(theirs, padded))
}

/// Java's formatters put zeros behind a sign, before it, or count it as a digit.
fn signed(encoded: Result<(), EncodeError>) -> Outcome {
    match encoded {
        Err(EncodeError::Negative) => Outcome::NotApplicable("a negative number is refused, not padded"),
        other => Outcome::Failed(format!("{other:?}")),
    }
}

fn bucket_of_width(width: usize) -> BucketPart {
    BucketPart {
        count: BucketCount::new(BucketCount::MOST).expect("the largest count"),
        hash: BucketHash::JavaXor,
        of: BucketInput::Items(Vec::new()),
        width,
        base: Base::Decimal,
        spread: None,
        span: 0..0,
    }
}
