use keystride::design::{Encoding, Field, FieldKind, FieldPart, NumberDesc, Part};
use keystride::internal::{encodable, writable};

use super::fixes::pad_fix;
use crate::lint::clock::{desc_bound, usual_numbers};
use crate::lint::context::{Context, part_path};
use crate::lint::evidence::evidence;
use crate::lint::found::Place;
use crate::lint::said::said;
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// Values and widths that do not fit together.
    enum Fit {
        Enc06 => ConstantHead { field: String, head: String, bytes: usize }
            "long-max writes {field} in 19 digits, of which the first, {head}, are the same in every row"
            "long-max 把 {field} 写成 19 位数字，开头的 {head} 每行都一样",
        Enc06 => BeyondJava { field: String, least: String, most: String }
            "{field} goes from {least} to {most}, which Java's Long.MAX_VALUE - t does not write in 19 digits"
            "{field} 的范围是 {least} 到 {most}，其中有值用 Java 的 Long.MAX_VALUE - t 写出来不是 19 位",
        Enc08 => TooNarrow { field: String, value: String, step: String, low: String, high: String }
            "{value}, a value of {field}, does not fit {step}: it takes {low} to {high}"
            "{field} 的值 {value} 放不进 {step}：它能写 {low} 到 {high}",
        Enc13 => TooLong { bytes: usize, limit: usize }
            "every key is at least {bytes} bytes long, and HBase takes {limit}"
            "每个键至少 {bytes} 字节，而 HBase 最多接受 {limit}",
        Enc13 => MayBeTooLong { bytes: usize, limit: usize }
            "a key can be {bytes} bytes long, and HBase takes {limit}: such rows are rejected"
            "键可能长达 {bytes} 字节，而 HBase 最多接受 {limit}：这样的行会被拒绝",
        Enc13 => Long { bytes: usize }
            "a key can be {bytes} bytes long, and is stored with every cell"
            "键可能长达 {bytes} 字节，而且每个 cell 都存一遍",
    }
}

/// Keys longer than this cost more than they are worth.
const LONG_KEY: usize = 100;
/// The largest number that leaves 19 digits when subtracted from `Long.MAX_VALUE`; larger ones leave fewer.
const MOST_OF_19_DIGITS: i128 = 8_223_372_036_854_775_807;

/// ENC06.
pub(super) fn long_max_text(context: &Context<'_>) -> Vec<Found> {
    let parts = context.field_parts().filter(|(_, part, field)| {
        part.steps.desc == Some(NumberDesc::LongMax)
            && part.steps.is_text(&field.kind)
            && part.steps.hash.is_none()
    });
    parts
        .flat_map(|(index, _, field)| {
            [constant_head(context, index, field), beyond_java(context, index, field)]
        })
        .flatten()
        .collect()
}

