use keystride::design::{Encoding, End, Field, FieldKind, FieldPart, IntKind, OrderKept};
use keystride::escape::to_shown;
use keystride::internal::byte_text;

use super::fixes::{end_fix, low_separator_fix, sorting_fix};
use crate::lint::context::{Context, part_path};
use crate::lint::evidence::{Listed, evidence};
use crate::lint::found::Place;
use crate::lint::said::{Bilingual, said};
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// Bytes that do not sort as the values do.
    enum Order {
        Enc01 => Unpadded { field: String, smaller: String, larger: String }
            "{field} is text without leading zeros: {larger} sorts before {smaller}"
            "{field} 是没有前导零的文本：{larger} 排在 {smaller} 前面",
        Enc01 => UnpaddedInverted { field: String, smaller: String, larger: String }
            "{field} is inverted text without leading zeros: {larger} sorts after {smaller}"
            "{field} 是没有前导零的取反文本：{larger} 排在 {smaller} 后面",
        Enc03 => HighSeparator { field: String, separator: String, byte: String, first: String, second: String }
            "the separator {separator} after {field} sorts after {byte}: \"{first}\" comes before \"{second}\""
            "{field} 之后的分隔符 {separator} 排在 {byte} 之后：\"{first}\" 排到 \"{second}\" 前面",
        Enc05 => SignedBytes { field: String, least: String, width: usize }
            "{field} is big-endian without its sign turned: {least} sorts after every positive number"
            "{field} 是大端且符号位未取反：{least} 排在所有正数之后",
        Enc05 => SignedBytesInverted { field: String, least: String, width: usize }
            "{field} is inverted big-endian without its sign turned: {least} sorts before every positive number"
            "{field} 是取反的大端且符号位未取反：{least} 排在所有正数之前",
        Enc12 => ReversedOpenEnd { field: String, short: String, long: Listed<String> }
            "{field} is reversed and nothing ends it: the prefix of {short} also begins the keys of {long}"
            "{field} 反转后没有结尾：{long} 的键也以 {short} 的前缀开头",
    }
}

/// ENC01.
pub(super) fn unpadded_numbers(context: &Context<'_>) -> Vec<Found> {
    let last = context.design.parts().len() - 1;
    let open = context.field_parts().filter(|(index, part, _)| is_open_decimal(context, *index, part));
    open.filter_map(|(index, part, field)| {
        let FieldKind::Int(int) = field.kind else { return None };
        let ranged = context.ranged_by(part.field);
        if part.steps.reverse || (index == last && ranged.is_none()) {
            return None;
        }
        let (smaller, larger) = misordered(&int)?;
        let (field_name, smaller, larger) = (field.name.clone(), smaller.to_string(), larger.to_string());
        let evidence = if part.steps.invert {
            Order::UnpaddedInverted { field: field_name, smaller, larger }
        } else {
            Order::Unpadded { field: field_name, smaller, larger }
        };
        let severity = if ranged.is_some() { Severity::Error } else { Severity::Warning };
        let mut finding =
            Found::new(severity, context.part_place(index), &evidence).fix(sorting_fix(index, field, &int));
        if let Some(access) = ranged {
            finding = finding.label(Place::access(access), needs_order(field));
        }
        Some(finding)
    })
    .collect()
}

/// ENC03.
pub(super) fn high_separators(context: &Context<'_>) -> Vec<Found> {
    let parts = context.field_parts().filter(|(index, part, _)| {
        let is_ordered_form = part.steps.hash.is_none() && !part.steps.reverse;
        is_ordered_form && context.design.layout()[*index].order == OrderKept::No
    });
    parts
        .filter_map(|(index, part, field)| {
            let End::Before(separator) = &context.design.layout()[index].end else { return None };
            let lowest = lowest_byte(field, part)?;
            if part.steps.desc.is_some() || !has_prefixes(&field.kind) {
                return None;
            }
            text_of(part, separator).first().filter(|first| **first >= lowest)?;
            Some(high_separator(context, (index, part, field), lowest, &text_of(part, separator)))
        })
        .collect()
}

