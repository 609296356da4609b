//! Walks the parts of the key with one conjunction, and collects the ranges that it leads to.
//!
//! The walk goes from the first part to the last and extends a prefix, for as long as the conjunction gives a part one value
//! or few. At the first part that may have many, the prefix becomes a range, and the rest of the conjunction is left to
//! the filter. Going on would need a scan per value.
//!
//! For example, let the key be a bucket of 16 computed from `phone`, then `phone`, `|` and `day`:
//!
//! | Predicate | What happens | Ranges |
//! |---|---|---|
//! | `phone = '13800138000' and day >= '20200406'` | the bucket is computed, 09; `phone` and `|` extend the prefix; `day` gives the two ends | from `0913800138000\|20200406` |
//! | `phone in ('13800138000', '13900139000') and day = '20200406'` | each phone is tried: the buckets are 09 and 03 | 2 keys |
//! | `day >= '20200406'` | nothing gives the bucket, and `phone` may have any value | all 16 buckets, with a filter |
//!
//! What the walk does is limited by the number of ranges ([`MOST_RANGES`]) and of values tried ([`MOST_TRIED`]). At a
//! limit it emits the prefixes that it has, so a plan is coarser then, and never misses a row.

mod sources;
mod spans;

use std::collections::BTreeMap;
use std::mem;
use std::rc::Rc;

use spans::Span;

use super::MOST_RANGES;
use super::bucket_choices::{BucketReason, bucket_choices};
use super::conjunction::Conjunction;
use super::pieces::{PartBytes, Piece};
use super::set::{Interval, Literal, ValueSet};
use super::term::part_set;
use crate::KeyCodec;
use crate::codec::KeyEncoder;
use crate::design::{BucketInput, BucketPart, Design, Expr, FieldPart, Part, floor_number, next_period};
use crate::domain::{FieldValues, MOST_TRIED};
use crate::language::reachable_buckets;
use crate::range::KeyRange;
use crate::value::Row;

/// A range that a conjunction leads to.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) range: KeyRange,
    pub(super) bucket: Option<u32>,
    /// The terms that hold for every row of the range.
    pub(super) held: Vec<usize>,
    /// The number of leading parts that certainly have a single value throughout.
    pub(super) fixed_parts: usize,
}

/// The largest number of values of a part that are tried one by one although nothing is known about it, so that later
/// parts can be restricted.
const MOST_GAP_VALUES: u128 = 64;

pub(super) struct Walk<'a> {
    codec: &'a KeyCodec,
    encoder: KeyEncoder,
    pub(super) found: Vec<Found>,
    pub(super) buckets: Vec<BucketReason>,
    /// For each bucket part that was looked at, the buckets that a row can have there.
    reachable: BTreeMap<usize, Rc<[u32]>>,
    /// The number of places, combinations and ranges, those included that were not kept in the end.
    tried: usize,
}

/// The position of the walk.
#[derive(Clone)]
struct Place {
    part: usize,
    prefix: Vec<u8>,
    bucket: Option<u32>,
    held: Vec<usize>,
    conjunction: Conjunction,
    /// Terms that only the filter can see to, as a part was taken for clear because of them.
    presumed: Vec<usize>,
    /// The first part passed whose end the key does not show, unless the predicate gives it a single value: keys
    /// with other values of it may begin with the same bytes, so nothing is certain about the parts after it.
    unclear: Option<usize>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(codec: &'a KeyCodec) -> Self {
        Self {
            codec,
            encoder: codec.encoder(),
            found: Vec::new(),
            buckets: Vec::new(),
            reachable: BTreeMap::new(),
            tried: 0,
        }
    }

    pub(super) fn conjunction(&mut self, conjunction: &Conjunction) {
        self.step(Place {
            part: 0,
            prefix: Vec::new(),
            bucket: None,
            held: Vec::new(),
            conjunction: conjunction.clone(),
            presumed: Vec::new(),
            unclear: None,
        });
    }

