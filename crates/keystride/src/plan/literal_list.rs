//! The list of `expr in (…)`.

use super::set::Literal;
use crate::value::Value;

/// Values in ascending order, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralList(Vec<Literal>);

impl LiteralList {
    /// Returns the values, in ascending order.
    pub fn iter(&self) -> std::slice::Iter<'_, Literal> {
        self.0.iter()
    }

    /// Whether it has the value. This is asked for each row, of lists that may have thousands of values.
    pub(super) fn contains(&self, value: Value<'_>) -> bool {
        self.0.binary_search_by(|literal| literal.cmp_value(value)).is_ok()
    }
}

impl FromIterator<Literal> for LiteralList {
    fn from_iter<I: IntoIterator<Item = Literal>>(literals: I) -> Self {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        Self(literals)
    }
}

impl<'a> IntoIterator for &'a LiteralList {
    type Item = &'a Literal;
    type IntoIter = std::slice::Iter<'a, Literal>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<LiteralList> for Vec<Literal> {
    fn from(list: LiteralList) -> Self {
        list.0
    }
}
