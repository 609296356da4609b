//! Which automaton a part of a design has.
//!
//! The language of a key is that of its parts, one after the other. This can be decided part by part only if the bytes
//! show where each part ends, so a part has an extent: it may include the text that ends it, or all of the rest of the
//! key. For example, with
//!
//! ```text
//! { field = "name" }, { text = "|" }, { field = "day" }
//! ```
//!
//! and names of the letters a to c, `name` has the words of a to c, each followed by `|` ([`Extent::WithMark`]): without the
//! mark, `ab` would be a word and the beginning of another, and an automaton could not tell when `day` begins. If names
//! could contain `|`, the key would not show where they end; the rest of the key is then [`PartLanguage::Anything`]. That
//! proves nothing, but a proof that a region is empty must hold for every key.

use super::byte_set::ByteSet;
use super::decimal::Decimals;
use super::number::Numbers;
use super::part::PartLanguage;
use super::part_bytes::{hash_bytes, part_bytes, value_bytes, value_positions};
use super::text::Texts;
use super::words::Words;
use crate::KeyCodec;
use crate::design::{Design, End, Field, FieldKind, FieldPart, OrderKept, Part, Steps};
use crate::domain::FieldValues;

/// How much of the key is covered by the language of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The part.
    Part,
    /// The part and the text that ends it.
    WithMark,
    /// Everything up to the key's end.
    Rest,
}

/// The length of the longest text of a 64-bit number: 20 digits, or a sign and 19.
const LONGEST_NUMBER: usize = 20;
/// Fields with up to this many values are listed.
const MOST_LISTED: u128 = 4_096;

impl PartLanguage {
    /// Returns the language of part `index`, and how much of the key it covers.
    pub(super) fn of(codec: &KeyCodec, index: usize) -> (Self, Extent) {
        let design = codec.design();
        match &design.parts[index] {
            Part::Text(_) => (Self::Words(Words::new(vec![codec.text_bytes(index).to_vec()])), Extent::Part),
            Part::Bucket(part) => {
                let buckets = super::reachable_buckets(codec, index);
                let words: Vec<_> = buckets.into_iter().map(|bucket| part.prefix(bucket)).collect();
                if part.has_fixed_width() {
                    return (Self::Words(Words::new(words)), Extent::Part);
                }
                Self::bucket_of_open_width(words, codec, index)
            }
            Part::Field(part) => Self::of_field(codec, index, part),
        }
    }

    /// Buckets of different widths are prefix-free only together with the text that follows them, unless that begins
    /// with a digit.
    fn bucket_of_open_width(words: Vec<Vec<u8>>, codec: &KeyCodec, index: usize) -> (Self, Extent) {
        match codec.design().parts.get(index + 1) {
            Some(Part::Text(_)) if codec.design().shows_end(index) => {
                let mark = codec.text_bytes(index + 1);
                let words = words.into_iter().map(|word| [word.as_slice(), mark].concat()).collect();
                (Self::Words(Words::new(words)), Extent::WithMark)
            }
            _ => (Self::Anything, Extent::Rest),
        }
    }

    fn of_field(codec: &KeyCodec, index: usize, part: &FieldPart) -> (Self, Extent) {
        let design = codec.design();
        let layout = &design.layout[index];
        let own_end = matches!(layout.end, End::Own | End::Fixed(_) | End::Before(_) | End::KeyEnd);
        if let Some(words) = own_end.then(|| listed(codec, index, part)).flatten() {
            let extent = match layout.end {
                End::Before(_) => Extent::WithMark,
                _ => Extent::Part,
            };
            return (Self::Words(words), extent);
        }
        let (mark, extent) = match &layout.end {
            // Where the mark can begin inside the value, the automata don't know which of the two goes on.
            End::Before(_) if mark_may_begin_inside(codec, index, part) => {
                return (Self::Anything, Extent::Rest);
            }
            End::Before(_) => (mark_before_inversion(codec, index), Extent::WithMark),
            End::Fixed(_) => (Vec::new(), Extent::Part),
            End::Own if part.steps.escape => (Vec::new(), Extent::Part),
            End::KeyEnd => (Vec::new(), Extent::Rest),
            End::FromKeyEnd(after) => {
                return (Self::of_open_end(codec, index, part, *after), Extent::Rest);
            }
            End::Own | End::Unmarked => return (Self::Anything, Extent::Rest),
        };
        let plain = Self::of_values(codec, index, part, &mark);
        // Numbers are walked by their final bytes, after the complement.
        let complemented =
            part.steps.invert && !part.steps.encodes_descending() && !matches!(plain, Self::Numbers(_));
        let values = if complemented { Self::Complement(Box::new(plain)) } else { plain };
        // What stands for a missing value need not be one: any text, or a time at which no period starts.
        let language = match absent_word(codec, index).filter(|word| !values.holds(word)) {
            Some(word) => Self::Or(Box::new(values), Words::new(vec![word])),
            None => values,
        };
        (language, extent)
    }