    fn design(&self) -> &'a Design {
        self.codec.design()
    }

    fn step(&mut self, mut place: Place) {
        let Some(part) = self.design().parts.get(place.part) else { return self.emit(&place) };
        if let Part::Text(_) = part {
            place.prefix.extend_from_slice(self.codec.text_bytes(place.part));
            place.part += 1;
            return self.step(place);
        }
        if place.conjunction.terms.iter().any(|term| term.set.is_empty()) {
            return;
        }
        self.tried += 1;
        if !self.says_more(&place) || self.is_at_limit() {
            return self.emit(&place);
        }
        match part {
            Part::Bucket(part) => self.bucket(part, &place),
            Part::Field(part) => self.field(part, &place),
            Part::Text(_) => {}
        }
    }

    /// Whether what is found is not refined further.
    fn is_at_limit(&self) -> bool {
        self.found.len() > MOST_RANGES || self.tried as u128 > MOST_TRIED
    }

    /// Whether any part from here on can be restricted by terms that are not yet known to hold.
    fn says_more(&self, place: &Place) -> bool {
        let design = self.design();
        let open: Vec<usize> = place
            .conjunction
            .terms
            .iter()
            .enumerate()
            .filter(|(index, _)| !place.held.contains(index))
            .map(|(_, term)| design.source_of(term.expr.field))
            .collect();
        design.parts[place.part..].iter().any(|part| match part {
            Part::Text(_) => false,
            Part::Field(part) => open.contains(&design.source_of(part.field)),
            Part::Bucket(part) => design.bucket_fields(part).iter().any(|field| open.contains(field)),
        })
    }

    fn emit(&mut self, place: &Place) {
        let whole = place.part == self.design().parts.len();
        let range = if whole { KeyRange::single(&place.prefix) } else { KeyRange::prefix(&place.prefix) };
        // A whole key is that of these values, whatever else it could be read as.
        let fixed_parts = if whole { place.part } else { place.fixed_parts() };
        let held = place.certain(place.held.clone());
        self.found.push(Found { range, bucket: place.bucket, held, fixed_parts });
    }

    fn bucket(&mut self, part: &BucketPart, place: &Place) {
        let choices = match part.of {
            BucketInput::Items(_) if part.is_computed() => {
                bucket_choices(self.design(), &mut self.encoder, part, &place.conjunction, &mut self.tried)
            }
            BucketInput::Rest => return self.bucket_of_rest(part, place),
            BucketInput::Items(_) => None,
        };
        let Some(choices) = choices else {
            let reason = if part.is_computed() { BucketReason::NotGiven } else { BucketReason::NotComputed };
            return self.every_bucket(part, place, reason);
        };
        self.buckets.push(if choices.len() > 1 { BucketReason::Enumerated } else { BucketReason::Computed });
        for choice in choices {
            self.in_bucket(part, choice.bucket, &Place { conjunction: choice.conjunction, ..place.clone() });
        }
    }

    /// Continues in every bucket; the later parts are the same in all of them and are walked once.
    fn every_bucket(&mut self, part: &BucketPart, place: &Place, reason: BucketReason) {
        self.buckets.push(reason);
        let buckets = self.reachable(place.part);
        let (mut rest, reasons) = self.behind(place);
        if self.found.len() + rest.len() * buckets.len() > MOST_RANGES {
            let after = self.passed(place);
            rest = vec![Found {
                range: KeyRange::all(),
                bucket: None,
                held: after.certain(place.held.clone()),
                fixed_parts: after.fixed_parts(),
            }];
        }
        self.buckets.extend(reasons);
        self.tried += rest.len() * buckets.len();
        let mut prefix = place.prefix.clone();
        for &bucket in buckets.iter() {
            prefix.truncate(place.prefix.len());
            part.write(bucket, &mut prefix);
            self.found.extend(rest.iter().map(|found| Found {
                range: found.range.behind(&prefix),
                bucket: place.bucket.or(Some(bucket)),
                ..found.clone()
            }));
        }
    }

    /// Returns the buckets that a row can have under the part at `index`; as many rows may have to be tried for that,
    /// it is done once.
    fn reachable(&mut self, index: usize) -> Rc<[u32]> {
        let codec = self.codec;
        let found = self.reachable.entry(index).or_insert_with(|| reachable_buckets(codec, index).into());
        Rc::clone(found)
    }

    /// Walks the parts after the one at `place`, as if the key began there.
    fn behind(&mut self, place: &Place) -> (Vec<Found>, Vec<BucketReason>) {
        let rest = Place { prefix: Vec::new(), ..self.passed(place) };
        self.apart(|walk| walk.step(rest))
    }

    /// Returns what `walk` finds, apart from what was found before.
    fn apart(&mut self, walk: impl FnOnce(&mut Self)) -> (Vec<Found>, Vec<BucketReason>) {
        let before = (mem::take(&mut self.found), mem::take(&mut self.buckets));
        walk(self);
        (mem::replace(&mut self.found, before.0), mem::replace(&mut self.buckets, before.1))
    }

    /// Returns the place after the part at `place`, of which the predicate gives no single value.
    fn passed(&self, place: &Place) -> Place {
        let unclear = place.unclear.or((!self.design().shows_end(place.part)).then_some(place.part));
        Place { part: place.part + 1, unclear, ..place.clone() }
    }

    fn in_bucket(&mut self, part: &BucketPart, bucket: u32, place: &Place) {
        let mut next = self.passed(place);
        part.write(bucket, &mut next.prefix);
        next.bucket.get_or_insert(bucket);
        self.step(next);
    }

    /// A bucket of the rest of the key is known if all of that rest is.
    fn bucket_of_rest(&mut self, part: &BucketPart, place: &Place) {
        let (rest, _) = self.behind(place);
        let whole = self.design().parts.len();
        if !rest.iter().all(|found| found.fixed_parts == whole) {
            return self.every_bucket(part, place, BucketReason::NotGiven);
        }
        self.buckets.push(if rest.len() > 1 { BucketReason::Enumerated } else { BucketReason::Computed });
        for found in rest {
            let Ok(bucket) = crate::codec::bucket_of_rest(part, found.range.start()) else { continue };
            let mut prefix = place.prefix.clone();
            part.write(bucket, &mut prefix);
            prefix.extend_from_slice(found.range.start());
            let bucket = Some(place.bucket.unwrap_or(bucket));
            self.found.push(Found { range: KeyRange::single(&prefix), bucket, ..found });
        }
    }

    fn field(&mut self, part: &FieldPart, place: &Place) {
        let Some(known) = part_set(&place.conjunction, part, self.design()) else {
            return self.gap(part, place);
        };
        let mut bytes = PartBytes { codec: self.codec, encoder: &mut self.encoder, index: place.part, part };
        let Some(pieces) = bytes.pieces(&known.set) else { return self.gap(part, place) };
        let is_single = pieces.len() == 1 && !known.is_narrowed;
        let sources = self.sources(part, place);
        for piece in pieces {
            let exact = piece.is_exact();
            let mut held = place.held.clone();
            held.extend(known.held.iter().filter(|term| exact && !place.presumed.contains(term)));
            match piece {
                Piece::Point { bytes, value, .. } => {
                    let mut next = self.after_value(part, place, &bytes, value.as_ref(), held);
                    if is_single && next.unclear != place.unclear {
                        next.unclear = place.unclear;
                        next.presumed.extend(&known.terms);
                    }
                    if let Some(sources) = &sources {
                        sources.narrow(&mut next.conjunction, value.as_ref());
                    }
                    self.step(next);
                }
                Piece::Span { start, stop, numbers, .. } => {
                    self.span(part, place, Span { start, stop, numbers, held });
                }
            }
        }
    }

    /// Nothing usable is known about this part: tries its values if they are few, or reads them all.
    fn gap(&mut self, part: &FieldPart, place: &Place) {
        let design = self.design();
        let after = Place { part: place.part + 1, ..place.clone() };
        let own = Expr::field(part.field).of_source(&design.fields);
        let plain = own.function.is_none() && part.steps.floor.is_none();
        let few = FieldValues::up_to(design, own.field, MOST_GAP_VALUES).filter(|_| plain);
        let (Some(values), true) = (few, self.says_more(&after)) else { return self.emit(place) };
        let is_free = place.conjunction.terms.iter().all(|term| term.expr.field != own.field);
        let mut row = Row::new(design.fields.len());
        for number in 0..values.count() {
            values.set(number, &mut row);
            let mut bytes = Vec::new();
            if self.encoder.encode_part(place.part, &row, &mut bytes).is_ok() {
                let value = row.get(own.field).map(Literal::of);
                let mut next = self.after_value(part, place, &bytes, value.as_ref(), place.held.clone());
                if is_free {
                    next.give(&own, value);
                }
                self.step(next);
            }
        }
    }

    /// Returns the place after a part that has one value; a period restricts the field for later parts.
    fn after_value(
        &self,
        part: &FieldPart,
        place: &Place,
        bytes: &[u8],
        value: Option<&Literal>,
        held: Vec<usize>,
    ) -> Place {
        let design = self.design();
        let prefix = [&place.prefix, bytes].concat();
        let mut next = Place { prefix, held, ..self.passed(place) };
        let expr = Expr::field(part.field).of_source(&design.fields);
        if let (Some(period), Some(time), Some(Literal::Int(number))) =
            (part.steps.floor, design.fields[part.field].time(), value)
        {
            let start = floor_number(*number, period, time);
            let end = next_period(*number, period, time);
            let within = ValueSet::interval(
                std::ops::Bound::Included(Literal::Int(start)),
                std::ops::Bound::Excluded(Literal::Int(end)),
            );
            if next.conjunction.set_of(&expr).is_some() {
                next.conjunction = next.conjunction.narrowed(&expr, &within);
            }
        }
        next
    }
}

