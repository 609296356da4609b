//! Designs of up to four fields of every type, with derived fields, literals and several buckets wherever they may
//! stand; some rows of them, and predicates with bounds that need not be values.

mod kinds;
mod laws;
mod predicate;

use keystride::{Design, KeyCodec, Row};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use self::kinds::{KINDS, Kind};

/// The text of a design, rows as texts of its fields, and atoms and joins of a predicate.
#[derive(Clone)]
struct Composed {
    toml: String,
    rows: Vec<Vec<Option<&'static str>>>,
    /// What predicates compare, and with what.
    operands: Vec<(String, &'static [&'static str])>,
}

impl std::fmt::Debug for Composed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{:?}", self.toml, self.rows)
    }
}

impl Composed {
    /// `None` where the design is refused.
    fn codec(&self) -> Option<KeyCodec> {
        Design::from_toml(&self.toml).ok().map(KeyCodec::new)
    }

    fn rows(&self, design: &Design) -> Vec<Row> {
        self.rows.iter().map(|texts| read_row(design, texts)).collect()
    }
}

/// A row of the texts of the design's first fields.
pub(crate) fn read_row(design: &Design, texts: &[Option<&str>]) -> Row {
    let mut row = Row::new(design.fields().len());
    for (field, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            design.read_value(&mut row, field, text).unwrap();
        }
    }
    row
}

const NAMES: [&str; 4] = ["aa", "bb", "cc", "dd"];

/// What the key has of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Itself,
    Computed,
    /// Two fields of one function, each with a default of its own.
    ComputedTwice,
    Both,
    Nothing,
}

#[derive(Debug, Clone)]
struct FieldChoice {
    kind: Index,
    part: Index,
    function: Index,
    shown: Shown,
    default: &'static str,
    /// A literal behind its parts, which no field needs.
    text: &'static str,
}

fn field() -> impl Strategy<Value = FieldChoice> {
    let shown = prop_oneof![
        5 => Just(Shown::Itself),
        2 => Just(Shown::Computed),
        1 => Just(Shown::ComputedTwice),
        2 => Just(Shown::Both),
        1 => Just(Shown::Nothing),
    ];
    let text =
        prop_oneof![8 => Just(""), 2 => select(vec!["\"_\"", "\"1\"", "'\\x00'", "\"a!\"", "'\\xFF'"])];
    let default = select(vec!["", "", ", default = \"-\"", ", default = \"a\"", ", default = \"b\""]);
    (any::<Index>(), any::<Index>(), any::<Index>(), shown, default, text).prop_map(
        |(kind, part, function, shown, default, text)| FieldChoice {
            kind,
            part,
            function,
            shown,
            default,
            text,
        },
    )
}

#[derive(Debug, Clone)]
struct BucketChoice {
    at: Index,
    count: u32,
    hash: &'static str,
    of: Vec<Index>,
    form: &'static str,
    hot: Index,
}

const HASHES: &[&str] = &[
    "xxh3",
    "xxh3",
    "murmur3",
    "md5",
    "crc32",
    "md5-hex1",
    "java-string",
    "java-xor",
    "phoenix",
    "hbasewd",
    "opentsdb",
    "mod",
    "mod",
    "random",
    "round-robin",
    // An item in `of` has hot values.
    "spread",
    "spread",
];

fn bucket() -> impl Strategy<Value = BucketChoice> {
    let count = select(vec![1, 2, 3, 4, 7, 10, 12, 16, 130, 300]);
    let form = select(vec!["", "", ", width = 1", ", width = 3", ", base = 16", ", base = \"byte\""]);
    let of = prop::collection::vec(any::<Index>(), 1..=2);
    (any::<Index>(), count, select(HASHES), of, form, any::<Index>())
        .prop_map(|(at, count, hash, of, form, hot)| BucketChoice { at, count, hash, of, form, hot })
}

/// Up to so many rows.
const ROWS: usize = 40;

fn composed() -> impl Strategy<Value = Composed> {
    let fields = prop::collection::vec(field(), 1..=4);
    let buckets = prop_oneof![
        3 => prop::collection::vec(bucket(), 0..=0),
        4 => prop::collection::vec(bucket(), 1..=1),
        3 => prop::collection::vec(bucket(), 2..=3),
    ];
    let rows = prop::collection::vec(prop::collection::vec(any::<Index>(), NAMES.len()), ROWS / 4..ROWS);
    (fields, buckets, rows).prop_map(|(fields, buckets, rows)| compose(&fields, &buckets, &rows))
}

