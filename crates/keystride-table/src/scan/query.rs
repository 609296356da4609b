//! Queries.

use keystride::Predicate;
use keystride::plan::PlanOrder;

/// Which rows to read, in which order, how many of them, and which fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// The rows wanted; `None` for all.
    pub predicate: Option<Predicate>,
    /// The order of the rows.
    pub order: RowOrder,
    /// The time field for the orders by time; `None` for the one in the key, or else the design's first time field.
    pub time: Option<usize>,
    /// The maximum number of rows.
    pub limit: Option<u64>,
    /// Indexes of the fields wanted; `None` for all that are not derived. A row is returned even if it has none of
    /// them.
    pub fields: Option<Vec<usize>>,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowOrder {
    /// No particular order, which is the cheapest.
    #[default]
    Any,
    /// By key without its leading bucket, smallest first; rows with equal such keys by bucket.
    Key,
    /// By key without its leading bucket, largest first.
    KeyReversed,
    /// By time, latest first.
    Newest,
    /// By time, earliest first.
    Oldest,
}

impl Query {
    /// Queries all rows that satisfy a predicate, in no particular order.
    pub fn of(predicate: Predicate) -> Self {
        Self { predicate: Some(predicate), ..Self::default() }
    }
}

impl RowOrder {
    pub(super) fn to_plan_order(self) -> PlanOrder {
        match self {
            Self::Any | Self::Key | Self::KeyReversed => PlanOrder::Any,
            Self::Newest => PlanOrder::Newest,
            Self::Oldest => PlanOrder::Oldest,
        }
    }
}
