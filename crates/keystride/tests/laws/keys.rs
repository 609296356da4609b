use keystride::design::{OrderKept, Part};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::designs::{small_design, wide_design};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn decode_undoes_encode(design in small_design()) {
        let codec = design.codec();
        let in_key = codec.design().fields_in_key();
        let mut encoder = codec.encoder();
        for row in design.rows() {
            let mut key = Vec::new();
            if encoder.encode(&row, &mut key).is_err() {
                continue;
            }
            let decoded = codec.decode(&key).unwrap_or_else(|error| panic!("{error}: {key:?} of {row:?}\n{}", design.toml));
            for (field, readable) in in_key.iter().enumerate() {
                // A default that is a value reads back as that value.
                let absent = row.get(field).is_none();
                if *readable && !(absent && decoded.row.get(field).is_some()) {
                    prop_assert_eq!(decoded.row.get(field), row.get(field), "field {} of {:?}\n{}", field, key, design.toml);
                }
            }
        }
    }

    /// Keys with a byte changed, put in or taken out, and any bytes.
    #[test]
    fn what_is_decoded_is_encoded_to_the_same_bytes(
        design in prop_oneof![3 => small_design(), 1 => wide_design()],
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0..3u8, prop::sample::select(BYTES)), 50),
        other in prop::collection::vec(prop::sample::select(BYTES), 0..12),
    ) {
        let codec = design.codec();
        // What the key does not give back is not known to the encoder either.
        prop_assume!(codec.design().fields_in_key().iter().all(|is_in_key| *is_in_key));
        let mut encoder = codec.encoder();
        let rows = design.rows();
        let mut keys = vec![Vec::new(), other];
        for (row, at, change, byte) in &changes {
            let mut key = Vec::new();
            if encoder.encode(row.get(&rows), &mut key).is_ok() {
                let at = at.index(key.len() + 1);
                changed(&mut key, at, *change, *byte);
                keys.push(key);
            }
        }
        for key in keys {
            let Ok(decoded) = codec.decode(&key) else { continue };
            encoder.supply(decoded.bucket.unwrap_or(0).into());
            let mut again = Vec::new();
            let done = encoder.encode(&decoded.row, &mut again);
            prop_assert_eq!(done.map(|()| again), Ok(key), "{:?}\n{}", decoded, design.toml);
        }
    }

    #[test]
    fn a_design_written_reads_back_as_itself(design in small_design()) {
        let codec = design.codec();
        let toml = codec.design().to_toml(None);
        let again = keystride::Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
        prop_assert_eq!(again.to_toml(None), toml);
        prop_assert_eq!(codec.design().differences(&again), Vec::<String>::new());
        let json = codec.design().to_json(None).to_string();
        let again = keystride::Design::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
        prop_assert_eq!(again.to_json(None).to_string(), json);
    }

    /// Two rows that differ in one field alone sort as its part says.
    #[test]
    fn in_a_bucket_byte_order_is_the_declared_order(design in small_design()) {
        let codec = design.codec();
        let mut encoder = codec.encoder();
        let rows = design.rows();
        for (index, part) in codec.design().parts().iter().enumerate() {
            let Part::Field(part) = part else { continue };
            let order = codec.design().layout()[index].order;
            if order == OrderKept::No {
                continue;
            }
            for pair in rows.windows(2) {
                let values = [pair[0].get(part.field), pair[1].get(part.field)];
                let [Some(left), Some(right)] = values else { continue };
                let mut bytes = [Vec::new(), Vec::new()];
                let mut encode = |value, out: &mut Vec<u8>| {
                    let mut row = pair[0].clone();
                    row.set(part.field, value);
                    encoder.encode(&row, out).is_ok()
                };
                if !encode(left, &mut bytes[0]) || !encode(right, &mut bytes[1]) {
                    continue;
                }
                let from = |key: &[u8]| codec.decode(key).unwrap().spans[index].start;
                let (left_key, right_key) = (&bytes[0][from(&bytes[0])..], &bytes[1][from(&bytes[1])..]);
                let by_value = compare(left, right);
                let by_bytes = left_key.cmp(right_key);
                let expected = if order == OrderKept::Ascending { by_value } else { by_value.reverse() };
                prop_assert_eq!(by_bytes, expected, "{:?} {:?} in part {}\n{}", left, right, index, design.toml);
            }
        }
    }
}

/// Bytes that the keys of small designs have, and some that they have not.
const BYTES: &[u8] = b"019ab!x~-+_\x00\x01\x80\xff";

/// Changes the byte at `at`, puts one in before it, or takes it out.
fn changed(key: &mut Vec<u8>, at: usize, change: u8, byte: u8) {
    match change {
        0 => key.insert(at, byte),
        1 if at < key.len() => key[at] = byte,
        _ if at < key.len() => drop(key.remove(at)),
        _ => key.push(byte),
    }
}

fn compare(left: keystride::Value<'_>, right: keystride::Value<'_>) -> std::cmp::Ordering {
    use keystride::Value;
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(&b),
        _ => unreachable!("a field has values of one type"),
    }
}
