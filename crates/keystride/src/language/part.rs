//! The automata of single parts of the key.

use super::byte_set::ByteSet;
use super::decimal::Decimals;
use super::number::Numbers;
use super::state::State;
use super::text::Texts;
use super::words::Words;
use crate::KeyCodec;
use crate::design::{Design, End, Field, FieldKind, FieldPart, OrderKept, Part, Steps};
use crate::domain::FieldValues;

/// The byte strings of one part of the key.
///
/// All but the last part of a key are prefix-free: no string is a prefix of another.
#[derive(Debug, Clone)]
pub(crate) enum PartLanguage {
    /// A list of strings.
    Words(Words),
    /// A set of bytes for each position.
    Positions(Vec<ByteSet>),
    /// Numbers whose bytes sort as the numbers do, or in reverse.
    Numbers(Box<Numbers>),
    /// Unpadded decimals, whose bytes do not sort as the numbers do.
    Decimals(Decimals),
    /// Bytes out of a set up to a length, and what ends them.
    Texts(Texts),
    /// Any bytes of any length.
    Anything,
    /// Another language with every byte complemented.
    Complement(Box<PartLanguage>),
    /// Another language, plus one word that is not in it.
    Or(Box<PartLanguage>, Words),
}

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

    /// Whether a string is one of the language.
    fn holds(&self, word: &[u8]) -> bool {
        let end = word.iter().try_fold(self.start(), |state, byte| self.step(&state, *byte));
        end.is_some_and(|state| self.accepts(&state))
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

    pub(crate) fn start(&self) -> State {
        match self {
            Self::Words(words) => words.start(),
            Self::Positions(_) | Self::Anything => State::At(0),
            Self::Numbers(numbers) => numbers.start(),
            Self::Decimals(_) => State::Digits { negative: false, value: 0, count: 0, ended: 0 },
            Self::Texts(_) => State::Text { len: 0, ended: 0 },
            Self::Complement(inner) => inner.start(),
            Self::Or(left, right) => {
                State::Either(Some(Box::new(left.start())), Some(Box::new(right.start())))
            }
        }
    }

    /// Returns the state after one more byte; `None` when no string continues with it.
    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        match (self, state) {
            (Self::Words(words), state) => words.step(state, byte),
            (Self::Positions(sets), State::At(at)) => {
                sets.get(*at).filter(|set| set.contains(byte)).map(|_| State::At(at + 1))
            }
            (Self::Anything, state) => Some(state.clone()),
            (Self::Numbers(numbers), state) => numbers.step(state, byte),
            (Self::Decimals(decimals), state) => decimals.step(state, byte),
            (Self::Texts(texts), state) => texts.step(state, byte),
            (Self::Complement(inner), state) => inner.step(state, !byte),
            (Self::Or(left, right), State::Either(a, b)) => {
                let a = a.as_ref().and_then(|state| left.step(state, byte)).map(Box::new);
                let b = b.as_ref().and_then(|state| right.step(state, byte)).map(Box::new);
                (a.is_some() || b.is_some()).then_some(State::Either(a, b))
            }
            _ => None,
        }
    }

    /// Returns bytes among which are all those that a string may continue with.
    pub(crate) fn candidates(&self, state: &State) -> ByteSet {
        match (self, state) {
            (Self::Positions(sets), State::At(at)) => sets.get(*at).copied().unwrap_or(ByteSet::EMPTY),
            (Self::Texts(texts), state) => texts.candidates(state),
            (Self::Complement(inner), state) => inner.candidates(state).complemented(),
            (Self::Or(left, _), State::Either(Some(state), None)) => left.candidates(state),
            _ => ByteSet::ALL,
        }
    }

    /// Whether a string may end here.
    pub(crate) fn accepts(&self, state: &State) -> bool {
        match (self, state) {
            (Self::Words(words), state) => words.accepts(state),
            (Self::Positions(sets), State::At(at)) => *at == sets.len(),
            (Self::Anything, _) => true,
            (Self::Numbers(numbers), state) => numbers.accepts(state),
            (Self::Decimals(decimals), state) => decimals.accepts(state),
            (Self::Texts(texts), state) => texts.accepts(state),
            (Self::Complement(inner), state) => inner.accepts(state),
            (Self::Or(left, right), State::Either(a, b)) => {
                a.as_ref().is_some_and(|state| left.accepts(state))
                    || b.as_ref().is_some_and(|state| right.accepts(state))
            }
            _ => false,
        }
    }

    /// Returns the probability that a string continues with `byte`, when all values are equally likely.
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        match (self, state) {
            (Self::Words(words), state) => words.chance(state, byte),
            (Self::Positions(sets), State::At(at)) => {
                sets.get(*at).filter(|set| set.contains(byte)).map_or(0.0, |set| 1.0 / f64::from(set.len()))
            }
            (Self::Anything, _) => 1.0 / 256.0,
            (Self::Numbers(numbers), state) => numbers.chance(state, byte),
            (Self::Decimals(decimals), state) => decimals.chance(state, byte),
            (Self::Texts(texts), state) => texts.chance(state, byte),
            (Self::Complement(inner), state) => inner.chance(state, !byte),
            // The word stands for a missing value, on which the declared limits of the field have no bearing.
            (Self::Or(left, _), State::Either(Some(state), _)) => left.chance(state, byte),
            _ => 0.0,
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

fn hash_bytes(hash: crate::design::HashStep) -> ByteSet {
    match hash.take {
        crate::design::HashTake::Bytes(_) => ByteSet::ALL,
        crate::design::HashTake::Hex(_) => ByteSet::of(b"0123456789abcdef".iter().copied()),
    }
}

/// Returns the bytes that may occur at each position of the values of a part of fixed width.
fn value_positions(kind: &FieldKind, part: &FieldPart, width: usize) -> Vec<ByteSet> {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    let mut positions = vec![value_bytes(kind, part); width];
    if matches!(kind, FieldKind::Uuid { .. }) && part.steps.is_text(kind) {
        for position in HYPHENS {
            positions[position] = ByteSet::of(*b"-");
        }
        if part.steps.reverse {
            positions.reverse();
        }
    }
    positions
}

/// Returns the bytes that a part of the key may have, and perhaps some more.
fn part_bytes(codec: &KeyCodec, index: usize) -> ByteSet {
    let design = codec.design();
    let part = match &design.parts[index] {
        Part::Text(_) => return ByteSet::of(codec.text_bytes(index).iter().copied()),
        Part::Bucket(part) => return ByteSet::of(part.numbers().flat_map(|number| part.prefix(number))),
        Part::Field(part) => part,
    };
    let values = match part.steps.hash {
        _ if part.steps.escape => ByteSet::ALL,
        Some(hash) => hash_bytes(hash),
        None => value_bytes(&design.fields[part.field].kind, part),
    };
    let values = if matches!(design.fields[part.field].kind, FieldKind::Uuid { .. }) {
        values.with(b'-')
    } else {
        values
    };
    let values = if part.steps.invert { values.complemented() } else { values };
    codec.absence(index).map_or(values, |absence| values.union(ByteSet::of(absence.iter().copied())))
}

/// Returns the bytes that may occur in the values of a part.
fn value_bytes(kind: &FieldKind, part: &FieldPart) -> ByteSet {
    if !part.steps.is_text(kind) {
        return ByteSet::ALL;
    }
    match kind {
        FieldKind::String(text) => match text.alphabet {
            Some(alphabet) => ByteSet::of(alphabet.bytes()),
            // These bytes do not occur in UTF-8.
            None => ByteSet::of((0..=255).filter(|byte| !matches!(byte, 0xc0 | 0xc1 | 0xf5..=0xff))),
        },
        FieldKind::Digits { .. } => ByteSet::of(b'0'..=b'9'),
        FieldKind::Bool => ByteSet::of(*b"01"),
        FieldKind::Uuid { .. } => ByteSet::of(*b"0123456789abcdef"),
        FieldKind::Int(int) if int.min >= 0 => ByteSet::of(b'0'..=b'9'),
        FieldKind::Int(_) => ByteSet::of(b'0'..=b'9').with(b'-'),
        FieldKind::Time(time) if time.text_is_digits() || part.steps.desc.is_some() => {
            ByteSet::of(b'0'..=b'9')
        }
        FieldKind::Time(time) if time.text_is_ascii() => ByteSet::of(b' '..=b'~'),
        FieldKind::Time(_) => ByteSet::ALL,
        FieldKind::Float(_) | FieldKind::Bytes { .. } => ByteSet::ALL,
    }
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
