//! Random designs with small domains, so that all their rows can be listed.

use keystride::{Design, KeyCodec, Row, Value};
use proptest::prelude::*;
use proptest::sample::Index;

/// A field of few values, and the parts it may make.
#[derive(Debug, Clone)]
pub(crate) struct SmallField {
    pub(crate) name: String,
    pub(crate) declaration: String,
    pub(crate) values: Vec<Option<SmallValue>>,
    pub(crate) part: String,
    /// Whether the part can stand before others without a terminator.
    pub(crate) ends_itself: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SmallValue {
    Int(i128),
    Text(String),
    Bool(bool),
}

impl SmallValue {
    pub(crate) fn literal(&self) -> String {
        match self {
            Self::Int(number) => number.to_string(),
            Self::Text(text) => format!("'{text}'"),
            Self::Bool(value) => value.to_string(),
        }
    }

    /// The number; 0 for what is none.
    pub(crate) fn number(&self) -> i128 {
        if let Self::Int(number) = self { *number } else { 0 }
    }

    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Self::Int(number) => Value::Int(*number),
            Self::Text(text) => Value::Text(text),
            Self::Bool(value) => Value::Bool(*value),
        }
    }
}

/// A design and all the rows it can hold.
#[derive(Clone)]
pub(crate) struct SmallDesign {
    pub(crate) toml: String,
    pub(crate) fields: Vec<SmallField>,
}

impl std::fmt::Debug for SmallDesign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.toml)
    }
}

impl SmallDesign {
    pub(crate) fn codec(&self) -> KeyCodec {
        let design = Design::from_toml(&self.toml).unwrap_or_else(|error| panic!("{error}\n{}", self.toml));
        KeyCodec::new(design)
    }

    /// Every combination of values, in the order of the design's fields.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let total: usize = self.fields.iter().map(|field| field.values.len()).product();
        (0..total).map(|number| self.row(number)).collect()
    }

    /// Every key, ascending.
    pub(crate) fn all_keys(&self) -> Vec<Vec<u8>> {
        let codec = self.codec();
        let mut encoder = codec.encoder();
        let supplies = if self.toml.contains("random") { 4 } else { 1 };
        let mut keys = Vec::new();
        for row in self.rows() {
            for supply in 0..supplies {
                encoder.supply(supply);
                let mut key = Vec::new();
                if encoder.encode(&row, &mut key).is_ok() {
                    keys.push(key);
                }
            }
        }
        keys.sort();
        keys.dedup();
        keys
    }

    fn row(&self, mut number: usize) -> Row {
        let mut row = Row::new(self.fields.len());
        for (index, field) in self.fields.iter().enumerate() {
            let value = &field.values[number % field.values.len()];
            number /= field.values.len();
            if let Some(value) = value {
                row.set(index, value.value());
            }
        }
        row
    }
}

/// Atoms of `fields`, of as many shapes, under `and`, `or` and `not`.
pub(crate) fn predicate(
    fields: Vec<SmallField>,
    shapes: u8,
    atom: fn(&SmallField, Index, Index, u8) -> String,
) -> impl Strategy<Value = String> {
    let atoms = (prop::sample::select(fields), any::<Index>(), any::<Index>(), 0..shapes)
        .prop_map(move |(field, first, second, shape)| atom(&field, first, second, shape));
    atoms.prop_recursive(3, 6, 3, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 2..=3).prop_map(|list| format!("({})", list.join(" and "))),
            2 => prop::collection::vec(inner.clone(), 2..=3).prop_map(|list| format!("({})", list.join(" or "))),
            1 => inner.prop_map(|one| format!("not {one}")),
        ]
    })
}

/// Numbers and times of which rows have few among many: too many to be tried one by one.
pub(crate) fn wide_design() -> impl Strategy<Value = SmallDesign> {
    let field = || prop_oneof![wide_int_field(), signed_field(), pattern_field(), period_field()];
    (prop::collection::vec(field(), 2..=3), bucket(), any::<Index>()).prop_map(|(fields, bucket, at)| {
        let fields: Vec<SmallField> =
            fields.into_iter().enumerate().map(|(index, field)| named(field, index)).collect();
        assemble(fields, &bucket, at.index(3))
    })
}

/// A few numbers of `low..=high`, its ends among them.
fn some_of(low: i128, high: i128) -> impl Strategy<Value = Vec<Option<SmallValue>>> {
    prop::collection::vec(low..=high, 1..5).prop_map(move |mut numbers| {
        numbers.extend([low, high]);
        numbers.into_iter().map(|number| Some(SmallValue::Int(number))).collect()
    })
}

fn wide_int_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec![
        "{ field = \"NAME\", pad = 4 }",
        "{ field = \"NAME\", desc = 9999 }",
        "{ field = \"NAME\", pad = 4, desc = \"invert\" }",
        "{ field = \"NAME\", desc = \"long-max\" }",
        "{ field = \"NAME\", desc = \"long-max\", as = \"be\" }",
        "{ field = \"NAME\", as = \"be\", desc = \"invert\" }",
        "{ field = \"NAME\", as = \"ordered\" }",
    ]);
    (parts, some_of(0, 5_000)).prop_map(|(part, values)| {
        field("{ type = \"int\", min = 0, max = 5000 }".to_owned(), values, part, true)
    })
}

