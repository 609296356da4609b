//! What holds of every design: that its keys read back, are in its language, and are found by its plans.

use keystride::design::{End, Part};
use keystride::{Design, KeyCodec, KeyLanguage, Row};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::kinds::KINDS;
use super::predicate::predicate;
use super::{Composed, HASHES, NAMES, composed};
use crate::plans::finds_every_match;

/// The design of the case; what is no design says nothing.
fn codec(case: &Composed) -> Result<KeyCodec, TestCaseError> {
    let codec = case.codec().ok_or_else(|| TestCaseError::reject("no design"))?;
    if has_unclear_bucket(codec.design()) {
        return Err(TestCaseError::reject("keys that read back as those of other rows, which loads refuse"));
    }
    Ok(codec)
}

/// Whether digits may follow a bucket that is too narrow for its largest numbers.
fn has_unclear_bucket(design: &Design) -> bool {
    let is_unclear = |index: usize| {
        let is_bucket = matches!(design.parts()[index], Part::Bucket(_));
        is_bucket && design.layout()[index].end == End::Own && !design.shows_end(index)
    };
    (0..design.parts().len()).any(is_unclear)
}

/// The keys of the rows that have one, and these rows.
fn keyed(codec: &KeyCodec, rows: Vec<Row>) -> Vec<(Vec<u8>, Row)> {
    let mut encoder = codec.encoder();
    let keyed = rows.into_iter().zip(0..).filter_map(|(row, number)| {
        encoder.supply(number);
        let mut key = Vec::new();
        encoder.encode(&row, &mut key).is_ok().then_some((key, row))
    });
    keyed.collect()
}

/// `PROPTEST_CASES` sets their number: eight for each.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: 8 * default.cases,
        max_global_rejects: u32::MAX,
        max_local_rejects: u32::MAX,
        ..default
    }
}

/// What is refused in all designs would be tried by no law.
#[test]
fn every_choice_is_in_some_design() {
    let mut runner = TestRunner::deterministic();
    let mut sample = || composed().new_tree(&mut runner).unwrap().current();
    let cases = (0..4_000).map(|_| sample()).filter(|case| codec(case).is_ok());
    let designs: Vec<String> = cases.map(|case| case.toml).collect();
    let occurs = |choice: &str| {
        let mut choices = NAMES.iter().map(|name| choice.replace("NAME", name));
        choices.any(|choice| designs.iter().any(|design| design.contains(&choice)))
    };
    for kind in KINDS {
        let choices = [&[kind.declaration], kind.parts, kind.functions].concat();
        for choice in choices {
            assert!(occurs(choice), "{choice} of {}", kind.declaration);
        }
    }
    for hash in HASHES {
        assert!(occurs(&format!("hash = \"{hash}\"")) || occurs(&format!("{hash} = {{")), "{hash}");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plans_find_every_matching_row_once((case, shape) in (composed(), predicate())) {
        let codec = codec(&case)?;
        let Some(text) = shape.text(&case, codec.design()) else { return Err(TestCaseError::reject("no predicate")) };
        let rows = case.rows(codec.design());
        finds_every_match(&codec, rows, &text)?;
    }

    #[test]
    fn keys_read_back_as_their_rows(case in composed()) {
        let codec = codec(&case)?;
        let in_key = codec.design().fields_in_key();
        for (key, row) in keyed(&codec, case.rows(codec.design())) {
            if codec.design().layout().iter().any(|layout| layout.end == End::Unmarked) {
                prop_assert!(codec.decode(&key).is_err());
                continue;
            }
            let decoded = codec.decode(&key).unwrap_or_else(|error| panic!("{error}: {key:?} of {row:?}"));
            for field in (0..in_key.len()).filter(|&field| in_key[field] && row.get(field).is_some()) {
                // As text, in which one NaN is the other.
                let [back, had] = [&decoded.row, &row].map(|row| format!("{:?}", row.get(field)));
                prop_assert_eq!(back, had, "field {} of {:?}", field, key);
            }
        }
    }

    #[test]
    fn keys_are_in_the_language(case in composed()) {
        let codec = codec(&case)?;
        let language = KeyLanguage::new(&codec);
        for (key, row) in keyed(&codec, case.rows(codec.design())) {
            let after = [key.as_slice(), &[0]].concat();
            prop_assert!(language.meets(&key, Some(&after)), "{:?} of {:?}", key, row);
            prop_assert_eq!(language.first_at_or_after(&key), Some(key));
        }
    }

    #[test]
    fn designs_written_read_back_as_themselves(case in composed()) {
        let design = codec(&case)?;
        let toml = design.design().to_toml(None);
        let again = Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
        prop_assert_eq!(design.design().differences(&again), Vec::<String>::new());
        prop_assert_eq!(again.to_toml(None), toml);
    }
}
