//! Leaves buckets open while keys are encoded, so that the hashes of many keys can be computed side by side.

use super::ops::RestOp;
use crate::hash::Md5Batch;

/// A bucket that a key still lacks, see [`KeyEncoder::encode_open`](super::KeyEncoder::encode_open).
#[must_use = "the key has zeros for a bucket until it is closed"]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenBucket {
    /// Its offset in the buffer that holds the key.
    pub(super) at: usize,
}

/// Fills in the buckets that the keys of `items` lack.
pub(super) fn close<T>(
    op: &RestOp,
    md5: &mut Md5Batch,
    items: &mut [T],
    open: impl Fn(&mut T) -> Option<(OpenBucket, &mut [u8])>,
) {
    // Keys are hashed some time after they were written; right away, the processor would stall on their bytes.
    for (bucket, key) in items.iter_mut().filter_map(&open) {
        md5.push(op.rest(bucket.at, key));
    }
    for ((bucket, key), md5) in items.iter_mut().filter_map(&open).zip(md5.finish()) {
        op.fill(bucket.at, *md5, key);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Design, KeyCodec, Row, Value};

    /// Returns the codec of a design with one string after these buckets.
    fn codec(buckets: &str) -> KeyCodec {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"string\" }}\n\
             [key]\nparts = [{buckets} {{ field = \"id\" }}]"
        );
        KeyCodec::new(Design::from_toml(&toml).unwrap())
    }

    #[test]
    fn buckets_of_keys_of_any_length_are_filled_in_their_turn() {
        let designs = [
            "{ bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3 },",
            "{ bucket = 300, hash = \"md5\", of = [\"rest\"] },",
            // The hash of the outer bucket includes the inner one.
            "{ bucket = 7, hash = \"md5\", of = [\"rest\"] }, { bucket = 9, hash = \"md5\", of = [\"rest\"] },",
            "{ bucket = 7, hash = \"md5\", of = [\"rest\"] }, { bucket = 9, hash = \"xxh3\", of = [\"id\"] },",
        ];
        let text = "0123456789abcdef".repeat(13);
        for codec in designs.map(codec) {
            let (mut at_once, mut encoder) = (codec.encoder(), codec.encoder());
            assert!(encoder.leaves_open());
            for lens in [0..0, 1..2, 0..40, 40..200] {
                let mut keys = Vec::new();
                for len in lens {
                    let mut row = Row::new(1);
                    row.set(0, Value::Text(&text[..len]));
                    let (mut key, mut expected) = (Vec::new(), Vec::new());
                    at_once.encode(&row, &mut expected).unwrap();
                    let open = encoder.encode_open(&row, &mut key).unwrap().expect("it stays open");
                    keys.push((key, open, expected));
                }
                encoder.close(&mut keys, |(key, open, _)| Some((*open, key)));
                for (key, _, expected) in keys {
                    assert_eq!(key, expected);
                }
            }
        }
    }

    #[test]
    fn a_bucket_whose_bytes_another_hash_takes_is_never_open() {
        let designs = [
            "{ bucket = 7, hash = \"xxh3\", of = [\"rest\"] }, { bucket = 9, hash = \"md5\", of = [\"rest\"] },",
            "{ bucket = 16, hash = \"md5\", of = [\"rest\"], width = 1 },",
            "{ bucket = 16, hash = \"md5\", of = [\"id\"] },",
            "",
        ];
        assert!(designs.map(codec).iter().all(|codec| !codec.encoder().leaves_open()));
    }

    #[test]
    fn a_row_without_a_key_leaves_nothing_open() {
        let codec = codec("{ bucket = 16, hash = \"md5\", of = [\"rest\"] },");
        let mut encoder = codec.encoder();
        let mut key = b"before".to_vec();
        assert!(encoder.encode_open(&Row::new(1), &mut key).is_err());
        assert_eq!(key, b"before");
        let mut row = Row::new(1);
        row.set(0, Value::Text("a"));
        let mut expected = key.clone();
        encoder.encode(&row, &mut expected).unwrap();
        let open = encoder.encode_open(&row, &mut key).unwrap().unwrap();
        encoder.close(&mut [&mut key], |key| Some((open, key)));
        assert_eq!(key, expected);
    }
}
