use keystride::codec::{KeyDecodeError, KeyError, KeyFault};
use keystride::design::DesignError;
use keystride::plan::PlanOrder;
use keystride::value::ValueError;
use keystride::{Design, KeyCodec, Planner, Predicate, Row, SplitError, SplitPoints};

use crate::tally::{Outcome, same};

/// A design of a few lines and the keys it makes.
pub(crate) struct Recipe {
    codec: KeyCodec,
}

/// Why a row has no key.
#[derive(Debug, PartialEq)]
pub(crate) enum Refused {
    Value(ValueError),
    /// An encoder has no bytes for the value.
    Bytes(String),
    Key(KeyError),
}

impl Refused {
    /// What a step has against the value.
    pub(crate) fn fault(&self) -> Option<&KeyFault> {
        match self {
            Self::Key(KeyError::Field { cause, .. }) => Some(cause),
            _ => None,
        }
    }
}

impl Recipe {
    /// The lines of `[fields]`, the parts of the key, and other tables.
    pub(crate) fn read(fields: &str, parts: &str, others: &str) -> Result<Self, DesignError> {
        let text = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n{others}"
        );
        Design::from_toml(&text).map(|design| Self { codec: KeyCodec::new(design) })
    }

    /// A recipe that is known to be a design.
    pub(crate) fn new(fields: &str, parts: &str) -> Self {
        Self::read(fields, parts, "").expect("a design")
    }

    pub(crate) fn codec(&self) -> &KeyCodec {
        &self.codec
    }

    pub(crate) fn split_points(&self) -> SplitPoints {
        self.try_split_points().expect("split points")
    }

    /// The split points, which may be a list that is none.
    pub(crate) fn try_split_points(&self) -> Result<SplitPoints, SplitError> {
        self.codec.design().split_points(&mut [])
    }

    /// The row of these texts, field by field; an empty text is a value.
    pub(crate) fn row(&self, texts: &[&str]) -> Result<Row, ValueError> {
        let fields = self.codec.design().fields();
        let mut row = Row::new(fields.len());
        for (index, text) in texts.iter().enumerate() {
            row.read(index, &fields[index].kind, text)?;
        }
        Ok(row)
    }

    pub(crate) fn key(&self, texts: &[&str]) -> Result<Vec<u8>, Refused> {
        self.key_in(0, texts)
    }

    /// The key in a bucket that is not a function of the row.
    pub(crate) fn key_in(&self, bucket: u64, texts: &[&str]) -> Result<Vec<u8>, Refused> {
        self.encode(bucket, &self.row(texts).map_err(Refused::Value)?)
    }

    pub(crate) fn key_of(&self, row: &Row) -> Result<Vec<u8>, Refused> {
        self.encode(0, row)
    }

    fn encode(&self, bucket: u64, row: &Row) -> Result<Vec<u8>, Refused> {
        let mut encoder = self.codec.encoder();
        encoder.supply(bucket);
        let mut key = Vec::new();
        encoder.encode(row, &mut key).map_err(Refused::Key)?;
        Ok(key)
    }

    pub(crate) fn decode(&self, key: &[u8]) -> Result<Row, KeyDecodeError> {
        self.codec.decode(key).map(|decoded| decoded.row)
    }

    /// Whether these texts have this key in the bucket, and the key reads back as them.
    pub(crate) fn both_ways(&self, bucket: u64, texts: &[&str], theirs: &[u8]) -> Outcome {
        let ours = (self.key_in(bucket, texts), self.decode(theirs).ok());
        same(&ours, &(Ok(theirs.to_vec()), self.row(texts).ok()))
    }

    /// The keys that a plan for the predicate reads and keeps, in the order given.
    pub(crate) fn select(&self, predicate: &str, keys: &[String]) -> Vec<String> {
        let design = self.codec.design();
        let predicate = Predicate::parse(predicate, design).expect("a predicate");
        let plan = Planner::new(&self.codec).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
        let kept = |key: &&String| {
            let read = plan.ranges.iter().any(|planned| planned.range.contains(key.as_bytes()));
            let matches = |filter: &Predicate| {
                filter.matches(design, &self.decode(key.as_bytes()).expect("a key of the design"))
            };
            read && plan.filter.as_ref().is_none_or(matches)
        };
        keys.iter().filter(kept).cloned().collect()
    }
}
