//! The languages of designs with too many values to list: every key is found from any place before it, nothing else is
//! found, and the shares of keys are those of their values.

use keystride::range::next_key;
use keystride::{Design, KeyCodec, KeyLanguage, Row};

/// A design with one long part, the values of that part, and the probability of each. The part may stand before a
/// digit of 0 to 2, called `n`.
struct Case {
    field: &'static str,
    parts: &'static str,
    values: fn() -> Vec<(String, f64)>,
}

/// Whole numbers, all equally likely.
fn numbers(least: i32, most: i32) -> Vec<(String, f64)> {
    let share = 1.0 / f64::from(most - least + 1);
    (least..=most).map(|number| (number.to_string(), share)).collect()
}

/// Texts of `a` and `b`, of which all lengths are equally likely; and no value, if it has a default.
fn texts(least: u32, most: u32) -> Vec<(String, f64)> {
    let share = 1.0 / f64::from(most - least + 1);
    let of_len = |len: u32| {
        (0..1_u32 << len).map(move |bits| {
            let text = (0..len).rev().map(|place| if bits >> place & 1 == 0 { 'a' } else { 'b' }).collect();
            (text, share / f64::from(1_u32 << len))
        })
    };
    (least..=most).flat_map(of_len).collect()
}

const CASES: &[Case] = &[
    Case {
        field: "v = { type = \"int\", min = -2100, max = 2300 }",
        parts: "{ field = \"v\" }, { text = \"!\" }, { field = \"n\" }",
        values: || numbers(-2_100, 2_300),
    },
    Case {
        field: "v = { type = \"int\", min = 17, max = 5000 }",
        parts: "{ field = \"v\" }, { text = \"!?\" }, { field = \"n\" }",
        values: || numbers(17, 5_000),
    },
    Case {
        field: "v = { type = \"int\", min = -5000, max = -17 }",
        parts: "{ field = \"n\" }, { field = \"v\" }",
        values: || numbers(-5_000, -17),
    },
    Case {
        field: "v = { type = \"int\", min = -2100, max = 2300 }",
        parts: "{ field = \"v\", as = \"ordered\" }, { field = \"n\" }",
        values: || numbers(-2_100, 2_300),
    },
    Case {
        field: "v = { type = \"int\", min = 0, max = 5000 }",
        parts: "{ field = \"n\" }, { field = \"v\", as = \"be\", desc = \"long-max\" }",
        values: || numbers(0, 5_000),
    },
    Case {
        field: "v = { type = \"int\", min = 0, max = 5000 }",
        parts: "{ field = \"v\", pad = 4, desc = \"invert\" }, { field = \"n\" }",
        values: || numbers(0, 5_000),
    },
    Case {
        field: "v = { type = \"string\", max_len = 12, alphabet = \"ab\" }",
        parts: "{ field = \"v\" }, { text = \"!\" }, { field = \"n\" }",
        values: || texts(1, 12),
    },
    Case {
        field: "v = { type = \"string\", max_len = 12, alphabet = \"ab\" }",
        parts: "{ field = \"n\" }, { field = \"v\" }",
        values: || texts(1, 12),
    },
    Case {
        field: "v = { type = \"string\", max_len = 12, alphabet = \"ab\" }",
        parts: "{ field = \"v\", escape = true }, { field = \"n\" }",
        values: || texts(1, 12),
    },
    Case {
        field: "v = { type = \"string\", max_len = 12, alphabet = \"ab\" }",
        parts: "{ field = \"v\", desc = \"invert\" }, { text = \"!?\" }, { field = \"n\" }",
        values: || texts(1, 12),
    },
];

