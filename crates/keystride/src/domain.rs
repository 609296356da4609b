//! Enumerates fields with few values, and with them the whole key space of a design when it is small.

use std::collections::BTreeSet;

use crate::KeyCodec;
use crate::codec::{DecodedKey, bucket_of_rest};
use crate::design::{BucketInput, Design, FieldKind, Part, StringKind, TimeText};
use crate::value::{Row, Value};

/// The largest number of combinations of values that are tried to find the buckets they give.
pub const MOST_TRIED: u128 = 1_000_000;

/// The values of some fields, numbered.
struct Listing<'a> {
    fields: Vec<FieldValues<'a>>,
}

impl<'a> Listing<'a> {
    /// `None` when there are more than `most` combinations, or the values of a field can't be counted.
    fn new(design: &'a Design, fields: BTreeSet<usize>, most: u128) -> Option<Self> {
        let fields = fields.into_iter().map(|field| FieldValues::up_to(design, field, most));
        let fields: Vec<FieldValues<'a>> = fields.collect::<Option<_>>()?;
        let total = fields.iter().try_fold(1u128, |total, values| total.checked_mul(values.count))?;
        (total <= most).then_some(Self { fields })
    }

    fn len(&self) -> u128 {
        self.fields.iter().map(FieldValues::count).product()
    }

    /// Fills `row` with combination `number`.
    fn fill(&self, mut number: u128, row: &mut Row) {
        row.clear();
        for values in &self.fields {
            values.set(number % values.count, row);
            number /= values.count;
        }
    }
}

/// Returns every key of a design with the row that makes it, as it would be read back, ascending by key; rows that
/// can't be encoded are left out. `None` when there are more than `most` rows, their values can't be counted, or
/// several buckets are not functions of the row.
pub(crate) fn list_keys(codec: &KeyCodec, most: u128) -> Option<Vec<(Vec<u8>, Row)>> {
    let design = codec.design();
    let supplies = supplied_buckets(design)?;
    let listing = Listing::new(design, design.key_fields(), most / u128::from(supplies).max(1))?;
    let mut encoder = codec.encoder();
    let mut row = Row::new(design.fields.len());
    let mut keys = Vec::new();
    for number in 0..listing.len() {
        listing.fill(number, &mut row);
        for supply in 0..supplies {
            encoder.supply(supply.into());
            let mut key = Vec::new();
            if encoder.encode(&row, &mut key).is_ok() {
                let row = read_back(codec, &key, &row);
                keys.push((key, row));
            }
        }
    }
    keys.sort_by(|left, right| left.0.cmp(&right.0));
    Some(keys)
}

/// Returns the row as a reader sees it: if an absent value has a default that is a value of the field, the reader gets
/// that value.
fn read_back(codec: &KeyCodec, key: &[u8], row: &Row) -> Row {
    let mut row = row.clone();
    let mut decoded = DecodedKey { row: Row::new(row.len()), spans: Vec::new(), bucket: None };
    if codec.decode_known_into(key, &mut decoded).is_ok() {
        for field in 0..row.len() {
            if let (None, Some(value)) = (row.get(field), decoded.row.get(field)) {
                row.set(field, value);
            }
        }
    }
    row
}

/// Returns the buckets that at least one row has under the part at `index`, ascending; `None` when there are too many
/// rows to try, or the bucket is not a function of the row.
pub(crate) fn buckets(codec: &KeyCodec, index: usize) -> Option<Vec<u32>> {
    let design = codec.design();
    let Part::Bucket(part) = &design.parts[index] else { return None };
    if !part.is_computed() {
        return None;
    }
    let fields = match &part.of {
        BucketInput::Rest if !design.parts[index..].iter().all(is_computed) => return None,
        BucketInput::Rest => design.key_fields(),
        BucketInput::Items(_) => design.bucket_fields(part),
    };
    let listing = Listing::new(design, fields, MOST_TRIED)?;
    let mut encoder = codec.encoder();
    let (mut row, mut rest) = (Row::new(design.fields.len()), Vec::new());
    let all = part.numbers().count();
    let mut found = BTreeSet::new();
    for number in 0..listing.len() {
        listing.fill(number, &mut row);
        found.extend(match part.of {
            BucketInput::Items(_) => encoder.bucket_of(part, &row),
            BucketInput::Rest => {
                rest.clear();
                let done = encoder.encode_after(index, &row, &mut rest);
                done.and_then(|()| bucket_of_rest(part, &rest))
            }
        });
        if found.len() == all {
            break;
        }
    }
    Some(found.into_iter().collect())
}

/// Whether a part is a function of the row.
fn is_computed(part: &Part) -> bool {
    !matches!(part, Part::Bucket(bucket) if !bucket.is_computed())
}

/// Returns the number of buckets that are possible for any one row; `None` when several parts are not functions of the
/// row.
fn supplied_buckets(design: &Design) -> Option<u32> {
    let mut free = design.parts.iter().filter_map(|part| match part {
        Part::Bucket(part) if !part.is_computed() => Some(part.count.get()),
        _ => None,
    });
    match (free.next(), free.next()) {
        (None, _) => Some(1),
        (Some(count), None) => Some(count),
        (Some(_), Some(_)) => None,
    }
}

/// The values of a field, numbered; the last one is absence if a key can do without the field.
pub(crate) struct FieldValues<'a> {
    design: &'a Design,
    field: usize,
    count: u128,
    /// Those of a time whose pattern leaves out some numbers.
    times: Vec<i128>,
}

/// Times with a pattern are counted one by one, up to this many.
const MOST_TIMES: usize = 1_000;