impl Place {
    /// Gives a field the value of a part that the predicate says nothing about: later buckets and parts of the field are
    /// those of this value. It restricts none of the rows, so it counts as a term that holds.
    fn give(&mut self, field: &Expr, value: Option<Literal>) {
        let set = value.map_or_else(ValueSet::only_null, |value| ValueSet::of(vec![Interval::point(value)]));
        self.held.push(self.conjunction.terms.len());
        self.conjunction = self.conjunction.narrowed(field, &set);
    }

    /// Returns those of `held` that certainly hold.
    fn certain(&self, held: Vec<usize>) -> Vec<usize> {
        if self.unclear.is_some() { Vec::new() } else { held }
    }

    fn fixed_parts(&self) -> usize {
        self.unclear.unwrap_or(self.part)
    }
}

impl Piece {
    fn is_exact(&self) -> bool {
        match self {
            Self::Point { exact, .. } | Self::Span { exact, .. } => *exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Predicate;
    use crate::plan::conjunction::alternatives;

    #[test]
    fn at_the_limit_the_rest_is_left_to_the_filter() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    phone = { type = \"digits\", len = 3 }\nn = { type = \"u32\" }\n\
                    [key]\nparts = [{ field = \"phone\" }, { bucket = 2, of = [\"phone\", \"n\"] }, { field = \"n\" }]";
        let codec = KeyCodec::new(Design::from_toml(toml).unwrap());
        let predicate = Predicate::parse("phone in ('123', '127') and n = 5", codec.design()).unwrap();
        let conjunctions = alternatives(&predicate, codec.design()).unwrap();
        let found = |tried_before: usize| {
            let mut walk = Walk::new(&codec);
            walk.tried = tried_before;
            walk.conjunction(&conjunctions[0]);
            let ends = walk.found.iter().map(|found| (found.range.start().to_vec(), found.holds_all(2)));
            (walk.tried - tried_before, ends.collect::<Vec<_>>())
        };
        let limit = usize::try_from(MOST_TRIED).unwrap();
        // Five places, and for each phone two combinations.
        let (tried, whole) = found(0);
        assert_eq!((tried, whole.len()), (9, 2));
        assert!(whole.iter().all(|(start, holds_all)| start.len() == 5 && *holds_all));
        // The second phone's bucket would be the next.
        assert_eq!(found(limit - 5).1, [whole[0].clone(), (b"127".to_vec(), false)]);
        assert_eq!(found(limit).1, [(Vec::new(), false)]);
    }
}
