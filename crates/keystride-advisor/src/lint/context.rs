//! What all lints look at: the subject, and what is derived from it once.

use std::collections::{BTreeMap, BTreeSet};

use keystride::design::{
    Access, AccessBound, AccessOrder, BucketPart, Cluster, DEFAULT_PUTS_PER_S, Design, Expr, Field,
    FieldKind, FieldPart, Part, SplitRule, TextPart, TimeKind,
};
use keystride::{KeyCodec, KeyLanguage, Planner};

use super::found::{Place, Points};
use super::reads::Read;
use super::regions::Regions;
use super::{SplitOrigin, Splits, Subject};

/// What every lint looks at, computed once.
pub(super) struct Context<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) codec: &'a KeyCodec,
    pub(super) design: &'a Design,
    pub(super) language: KeyLanguage,
    /// `None` for a table of a single region, or one whose split is unknown.
    pub(super) regions: Option<Regions<'a>>,
    /// The accesses that could be planned.
    pub(super) reads: Vec<Read<'a>>,
}

/// The time that a server needs to open a range, in seconds.
pub(super) const SEEK_S: f64 = 500e-6;
/// The time that a server needs to read a row, in seconds.
pub(super) const ROW_S: f64 = 2e-6;
/// The load of a server, relative to the mean, that is tolerated.
pub(super) const TOLERANCE: f64 = 1.25;

