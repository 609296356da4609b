//! Whether keys are a design's.

use keystride::KeyCodec;
use keystride::codec::{DecodedKey, KeyDecodeError, KeyDecodeFault};
use keystride::design::{End, Part};
use keystride::{Design, Row};

use super::{EXAMPLES, KeyMisfit, Misfit};
use crate::explain::KeyBound;

/// Returns which keys do not decode, or would be written in other bytes.
pub(super) fn misfit(codec: &KeyCodec, keys: &[Vec<u8>]) -> Option<Misfit> {
    let (mut count, mut examples) = (0, Vec::new());
    for key in keys {
        let Err(why) = check(codec, key) else { continue };
        count += 1;
        if examples.len() < EXAMPLES {
            examples.push(KeyMisfit { key: KeyBound::new(codec, key), why });
        }
    }
    (count > 0).then_some(Misfit::Keys { count, of: keys.len(), examples })
}

fn check(codec: &KeyCodec, key: &[u8]) -> Result<(), KeyDecodeError> {
    match codec.decode(key) {
        // The parts behind are not compared, which is told.
        Err(KeyDecodeError { fault: KeyDecodeFault::Unmarked, .. }) => {
            let row = Row::new(codec.design().fields().len());
            codec.decode_known_into(key, &mut DecodedKey { row, spans: Vec::new(), bucket: None })
        }
        decoded => decoded.map(drop),
    }
}

/// Returns the parts of keys that can be anything: values can't be read back from them, nor computed from other parts.
pub(super) fn open_parts(design: &Design) -> Vec<String> {
    let in_key = design.fields_in_key();
    let is_known = |field: usize| in_key[design.source_of(field)];
    let unmarked = design.layout().iter().position(|layout| layout.end == End::Unmarked);
    let is_open = |(index, part): (usize, &Part)| {
        let is_open = match part {
            Part::Text(_) => false,
            Part::Field(part) => !is_known(part.field),
            Part::Bucket(bucket) => {
                let spread = bucket.spread.iter().flat_map(|spread| &spread.by);
                !bucket.is_computed()
                    || !bucket.of.items().iter().chain(spread).all(|item| is_known(item.field))
            }
        };
        (is_open || unmarked.is_some_and(|unmarked| index >= unmarked)).then(|| design.part_name(index))
    };
    design.parts().iter().enumerate().filter_map(is_open).collect()
}
