//! The layout of each part of a key: where it ends, whether it keeps the field's order, whether it can be read back.

use super::Design;
use super::bucket::Base;
use super::field::{Field, FieldKind, FloatKind};
use super::part::{FieldPart, Part};
use super::steps::{Encoding, Steps};
use super::written::floor_number;

/// Where a part ends, how it sorts, and what can be read from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartLayout {
    /// Where it ends.
    pub end: End,
    /// Whether its bytes sort as the field's values do.
    pub order: OrderKept,
    /// Whether the field's value can be read back from its bytes, apart from what `floor` removes.
    pub decodable: bool,
    /// Whether different values give different bytes.
    pub injective: bool,
}

/// Where a part ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// After this many bytes.
    Fixed(usize),
    /// Before the text part that follows; these are its bytes, complemented if the field is.
    Before(Vec<u8>),
    /// With its own end mark; that of a bucket too narrow for its largest numbers after the longest run of digits that
    /// is a bucket.
    Own,
    /// At the end of the key.
    KeyEnd,
    /// This many bytes before the end of the key, as everything after it has a fixed width.
    FromKeyEnd(usize),
    /// Its end can't be found, so two rows may have the same key.
    Unmarked,
}

/// Whether bytes sort as the values do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKept {
    /// Smaller values first.
    Ascending,
    /// Larger values first.
    Descending,
    /// Not in the order of the values.
    No,
}

impl End {
    /// Returns the width of the part in bytes, if all its values have the same.
    pub fn fixed(&self) -> Option<usize> {
        match self {
            Self::Fixed(width) => Some(*width),
            _ => None,
        }
    }
}

impl Design {
    /// Whether no value of the part at `index` begins with the bytes of another one, so that the start of a key alone
    /// shows where the part ends.
    pub fn shows_end(&self, index: usize) -> bool {
        match (&self.parts[index], self.parts.get(index + 1)) {
            (Part::Bucket(part), _) if part.has_fixed_width() => true,
            (Part::Bucket(part), Some(Part::Text(text))) => {
                part.base != Base::Byte && !text.bytes[0].is_ascii_hexdigit()
            }
            (Part::Bucket(_), _) => false,
            _ => !matches!(self.layout[index].end, End::FromKeyEnd(_) | End::Unmarked),
        }
    }
}

/// Returns the layout of every part.
pub(crate) fn layout(fields: &[Field], parts: &[Part]) -> Vec<PartLayout> {
    let widths: Vec<Option<usize>> = parts.iter().map(|part| part_width(fields, part)).collect();
    let layouts =
        parts.iter().enumerate().map(|(index, part)| part_layout(index, part, fields, parts, &widths));
    let mut layouts: Vec<PartLayout> = layouts.collect();
    // The end of such a part can't be found, and so neither can the start of the parts after it.
    if let Some(unmarked) = layouts.iter().position(|layout| layout.end == End::Unmarked) {
        layouts[unmarked..].iter_mut().for_each(|layout| layout.decodable = false);
    }
    layouts
}

/// Returns, for each field, whether its own value can be read back from the key.
pub(crate) fn fields_in_key(fields: &[Field], parts: &[Part], layout: &[PartLayout]) -> Vec<bool> {
    let mut found = vec![false; fields.len()];
    for (part, layout) in parts.iter().zip(layout) {
        if let Part::Field(part) = part
            && layout.decodable
            && part.steps.floor.is_none()
        {
            found[part.field] = true;
        }
    }
    found
}

fn part_width(fields: &[Field], part: &Part) -> Option<usize> {
    match part {
        Part::Text(text) => Some(text.bytes.len()),
        Part::Field(part) => {
            let field = &fields[part.field];
            let width = part.steps.fixed_width(&field.kind)?;
            default_fits(field, fields, &part.steps, width).then_some(width)
        }
        Part::Bucket(bucket) => bucket.has_fixed_width().then_some(bucket.width),
    }
}

/// Whether the defaults of a field and of the field it is computed from have the width of the values; if not, the width
/// of a text part varies.
fn default_fits(field: &Field, fields: &[Field], steps: &Steps, width: usize) -> bool {
    let may_be_any_text = |field: &Field| matches!(field.kind, FieldKind::String(_)) && steps.hash.is_none();
    let own = field.default.as_ref().is_none_or(|default| !may_be_any_text(field) || default.len() == width);
    let source = field.from.as_ref().map(|from| &fields[from.field]).filter(|source| may_be_any_text(source));
    // As many characters of it are as many bytes only if all of them are ASCII.
    own && source.and_then(|source| source.default.as_ref()).is_none_or(|default| default.is_ascii())
}

