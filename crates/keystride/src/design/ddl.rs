//! Prints a design in the style of SQL, which is shorter to read than a file. The text can't be read back.

use super::bucket::{Base, BucketInput, BucketPart, Spread};
use super::field::{Field, FieldKind};
use super::part::{FieldPart, Part};
use super::split_rule::SplitRule;
use super::steps::{HashTake, NumberDesc};
use super::time_field::TimeText;
use super::{Design, TableSpec};
use crate::escape::to_escaped;
use crate::hash::BucketCount;

/// Returns `CREATE TABLE t (…) ROW KEY (…) SPLIT BY … FAMILIES (…);`.
pub fn ddl(design: &Design) -> String {
    let fields: Vec<String> = design.fields.iter().map(|field| field_words(field, &design.fields)).collect();
    let parts: Vec<String> = design.parts.iter().map(|part| part_words(part, &design.fields)).collect();
    let split =
        design.split.as_ref().map_or_else(String::new, |split| format!("  {}\n", split_words(&split.rule)));
    format!(
        "CREATE TABLE {} ({})\n  ROW KEY ({})\n{split}  FAMILIES ({});",
        design.table.name.replace(':', "."),
        fields.join(", "),
        parts.join(", "),
        families(&design.table)
    )
}

fn field_words(field: &Field, fields: &[Field]) -> String {
    if let Some(from) = &field.from {
        return format!("{} AS {}", field.name, from.to_text(fields));
    }
    let kind = match &field.kind {
        FieldKind::String(text) if text.has_declared_len() => format!("STRING({})", text.max_len),
        FieldKind::Digits { len } => format!("DIGITS({len})"),
        FieldKind::Bytes { len: Some(len), .. } => format!("BYTES({len})"),
        FieldKind::Time(time) => match &time.text {
            TimeText::Epoch(unit) => format!("TIME({})", unit.name()),
            TimeText::Pattern(pattern) => format!("TIME({})", quoted(&pattern.to_string())),
        },
        kind => kind.name().to_uppercase(),
    };
    format!("{} {kind}", field.name)
}

fn part_words(part: &Part, fields: &[Field]) -> String {
    match part {
        Part::Text(text) => quoted(&to_escaped(&text.bytes)),
        Part::Field(part) => field_part_words(part, fields),
        Part::Bucket(part) => bucket_words(part, fields),
    }
}

fn field_part_words(part: &FieldPart, fields: &[Field]) -> String {
    let steps = &part.steps;
    let mut words = fields[part.field].name.clone();
    if let Some(period) = &steps.floor {
        words = format!("FLOOR({words}, '{period}')");
    }
    if let Some(word) = steps.encoding.word() {
        let width = steps.width.map_or_else(String::new, |width| format!(", {width} BYTES"));
        words = format!("{}({words}{width})", word.replace('-', "_").to_uppercase());
    }
    if let Some(pad) = steps.pad {
        words = format!("PAD({words}, {pad})");
    }
    if steps.reverse {
        words = format!("REVERSE({words})");
    }
    if let Some(hash) = steps.hash {
        let (unit, count) = match hash.take {
            HashTake::Bytes(count) => ("BYTES", count),
            HashTake::Hex(count) => ("HEX", count),
        };
        words = format!("{}({words}, {count} {unit})", hash.digest.name().to_uppercase());
    }
    if steps.escape {
        words = format!("ESCAPE({words})");
    }
    match steps.desc {
        Some(NumberDesc::LongMax) => words.push_str(" DESC LONG_MAX"),
        Some(NumberDesc::Bound(bound)) => words.push_str(&format!(" DESC {bound}")),
        None if steps.invert => words.push_str(" DESC"),
        None => {}
    }
    words
}

fn bucket_words(part: &BucketPart, fields: &[Field]) -> String {
    let name = part.hash.name().replace('-', "_");
    let of = match &part.of {
        BucketInput::Rest => "(REST)".to_owned(),
        BucketInput::Items(items) if items.is_empty() => String::new(),
        BucketInput::Items(items) => {
            format!("({})", items.iter().map(|item| item.to_text(fields)).collect::<Vec<_>>().join(", "))
        }
    };
    let base = match part.base {
        Base::Decimal => "",
        Base::Hex => " HEX",
        Base::Byte => " BYTES",
    };
    let spread = part.spread.as_ref().map_or_else(String::new, |spread| spread_words(spread, fields));
    format!("BUCKET({}) BY {name}{of} WIDTH {}{base}{spread}", part.count.get(), part.width)
}

