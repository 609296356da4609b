//! What is asked of a table.

use keystride::Predicate;
use keystride::plan::PlanOrder;

/// Which rows to read, in which order, how many, and which of their fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// The rows wanted; `None` for all.
    pub predicate: Option<Predicate>,
    /// The order they come in.
    pub order: RowOrder,
    /// The time that latest and earliest are by, a field of that type; `None` for the one in the key, else the design's
    /// first.
    pub time: Option<usize>,
    /// How many at most.
    pub limit: Option<u64>,
    /// Indexes of the fields wanted; `None` for all that are not derived. A row comes also when it has none of them.
    pub fields: Option<Vec<usize>>,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowOrder {
    /// As they come: the cheapest.
    #[default]
    Any,
    /// By key without its leading bucket, smallest first; rows of one such key by bucket.
    Key,
    /// The same backwards.
    KeyReversed,
    /// By time, latest first.
    Newest,
    /// By time, earliest first.
    Oldest,
}

impl Query {
    /// All rows that a predicate is true of, as they come.
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