fn signed_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec![
        "{ field = \"NAME\", as = \"be\" }",
        "{ field = \"NAME\", as = \"ordered\", desc = \"invert\" }",
        "{ field = \"NAME\", as = \"phoenix\" }",
        "{ field = \"NAME\", as = \"ordered-bytes\", desc = \"invert\" }",
    ]);
    (parts, some_of(-3_000, 3_000)).prop_map(|(part, values)| {
        field("{ type = \"int\", min = -3000, max = 3000 }".to_owned(), values, part, true)
    })
}

/// Hours of 2020 in zones whose clocks never change, and their patterns.
fn pattern_field() -> impl Strategy<Value = SmallField> {
    let formats = prop::sample::select(vec![("yyyyMMdd", 24), ("yyyyMMddHH", 1), ("yyyyMMddHHmmss", 1)]);
    let zones = prop::sample::select(vec![("UTC", 0), ("+08:00", 8), ("-05:00", -5)]);
    let steps = prop::sample::select(vec!["", ", desc = \"invert\""]);
    (formats, zones, steps, prop::collection::vec(438_290..447_074i128, 1..6)).prop_map(
        |((format, grain), (zone, ahead), steps, hours)| {
            let cut = |hour: i128| (hour + ahead).div_euclid(grain) * grain - ahead;
            let values = hours.into_iter().map(|hour| Some(SmallValue::Int(cut(hour) * 3_600_000))).collect();
            let declaration = format!("{{ type = \"time\", format = \"{format}\", zone = \"{zone}\" }}");
            field(declaration, values, &format!("{{ field = \"NAME\"{steps} }}"), true)
        },
    )
}

/// Seconds of which the key has the period alone.
fn period_field() -> impl Strategy<Value = SmallField> {
    let zones = prop::sample::select(vec!["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kolkata"]);
    let periods = prop::sample::select(vec!["1h", "1d", "7d", "1mo"]);
    let steps = prop::sample::select(vec!["", ", desc = \"invert\""]);
    let values = prop_oneof![some_of(-200_000, 200_000), some_of(1_585_000_000, 1_588_000_000)];
    (zones, periods, steps, values).prop_map(|(zone, period, steps, values)| {
        let declaration = format!("{{ type = \"time\", unit = \"s\", zone = \"{zone}\" }}");
        let part = format!("{{ field = \"NAME\", floor = \"{period}\", as = \"be\", width = 4{steps} }}");
        field(declaration, values, &part, true)
    })
}

/// Two or three fields, their parts in random order, perhaps a bucket before, between or behind.
pub(crate) fn small_design() -> impl Strategy<Value = SmallDesign> {
    (prop::collection::vec(small_field(), 2..=3), bucket(), any::<Index>()).prop_map(
        |(fields, bucket, at)| {
            let fields: Vec<SmallField> =
                fields.into_iter().enumerate().map(|(index, field)| named(field, index)).collect();
            assemble(fields, &bucket, at.index(3))
        },
    )
}

fn named(mut field: SmallField, index: usize) -> SmallField {
    let name = ["aa", "bb", "cc"][index].to_owned();
    field.part = field.part.replace("NAME", &name);
    field.name = name;
    field
}

fn assemble(fields: Vec<SmallField>, bucket: &str, at: usize) -> SmallDesign {
    let last = fields.len() - 1;
    let mut parts: Vec<String> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        parts.push(field.part.clone());
        if !field.ends_itself && (index < last || field.part.contains("invert")) {
            parts.push("{ text = \"!\" }".to_owned());
        }
    }
    if !bucket.is_empty() {
        let rest = bucket.contains("rest");
        let at = if rest { 0 } else { at.min(1) };
        // Inside the key a bucket must not part a value from its terminator.
        parts.insert(if at == 0 { 0 } else { parts.len() }, bucket.to_owned());
        if at > 0 && parts.len() >= 2 && !parts[parts.len() - 2].contains("text") {
            let before = parts.len() - 1;
            parts.insert(before, "{ text = \"!\" }".to_owned());
        }
    }
    let declarations: String = fields
        .iter()
        .map(|field| format!("{} = {}", field.name, field.declaration))
        .collect::<Vec<_>>()
        .join("\n");
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{declarations}\n[key]\nparts = [\n{}\n]\n",
        parts.iter().map(|part| format!("  {part},")).collect::<Vec<_>>().join("\n")
    );
    SmallDesign { toml, fields }
}

fn bucket() -> impl Strategy<Value = String> {
    let hash = prop::sample::select(vec!["xxh3", "murmur3", "md5", "crc32", "java-string", "phoenix"]);
    let of = prop::sample::select(vec!["[\"aa\"]", "[\"bb\"]", "[\"aa\", \"bb\"]", "[\"rest\"]"]);
    prop_oneof![
        2 => Just(String::new()),
        4 => (hash, of, 1..=12u32).prop_map(|(hash, of, count)| {
            format!("{{ bucket = {count}, hash = \"{hash}\", of = {of} }}")
        }),
        1 => (2..=4u32).prop_map(|count| format!("{{ bucket = {count}, hash = \"random\" }}")),
    ]
}