fn part_layout(
    index: usize,
    part: &Part,
    fields: &[Field],
    parts: &[Part],
    widths: &[Option<usize>],
) -> PartLayout {
    let end = part_end(index, fields, parts, widths);
    match part {
        Part::Text(_) => PartLayout { end, order: OrderKept::Ascending, decodable: true, injective: true },
        Part::Bucket(_) => PartLayout { end, order: OrderKept::No, decodable: true, injective: true },
        Part::Field(part) => field_layout(end, part, fields),
    }
}

fn part_end(index: usize, fields: &[Field], parts: &[Part], widths: &[Option<usize>]) -> End {
    if let Some(width) = widths[index] {
        return End::Fixed(width);
    }
    let after = || widths[index + 1..].iter().copied().sum::<Option<usize>>();
    if matches!(parts[index], Part::Bucket(_)) {
        return after().map_or(End::Own, End::FromKeyEnd);
    }
    if let Part::Field(part) = &parts[index] {
        if part.steps.escape || ends_with_mark(part, &fields[part.field].kind) {
            return End::Own;
        }
        if let Some(Part::Text(text)) = parts.get(index + 1) {
            let invert = part.steps.invert;
            return End::Before(text.bytes.iter().map(|byte| if invert { !byte } else { *byte }).collect());
        }
    }
    if index + 1 == parts.len() {
        return End::KeyEnd;
    }
    after().map_or(End::Unmarked, End::FromKeyEnd)
}

/// An ascending blob-copy is the only `OrderedBytes` form without an end mark; a design allows it only as the last
/// part.
fn ends_with_mark(part: &FieldPart, kind: &FieldKind) -> bool {
    let is_blob_copy = matches!(kind, FieldKind::Bytes { .. }) && !part.steps.invert;
    part.steps.encoding == Encoding::OrderedBytes && !is_blob_copy
}

fn field_layout(end: End, part: &FieldPart, fields: &[Field]) -> PartLayout {
    let field = &fields[part.field];
    let steps = &part.steps;
    let readable = end != End::Unmarked && steps.hash.is_none() && field.from.is_none();
    PartLayout {
        order: field_order(field, steps, &end),
        decodable: readable,
        injective: steps.hash.is_none() && steps.floor.is_none() && field.from.is_none(),
        end,
    }
}

fn field_order(field: &Field, steps: &Steps, end: &End) -> OrderKept {
    if steps.hash.is_some() || steps.reverse {
        return OrderKept::No;
    }
    let ascending = match steps.encoding {
        Encoding::Plain | Encoding::Text => text_keeps_order(field, steps, end),
        Encoding::Be => binary_keeps_order(field, steps),
        Encoding::Phoenix if matches!(field.kind, FieldKind::String(_) | FieldKind::Bytes { .. }) => {
            text_keeps_order(field, steps, end)
        }
        Encoding::Ordered | Encoding::Phoenix | Encoding::OrderedBytes => true,
    };
    match (ascending, steps.desc.is_some() || steps.invert) {
        (false, _) => OrderKept::No,
        (true, false) => OrderKept::Ascending,
        (true, true) => OrderKept::Descending,
    }
}

fn text_keeps_order(field: &Field, steps: &Steps, end: &End) -> bool {
    match &field.kind {
        FieldKind::Int(_) => end.fixed().is_some(),
        // The start of the period is written, which may be of another century.
        FieldKind::Time(time) => {
            steps.desc.is_some()
                || steps
                    .floor
                    .map_or_else(|| time.text_keeps_order(), |period| time.floored(period).text_keeps_order())
        }
        FieldKind::String(text) => match end {
            End::Before(terminator) => terminator.first().is_some_and(|&first| {
                let first = if steps.invert { !first } else { first };
                // No text contains what ends it alone, but it may contain the bytes of a longer mark.
                let can_have = |byte: &u8| terminator.len() > 1 || *byte != first;
                let least = match text.alphabet {
                    Some(alphabet) => alphabet.bytes().find(can_have),
                    None => [0, 1].into_iter().find(can_have),
                };
                least.is_none_or(|least| first < least)
            }),
            End::Unmarked | End::FromKeyEnd(_) => false,
            End::Fixed(_) | End::Own | End::KeyEnd => true,
        },
        FieldKind::Bytes { len, .. } => len.is_some() || matches!(end, End::Own | End::KeyEnd),
        FieldKind::Digits { .. } | FieldKind::Bool | FieldKind::Uuid { .. } => true,
        FieldKind::Float(_) => false,
    }
}

