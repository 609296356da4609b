//! Predicates over a composed design.

use keystride::{Design, Predicate};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::Composed;

/// Atoms, each perhaps negated, and what stands before each but the first.
#[derive(Debug, Clone)]
pub(super) struct Shape(Vec<(Atom, bool, &'static str)>);

#[derive(Debug, Clone)]
struct Atom {
    operand: Index,
    literals: [Index; 3],
    shape: Index,
}

pub(super) fn predicate() -> impl Strategy<Value = Shape> {
    let literals = [any::<Index>(), any::<Index>(), any::<Index>()];
    let atom = (any::<Index>(), literals, any::<Index>()).prop_map(|(operand, literals, shape)| Atom {
        operand,
        literals,
        shape,
    });
    let join = select(vec!["and", "and", "or"]);
    prop::collection::vec((atom, prop::bool::weighted(0.15), join), 1..5).prop_map(Shape)
}

const SHAPES: &[&str] = &[
    "OP = LOW",
    "OP = LOW",
    "OP != LOW",
    "OP < LOW",
    "OP <= LOW",
    "OP > LOW",
    "OP >= LOW",
    "OP between LOW and HIGH",
    "OP not between LOW and HIGH",
    "OP in (LOW, HIGH, OTHER)",
    "OP not in (LOW, HIGH)",
    "OP is null",
    "OP is not null",
    "OP like LOW%",
];

impl Shape {
    /// Those of the atoms that the design takes, from left to right; `None` where it takes none.
    pub(super) fn text(&self, composed: &Composed, design: &Design) -> Option<String> {
        let mut text = String::new();
        for (atom, is_not, join) in &self.0 {
            let atom = atom.text(composed);
            if Predicate::parse(&atom, design).is_err() {
                continue;
            }
            let atom = if *is_not { format!("not {atom}") } else { atom };
            text = if text.is_empty() { atom } else { format!("({text} {join} {atom})") };
        }
        (!text.is_empty()).then_some(text)
    }
}

impl Atom {
    fn text(&self, composed: &Composed) -> String {
        let (name, literals) = self.operand.get(&composed.operands);
        let [low, high, other] = self.literals.map(|index| *index.get(literals));
        let shape = self.shape.get(SHAPES);
        let text = shape.replace("OP", name).replace("HIGH", high).replace("OTHER", other);
        match low.strip_suffix('\'') {
            Some(open) => text.replace("LOW%", &format!("{open}%'")).replace("LOW", low),
            None => text.replace("LOW", low),
        }
    }
}
