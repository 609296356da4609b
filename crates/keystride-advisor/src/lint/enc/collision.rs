use std::collections::{BTreeMap, BTreeSet};

use keystride::design::{Design, End, Field, FieldKind, NumberDesc, Part, TimeText};
use keystride::escape::to_shown;
use keystride::internal::write_text;
use keystride::value::{Row, Value};

use super::fixes::end_fix;
use crate::lint::Found;
use crate::lint::context::Context;
use crate::lint::evidence::evidence;
use crate::lint::said::said;
use crate::lint::typical;

evidence! {
    /// A value whose end can't be found.
    enum Open {
        Enc02 => Collides { field: String, first: String, second: String, key: String }
            "nothing tells where {field} ends: ({first}) and ({second}) are both {key}"
            "看不出 {field} 在哪里结束：({first}) 与 ({second}) 的键都是 {key}",
        Enc02 => NoneFound { field: String, tried: usize }
            "nothing tells where {field} ends: rows may share a key, though no two of {tried} that were tried do"
            "看不出 {field} 在哪里结束；试过的 {tried} 行里没有两行的键相同，别的行可能有",
    }
}

/// The largest number of rows that are tried.
const MOST_ROWS: usize = 5_000;

/// ENC02.
pub(super) fn unmarked_ends(context: &Context<'_>) -> Vec<Found> {
    let open =
        context.field_parts().filter(|(index, ..)| context.design.layout()[*index].end == End::Unmarked);
    open.map(|(index, _, field)| {
        let evidence = match collide(context) {
            Ok((first, second, key)) => Open::Collides {
                field: field.name.clone(),
                first: shown(context, &first),
                second: shown(context, &second),
                key: to_shown(&key),
            },
            Err(tried) => Open::NoneFound { field: field.name.clone(), tried },
        };
        Found::error(context.part_place(index), &evidence)
            .help(said!(
                "end it with a text part that it can't hold, `escape = true`, or a fixed width",
                "用它不可能含有的文本来结束，或用 `escape = true`、固定宽度"
            ))
            .fix(end_fix(context, index, field))
    })
    .collect()
}

/// Returns two rows with the same key, among rows whose values repeat one character, or else how many rows were tried.
fn collide(context: &Context<'_>) -> Result<(Row, Row, Vec<u8>), usize> {
    let rows = repetitive_rows(context);
    let tried = rows.len();
    let mut encoder = context.codec.encoder();
    let mut seen: BTreeMap<Vec<u8>, Row> = BTreeMap::new();
    for row in rows {
        let mut key = Vec::new();
        if encoder.encode(&row, &mut key).is_err() {
            continue;
        }
        if let Some(first) = seen.get(&key) {
            return Ok((first.clone(), row, key));
        }
        seen.insert(key, row);
    }
    Err(tried)
}

/// If two neighbouring values consist of the same character, moving one of it from one to the other does not change the
/// key.
fn repetitive_rows(context: &Context<'_>) -> Vec<Row> {
    let design = context.design;
    let fields: BTreeSet<usize> = design.key_fields();
    let typical = typical::row(design);
    let mut rows = vec![Row::new(design.fields().len())];
    for field in fields {
        let values = candidates(context, field);
        if let (true, Some(value)) = (values.is_empty(), typical.get(field)) {
            for row in &mut rows {
                row.set(field, value);
            }
            continue;
        }
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(move |value| (row, value)))
            .map(|(row, value)| with(row, field, value))
            .collect();
        rows.truncate(MOST_ROWS);
    }
    rows
}

#[derive(Debug, Clone)]
enum Candidate {
    Text(String),
    Number(i128),
}

fn candidates(context: &Context<'_>, field: usize) -> Vec<Candidate> {
    let declared = context.field(field);
    match &declared.kind {
        FieldKind::String(kind) => {
            let letter = kind.alphabet.map_or('1', |alphabet| {
                if alphabet.contains(b'1') { '1' } else { alphabet.bytes().next().map_or('1', char::from) }
            });
            let lens = 1..=kind.max_len.min(3);
            lens.map(|len| Candidate::Text(letter.to_string().repeat(len))).collect()
        }
        FieldKind::Digits { len } => vec![Candidate::Text("1".repeat(*len))],
        kind => numbers(context.design, field, kind).into_iter().map(Candidate::Number).collect(),
    }
}

/// Returns 1, 11, 111 and 1111, or the instants whose texts consist of ones.
fn numbers(design: &Design, field: usize, kind: &FieldKind) -> Vec<i128> {
    let Some((min, max)) = kind.number_range() else { return Vec::new() };
    let within = |number: &i128| (min..=max).contains(number);
    let FieldKind::Time(time) = kind else {
        return [1, 11, 111, 1_111].into_iter().filter(within).collect();
    };
    let bound = design.parts().iter().find_map(|part| match part {
        Part::Field(part) if part.field == field => part.steps.desc.map(NumberDesc::bound),
        _ => None,
    });
    let ones = |digits: usize| "1".repeat(digits).parse::<i128>().ok();
    let number = match (&time.text, bound) {
        (_, Some(bound)) => ones(bound.to_string().len()).map(|ones| bound - ones),
        (TimeText::Epoch(unit), None) => ones(unit.digits()),
        (TimeText::Pattern(pattern), None) => pattern
            .width()
            .and_then(|width| pattern.read("1".repeat(width).as_bytes(), &time.zone).ok())
            .map(i128::from),
    };
    number.into_iter().filter(within).collect()
}

fn with(row: &Row, field: usize, value: &Candidate) -> Row {
    let mut row = row.clone();
    match value {
        Candidate::Text(text) => row.set(field, Value::Text(text)),
        Candidate::Number(number) => row.set(field, Value::Int(*number)),
    }
    row
}

fn shown(context: &Context<'_>, row: &Row) -> String {
    let values = context.design.fields().iter().enumerate().filter_map(|(index, field)| {
        row.get(index).map(|value| format!("{} {}", field.name, text(value, field)))
    });
    values.collect::<Vec<_>>().join(", ")
}

fn text(value: Value<'_>, field: &Field) -> String {
    let mut bytes = Vec::new();
    match write_text(value, &field.kind, &mut bytes) {
        Ok(()) => to_shown(&bytes),
        Err(fault) => fault.to_string(),
    }
}
