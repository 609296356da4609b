//! Predicates that are made of values instead of read from text.

use keystride::plan::Comparison;
use keystride::{Design, Predicate, Value};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::designs::{SmallDesign, SmallField, small_design, wide_design};

/// A design and a predicate over its fields.
fn case() -> impl Strategy<Value = (SmallDesign, Predicate)> {
    prop_oneof![small_design(), wide_design()].prop_flat_map(|small| {
        let (codec, fields) = (small.codec(), small.fields.clone());
        let atoms = (prop::sample::select(fields), any::<[Index; 3]>(), 0..5_u8);
        let atoms = atoms
            .prop_map(move |(field, picks, shape)| atom(codec.design(), &field, picks, shape))
            .prop_recursive(3, 6, 3, |inner| {
                prop_oneof![
                    4 => prop::collection::vec(inner.clone(), 1..=3).prop_map(Predicate::all),
                    2 => prop::collection::vec(inner.clone(), 1..=3).prop_map(Predicate::any),
                    1 => inner.prop_map(|one| !one),
                ]
            });
        (Just(small), atoms)
    })
}

fn atom(design: &Design, field: &SmallField, [op, first, second]: [Index; 3], shape: u8) -> Predicate {
    let values: Vec<Value<'_>> = field.values.iter().flatten().map(|value| value.value()).collect();
    let [low, high] = [first, second].map(|index| values[index.index(values.len())]);
    let (name, is_bool) = (field.name.as_str(), matches!(low, Value::Bool(_)));
    let made = match (shape, low) {
        (0, _) => Predicate::is_null(design, name),
        (1, _) => Predicate::one_of(design, name, [low, high]),
        (2, _) if !is_bool => Predicate::between(design, name, low, high),
        (3, Value::Text(text)) => Predicate::starts_with(design, name, text),
        _ => {
            let ops = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::GreaterOrEqual];
            let ops = if is_bool { &ops[..2] } else { &ops };
            Predicate::compare(design, name, ops[op.index(ops.len())], low)
        }
    };
    made.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_predicate_made_of_values_is_what_its_text_reads_as((small, made) in case()) {
        let codec = small.codec();
        let text = made.to_text(codec.design());
        prop_assert_eq!(Predicate::parse(&text, codec.design()), Ok(made), "{}", text);
    }
}
