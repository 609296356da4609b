//! Patches of how values are encoded and ended.

use keystride::design::{Field, FieldKind, IntKind};
use keystride::internal::byte_text;

use crate::lint::Patch;
use crate::lint::context::{Context, part_path};
use crate::lint::said::said;

/// Proposes the lowest separator that is easy to read and not in the alphabet.
pub(super) fn low_separator_fix(index: usize, field: &Field, lowest: u8) -> Patch {
    let name = &field.name;
    if lowest == 0 {
        let path = part_path(index);
        return Patch::new(said!(
            "escape {name}, which may hold any byte",
            "对 {name} 用 escape，它可能含任意字节"
        ))
        .set(&format!("{path}.escape"), "true");
    }
    // A row without the value has its default there.
    let is_free = !field.default.as_ref().is_some_and(|default| default.contains('!'));
    let low = if lowest > b'!' && is_free { vec![b'!'] } else { vec![0] };
    let shown = byte_text(&low);
    Patch::new(said!(
        "end {name} with {shown}, which sorts below its values",
        "用 {shown} 结束 {name}，它排在各个值之前"
    ))
    .set(&format!("{}.text", part_path(index + 1)), shown)
}

/// Proposes an encoding that sorts: padded if the number has few digits, otherwise binary.
pub(super) fn sorting_fix(index: usize, field: &Field, int: &IntKind) -> Patch {
    let digits = int.max.to_string().len();
    let path = part_path(index);
    if int.min >= 0 && digits <= 10 {
        return pad_fix(&path, field, digits);
    }
    let name = &field.name;
    Patch::new(said!("write {name} in bytes that sort by size", "把 {name} 写成按大小排序的字节"))
        .set(&format!("{path}.as"), "\"ordered\"")
}

/// Proposes padding with zeros.
pub(super) fn pad_fix(path: &str, field: &Field, digits: usize) -> Patch {
    let name = &field.name;
    Patch::new(said!("pad {name} to {digits} digits", "把 {name} 补零到 {digits} 位"))
        .set(&format!("{path}.pad"), digits.to_string())
}

/// Proposes an end for a value: a width for numbers, an end mark for text.
pub(in crate::lint) fn end_fix(context: &Context<'_>, index: usize, field: &Field) -> Option<Patch> {
    let path = part_path(index);
    match &field.kind {
        FieldKind::Int(int) if int.min >= 0 => {
            let digits = int.max.to_string().len();
            Some(pad_fix(&path, field, digits))
        }
        FieldKind::Int(int)
            if !context.field_parts().any(|(at, part, _)| at == index && part.steps.reverse) =>
        {
            Some(sorting_fix(index, field, int))
        }
        FieldKind::String(_) | FieldKind::Bytes { len: None, .. } => {
            let name = &field.name;
            let title = said!("mark the end of {name}", "给 {name} 加上自己的结束标记");
            Some(Patch::new(title).set(&format!("{path}.escape"), "true"))
        }
        _ => None,
    }
}
