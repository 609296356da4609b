//! Filters that combine filters.

use super::Filter;
use super::java_object::class;
use crate::proto::{self, filter_list::Operator};

impl Filter {
    /// What passes all of these filters, applied in order; with no filter, everything. `FilterList`, `MUST_PASS_ALL`.
    ///
    /// Put filters that skip or drop the most first. A filter that counts, like [`Self::page`], should be last: it
    /// counts what reaches it.
    pub fn all(filters: impl IntoIterator<Item = Self>) -> Self {
        Self::list(Operator::MustPassAll, filters)
    }

    /// What passes at least one of these filters; with no filter, nothing. `FilterList`, `MUST_PASS_ONE`.
    pub fn any(filters: impl IntoIterator<Item = Self>) -> Self {
        let mut filters = filters.into_iter().peekable();
        // Servers let everything pass an empty list.
        if filters.peek().is_none() {
            return Self::nothing();
        }
        Self::list(Operator::MustPassOne, filters)
    }

    fn list(operator: Operator, filters: impl IntoIterator<Item = Self>) -> Self {
        let filters = filters.into_iter().map(Self::into_proto).collect();
        Self::of(class!("FilterList"), &proto::FilterList { operator: operator.into(), filters })
    }

    /// Rows of which all cells pass. `SkipFilter`.
    pub fn skip(filter: Self) -> Self {
        Self::of(class!("SkipFilter"), &proto::SkipFilter { filter: filter.into_proto() })
    }

    /// What passes, until something does not: that ends the scan of the region. `WhileMatchFilter`.
    pub fn while_match(filter: Self) -> Self {
        Self::of(class!("WhileMatchFilter"), &proto::WhileMatchFilter { filter: filter.into_proto() })
    }
}