/// What is put together of the choices.
#[derive(Default)]
struct Draft {
    declared: String,
    computed: String,
    parts: Vec<String>,
    /// Fields, functions and derived fields, each with its kind.
    items: Vec<(String, &'static Kind)>,
}

fn compose(fields: &[FieldChoice], buckets: &[BucketChoice], rows: &[Vec<Index>]) -> Composed {
    let mut draft = Draft::default();
    for (choice, name) in fields.iter().zip(NAMES) {
        draft.add_field(choice, name);
    }
    for bucket in buckets {
        draft.add_bucket(bucket);
    }
    let Draft { declared, computed, parts, items } = draft;
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{declared}{computed}[key]\nparts = [\n  {}\n]\n",
        parts.join(",\n  ")
    );
    let value = |(choice, index): (&FieldChoice, &Index)| *index.get(choice.kind.get(KINDS).values);
    let rows = rows.iter().map(|row| fields.iter().zip(row).map(value).collect()).collect();
    let operands = items.into_iter().map(|(name, kind)| (name, kind.literals)).collect();
    Composed { toml, rows, operands }
}

impl Draft {
    fn add_field(&mut self, choice: &FieldChoice, name: &str) {
        let kind = choice.kind.get(KINDS);
        self.declared.push_str(&format!("{name} = {}\n", kind.declaration));
        self.items.push((name.to_owned(), kind));
        let function =
            (!kind.functions.is_empty()).then(|| choice.function.get(kind.functions).replace("NAME", name));
        let shown = if function.is_none() { Shown::Itself } else { choice.shown };
        let derived: &[&str] = match shown {
            Shown::Computed | Shown::Both => &["of"],
            Shown::ComputedTwice => &["of", "or"],
            Shown::Itself | Shown::Nothing => &[],
        };
        for (end, function) in derived.iter().zip(function.iter().cycle()) {
            let default = match *end {
                // Not every one is the start of a period.
                "of" if function.starts_with("floor") && !choice.default.is_empty() => {
                    let literal = choice.function.get(kind.literals).trim_matches('\'');
                    format!(", default = \"{literal}\"")
                }
                "of" => choice.default.to_owned(),
                _ => ", default = \"c\"".to_owned(),
            };
            self.computed.push_str(&format!("{name}_{end} = {{ from = \"{function}\"{default} }}\n"));
            let part = ["{ field = \"NAME\" }, { text = \"!\" }", "{ field = \"NAME\" }"];
            self.parts.push(choice.part.get(&part).replace("NAME", &format!("{name}_{end}")));
            self.items.push((format!("{name}_{end}"), kind));
        }
        self.items.extend(function.map(|function| (function, kind)));
        if matches!(shown, Shown::Itself | Shown::Both) {
            self.parts.push(choice.part.get(kind.parts).replace("NAME", name));
        }
        if !choice.text.is_empty() {
            self.parts.push(format!("{{ text = {} }}", choice.text));
        }
    }

    fn add_bucket(&mut self, choice: &BucketChoice) {
        let BucketChoice { count, hash, form, .. } = choice;
        let at = choice.at.index(self.parts.len() + 1);
        let bucket = match *hash {
            "random" | "round-robin" => format!("{{ bucket = {count}, hash = \"{hash}\"{form} }}"),
            "spread" => self.spread(choice),
            "phoenix" | "hbasewd" | "opentsdb" => {
                format!("{{ bucket = {count}, hash = \"{hash}\", of = [{}] }}", self.of(choice))
            }
            "md5-hex1" => format!("{{ bucket = 16, hash = \"md5-hex1\", of = [{}]{form} }}", self.of(choice)),
            _ => format!("{{ bucket = {count}, hash = \"{hash}\", of = [{}]{form} }}", self.of(choice)),
        };
        self.parts.insert(at, bucket);
    }

    /// The rest of the key, or one or two items.
    fn of(&self, choice: &BucketChoice) -> String {
        let item = |index: &Index| format!("\"{}\"", index.get(&self.items).0);
        match choice.hot.index(4) {
            0 if choice.hash != "mod" => "\"rest\"".to_owned(),
            1 if choice.hash != "mod" => choice.of.iter().map(item).collect::<Vec<_>>().join(", "),
            _ => item(&choice.of[0]),
        }
    }

    /// A bucket of one item, some of whose values have several.
    fn spread(&self, choice: &BucketChoice) -> String {
        let BucketChoice { count, form, of, hot, .. } = choice;
        let (item, kind) = of[0].get(&self.items);
        let by = &of[of.len() - 1].get(&self.items).0;
        // What a function makes of a value may be among the values' beginnings.
        let hot = if item.contains(['(', '_']) {
            hot.get(kind.literals).trim_matches('\'')
        } else {
            hot.get(kind.values).unwrap_or("-")
        };
        let several = (*count).min(3);
        format!(
            "{{ bucket = {count}, of = [\"{item}\"]{form}, spread = {{ by = [\"{by}\"], values = {{ \"{hot}\" = {several} }} }} }}"
        )
    }
}