    /// Returns the rest of the key from a part that only the key's end tells the end of: the bytes that its values have at
    /// least, followed by bytes of it or of the `after` bytes of the parts behind it.
    fn of_open_end(codec: &KeyCodec, index: usize, part: &FieldPart, after: usize) -> Self {
        let design = codec.design();
        let kind = &design.fields[part.field].kind;
        let own = part_bytes(codec, index);
        let all = (index + 1..design.parts.len()).fold(own, |all, part| all.union(part_bytes(codec, part)));
        if all == ByteSet::ALL && own == all {
            return Self::Anything;
        }
        let least = match kind {
            FieldKind::String(text) => crate::domain::least_len(design, part.field, text),
            _ if part.steps.is_text(kind) && !matches!(kind, FieldKind::Bytes { .. }) => 1,
            _ => 0,
        };
        // Where a value is missing, the part may have the bytes of a default text instead, of any length.
        let least = if codec.absence(index).is_some() { 0 } else { least };
        let (min, max) = (least + after, crate::MAX_KEY_LEN);
        Self::Texts(Texts::new(all, min, max, &[]).led_by(own, least))
    }

    /// Returns the values of a part before the complement; `mark` ends them.
    fn of_values(codec: &KeyCodec, index: usize, part: &FieldPart, mark: &[u8]) -> Self {
        let design = codec.design();
        let field = &design.fields[part.field];
        let layout = &design.layout[index];
        let steps = &part.steps;
        if let Some(hash) = steps.hash {
            return Self::Positions(vec![hash_bytes(hash); hash.width()]);
        }
        let width = steps.fixed_width(&field.kind);
        let sorts = layout.order != OrderKept::No && width.is_some() && field.kind.is_number();
        if let Some((part, field)) = sorts.then(|| of_source(design, part)).flatten() {
            return Self::Numbers(Box::new(Numbers::new(&part, field, layout.order)));
        }
        match (&field.kind, width) {
            (FieldKind::Int(int), None)
                if steps.is_text(&field.kind) && !steps.reverse && !steps.escape && steps.desc.is_none() =>
            {
                Self::Decimals(Decimals { min: int.min, max: int.max, mark: mark.to_vec() })
            }
            (kind, Some(width)) => {
                let mut positions = value_positions(kind, part, width);
                positions.extend(mark.iter().map(|byte| ByteSet::of([*byte])));
                Self::Positions(positions)
            }
            (kind, None) => {
                let (least, most) = match kind {
                    FieldKind::String(text) => (
                        crate::domain::least_len(design, part.field, text),
                        text.max_len.min(crate::MAX_KEY_LEN),
                    ),
                    FieldKind::Int(_) => (1, LONGEST_NUMBER),
                    _ => (0, crate::MAX_KEY_LEN),
                };
                let bytes = value_bytes(kind, part);
                Self::Texts(if steps.escape {
                    Texts::escaped(bytes, least, most)
                } else {
                    Texts::new(bytes, least, most, mark)
                })
            }
        }
    }
}

/// Returns a part of a source field that has the same bytes: the part itself, or that of the time whose periods it writes.
fn of_source<'a>(design: &'a Design, part: &FieldPart) -> Option<(FieldPart, &'a Field)> {
    let field = &design.fields[part.field];
    let Some(from) = &field.from else { return Some((part.clone(), field)) };
    let period = field.derived_period().filter(|_| part.steps.floor.is_none())?;
    let steps = Steps { floor: Some(period), ..part.steps.clone() };
    Some((FieldPart { field: from.field, steps, ..part.clone() }, &design.fields[from.field]))
}

