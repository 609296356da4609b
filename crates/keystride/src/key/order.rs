//! Compares and sorts keys that share a long prefix.

/// Sorts numbers by the keys that they stand for, given by `key_of`, and those of equal keys by number.
///
/// Row keys begin with a bucket and a date, so comparing them passes over many bytes that do not differ. This function
/// compares all keys by sixteen bytes at a time, after the prefix that they share; only keys with the same sixteen bytes
/// are compared further on. It takes 24 bytes a key.
///
/// ```
/// let keys: [&[u8]; 4] = [b"003|20200408", b"003|20200406", b"003", b"003|20200406"];
/// let order = keystride::key::sorted_by_key(0..4, |number| keys[number as usize]);
/// assert_eq!(order, [2, 1, 3, 0]);
/// ```
pub fn sorted_by_key<'k>(
    numbers: impl IntoIterator<Item = u32>,
    key_of: impl Fn(u32) -> &'k [u8],
) -> Vec<u32> {
    let mut places: Vec<Place> = numbers.into_iter().map(|number| Place { head: [0; 2], number }).collect();
    sort(&mut places, 0, &key_of);
    places.into_iter().map(|place| place.number).collect()
}

/// A key, represented by sixteen of its bytes as two big-endian numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    head: [u64; 2],
    number: u32,
}

/// Up to this many keys are compared directly.
const FEW: usize = 8;

/// Sorts keys whose first `passed` bytes are equal.
fn sort<'k>(places: &mut [Place], passed: usize, key_of: &impl Fn(u32) -> &'k [u8]) {
    let by_whole_keys = |places: &mut [Place]| {
        places.sort_unstable_by_key(|place| (&key_of(place.number)[passed..], place.number));
    };
    if places.len() <= FEW {
        return by_whole_keys(places);
    }
    let passed = read_heads(places, passed, key_of);
    places.sort_unstable();
    for alike in places.chunk_by_mut(|a, b| a.head == b.head).filter(|alike| alike.len() > 1) {
        // A key that ends within the head has the same head as one that continues with zeros.
        if alike.iter().all(|place| key_of(place.number).len() >= passed + HEAD_LEN) {
            sort(alike, passed + HEAD_LEN, key_of);
        } else {
            by_whole_keys(alike);
        }
    }
}

/// The length of a place's head.
const HEAD_LEN: usize = 2 * size_of::<u64>();

/// Sets the heads of keys to the bytes after the prefix that all share, and returns its length; at least `passed` bytes
/// are shared. As keys are seldom in the cache, each is read once, but for some of which the shared prefix is assumed;
/// only if it is not that of all are they read again.
fn read_heads<'k>(places: &mut [Place], passed: usize, key_of: &impl Fn(u32) -> &'k [u8]) -> usize {
    const SOME: usize = 16;
    let first = key_of(places[0].number);
    let some = places.iter().step_by(places.len() / SOME + 1);
    let mut assumed =
        some.fold(first.len(), |shared, place| shared_len(first, shared, passed, key_of(place.number)));
    loop {
        let mut shared = assumed;
        for place in &mut *places {
            let key = key_of(place.number);
            shared = shared_len(first, shared, passed, key);
            place.head = wide_head(&key[assumed.min(key.len())..]);
        }
        if shared == assumed {
            return shared;
        }
        assumed = shared;
    }
}

/// Returns how many of the `shared` bytes of `first` a key begins with, too; `passed` of them are known to be equal.
fn shared_len(first: &[u8], shared: usize, passed: usize, key: &[u8]) -> usize {
    passed + common_len(&first[passed..shared], &key[passed..])
}

fn wide_head(bytes: &[u8]) -> [u64; 2] {
    [head(bytes), head(bytes.get(size_of::<u64>()..).unwrap_or_default())]
}

/// Returns the length of the longest common prefix of two keys.
pub fn common_len(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

/// Returns the first eight bytes as a big-endian number, with zeros for those that are missing: keys with different
/// heads sort as their heads do.
#[inline]
pub fn head(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(whole) => u64::from_be_bytes(*whole),
        None => {
            let mut padded = [0; size_of::<u64>()];
            padded[..bytes.len()].copy_from_slice(bytes);
            u64::from_be_bytes(padded)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Keys with common prefixes, some of which differ only in trailing zeros.
    fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let byte = prop_oneof![4 => Just(0), 2 => Just(b'a'), 1 => any::<u8>()];
        let key = (0..3_usize, prop::collection::vec(byte, 0..30));
        prop::collection::vec(
            key.prop_map(|(head, rest)| [&b"0020200406"[..head * 5], &rest].concat()),
            0..200,
        )
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_a_stable_sort(keys in keys()) {
            let count = u32::try_from(keys.len()).unwrap();
            let mut expected: Vec<u32> = (0..count).collect();
            expected.sort_by_key(|number| &keys[*number as usize]);
            prop_assert_eq!(sorted_by_key(0..count, |number| &keys[number as usize]), expected);
        }
    }

    #[test]
    fn keys_that_differ_earlier_than_those_looked_at_first_are_sorted() {
        let mut keys: Vec<String> =
            (0..1_000).map(|number| format!("0020200406|{:03}", number * 7 % 1_000)).collect();
        for (at, other) in [(7, "0020200405|999"), (501, "00202"), (502, ""), (998, "0020200406")] {
            keys[at] = other.to_owned();
        }
        let mut expected: Vec<u32> = (0..1_000).collect();
        expected.sort_by_key(|number| &keys[*number as usize]);
        assert_eq!(sorted_by_key(0..1_000, |number| keys[number as usize].as_bytes()), expected);
    }

    #[test]
    fn long_keys_that_differ_late_are_sorted() {
        let keys: Vec<Vec<u8>> =
            (0..50_u8).rev().map(|last| [vec![7; 32_000], vec![last]].concat()).collect();
        let order = sorted_by_key(0..50, |number| &keys[number as usize]);
        assert!(order.into_iter().eq((0..50).rev()));
    }

    #[test]
    fn keys_that_differ_within_and_behind_the_bytes_looked_at_together_are_sorted() {
        let key = |number: u32| format!("user|{:016}|{:020}", number * 7 % 5, number * 37 % 101);
        let keys: Vec<String> = (0..100).map(key).collect();
        let mut expected: Vec<u32> = (0..100).collect();
        expected.sort_by_key(|number| &keys[*number as usize]);
        assert_eq!(sorted_by_key(0..100, |number| keys[number as usize].as_bytes()), expected);
    }
}