fn spread_words(spread: &Spread, fields: &[Field]) -> String {
    let by: Vec<String> = spread.by.iter().map(|item| item.to_text(fields)).collect();
    let value = |(value, count): &(String, BucketCount)| format!("{} OVER {}", quoted(value), count.get());
    let values: Vec<String> = spread.values.iter().map(value).collect();
    format!(" SPREAD ({}) BY ({})", values.join(", "), by.join(", "))
}

/// Returns a text in quotes; one inside is doubled, as SQL has it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn split_words(rule: &SplitRule) -> String {
    let suffixed = |suffix: &[u8]| {
        if suffix.is_empty() { String::new() } else { format!(" SUFFIX {}", quoted(&to_escaped(suffix))) }
    };
    match rule {
        SplitRule::Bucket { regions, suffix } => {
            let into = regions.map_or_else(String::new, |regions| format!(" INTO {regions}"));
            format!("SPLIT BY BUCKET{into}{}", suffixed(suffix))
        }
        SplitRule::List(points) => {
            let points: Vec<String> = points.iter().map(|point| quoted(&to_escaped(point))).collect();
            format!("SPLIT ON ({})", points.join(", "))
        }
        SplitRule::File { path } => format!("SPLIT BY FILE {}", quoted(path)),
        SplitRule::Algorithm { algorithm, regions, first, last } => {
            let end = |word: &str, key: &Option<String>| {
                key.as_ref().map_or_else(String::new, |key| format!(" {word} {}", quoted(key)))
            };
            let ends = [end("FIRST", first), end("LAST", last)].concat();
            format!("SPLIT BY {} INTO {regions}{ends}", algorithm.name())
        }
        SplitRule::PartitionKeys { regions, width, suffix } => {
            let width = width.map_or_else(String::new, |width| format!(" WIDTH {width}"));
            format!("SPLIT BY PARTITION_KEYS INTO {regions}{width}{}", suffixed(suffix))
        }
        SplitRule::Range { start, end, regions } => {
            let [start, end] = [start, end].map(|key| quoted(&to_escaped(key)));
            format!("SPLIT BETWEEN {start} AND {end} INTO {regions}")
        }
        SplitRule::Sample { regions, path } => format!("SPLIT BY SAMPLE {} INTO {regions}", quoted(path)),
    }
}