/// Whether two's complement keeps the order; it sorts negative numbers last.
fn binary_keeps_order(field: &Field, steps: &Steps) -> bool {
    match &field.kind {
        FieldKind::Int(int) => match steps.desc {
            None => int.min >= 0 || int.width.is_unsigned(),
            Some(desc) => int.max <= desc.bound(),
        },
        // The start of the period is written, which may be before 1970 even if no time of the field is.
        FieldKind::Time(time) => {
            let least = steps.floor.map_or(time.min, |period| floor_number(time.min, period, time));
            steps.desc.is_some() || least >= 0
        }
        FieldKind::Float(FloatKind::F32 | FloatKind::F64) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::Design;

    #[test]
    fn what_follows_a_part_without_an_end_is_not_in_the_key() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nday = { type = \"digits\", len = 8 }\n\
                    phone = { type = \"string\" }\nid = { type = \"string\" }\n\
                    [key]\nparts = [{ field = \"day\" }, { field = \"phone\" }, { field = \"id\" }]";
        let design = Design::from_toml(toml).unwrap();
        assert_eq!(design.fields_in_key(), [true, false, false]);
        let stored: Vec<&str> = design.columns.cells.iter().map(|column| column.qualifier.as_str()).collect();
        assert_eq!(stored, ["phone", "id"]);
    }

    #[test]
    fn a_text_keeps_its_order_before_a_mark_that_no_value_can_have() {
        let order = |alphabet: &str, mark: &str| {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\na = {{ type = \"string\"{alphabet} }}\n\
                 b = {{ type = \"string\" }}\n[key]\nparts = [{{ field = \"a\" }}, {{ text = '{mark}' }}, {{ field = \"b\" }}]"
            );
            Design::from_toml(&toml).unwrap().layout[0].order
        };
        for (alphabet, mark, expected) in [
            (", alphabet = \"a-z.-\"", "-", super::OrderKept::Ascending),
            (", alphabet = \"a-z.-\"", "--", super::OrderKept::No),
            (", alphabet = \"a-z.-\"", ".", super::OrderKept::No),
            (", alphabet = \"-\"", "-", super::OrderKept::Ascending),
            ("", "\\x00", super::OrderKept::Ascending),
            ("", "\\x00\\x00", super::OrderKept::No),
            ("", "\\x01", super::OrderKept::No),
        ] {
            assert_eq!(order(alphabet, mark), expected, "{alphabet} {mark}");
        }
    }

    #[test]
    fn a_text_of_phoenix_that_nothing_ends_keeps_no_order() {
        let order = |more: &str| {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\na = {{ type = \"string\", max_len = 9 }}\n\
                 b = {{ type = \"int\", min = 0 }}\n[key]\nparts = [{{ field = \"a\", as = \"phoenix\" }}{more}]"
            );
            Design::from_toml(&toml).unwrap().layout[0].order
        };
        assert_eq!(order(", { field = \"b\", pad = 4 }"), super::OrderKept::No);
        assert_eq!(order(", { text = '\\x00' }, { field = \"b\", pad = 4 }"), super::OrderKept::Ascending);
        assert_eq!(order(""), super::OrderKept::Ascending);
    }

    /// The layout of the parts of a key, of fields that one of these tests needs.
    fn laid_out(parts: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nd = {{ type = \"digits\", len = 4 }}\n\
             s = {{ type = \"string\", max_len = 9 }}\nb = {{ type = \"bytes\" }}\nn = {{ type = \"i64\" }}\n\
             x = {{ type = \"f64\" }}\nflag = {{ type = \"bool\" }}\nt = {{ type = \"time\", unit = \"s\", min = 0 }}\n\
             left = {{ from = \"left(d,2)\" }}\nlow = {{ from = \"lower(s)\" }}\n[key]\nparts = [{parts}]"
        );
        Design::from_toml(&toml).unwrap_or_else(|error| panic!("{parts}: {error}"))
    }

    #[test]
    fn a_part_ends_where_its_encoding_or_what_follows_says() {
        use super::End::{Before, Fixed, FromKeyEnd, KeyEnd, Own, Unmarked};
        for (parts, end) in [
            ("{ field = \"d\" }", Fixed(4)),
            ("{ field = \"s\" }", KeyEnd),
            ("{ field = \"s\" }, { field = \"d\" }", FromKeyEnd(4)),
            ("{ field = \"s\" }, { field = \"d\" }, { text = \"__\" }", FromKeyEnd(6)),
            ("{ field = \"s\" }, { field = \"n\" }", Unmarked),
            ("{ field = \"s\" }, { text = \"_\" }, { field = \"n\" }", Before(vec![b'_'])),
            ("{ field = \"s\", desc = \"invert\" }, { text = \"_\" }", Before(vec![!b'_'])),
            ("{ field = \"s\", escape = true }, { text = \"_\" }", Own),
            ("{ field = \"s\", as = \"ordered-bytes\" }, { field = \"n\" }", Own),
            ("{ field = \"b\", as = \"ordered-bytes\" }", KeyEnd),
            ("{ field = \"b\", as = \"ordered-bytes\", desc = \"invert\" }", Own),
            ("{ bucket = 12, of = [\"d\"] }, { field = \"n\" }", Fixed(2)),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { field = \"n\" }", Own),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { field = \"d\" }", FromKeyEnd(4)),
        ] {
            assert_eq!(laid_out(parts).layout[0].end, end, "{parts}");
        }
    }

    #[test]
    fn the_start_of_a_key_shows_the_end_of_what_no_other_value_begins_with() {
        for (parts, shown) in [
            ("{ bucket = 12, of = [\"d\"] }, { field = \"n\" }", true),
            ("{ bucket = 12, of = [\"d\"], base = \"byte\" }, { text = \"a\" }, { field = \"n\" }", true),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { text = \"_\" }, { field = \"n\" }", true),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { text = \"a\" }, { field = \"n\" }", false),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { field = \"n\" }", false),
            ("{ bucket = 12, of = [\"d\"], width = 1 }, { field = \"d\" }", false),
            ("{ field = \"s\" }, { field = \"d\" }", false),
            ("{ field = \"s\" }, { field = \"n\" }", false),
            ("{ field = \"s\" }, { text = \"_\" }, { field = \"n\" }", true),
            ("{ field = \"s\" }", true),
            ("{ field = \"d\" }, { field = \"n\" }", true),
        ] {
            assert_eq!(laid_out(parts).shows_end(0), shown, "{parts}");
        }
    }

    #[test]
    fn what_a_part_keeps_of_its_field_is_known() {
        use super::OrderKept::{Ascending, Descending, No};
        for (part, order, decodable, injective) in [
            ("{ field = \"d\" }", Ascending, true, true),
            ("{ field = \"d\", desc = \"invert\" }", Descending, true, true),
            ("{ field = \"d\", reverse = true }", No, true, true),
            ("{ field = \"d\", hash = { name = \"md5\", bytes = 16 } }", No, false, false),
            ("{ field = \"left\" }", Ascending, false, false),
            ("{ field = \"low\" }", Ascending, false, false),
            ("{ field = \"t\" }", Ascending, true, true),
            ("{ field = \"t\", floor = \"1d\" }", Ascending, true, false),
            ("{ field = \"t\", as = \"be\" }", Ascending, true, true),
            ("{ field = \"t\", desc = \"long-max\" }", Descending, true, true),
            ("{ field = \"n\" }", No, true, true),
            ("{ field = \"n\", as = \"be\" }", No, true, true),
            ("{ field = \"n\", as = \"be\", desc = \"long-max\" }", Descending, true, true),
            ("{ field = \"n\", as = \"ordered\" }", Ascending, true, true),
            ("{ field = \"n\", as = \"phoenix\" }", Ascending, true, true),
            ("{ field = \"x\", as = \"be\" }", No, true, true),
            ("{ field = \"x\", as = \"ordered\" }", Ascending, true, true),
            ("{ field = \"x\", as = \"phoenix\" }", Ascending, true, true),
            ("{ field = \"x\", as = \"ordered-bytes\", desc = \"invert\" }", Descending, true, true),
            ("{ field = \"flag\", as = \"be\" }", Ascending, true, true),
            ("{ field = \"flag\" }", Ascending, true, true),
            ("{ field = \"b\" }", Ascending, true, true),
        ] {
            let layout = &laid_out(part).layout[0];
            let found = (layout.order, layout.decodable, layout.injective);
            assert_eq!(found, (order, decodable, injective), "{part}");
        }
    }

    #[test]
    fn a_default_of_another_length_makes_the_width_vary() {
        let width = |s: &str, cut: &str, part: &str| {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\ns = {{ type = \"string\"{s} }}\n\
                 u = {{ type = \"string\", alphabet = \"a-z\"{s} }}\nc = {{ from = \"left(u,3)\"{cut} }}\n[key]\n\
                 parts = [{{ field = \"{part} }}]"
            );
            Design::from_toml(&toml).unwrap().layout[0].end.fixed()
        };
        let default = |text: &str| format!(", default = \"{text}\"");
        assert_eq!(width("", "", "c\""), Some(3));
        assert_eq!(width("", &default("abc"), "c\""), Some(3));
        assert_eq!(width("", &default("ab"), "c\""), None);
        assert_eq!(width("", &default("abcd"), "c\""), None);
        assert_eq!(width(&default("zzzz"), "", "c\""), Some(3));
        assert_eq!(width(&default("ééé"), "", "c\""), None);
        let hashed = "\", hash = { name = \"md5\", bytes = 4 }";
        assert_eq!(width(&default("ééé"), &default("ab"), &format!("c{hashed}")), Some(4));
        assert_eq!(width(&default("é"), "", &format!("s{hashed}")), Some(4));
    }
}