impl<'a> FieldValues<'a> {
    /// `None` when there are more than `most`, or they can't be counted.
    pub(crate) fn up_to(design: &'a Design, field: usize, most: u128) -> Option<Self> {
        Self::counted(design, field, most).filter(|values| values.count <= most)
    }

    /// `None` when they can't be counted, or have to be counted one by one and are more than `most`.
    fn counted(design: &'a Design, field: usize, most: u128) -> Option<Self> {
        let times = match &design.fields[field].kind {
            FieldKind::Time(time) if matches!(time.text, TimeText::Pattern(_)) => {
                let most = usize::try_from(most).map_or(MOST_TIMES, |most| most.min(MOST_TIMES));
                time.values_within(time.min, time.max, most)?
            }
            _ => Vec::new(),
        };
        let values =
            if times.is_empty() { number_of_values(design, field, most)? } else { times.len() as u128 };
        let count = values + u128::from(can_be_absent(design, field));
        Some(Self { design, field, count, times })
    }

    pub(crate) fn count(&self) -> u128 {
        self.count
    }

    /// Sets value `number` in `row`.
    pub(crate) fn set(&self, number: u128, row: &mut Row) {
        let Self { design, field, .. } = *self;
        if can_be_absent(design, field) && number + 1 == self.count {
            return row.set_absent(field);
        }
        match &design.fields[field].kind {
            FieldKind::String(kind) => {
                let text = nth_string(kind, least_len(design, field, kind), number);
                row.set(field, Value::Text(&text));
            }
            FieldKind::Digits { len } => row.set(field, Value::Text(&format!("{number:0len$}"))),
            FieldKind::Bool => row.set(field, Value::Bool(number == 1)),
            kind => {
                let time = usize::try_from(number).ok().and_then(|number| self.times.get(number)).copied();
                let least = kind.number_range().map_or(0, |(min, _)| min);
                row.set(field, Value::Int(time.unwrap_or(least + number.cast_signed())));
            }
        }
    }
}

/// Returns how many values a field has, absence included if a key can do without; `None` when they can't be counted.
pub fn value_count(design: &Design, field: usize) -> Option<u128> {
    FieldValues::counted(design, field, MOST_TRIED).map(|values| values.count)
}

/// Returns how many values a field of any kind has but a time with a pattern. Texts are counted up to `most`.
fn number_of_values(design: &Design, field: usize, most: u128) -> Option<u128> {
    let declared = &design.fields[field];
    Some(match &declared.kind {
        FieldKind::String(kind) => string_count(kind, least_len(design, field, kind), most.min(MOST_TRIED))?,
        FieldKind::Digits { len } => 10u128.checked_pow(u32::try_from(*len).ok()?)?,
        FieldKind::Int(int) => u128::try_from(int.max - int.min + 1).ok()?,
        FieldKind::Time(time) => match &time.text {
            TimeText::Epoch(_) => u128::try_from(time.max - time.min + 1).ok()?,
            TimeText::Pattern(_) => return None,
        },
        FieldKind::Bool => 2,
        FieldKind::Float(_) | FieldKind::Bytes { .. } | FieldKind::Uuid { .. } => return None,
    })
}

/// As [`value_count`], but absence is no value of its own where the default that keys have of it is one.
pub fn written_count(design: &Design, field: usize) -> Option<u128> {
    let declared = &design.fields[field];
    let is_value = |default: &str| !declared.is_absence(default);
    let repeats = can_be_absent(design, field) && declared.default.as_deref().is_some_and(is_value);
    Some(value_count(design, field)? - u128::from(repeats))
}

/// Whether a row can have a key without a value of the field: it or a field that is computed from it has a default.
fn can_be_absent(design: &Design, field: usize) -> bool {
    let mut fields = design.fields.iter().enumerate();
    fields.any(|(other, declared)| declared.default.is_some() && design.source_of(other) == field)
}

/// Returns the length of the shortest text of a field, or of one that is computed from it. An empty text that means
/// "no value" is a value only if it is the default.
pub fn least_len(design: &Design, field: usize, kind: &StringKind) -> usize {
    let is_default = |field: usize| design.fields[field].default.as_deref() == Some("");
    let means_none = design.input.null.iter().any(String::is_empty);
    let is_none = means_none && !is_default(field) && !is_default(design.source_of(field));
    kind.min_len.max(usize::from(is_none))
}

/// Returns the number of texts of at least `least` letters; `None` when there are more than `most`.
pub fn string_count(kind: &StringKind, least: usize, most: u128) -> Option<u128> {
    let letters = kind.alphabet?.len() as u128;
    let mut total = 0u128;
    for len in least..=kind.max_len {
        total = total.checked_add(letters.checked_pow(u32::try_from(len).ok()?)?)?;
        if total > most {
            return None;
        }
    }
    Some(total)
}

/// Returns the string of that number, counted from 0, among those of a field that have `least` bytes or more.
pub fn nth_string(kind: &StringKind, least: usize, mut number: u128) -> String {
    let letters: Vec<u8> = kind.alphabet.iter().flat_map(|alphabet| alphabet.bytes()).collect();
    let base = letters.len().max(1) as u128;
    let mut len = least;
    while let Some(count) = u32::try_from(len).ok().and_then(|len| base.checked_pow(len))
        && number >= count
    {
        number -= count;
        len += 1;
    }
    let mut text = vec![0; len];
    for place in text.iter_mut().rev() {
        *place = letters[usize::try_from(number % base).unwrap_or_default()];
        number /= base;
    }
    String::from_utf8(text).unwrap_or_default()
}