fn families(table: &TableSpec) -> String {
    let family = |family: &super::Family| {
        let words: Vec<String> =
            family.hbase_attributes().iter().map(|(name, value)| format!(" {name} '{value}'")).collect();
        format!("{}{}", family.name, words.concat())
    };
    table.families.iter().map(family).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_told_and_quotes_are_doubled() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"string\" }\n\
                    ts = { type = \"time\", format = \"yyyy'y'\" }\n[key]\n\
                    parts = [{ bucket = 8, of = [\"id\"], spread = { by = [\"ts\"], values = { \"o'neil\" = 3 } } }, \
                    { field = \"id\" }, { text = \"'\" }, { field = \"ts\" }]\n";
        let text = ddl(&Design::from_toml(toml).unwrap());
        assert!(text.contains("BUCKET(8) BY xxh3(id) WIDTH 1 SPREAD ('o''neil' OVER 3) BY (ts)"), "{text}");
        assert!(text.contains("TIME('yyyy''y''')") && text.contains(", '''', "), "{text}");
    }

    #[test]
    fn parts_splits_and_families_are_told_in_words() {
        let fields = "id = { type = \"digits\", len = 4 }\ns = { type = \"string\" }\nv = { type = \"string\", max_len = 8 }\n\
                      n = { type = \"i32\" }\nb = { type = \"bytes\", len = 2 }\nt = { type = \"time\", unit = \"s\" }\n\
                      d = { from = \"left(s,2)\" }";
        let of = |parts: &str, split: &str| {
            ddl(&Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"ns:t\"\nfamilies = {{ f = {{}}, g = {{ versions = 3, ttl = \"60s\" }} }}\n\
                 [fields]\n{fields}\n[key]\nparts = [{parts}]\n{split}"
            ))
            .unwrap())
        };
        assert_eq!(
            of("{ field = \"id\" }", ""),
            "CREATE TABLE ns.t (id DIGITS(4), s STRING, v STRING(8), n I32, b BYTES(2), t TIME(s), d AS left(s,2))\n  \
             ROW KEY (id)\n  FAMILIES (f, g VERSIONS '3' TTL '60');"
        );
        for (part, words) in [
            ("{ field = \"n\", as = \"ordered-bytes\", desc = \"invert\" }", "ORDERED_BYTES(n) DESC"),
            ("{ field = \"t\", floor = \"1d\", desc = \"long-max\" }", "FLOOR(t, '1d') DESC LONG_MAX"),
            ("{ field = \"t\", desc = 9999999999, pad = 12 }", "PAD(t, 12) DESC 9999999999"),
            ("{ field = \"n\", as = \"be\", width = 8 }", "BE(n, 8 BYTES)"),
            ("{ field = \"id\", reverse = true }", "REVERSE(id)"),
            ("{ field = \"s\", escape = true }", "ESCAPE(s)"),
            ("{ field = \"s\", hash = { name = \"md5\", hex = 8 } }", "MD5(s, 8 HEX)"),
            ("{ field = \"s\", hash = { name = \"xxh3\", bytes = 4 } }", "XXH3(s, 4 BYTES)"),
            (
                "{ bucket = 8, hash = \"round-robin\" }, { field = \"id\" }",
                "BUCKET(8) BY round_robin WIDTH 1, id",
            ),
            (
                "{ bucket = 20, of = [\"rest\"], base = 16 }, { field = \"id\" }",
                "BUCKET(20) BY xxh3(REST) WIDTH 2 HEX, id",
            ),
            (
                "{ bucket = 20, of = [\"id\", \"left(s,2)\"], base = \"byte\" }, { field = \"id\" }",
                "BUCKET(20) BY xxh3(id, left(s,2)) WIDTH 1 BYTES, id",
            ),
        ] {
            let text = of(part, "");
            assert!(text.contains(&format!("\n  ROW KEY ({words})\n")), "{text}");
        }
        for (split, words) in [
            ("by = \"bucket\"\nregions = 2\nsuffix = \"|\"", "SPLIT BY BUCKET INTO 2 SUFFIX '|'"),
            ("by = \"bucket\"", "SPLIT BY BUCKET"),
            ("by = \"list\"\npoints = [\"a\", '\\x01\\xFF']", "SPLIT ON ('a', '\\x01\\xFF')"),
            ("by = \"file\"\npath = \"it's\"", "SPLIT BY FILE 'it''s'"),
            ("by = \"HexStringSplit\"\nregions = 16", "SPLIT BY HexStringSplit INTO 16"),
            (
                "by = \"HexStringSplit\"\nregions = 16\nfirst = \"00\"\nlast = \"7F\"",
                "SPLIT BY HexStringSplit INTO 16 FIRST '00' LAST '7F'",
            ),
            (
                "by = \"partition-keys\"\nregions = 4\nwidth = 2\nsuffix = \"~\"",
                "SPLIT BY PARTITION_KEYS INTO 4 WIDTH 2 SUFFIX '~'",
            ),
            ("by = \"range\"\nstart = \"0\"\nend = \"9\"\nregions = 4", "SPLIT BETWEEN '0' AND '9' INTO 4"),
            ("by = \"sample\"\nregions = 4\npath = \"rows.csv\"", "SPLIT BY SAMPLE 'rows.csv' INTO 4"),
        ] {
            let text =
                of("{ bucket = 4, hash = \"random\" }, { field = \"id\" }", &format!("[split]\n{split}\n"));
            assert!(text.contains(&format!(")\n  {words}\n  FAMILIES (")), "{text}");
        }
    }
}
