//! Filters made of filters.

use super::Filter;
use super::java_object::class;
use crate::proto::{self, filter_list::Operator};

impl Filter {
    /// What passes all of these, asked in their order; of no filter, everything. `FilterList`, `MUST_PASS_ALL`.
    ///
    /// Put first what jumps or drops most. A filter that counts, like [`Self::page`], belongs last: it counts what
    /// reaches it.
    pub fn all(filters: impl IntoIterator<Item = Self>) -> Self {
        Self::list(Operator::MustPassAll, filters)
    }

    /// What passes at least one of these; of no filter, nothing. `FilterList`, `MUST_PASS_ONE`.
    pub fn any(filters: impl IntoIterator<Item = Self>) -> Self {
        let mut filters = filters.into_iter().peekable();
        // To a server an empty list passes everything.
        if filters.peek().is_none() {
            return Self::nothing();
        }
        Self::list(Operator::MustPassOne, filters)
    }

    fn list(operator: Operator, filters: impl IntoIterator<Item = Self>) -> Self {
        let filters = filters.into_iter().map(Self::into_proto).collect();
        Self::of(class!("FilterList"), &proto::FilterList { operator: operator.into(), filters })
    }

    /// Rows of which every cell passes; one that does not drops its row. `SkipFilter`.
    pub fn skip(filter: Self) -> Self {
        Self::of(class!("SkipFilter"), &proto::SkipFilter { filter: filter.into_proto() })
    }

    /// What passes, until the first time something does not: that ends the region's scan. `WhileMatchFilter`.
    pub fn while_match(filter: Self) -> Self {
        Self::of(class!("WhileMatchFilter"), &proto::WhileMatchFilter { filter: filter.into_proto() })
    }
}