/// Returns a terminator as it is written in the design: behind inverted values, keys have it inverted, too.
fn text_of(part: &FieldPart, separator: &[u8]) -> Vec<u8> {
    separator.iter().map(|byte| if part.steps.invert { !byte } else { *byte }).collect()
}

fn high_separator(
    context: &Context<'_>,
    (index, part, field): (usize, &FieldPart, &Field),
    lowest: u8,
    separator: &[u8],
) -> Found {
    let value = match &field.kind {
        FieldKind::Int(int) => int.min.max(1).to_string().into_bytes(),
        _ => vec![lowest],
    };
    let longer = [value.as_slice(), &[lowest]].concat();
    let shown = |value: &[u8]| to_shown(&[value, separator].concat());
    let (first, second) = if part.steps.invert { (&value, &longer) } else { (&longer, &value) };
    let evidence = Order::HighSeparator {
        field: field.name.clone(),
        separator: byte_text(separator),
        byte: byte_text(&[lowest]),
        first: shown(first),
        second: shown(second),
    };
    let Some(text) = context.text_after(index) else {
        return Found::warning(context.part_place(index), &evidence);
    };
    let place = context.part_place(index + 1);
    let ranged = context.ranged_by(part.field);
    let severity = if ranged.is_some() { Severity::Error } else { Severity::Warning };
    let end = byte_text(&text.bytes);
    let finding = Found::new(severity, place, &evidence)
        .label(context.part_place(index), said!("ended by {end}", "以 {end} 结束"))
        .fix(low_separator_fix(index, field, lowest));
    match ranged {
        Some(access) => finding.label(Place::access(access), needs_order(field)),
        None => finding,
    }
}

/// ENC05.
pub(super) fn negative_numbers(context: &Context<'_>) -> Vec<Found> {
    let two_s_complement = |part: &FieldPart| {
        let steps = &part.steps;
        steps.encoding == Encoding::Be && steps.desc.is_none() && steps.hash.is_none() && !steps.reverse
    };
    let parts = context.field_parts().filter(|(_, part, _)| two_s_complement(part));
    parts
        .filter_map(|(index, part, field)| {
            let is_float = matches!(field.kind, FieldKind::Float(_));
            let min = if is_float { -1 } else { field.kind.number_range()?.0 };
            if min >= 0 {
                return None;
            }
            let width = context.design.layout()[index].end.fixed()?;
            let declared = Context::undeclared(field).is_some_and(|(least, _)| min != least);
            let least = if declared { min } else { -1 };
            let (field_name, least) = (field.name.clone(), least.to_string());
            let evidence = if part.steps.invert {
                Order::SignedBytesInverted { field: field_name, least, width }
            } else {
                Order::SignedBytes { field: field_name, least, width }
            };
            let is_time = field.time().is_some();
            let severity = match (is_time && !declared, context.ranged_by(part.field)) {
                (true, _) => Severity::Info,
                (false, Some(_)) => Severity::Error,
                (false, None) => Severity::Warning,
            };
            let (path, name) = (part_path(index), &field.name);
            let fix = Patch::new(said!("turn the sign bit of {name}", "把 {name} 的符号位取反"))
                .set(&format!("{path}.as"), "\"ordered\"");
            let finding = Found::new(severity, context.part_place(index), &evidence).fix(fix);
            // A float has no limits that a design could declare.
            Some(if declared || is_float {
                finding
            } else {
                finding.help(said!(
                    "if {name} is never negative, declare `min = 0`",
                    "{name} 若从不为负，请声明 `min = 0`"
                ))
            })
        })
        .collect()
}