fn codec(field: &str, parts: &str) -> KeyCodec {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{field}\nn = {{ type = \"int\", min = 0, max = 2 }}\n\
         [key]\nparts = [ {parts} ]\n"
    );
    KeyCodec::new(Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}")))
}

fn key_of(codec: &KeyCodec, value: &str, n: &str) -> Vec<u8> {
    let mut row = Row::new(2);
    for (field, text) in [value, n].into_iter().enumerate() {
        codec.design().read_value(&mut row, field, text).expect("a value of its field");
    }
    let mut key = Vec::new();
    codec.encoder().encode(&row, &mut key).unwrap_or_else(|error| panic!("{error} of {value}"));
    key
}

/// The keys of the case, ascending, with the share of each.
fn keys(case: &Case, codec: &KeyCodec) -> Vec<(Vec<u8>, f64)> {
    let with_digit =
        |(value, share): (String, f64)| ["0", "1", "2"].map(|n| (key_of(codec, &value, n), share / 3.0));
    let mut keys: Vec<(Vec<u8>, f64)> = (case.values)().into_iter().flat_map(with_digit).collect();
    keys.sort_by(|left, right| left.0.cmp(&right.0));
    keys
}

#[test]
fn the_first_key_from_any_place_is_found() {
    for case in CASES {
        let codec = codec(case.field, case.parts);
        let (language, keys) = (KeyLanguage::new(&codec), keys(case, &codec));
        for (index, (key, _)) in keys.iter().enumerate().step_by(7) {
            let cut = &key[..index % key.len()];
            let mut higher = key[..=index % key.len()].to_vec();
            *higher.last_mut().expect("a byte at least") ^= 1 << (index % 8);
            for place in [key.as_slice(), &next_key(key), cut, &higher] {
                let expected = keys.get(keys.partition_point(|(key, _)| key.as_slice() < place));
                let found = language.first_at_or_after(place);
                assert_eq!(found, expected.map(|(key, _)| key.clone()), "from {place:?} in {}", case.parts);
            }
        }
    }
}

#[test]
fn a_share_is_that_of_the_keys_below() {
    for case in CASES {
        let codec = codec(case.field, case.parts);
        let language = KeyLanguage::new(&codec);
        let mut below = 0.0;
        for (index, (key, share)) in keys(case, &codec).into_iter().enumerate() {
            if index % 31 == 0 {
                let found = language.share_below(&key);
                assert!((found - below).abs() < 1e-9, "{found} for {below} below {key:?} in {}", case.parts);
            }
            below += share;
        }
    }
}

/// A place, and the first key from there on.
type Step = (&'static [u8], &'static [u8]);

/// Languages that are no more than near their keys, or too long to go through.
const STEPS: &[(&str, &str, &[Step])] = &[
    // Zeros inside a text, which may have three bytes.
    (
        "v = { type = \"string\", max_len = 3 }",
        "{ field = \"v\", escape = true }, { field = \"n\" }",
        &[
            (b"", b"\x00\xff\x00\x010"),
            (b"a\x00\xff\x00\x010", b"a\x00\xff\x00\x010"),
            (b"a\x00\x02", b"a\x00\xff\x00\x010"),
            (b"a\x00\xffb\x00\x012", b"a\x00\xffb\x00\x012"),
            (b"\x00\xff\x00\xff\x00\xff\x00\x010", b"\x00\xff\x00\xff\x00\xff\x00\x010"),
            (b"\x00\xff\x00\xff\x00\xff\x00\x02", b"\x00\xff\x00\xff\x01\x00\x010"),
            (b"abc\x00\x02", b"abd\x00\x010"),
            (b"abca", b"abd\x00\x010"),
        ],
    ),
    // A text of any bytes but the one that ends it.
    (
        "v = { type = \"string\", max_len = 3 }",
        "{ field = \"v\" }, { text = \"!\" }, { field = \"n\" }",
        &[(b"a!2", b"a!2"), (b"a!3", b"a\"\x00!0"), (b"abc\"", b"abd!0")],
    ),
    // A default that is no value.
    (
        "v = { type = \"string\", max_len = 12, alphabet = \"ab\", default = \"+\" }",
        "{ field = \"v\" }, { text = \"!\" }, { field = \"n\" }",
        &[(b"", b"+!0"), (b"+!1", b"+!1"), (b"+!3", b"a!0"), (b"+a", b"a!0")],
    ),
    // A text and an unpadded number that end where the rest of the key begins.
    (
        "v = { type = \"string\", max_len = 12, alphabet = \"ab\" }",
        "{ field = \"v\" }, { field = \"n\", pad = 1 }",
        &[(b"", b"a0"), (b"ab", b"ab"), (b"a2\x00", b"a20"), (b"b:", b"ba")],
    ),
    (
        "v = { type = \"int\", min = 0, max = 5000 }",
        "{ field = \"v\" }, { field = \"n\", pad = 1 }",
        &[(b"", b"00"), (b"1", b"10"), (b"9:", b"")],
    ),
    // Buckets of one and of two digits.
    (
        "v = { type = \"int\", min = 0, max = 5000 }",
        "{ bucket = 12, width = 1, of = [\"v\"] }, { text = \"!\" }, { field = \"v\" }",
        &[(b"", b"0!0"), (b"1\"", b"10!0"), (b"11!5001", b"11!501"), (b"12", b"2!0"), (b"9!:", b"")],
    ),
];

#[test]
fn the_first_key_from_a_place_is_the_next_that_may_be_one() {
    for (field, parts, steps) in STEPS {
        let language = KeyLanguage::new(&codec(field, parts));
        for (place, first) in *steps {
            let found = language.first_at_or_after(place).unwrap_or_default();
            assert_eq!(found, *first, "from {place:?} in {parts}");
            assert!(!language.meets(place, Some(first)), "from {place:?} in {parts}");
            assert_eq!(
                language.meets(place, Some(&next_key(first))),
                !first.is_empty(),
                "from {place:?} in {parts}"
            );
        }
    }
}

#[test]
fn any_bytes_are_equally_likely_and_a_default_is_no_share() {
    let any = KeyLanguage::new(&codec(
        "v = { type = \"string\" }",
        "{ field = \"v\" }, { text = \"!?\" }, { field = \"n\" }",
    ));
    assert!((any.share_below(b"\x40\x80") - (64.5 / 256.0)).abs() < 1e-9);
    let texts = KeyLanguage::new(&codec(STEPS[2].0, STEPS[2].1));
    assert!(texts.share_below(b"a") < 1e-9);
    assert!((texts.share_below(b"b") - 0.5).abs() < 1e-9);
}