/// Returns every value of a part with the text that ends it, if the field has few values; exact whatever the steps are.
fn listed(codec: &KeyCodec, index: usize, part: &FieldPart) -> Option<Words> {
    let design = codec.design();
    let field = design.source_of(part.field);
    let values = FieldValues::up_to(design, field, MOST_LISTED)?;
    let mark = mark_of(codec, index);
    let mut encoder = codec.encoder();
    let mut row = crate::Row::new(design.fields.len());
    let mut words = Vec::new();
    for number in 0..values.count() {
        values.set(number, &mut row);
        let mut word = Vec::new();
        if encoder.encode_part(index, &row, &mut word).is_ok() {
            word.extend_from_slice(mark);
            words.push(word);
        }
    }
    (!words.is_empty()).then(|| Words::new(words))
}

/// Returns the bytes of a part, with the text that ends it, in a row without values; `None` if such a row has no key.
fn absent_word(codec: &KeyCodec, index: usize) -> Option<Vec<u8>> {
    let absent = crate::Row::new(codec.design().fields.len());
    let mut word = Vec::new();
    codec.encoder().encode_part(index, &absent, &mut word).ok()?;
    word.extend_from_slice(mark_of(codec, index));
    Some(word)
}

/// Returns the text that ends a part's values, as it is in keys; empty if there is none.
fn mark_of(codec: &KeyCodec, index: usize) -> &[u8] {
    match codec.design().layout[index].end {
        End::Before(_) => codec.text_bytes(index + 1),
        _ => &[],
    }
}

/// Returns the text that ends a part's values, as the design writes it, before the complement.
fn mark_before_inversion(codec: &KeyCodec, index: usize) -> Vec<u8> {
    match codec.design().parts.get(index + 1) {
        Some(Part::Text(text)) => text.bytes.clone(),
        _ => Vec::new(),
    }
}

/// Whether the text that ends a part of varying width can begin with a byte of the value. A single byte can't: values
/// that contain it are rejected.
fn mark_may_begin_inside(codec: &KeyCodec, index: usize, part: &FieldPart) -> bool {
    let kind = &codec.design().fields[part.field].kind;
    let mark = mark_before_inversion(codec, index);
    mark.len() > 1 && part.steps.fixed_width(kind).is_none() && value_bytes(kind, part).contains(mark[0])
}

#[cfg(test)]
mod tests {
    use crate::plan::PlanOrder;
    use crate::{Design, KeyCodec, KeyLanguage, Planner, Predicate, Row};

    #[test]
    fn a_default_outside_its_field_is_in_the_language_under_all_steps() {
        for part in [
            "{ field = \"v\" }, { text = \"|\" }",
            "{ field = \"v\", reverse = true }, { text = \"|\" }",
            "{ field = \"v\", desc = \"invert\" }, { text = \"|\" }",
            "{ field = \"v\", reverse = true, desc = \"invert\" }, { text = \"|\" }",
            "{ field = \"v\", escape = true }",
            "{ field = \"v\", reverse = true, escape = true }",
            "{ field = \"v\", escape = true, desc = \"invert\" }",
        ] {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 v = {{ type = \"string\", max_len = 9, alphabet = \"a-z\", default = \"+-\" }}\n\
                 n = {{ type = \"int\", min = 0, max = 99999 }}\n[key]\nparts = [ {part}, {{ field = \"n\", pad = 5 }} ]"
            );
            let codec = KeyCodec::new(Design::from_toml(&toml).unwrap());
            let mut row = Row::new(2);
            codec.design().read_value(&mut row, 1, "7").unwrap();
            let mut key = Vec::new();
            codec.encoder().encode(&row, &mut key).unwrap();
            assert_eq!(KeyLanguage::new(&codec).first_at_or_after(&key), Some(key.clone()), "{part}");
            assert_eq!(codec.decode(&key).map(|decoded| decoded.row), Ok(row), "{part}");
            let predicate = Predicate::parse("v is null", codec.design()).unwrap();
            let plan = Planner::new(&codec).plan(Some(&predicate), PlanOrder::Any).unwrap();
            assert!(plan.ranges.iter().any(|planned| planned.range.contains(&key)), "{part}");
        }
    }
}