impl<'a> Context<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        let codec = subject.codec;
        let design = codec.design();
        let language = KeyLanguage::new(codec);
        let planner = Planner::new(codec);
        let regions = match subject.splits {
            Splits::Points { points, .. } if !points.keys().is_empty() => {
                Some(Regions::new(codec, &language, points))
            }
            _ => None,
        };
        let reads =
            design.accesses().iter().filter_map(|access| Read::new(&planner, &language, access)).collect();
        Self { subject, codec, design, language, regions, reads }
    }

    pub(super) fn field(&self, index: usize) -> &'a Field {
        &self.design.fields()[index]
    }

    pub(super) fn name(&self, field: usize) -> String {
        self.design.fields()[field].name.clone()
    }

    pub(super) fn part_place(&self, index: usize) -> Place {
        let span = self.design.parts()[index].span().clone();
        Place { component: part_path(index), span: Some(span) }
    }

    pub(super) fn field_place(&self, index: usize) -> Place {
        let field = self.field(index);
        Place { component: format!("fields.{}", field.name), span: Some(field.span.clone()) }
    }

    pub(super) fn split_place(&self) -> Place {
        let span = self.design.split().map(|split| split.span.clone());
        Place { component: "split".to_owned(), span }
    }

    /// Iterates over field parts, with their index.
    pub(super) fn field_parts(&self) -> impl Iterator<Item = (usize, &'a FieldPart, &'a Field)> {
        let design = self.design;
        design.parts().iter().enumerate().filter_map(move |(index, part)| match part {
            Part::Field(part) => Some((index, part, &design.fields()[part.field])),
            Part::Text(_) | Part::Bucket(_) => None,
        })
    }

    /// Iterates over bucket parts, with their index.
    pub(super) fn bucket_parts(&self) -> impl Iterator<Item = (usize, &'a BucketPart)> {
        self.design.parts().iter().enumerate().filter_map(|(index, part)| match part {
            Part::Bucket(part) => Some((index, part)),
            Part::Text(_) | Part::Field(_) => None,
        })
    }

    /// Returns how many numbers of the leading bucket rows may have.
    pub(super) fn filled_buckets(&self) -> Option<u32> {
        let count = self.design.leading_bucket()?.count.get();
        let filled = self.regions.as_ref().and_then(|regions| u32::try_from(regions.reachable.len()).ok());
        Some(filled.unwrap_or(count))
    }

    /// Returns what a bucket is computed from, as a design file writes it.
    pub(super) fn item_names(&self, part: &BucketPart) -> Vec<String> {
        part.of.items().iter().map(|item| item.to_text(self.design.fields())).collect()
    }

    /// Returns the text directly after part `index`.
    pub(super) fn text_after(&self, index: usize) -> Option<&'a TextPart> {
        match self.design.parts().get(index + 1) {
            Some(Part::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the index of the first part that varies.
    pub(super) fn lead(&self) -> Option<usize> {
        self.design.parts().iter().position(|part| match part {
            Part::Text(_) => false,
            Part::Bucket(bucket) => bucket.count.get() > 1,
            Part::Field(_) => true,
        })
    }

    pub(super) fn rule(&self) -> Option<&'a SplitRule> {
        self.design.split().map(|split| &split.rule)
    }

    /// Returns how the design's points depend on keys as they are.
    pub(super) fn points(&self) -> Points {
        match self.rule() {
            Some(SplitRule::List(_) | SplitRule::File { .. } | SplitRule::Range { .. }) => Points::AreWritten,
            Some(SplitRule::Algorithm { .. } | SplitRule::PartitionKeys { .. }) => {
                Points::SuitPartsUpTo(self.lead().unwrap_or(0))
            }
            _ => Points::Follow,
        }
    }

    /// Whether the points are the design's own, so that a patch of the design can move them.
    pub(super) fn owns_split(&self) -> bool {
        matches!(self.subject.splits, Splits::Points { origin: SplitOrigin::Design, .. } | Splits::Refused(_))
    }

    /// Returns an access that asks for a range or a prefix of the field or, for a time, for an order by time.
    pub(super) fn ranged_by(&self, field: usize) -> Option<&'a Access> {
        let source = self.design.source_of(field);
        self.design.accesses().iter().find(|access| {
            let bound = match access.bound {
                Some(AccessBound::Range(bound) | AccessBound::Prefix(bound)) => Some(bound),
                None => None,
            };
            let sorts = access.order != AccessOrder::Key && self.field(field).time().is_some();
            sorts || bound.is_some_and(|bound| self.design.source_of(bound) == source)
        })
    }

    /// Whether an access gives the value of a part's field, or that of its source, or the same function of it.
    pub(super) fn gives(&self, access: &Access, field: usize) -> bool {
        let fields = self.design.fields();
        let wanted = Expr::field(field).of_source(fields);
        access.by.iter().map(|expr| expr.of_source(fields)).any(|given| {
            given == wanted || (given.function.is_none() && given.field == self.design.source_of(field))
        })
    }

    /// Returns the range of a field's numbers if no bounds are declared.
    pub(super) fn undeclared(field: &Field) -> Option<(i128, i128)> {
        match &field.kind {
            FieldKind::Int(int) => Some(int.width.range()),
            FieldKind::Time(time) => Some(TimeKind::widest(&time.text, &time.zone)),
            _ => None,
        }
    }

    pub(super) fn cluster(&self) -> Option<&'a Cluster> {
        self.design.cluster()
    }

    pub(super) fn servers(&self) -> Option<u32> {
        self.cluster().map(|cluster| cluster.servers)
    }

    /// Returns the puts per second that one server can handle, as declared or by default.
    pub(super) fn puts_per_s(&self) -> f64 {
        self.cluster().map_or(DEFAULT_PUTS_PER_S, |cluster| cluster.puts_per_s)
    }

    /// Returns how many rows arrive per second, at the peak if one is declared.
    pub(super) fn rows_per_s(&self) -> Option<f64> {
        self.design.workload().and_then(keystride::design::Workload::rate)
    }

    /// Returns how many rows arrive per second on average.
    pub(super) fn mean_rows_per_s(&self) -> Option<f64> {
        self.design.workload().and_then(|workload| workload.rows_per_s)
    }

    /// Returns how many rows are kept, if rate and retention are declared.
    pub(super) fn rows_kept(&self) -> Option<f64> {
        Some(self.mean_rows_per_s()? * self.kept_s()?)
    }

    /// Returns how long rows are kept, in seconds: the workload's retention, or the longest time to live if every
    /// family has one.
    pub(super) fn kept_s(&self) -> Option<f64> {
        if let Some(retention) = self.design.workload().and_then(|workload| workload.retention_s) {
            return Some(seconds(retention));
        }
        let ttls: Option<Vec<u32>> = self.design.table().families.iter().map(|family| family.ttl_s).collect();
        ttls?.into_iter().max().map(f64::from)
    }

    /// Returns an upper bound on the number of values of a field: as declared, or by its domain. A field that is computed
    /// from another has no more values than that one.
    pub(super) fn distinct(&self, field: usize) -> Option<f64> {
        let declared = self.declared(field);
        let domain = keystride::internal::written_count(self.design, field).map(count);
        let source = self.design.source_of(field);
        let of_source = if source == field { None } else { self.distinct(source) };
        [declared, domain, of_source].into_iter().flatten().reduce(f64::min)
    }

    /// Returns how many values a field is declared to have.
    pub(super) fn declared(&self, field: usize) -> Option<f64> {
        self.field(field).distinct.map(|declared| count(declared.into()))
    }

    /// Returns an upper bound on the number of combinations of values of some fields. What is computed from one field has
    /// no more values together than that field.
    pub(super) fn combinations(&self, fields: impl IntoIterator<Item = usize>) -> Option<f64> {
        let fields: BTreeSet<usize> = fields.into_iter().collect();
        let values =
            fields.into_iter().map(|field| Some((self.design.source_of(field), self.distinct(field)?)));
        Some(self.together(values.collect::<Option<Vec<_>>>()?))
    }

    /// Returns an upper bound on the number of combinations of so many values, each computed from a source field.
    pub(super) fn together(&self, values: impl IntoIterator<Item = (usize, f64)>) -> f64 {
        let mut of_sources: BTreeMap<usize, f64> = BTreeMap::new();
        for (source, values) in values {
            *of_sources.entry(source).or_insert(1.0) *= values;
        }
        let capped =
            |(source, values): (usize, f64)| self.distinct(source).map_or(values, |all| all.min(values));
        of_sources.into_iter().map(capped).product()
    }

    /// Returns the declared share of a field's most frequent value, and the field that declares it: itself, or the one
    /// it is computed from, as what is computed from a frequent value is at least as frequent.
    pub(super) fn max_share(&self, field: usize) -> Option<(usize, f64)> {
        let fields = [field, self.design.source_of(field)];
        let shares = fields.into_iter().filter_map(|field| Some((field, self.field(field).max_share?)));
        shares.reduce(|own, of_source| if of_source.1 > own.1 { of_source } else { own })
    }
}

pub(super) fn part_path(index: usize) -> String {
    format!("key.parts[{index}]")
}

#[expect(clippy::cast_precision_loss, reason = "a count in a sentence needs no 53 bits")]
pub(super) fn count(number: u128) -> f64 {
    number as f64
}

#[expect(clippy::cast_precision_loss, reason = "284 million years are exact")]
fn seconds(number: u64) -> f64 {
    number as f64
}