/// ENC12.
pub(super) fn reversed_without_end(context: &Context<'_>) -> Vec<Found> {
    let parts = context.field_parts().filter(|(index, part, _)| {
        let open =
            matches!(context.design.layout()[*index].end, End::FromKeyEnd(_) | End::Unmarked | End::KeyEnd);
        part.steps.reverse && part.steps.hash.is_none() && open
    });
    parts
        .filter_map(|(index, _, field)| {
            let (short, long) = values_ending_alike(&field.kind)?;
            let evidence = Order::ReversedOpenEnd { field: field.name.clone(), short, long: Listed(long) };
            Some(Found::warning(context.part_place(index), &evidence).fix(end_fix(context, index, field)))
        })
        .collect()
}

/// Returns a value, and longer ones that end with it; `None` if there are none.
fn values_ending_alike(kind: &FieldKind) -> Option<(String, Vec<String>)> {
    const MOST: usize = 3;
    const MOST_LETTERS: usize = 20;
    let with_heads = |short: String, heads: &[u8], is_value: &dyn Fn(&str) -> bool| {
        let long = heads.iter().map(|head| format!("{}{short}", char::from(*head)));
        let long: Vec<String> = long.filter(|text| is_value(text)).take(MOST).collect();
        (is_value(&short) && !long.is_empty()).then_some((short, long))
    };
    match kind {
        FieldKind::Int(int) => {
            let is_value = |text: &str| {
                let number = text.parse().ok().filter(|number| (int.min..=int.max).contains(number));
                number.is_some_and(|number| number.to_string() == text)
            };
            let shorts = [1, int.min.max(0), int.min.saturating_abs(), 0].map(|number| number.to_string());
            shorts.into_iter().find_map(|short| with_heads(short, b"123456789-", &is_value))
        }
        FieldKind::String(text) if text.min_len <= MOST_LETTERS => {
            let letters = text.alphabet.map_or_else(|| b"abc".to_vec(), |letters| letters.bytes().collect());
            let short = char::from(*letters.first()?).to_string().repeat(text.min_len.max(1));
            with_heads(short, &letters, &|value| text.holds(value.as_bytes()))
        }
        _ => Some(("a".to_owned(), ["ba", "ca", "za"].map(str::to_owned).to_vec())),
    }
}

/// Whether the part has numbers in their shortest decimal text, with varying lengths.
fn is_open_decimal(context: &Context<'_>, index: usize, part: &FieldPart) -> bool {
    let kind = &context.field(part.field).kind;
    let is_plain = part.steps.is_text(kind) && part.steps.desc.is_none() && part.steps.hash.is_none();
    is_plain && context.design.layout()[index].end.fixed().is_none()
}

/// Returns two numbers of the range whose texts sort in the wrong order.
fn misordered(int: &IntKind) -> Option<(i128, i128)> {
    let within = |number: i128| (int.min..=int.max).contains(&number);
    let powers = (1..19).map(|digits| 10i128.pow(digits));
    let ends = [(int.min, int.min.saturating_add(1)), (int.max.saturating_sub(1), int.max)];
    let pairs =
        [(2, 10), (9, 10), (-2, -1)].into_iter().chain(powers.map(|power| (power - 1, power))).chain(ends);
    let is_misordered =
        |(smaller, larger): &(i128, i128)| smaller.to_string().as_bytes() > larger.to_string().as_bytes();
    pairs.filter(|(smaller, larger)| within(*smaller) && within(*larger)).find(is_misordered)
}

/// Whether the text of one value may begin that of another.
fn has_prefixes(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Int(int) => int.min.max(1).saturating_mul(10) <= int.max,
        _ => true,
    }
}

/// Returns the lowest byte that a value's text can contain; `None` if the part is not text.
fn lowest_byte(field: &Field, part: &FieldPart) -> Option<u8> {
    match &field.kind {
        FieldKind::String(text) => {
            Some(text.alphabet.and_then(|alphabet| alphabet.bytes().next()).unwrap_or(0))
        }
        FieldKind::Bytes { .. } => Some(0),
        FieldKind::Int(_) if part.steps.is_text(&field.kind) => Some(b'0'),
        _ => None,
    }
}

fn needs_order(field: &Field) -> Bilingual {
    let name = &field.name;
    said!("needs {name} in order", "要求 {name} 有序")
}