fn constant_head(context: &Context<'_>, index: usize, field: &Field) -> Option<Found> {
    let time = field.time()?;
    let (low, high) = usual_numbers(time);
    let bound = NumberDesc::LongMax.bound();
    let (first, last) = ((bound - high).to_string(), (bound - low).to_string());
    let head: String = first.chars().zip(last.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    if head.is_empty() || low > high {
        return None;
    }
    let bytes = head.len();
    let path = part_path(index);
    let fix = match desc_bound(time.unit()) {
        // Counted down from a bound, too, times before 1970 have no text.
        _ if declares_negative(field) => None,
        Some(bound) => Some(
            Patch::new(said!("count down from {bound}", "从 {bound} 往下减"))
                .set(&format!("{path}.desc"), bound),
        ),
        None => {
            Some(Patch::new(said!("write 8 bytes", "写成 8 个字节")).set(&format!("{path}.as"), "\"be\""))
        }
    };
    let evidence = Fit::ConstantHead { field: field.name.clone(), head, bytes };
    Some(Found::info(context.part_place(index), &evidence).fix(fix))
}

fn beyond_java(context: &Context<'_>, index: usize, field: &Field) -> Option<Found> {
    let (min, max) = field.kind.number_range()?;
    let (_, type_max) = Context::undeclared(field)?;
    let declared_low = declares_negative(field);
    let declared_high = max > MOST_OF_19_DIGITS && max != type_max;
    if !declared_low && !declared_high {
        return None;
    }
    let evidence =
        Fit::BeyondJava { field: field.name.clone(), least: min.to_string(), most: max.to_string() };
    let finding = Found::warning(context.part_place(index), &evidence);
    Some(finding.note(said!(
        "keystride pads to 19 digits and rejects negative numbers",
        "keystride 补到 19 位，并拒绝负数"
    )))
}

/// Whether a field is declared to have negative numbers.
fn declares_negative(field: &Field) -> bool {
    let ranges = field.kind.number_range().zip(Context::undeclared(field));
    ranges.is_some_and(|((min, _), (type_min, _))| min < 0 && min != type_min)
}

/// ENC08.
pub(super) fn narrow_steps(context: &Context<'_>) -> Vec<Found> {
    let numbers =
        context.field_parts().filter(|(_, part, field)| field.kind.is_number() && part.steps.hash.is_none());
    numbers.filter_map(|(index, part, field)| narrow_step(context, index, part, field)).collect()
}

fn narrow_step(context: &Context<'_>, index: usize, part: &FieldPart, field: &Field) -> Option<Found> {
    let (min, max) = field.kind.number_range()?;
    let (low, high) = encodable(&part.steps, &field.kind);
    let (low_fits, high_fits) = (min >= low, max <= high);
    let (type_min, type_max) = Context::undeclared(field)?;
    let declared = (!low_fits && min != type_min) || (!high_fits && max != type_max);
    let usual = field.time().map(usual_numbers).filter(|(first, last)| first <= last);
    // Times have no bounds unless they are declared, and every step excludes some years.
    let no_usual_time = usual.filter(|&(first, last)| last < low || first > high);
    if (low_fits && high_fits) || (field.time().is_some() && !declared && no_usual_time.is_none()) {
        return None;
    }
    let value = match no_usual_time {
        Some((first, _)) => first,
        None if !high_fits && (max != type_max || low_fits || min == type_min) => high + 1,
        None => low - 1,
    };
    let declared = declared || no_usual_time.is_some();
    // What a period's start may be depends on the field's own limits.
    let (low, high) =
        if part.steps.floor.is_some() { (low, high) } else { writable(&part.steps, &field.kind) };
    let evidence = Fit::TooNarrow {
        field: field.name.clone(),
        value: value.to_string(),
        step: match part.steps.to_string() {
            plain if plain.is_empty() => "its text".to_owned(),
            steps => steps,
        },
        low: low.to_string(),
        high: high.to_string(),
    };
    let severity = if declared { Severity::Error } else { Severity::Info };
    let finding = Found::new(severity, context.part_place(index), &evidence)
        .label(context.field_place(part.field), said!("its range", "它的范围"))
        .note(said!("such rows are rejected when they are loaded", "加载时会拒绝这样的行"));
    Some(match (declared, part.steps.pad, part.steps.width) {
        (false, ..) => finding.help(said!(
            "declare the true `min` and `max`, or widen the step",
            "声明真实的 `min` 和 `max`，或者放宽这一步"
        )),
        (true, Some(_), _) if min >= 0 && field.time().is_none() => {
            let digits = max.to_string().len();
            finding.fix(pad_fix(&part_path(index), field, digits))
        }
        (true, None, Some(_)) => {
            let name = &field.name;
            let fix = Patch::new(said!("write {name} in its full width", "按完整的宽度写 {name}"));
            finding.fix(fix.remove(&format!("{}.width", part_path(index))))
        }
        _ => finding.help(said!("widen the step while the table is empty", "趁表还是空的放宽这一步")),
    })
}

/// ENC13.
pub(super) fn long_keys(context: &Context<'_>) -> Vec<Found> {
    let lens: Vec<(usize, Option<usize>)> =
        (0..context.design.parts().len()).map(|part| part_lens(context, part)).collect();
    let least: usize = lens.iter().map(|(least, _)| least).sum();
    let most: Option<usize> = lens.iter().map(|(_, most)| *most).sum();
    let limit = keystride::MAX_KEY_LEN;
    let place = || Place::words("key.parts");
    let finding = match most {
        _ if least > limit => Found::error(place(), &Fit::TooLong { bytes: least, limit }),
        Some(bytes) if bytes > limit => Found::warning(place(), &Fit::MayBeTooLong { bytes, limit }),
        Some(bytes) if bytes > LONG_KEY => Found::warning(place(), &Fit::Long { bytes }),
        _ if least > LONG_KEY => Found::warning(place(), &Fit::Long { bytes: least }),
        _ => return Vec::new(),
    };
    let finding = finding.help(said!(
        "keep the start of a hash of long text in the key, and the text in a column",
        "长文本在键里只放散列的开头，正文放在列里"
    ));
    let past_bigtable = most.unwrap_or(least) > 4_096;
    vec![if past_bigtable {
        finding.note(said!("Bigtable takes 4,096 bytes", "Bigtable 最多接受 4,096 字节"))
    } else {
        finding
    }]
}

/// Returns the smallest and the largest length of a part in bytes; no largest if none is declared.
fn part_lens(context: &Context<'_>, index: usize) -> (usize, Option<usize>) {
    if let Some(width) = context.design.layout()[index].end.fixed() {
        return (width, Some(width));
    }
    let Part::Field(part) = &context.design.parts()[index] else { return (1, Some(10)) };
    let field = context.field(part.field);
    let (least, most) = match &field.kind {
        FieldKind::String(text) if text.has_declared_len() => (text.min_len, Some(text.max_len)),
        FieldKind::String(text) => (text.min_len, None),
        FieldKind::Int(int) => (1, Some(int.min.to_string().len().max(int.max.to_string().len()))),
        FieldKind::Bytes { len, .. } => (len.unwrap_or(0), *len),
        _ => (1, None),
    };
    if part.steps.encoding == Encoding::OrderedBytes {
        return ordered_bytes_lens(&field.kind, part, (least, most));
    }
    // Every 00 may become two bytes, and two more bytes end the value.
    let holds_zero = !matches!(&field.kind, FieldKind::String(text) if text.alphabet.is_some());
    let times = if holds_zero { 2 } else { 1 };
    if part.steps.escape { (least + 2, most.map(|most| most * times + 2)) } else { (least, most) }
}

/// Returns the lengths of values of `OrderedBytes`, given those of their bytes or digits.
fn ordered_bytes_lens(
    kind: &FieldKind,
    part: &FieldPart,
    (least, most): (usize, Option<usize>),
) -> (usize, Option<usize>) {
    match kind {
        // A header before the text, and 00 behind it.
        FieldKind::String(_) => (least + 2, most.map(|most| most + 2)),
        // A header before the bytes, and an end behind them where they are descending.
        FieldKind::Bytes { .. } => {
            let more = if part.steps.invert { 2 } else { 1 };
            (least + more, most.map(|most| most + more))
        }
        FieldKind::Int(int) => {
            let digits = (0..39).map(|digits| 10i128.pow(digits) - 1);
            let ends = [int.min, int.min + 1, int.max - 1, int.max];
            let numbers = digits.flat_map(|number| [number, -number]).chain(ends);
            let within = numbers.filter(|number| (int.min..=int.max).contains(number));
            let lens = within.filter_map(|number| {
                let mut bytes = Vec::new();
                keystride::internal::write_number(number, &part.steps, kind, &mut bytes)
                    .ok()
                    .map(|()| bytes.len())
            });
            let lens: Vec<usize> = lens.collect();
            (lens.iter().copied().min().unwrap_or(least), lens.into_iter().max())
        }
        _ => (least, most),
    }
}