fn small_field() -> impl Strategy<Value = SmallField> {
    prop_oneof![int_field(), digits_field(), string_field(), bool_field(), escaped_field()]
}

fn field(declaration: String, values: Vec<Option<SmallValue>>, part: &str, ends_itself: bool) -> SmallField {
    SmallField { name: String::new(), declaration, values, part: part.to_owned(), ends_itself }
}

fn int_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec![
        ("{ field = \"NAME\" }", false),
        ("{ field = \"NAME\", pad = 3 }", true),
        ("{ field = \"NAME\", pad = 3, reverse = true }", true),
        ("{ field = \"NAME\", desc = 999 }", true),
        ("{ field = \"NAME\", desc = \"long-max\" }", true),
        ("{ field = \"NAME\", desc = \"long-max\", as = \"be\" }", true),
        ("{ field = \"NAME\", as = \"be\" }", true),
        ("{ field = \"NAME\", as = \"be\", width = 4 }", true),
        ("{ field = \"NAME\", as = \"ordered\" }", true),
        ("{ field = \"NAME\", as = \"ordered\", desc = \"invert\" }", true),
        ("{ field = \"NAME\", as = \"phoenix\" }", true),
        ("{ field = \"NAME\", as = \"ordered-bytes\" }", true),
        ("{ field = \"NAME\", hash = { name = \"crc32\", bytes = 2 } }", true),
    ]);
    (parts, -12..=120i128, 0..=9i128).prop_map(|((part, ends), low, more)| {
        let needs_positive = ["pad", "999", "long-max"].iter().any(|word| part.contains(word));
        let low = if needs_positive { low.max(0) } else { low };
        let high = low + more;
        let values = (low..=high).map(|n| Some(SmallValue::Int(n))).collect();
        let ends = ends && !(part.contains("NAME\" }"));
        field(format!("{{ type = \"int\", min = {low}, max = {high} }}"), values, part, ends)
    })
}

fn digits_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec![
        "{ field = \"NAME\" }",
        "{ field = \"NAME\", reverse = true }",
        "{ field = \"NAME\", desc = \"invert\" }",
    ]);
    parts.prop_map(|part| {
        let values = (0..10).map(|n| Some(SmallValue::Text(n.to_string()))).collect();
        field("{ type = \"digits\", len = 1 }".to_owned(), values, part, true)
    })
}

fn texts(alphabet: &str, longest: u32) -> Vec<Option<SmallValue>> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| alphabet.chars().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.clone());
    }
    all.remove(0);
    all.into_iter().map(|text| Some(SmallValue::Text(text))).collect()
}

fn string_field() -> impl Strategy<Value = SmallField> {
    let shapes = prop::sample::select(vec![("ab", 2u32), ("a~", 2), ("019", 1)]);
    let parts = prop::sample::select(vec![
        ("{ field = \"NAME\" }", false),
        ("{ field = \"NAME\", desc = \"invert\" }", false),
        ("{ field = \"NAME\", reverse = true }", false),
        ("{ field = \"NAME\", as = \"ordered-bytes\" }", true),
        ("{ field = \"NAME\", as = \"ordered-bytes\", desc = \"invert\" }", true),
    ]);
    (shapes, default(), parts).prop_map(|(shape, default, part)| text_field(shape, default, part))
}

fn escaped_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec![
        ("{ field = \"NAME\", escape = true }", true),
        ("{ field = \"NAME\", escape = true, desc = \"invert\" }", true),
        ("{ field = \"NAME\", reverse = true, escape = true }", true),
    ]);
    (default(), parts).prop_map(|(default, part)| text_field(("!x", 2), default, part))
}

/// No default, two that are no value of most fields, and one that is of some.
fn default() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "-", "+-", "b"])
}

/// A field of up to so many characters of an alphabet.
fn text_field(
    (alphabet, longest): (&str, u32),
    default: &str,
    (part, ends_itself): (&str, bool),
) -> SmallField {
    let mut values = texts(alphabet, longest);
    let mut declaration = format!("{{ type = \"string\", max_len = {longest}, alphabet = \"{alphabet}\"");
    if !default.is_empty() && (default != "b" || alphabet.contains('b')) {
        declaration.push_str(&format!(", default = \"{default}\""));
        values.push(None);
    }
    declaration.push_str(" }");
    field(declaration, values, part, ends_itself)
}

fn bool_field() -> impl Strategy<Value = SmallField> {
    let parts = prop::sample::select(vec!["{ field = \"NAME\" }", "{ field = \"NAME\", as = \"phoenix\" }"]);
    parts.prop_map(|part| {
        let values = vec![Some(SmallValue::Bool(false)), Some(SmallValue::Bool(true))];
        field("{ type = \"bool\" }".to_owned(), values, part, true)
    })
}
