//! Writes a design back to a file: every word that is not at its default, in the order of the documentation.

use super::access::{Access, AccessBound, AccessOrder, DEFAULT_PUTS_PER_S, DEFAULT_REGIONS_PER_SERVER};
use super::bucket::{Base, BucketInput, BucketPart};
use super::columns::{ArrivalOrder, Column, Delivery, OtherColumns};
use super::field::{BYTES_INPUTS, CHARSETS, Field, FieldKind};
use super::part::{FieldPart, Part};
use super::print::{Doc, bytes, int, list, number, table, text};
use super::split_rule::SplitRule;
use super::steps::{Encoding, HashTake, NumberDesc};
use super::table::Family;
use super::time_field::{TimeKind, TimeText};
use super::{Design, Input};
use crate::SplitPoints;
use crate::split::PARTITION_SUFFIX;

impl Design {
    /// Returns the design as a TOML file that reads back as the same design. With `points`, `[split]` lists these
    /// points, as in the form that is stored with a table.
    pub fn to_toml(&self, points: Option<&SplitPoints>) -> String {
        self.to_doc(points).to_toml()
    }

    /// Returns the same as JSON.
    pub fn to_json(&self, points: Option<&SplitPoints>) -> serde_json::Value {
        self.to_doc(points).to_json()
    }

    /// Returns as TOML what of the design affects keys and cells: everything but splits, accesses, workload and cluster.
    pub fn row_rules(&self) -> String {
        self.row_doc().to_toml()
    }

    /// Returns where `other` makes other keys or cells than this design, one line per word, such as
    /// `key.parts[0].bucket: 16 here, 32 there`. Splits, accesses, workload and cluster are not compared, as they do
    /// not affect stored rows.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let [ours, theirs] = [self, other].map(|design| design.row_doc().flatten());
        let mut paths: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
        paths.sort();
        paths.dedup();
        let shown = |value: Option<&String>| value.cloned().unwrap_or_else(|| "nothing".to_owned());
        let changed = paths.into_iter().filter(|path| ours.get(*path) != theirs.get(*path));
        let changed = changed
            .map(|path| format!("{path}: {} here, {} there", shown(ours.get(path)), shown(theirs.get(path))));
        changed.chain(self.family_order(other)).collect()
    }

    /// Returns how the order of families differs, if nothing else about them does: the first one is the default.
    fn family_order(&self, other: &Self) -> Option<String> {
        let [ours, theirs] = [self, other].map(|design| &design.table.families);
        let is_order = ours.len() == theirs.len() && ours.iter().all(|family| theirs.contains(family));
        let is_listed = [self, other].iter().any(|design| design.has_plain_families());
        let names = |families: &[Family]| {
            families.iter().map(|family| family.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let differs = is_order && !is_listed && ours != theirs;
        differs.then(|| format!("the order of families: {} here, {} there", names(ours), names(theirs)))
    }

    /// Whether the families have no attributes, and are written as a list.
    fn has_plain_families(&self) -> bool {
        self.table.families.iter().all(|family| *family == Family::new(family.name.clone()))
    }

    fn to_doc(&self, points: Option<&SplitPoints>) -> Doc {
        let mut words = self.row_words();
        words.extend(self.split_doc(points).map(|split| ("split", split)));
        if !self.accesses.is_empty() {
            let accesses = self.accesses.iter().map(|access| (access.name.clone(), self.access_doc(access)));
            words.push(("access", Doc::Table(accesses.collect())));
        }
        words.extend(self.workload_doc().map(|workload| ("workload", workload)));
        words.extend(self.cluster_doc().map(|cluster| ("cluster", cluster)));
        table(words)
    }

    fn row_doc(&self) -> Doc {
        table(self.row_words())
    }

    /// Returns all words that affect keys and cells.
    fn row_words(&self) -> Vec<(&'static str, Doc)> {
        let fields = self.fields.iter().map(|field| (field.name.clone(), self.field_doc(field)));
        let mut words = vec![
            ("format", int(super::FORMAT)),
            ("table", self.table_doc()),
            ("fields", Doc::Table(fields.collect())),
            ("key", table(vec![("parts", list(self.parts.iter().map(|part| self.part_doc(part))))])),
        ];
        let columns = self.columns_doc();
        words.extend((!columns.is_empty()).then_some(("columns", Doc::Table(columns))));
        words.extend(input_doc(&self.input).map(|input| ("input", input)));
        words
    }

    fn table_doc(&self) -> Doc {
        let families = if self.has_plain_families() {
            list(self.table.families.iter().map(|family| text(&family.name)))
        } else {
            Doc::Table(
                self.table.families.iter().map(|family| (family.name.clone(), family_doc(family))).collect(),
            )
        };
        let mut words = vec![("name", text(&self.table.name)), ("families", families)];
        words.extend(self.table.on_same_key.map(|rule| ("on_same_key", text(rule.word()))));
        table(words)
    }

    fn field_doc(&self, field: &Field) -> Doc {
        let mut words = match &field.from {
            Some(from) => vec![("from", text(&from.to_text(&self.fields)))],
            None => kind_words(&field.kind),
        };
        words.extend(field.default.as_ref().map(|default| ("default", text(default))));
        words.extend(field.distinct.map(|distinct| ("distinct", int(distinct.into()))));
        words.extend(field.max_share.map(|share| ("max_share", number(share))));
        words.extend(field.updated.then_some(("updated", Doc::Bool(true))));
        table(words)
    }

    fn part_doc(&self, part: &Part) -> Doc {
        match part {
            Part::Text(part) => table(vec![("text", bytes(&part.bytes))]),
            Part::Field(part) => self.field_part_doc(part),
            Part::Bucket(part) => self.bucket_doc(part),
        }
    }

    fn field_part_doc(&self, part: &FieldPart) -> Doc {
        let steps = &part.steps;
        let mut words = vec![("field", text(&self.fields[part.field].name))];
        words.extend(steps.floor.as_ref().map(|period| ("floor", text(&period.to_string()))));
        words.extend(steps.desc.map(|desc| match desc {
            NumberDesc::LongMax => ("desc", text("long-max")),
            NumberDesc::Bound(bound) => ("desc", int(bound.into())),
        }));
        words.extend(steps.encoding.word().map(|word| ("as", text(word))));
        words.extend(steps.width.map(|width| ("width", int(width as i128))));
        words.extend(steps.pad.map(|pad| ("pad", int(pad as i128))));
        words.extend(steps.reverse.then_some(("reverse", Doc::Bool(true))));
        words.extend(steps.hash.map(|hash| {
            let (word, count) = match hash.take {
                HashTake::Bytes(count) => ("bytes", count),
                HashTake::Hex(count) => ("hex", count),
            };
            ("hash", table(vec![("name", text(hash.digest.name())), (word, int(count as i128))]))
        }));
        words.extend(steps.escape.then_some(("escape", Doc::Bool(true))));
        words.extend(steps.invert.then(|| ("desc", text("invert"))));
        table(words)
    }

    fn bucket_doc(&self, part: &BucketPart) -> Doc {
        let mut words = vec![("bucket", int(part.count.get().into())), ("hash", text(part.hash.name()))];
        match &part.of {
            BucketInput::Rest => words.push(("of", list([text("rest")]))),
            BucketInput::Items(items) if items.is_empty() => {}
            BucketInput::Items(items) => {
                words.push(("of", list(items.iter().map(|item| text(&item.to_text(&self.fields))))));
            }
        }
        words.push(("width", int(part.width as i128)));
        words.push((
            "base",
            match part.base {
                Base::Decimal => int(10),
                Base::Hex => int(16),
                Base::Byte => text("byte"),
            },
        ));
        words.extend(part.spread.as_ref().map(|spread| {
            let by = list(spread.by.iter().map(|by| text(&by.to_text(&self.fields))));
            let values = spread.values.iter().map(|(value, count)| (value.clone(), int(count.get().into())));
            ("spread", table(vec![("by", by), ("values", Doc::Table(values.collect()))]))
        }));
        table(words)
    }

    fn columns_doc(&self) -> Vec<(String, Doc)> {
        let in_key = self.fields_in_key();
        let mut words = Vec::new();
        for column in &self.columns.cells {
            let said = self.column_words(column, in_key[column.field]);
            if !said.is_empty() || self.fields[column.field].from.is_some() {
                words.push((self.fields[column.field].name.clone(), table(said)));
            }
        }
        match self.columns.other {
            OtherColumns::Error => {}
            OtherColumns::Drop => words.push(("other".to_owned(), text("drop"))),
            OtherColumns::Store(family) => {
                words.push(("other".to_owned(), text(&self.table.families[family].name)));
            }
        }
        words.extend(
            self.columns.cell_time.map(|field| ("cell_time".to_owned(), text(&self.fields[field].name))),
        );
        words
    }

    fn column_words(&self, column: &Column, in_key: bool) -> Vec<(&'static str, Doc)> {
        let mut words = Vec::new();
        words
            .extend((column.family != 0).then(|| ("family", text(&self.table.families[column.family].name))));
        let renamed = column.qualifier != self.fields[column.field].name;
        words.extend(renamed.then(|| ("qualifier", text(&column.qualifier))));
        let encoded = !matches!(column.encoding, Encoding::Text | Encoding::Plain);
        words.extend(column.encoding.word().filter(|_| encoded).map(|word| ("as", text(word))));
        words.extend(in_key.then_some(("keep", Doc::Bool(true))));
        words
    }

    fn split_doc(&self, points: Option<&SplitPoints>) -> Option<Doc> {
        if let Some(points) = points {
            let keys = list(points.keys().iter().map(|key| bytes(key.as_bytes())));
            return (!points.keys().is_empty()).then(|| table(vec![("by", text("list")), ("points", keys)]));
        }
        let rule = &self.split.as_ref()?.rule;
        let mut words = vec![("by", text(rule.word()))];
        words.extend(split_words(rule));
        Some(table(words))
    }

    fn access_doc(&self, access: &Access) -> Doc {
        let mut words = Vec::new();
        if !access.by.is_empty() {
            words.push(("by", list(access.by.iter().map(|by| text(&by.to_text(&self.fields))))));
        }
        match access.order {
            AccessOrder::Key => {}
            AccessOrder::Newest => words.push(("order", text("newest"))),
            AccessOrder::Oldest => words.push(("order", text("oldest"))),
        }
        words.extend(access.limit.map(|limit| ("limit", int(limit.into()))));
        words.extend(access.bound.map(|bound| match bound {
            AccessBound::Range(field) => ("range", text(&self.fields[field].name)),
            AccessBound::Prefix(field) => ("prefix", text(&self.fields[field].name)),
        }));
        words.extend(access.span_s.map(|seconds| ("span", seconds_doc(seconds))));
        words.extend(access.rate.map(|rate| ("rate", number(rate))));
        words.extend(access.recent.map(|recent| ("recent", number(recent))));
        table(words)
    }

    fn workload_doc(&self) -> Option<Doc> {
        let workload = self.workload.as_ref()?;
        let mut words = Vec::new();
        words.extend(workload.rows_per_s.map(|rate| ("rows_per_s", number(rate))));
        words.extend(workload.peak.map(|peak| {
            ("peak", table(vec![("rows_per_s", number(peak.rows_per_s)), ("for", seconds_doc(peak.for_s))]))
        }));
        words.extend(workload.retention_s.map(|seconds| ("retention", seconds_doc(seconds))));
        words.extend(workload.deletes.map(|share| ("deletes", number(share))));
        words.extend(workload.row_bytes.map(|bytes| ("row_bytes", int(bytes.into()))));
        Some(table(words))
    }

    fn cluster_doc(&self) -> Option<Doc> {
        let cluster = self.cluster.as_ref()?;
        let mut words = vec![("servers", int(cluster.servers.into()))];
        let said = cluster.puts_per_s.to_bits() != DEFAULT_PUTS_PER_S.to_bits();
        words.extend(said.then(|| ("puts_per_s", number(cluster.puts_per_s))));
        let said = cluster.regions_per_server != DEFAULT_REGIONS_PER_SERVER;
        words.extend(said.then(|| ("regions_per_server", int(cluster.regions_per_server.into()))));
        Some(table(words))
    }
}

fn seconds_doc(seconds: u64) -> Doc {
    text(&format!("{seconds}s"))
}

fn family_doc(family: &Family) -> Doc {
    let plain = Family::new("");
    let mut words = Vec::new();
    words.extend((family.versions != plain.versions).then(|| ("versions", int(family.versions.into()))));
    words.extend(family.ttl_s.map(|seconds| ("ttl", seconds_doc(seconds.into()))));
    words.extend(
        (family.compression != plain.compression).then(|| ("compression", text(family.compression.word()))),
    );
    words.extend((family.bloom != plain.bloom).then(|| ("bloom", text(family.bloom.word()))));
    words.extend((family.encoding != plain.encoding).then(|| ("encoding", text(family.encoding.word()))));
    words.extend(
        (family.block_bytes != plain.block_bytes)
            .then(|| ("block_size", text(&format!("{}B", family.block_bytes)))),
    );
    words.extend(family.in_memory.then_some(("in_memory", Doc::Bool(true))));
    table(words)
}

fn kind_words(kind: &FieldKind) -> Vec<(&'static str, Doc)> {
    let mut words = vec![("type", text(kind.name()))];
    match kind {
        FieldKind::String(kind) => {
            words.extend(kind.has_declared_len().then(|| ("max_len", int(kind.max_len as i128))));
            words.extend(kind.alphabet.map(|alphabet| ("alphabet", text(&alphabet.to_string()))));
            let charset = CHARSETS.iter().skip(1).find(|(_, charset)| *charset == kind.charset);
            words.extend(charset.map(|(word, _)| ("charset", text(word))));
        }
        FieldKind::Digits { len } => words.push(("len", int(*len as i128))),
        FieldKind::Int(kind) => {
            let (min, max) = kind.width.range();
            words.extend((kind.min != min).then(|| ("min", int(kind.min))));
            words.extend((kind.max != max).then(|| ("max", int(kind.max))));
        }
        FieldKind::Bytes { len, input } => {
            words.extend(len.map(|len| ("len", int(len as i128))));
            let input = BYTES_INPUTS.iter().skip(1).find(|(_, known)| known == input);
            words.extend(input.map(|(word, _)| ("input", text(word))));
        }
        FieldKind::Uuid { version } => words.extend(version.map(|version| ("version", int(version.into())))),
        FieldKind::Time(time) => words.extend(time_words(time)),
        FieldKind::Float(_) | FieldKind::Bool => {}
    }
    words
}

fn time_words(time: &TimeKind) -> Vec<(&'static str, Doc)> {
    let mut words = match &time.text {
        TimeText::Epoch(unit) => vec![("unit", text(unit.name()))],
        TimeText::Pattern(pattern) => vec![("format", text(&pattern.to_string()))],
    };
    words.extend((time.zone.name() != "UTC").then(|| ("zone", text(time.zone.name()))));
    words.extend(time.input.as_ref().map(|input| ("input", text(&input.to_string()))));
    let (min, max) = TimeKind::widest(&time.text, &time.zone);
    words.extend((time.min != min).then(|| ("min", int(time.min))));
    words.extend((time.max != max).then(|| ("max", int(time.max))));
    words
}

fn input_doc(input: &Input) -> Option<Doc> {
    let plain = Input::default();
    let mut words = Vec::new();
    words
        .extend((input.null != plain.null).then(|| ("null", list(input.null.iter().map(|null| text(null))))));
    words.extend((input.delivery == Delivery::AtLeastOnce).then(|| ("delivery", text("at-least-once"))));
    words.extend((input.order == ArrivalOrder::Sorted).then(|| ("order", text("sorted"))));
    (!words.is_empty()).then(|| table(words))
}

fn split_words(rule: &SplitRule) -> Vec<(&'static str, Doc)> {
    let regions = |regions: u32| ("regions", int(regions.into()));
    let suffixed = |suffix: &[u8]| (!suffix.is_empty()).then(|| ("suffix", bytes(suffix)));
    match rule {
        SplitRule::Bucket { regions: count, suffix } => {
            count.map(regions).into_iter().chain(suffixed(suffix)).collect()
        }
        SplitRule::List(points) => vec![("points", list(points.iter().map(|point| bytes(point))))],
        SplitRule::File { path } => vec![("path", text(path))],
        SplitRule::Algorithm { regions: count, first, last, .. } => {
            let mut words = vec![regions(*count)];
            words.extend(first.as_ref().map(|first| ("first", text(first))));
            words.extend(last.as_ref().map(|last| ("last", text(last))));
            words
        }
        SplitRule::PartitionKeys { regions: count, width, suffix } => {
            let mut words = vec![regions(*count)];
            words.extend(width.map(|width| ("width", int(width as i128))));
            words.extend((suffix != PARTITION_SUFFIX).then(|| ("suffix", bytes(suffix))));
            words
        }
        SplitRule::Range { start, end, regions: count } => {
            vec![("start", bytes(start)), ("end", bytes(end)), regions(*count)]
        }
        SplitRule::Sample { regions: count, path } => vec![regions(*count), ("path", text(path))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A design that says every word.
    const EVERY_WORD: &str = r#"format = 1

[table]
name = "ns:t"
families = { f = {}, g = { versions = 3, ttl = "60s", compression = "zstd", bloom = "none", encoding = "fast-diff", block_size = "8192B", in_memory = true } }
on_same_key = "replace"

[fields]
id = { type = "digits", len = 4, distinct = 900, max_share = 0.25 }
s = { type = "string", max_len = 8, charset = "gb18030", default = "-" }
a = { type = "string", alphabet = "0-9a-f" }
n = { type = "i32", min = -5, max = 7, updated = true }
b = { type = "bytes", len = 4, input = "base64" }
u = { type = "uuid", version = 4 }
t = { type = "time", format = "yyyyMMdd", zone = "Asia/Shanghai", input = "yyyy-MM-dd", min = 1577808000000, max = 1609344000000 }
e = { type = "time", unit = "s", min = 0 }
x = { type = "f64" }
d = { from = "left(a,2)" }

[key]
parts = [
  { bucket = 20, hash = "xxh3", of = ["id"], width = 2, base = 16, spread = { by = ["n"], values = { 0012 = 3, 1234 = 2 } } },
  { text = "_" },
  { field = "id", hash = { name = "md5", hex = 4 } },
  { field = "id", reverse = true },
  { field = "t", floor = "1d", desc = "long-max" },
  { field = "n", as = "be", width = 8 },
  { field = "e", desc = 9999999999, pad = 12 },
  { field = "a", escape = true, desc = "invert" },
  { text = '\x00\x27' },
  { field = "x", as = "ordered" },
]

[columns]
s = { family = "g", qualifier = "S" }
n = { as = "be", keep = true }
d = {}
other = "g"
cell_time = "e"

[input]
null = ["", "NA"]
delivery = "at-least-once"
order = "sorted"

[split]
by = "partition-keys"
regions = 16
width = 3
suffix = "~"

[access.one]
by = ["id", "left(a,2)"]
order = "newest"
limit = 5
rate = 2.5

[access."a b"]
range = "e"
span = "3600s"
rate = 20
recent = 0.9

[workload]
rows_per_s = 1000
peak = { rows_per_s = 90000, for = "600s" }
retention = "86400s"
deletes = 0.1
row_bytes = 200

[cluster]
servers = 8
puts_per_s = 20000
regions_per_server = 50
"#;

    fn read(toml: &str) -> Design {
        Design::from_toml(toml).unwrap_or_else(|error| panic!("{error}\n{toml}"))
    }

    #[test]
    fn every_word_is_written_as_it_is_read() {
        let design = read(EVERY_WORD);
        assert_eq!(design.to_toml(None), EVERY_WORD);
        let json = design.to_json(None).to_string();
        assert_eq!(Design::from_json(&json).unwrap().to_toml(None), EVERY_WORD);
        let [rules, _] = EVERY_WORD.split("\n[split]").collect::<Vec<_>>()[..] else { panic!() };
        assert_eq!(design.row_rules(), rules);
        let points = SplitPoints::new([b"a".as_slice(), b"\xFF"]).unwrap();
        let listed = design.to_toml(Some(&points));
        assert!(
            listed.contains("[split]\nby = \"list\"\npoints = [\"a\", '\\xFF']\n\n[access.one]"),
            "{listed}"
        );
        assert!(!design.to_toml(Some(&SplitPoints::default())).contains("[split]"));
    }

    #[test]
    fn words_at_their_defaults_are_left_out() {
        let plain = "format = 1\n\n[table]\nname = \"t\"\nfamilies = [\"f\", \"g\"]\n\n[fields]\n\
                     s = { type = \"string\" }\nb = { type = \"bytes\" }\nn = { type = \"u32\" }\n\
                     t = { type = \"time\", unit = \"ms\" }\n\n[key]\nparts = [\n  { field = \"s\" },\n]\n";
        let said = plain
            .replace("\"string\"", "\"string\", charset = \"utf-8\"")
            .replace("\"bytes\"", "\"bytes\", input = \"hex\"")
            .replace("\"u32\"", "\"u32\", min = 0, max = 4294967295")
            .replace("\"ms\"", "\"ms\", zone = \"UTC\"")
            + "[columns]\nn = { family = \"f\", qualifier = \"n\", as = \"text\" }\nother = \"error\"\n\
               [input]\nnull = [\"\"]\ndelivery = \"exactly-once\"\norder = \"arrival\"\n";
        assert_eq!(read(&said).to_toml(None), plain);
        let cluster = "[cluster]\nservers = 8\nputs_per_s = 50000\nregions_per_server = 100\n";
        let written = read(&format!("{plain}\n{cluster}")).to_toml(None);
        assert_eq!(written, format!("{plain}\n[cluster]\nservers = 8\n"));
    }

    #[test]
    fn rules_of_splits_are_written_as_they_are_read() {
        let frame = "format = 1\n\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n\n[fields]\ns = { type = \"digits\", len = 4 }\n\n\
                     [key]\nparts = [\n  { bucket = 4, hash = \"random\", width = 1, base = \"byte\" },\n  { field = \"s\" },\n]\n";
        for rule in [
            "by = \"bucket\"",
            "by = \"bucket\"\nregions = 2",
            "by = \"bucket\"\nsuffix = \"|\"",
            "by = \"list\"\npoints = [\"a\", '\\x01\\xFF']",
            "by = \"file\"\npath = \"points.txt\"",
            "by = \"HexStringSplit\"\nregions = 16\nfirst = \"00\"\nlast = \"7f\"",
            "by = \"partition-keys\"\nregions = 4",
            "by = \"range\"\nstart = \"0\"\nend = \"9\"\nregions = 4",
            "by = \"sample\"\nregions = 4\npath = \"rows.csv\"",
        ] {
            let toml = format!("{frame}\n[split]\n{rule}\n");
            assert_eq!(read(&toml).to_toml(None), toml);
        }
    }

    #[test]
    fn what_makes_other_keys_or_cells_is_told_by_its_word() {
        let design = read(EVERY_WORD);
        let changed = |from: &str, to: &str| {
            assert!(EVERY_WORD.contains(from), "{from}");
            design.differences(&read(&EVERY_WORD.replacen(from, to, 1)))
        };
        assert_eq!(changed("bucket = 20", "bucket = 22"), ["key.parts[0].bucket: 20 here, 22 there"]);
        assert_eq!(
            changed("reverse = true }", "desc = \"invert\" }"),
            [
                "key.parts[3].desc: nothing here, \"invert\" there",
                "key.parts[3].reverse: true here, nothing there"
            ]
        );
        assert_eq!(
            changed("qualifier = \"S\"", "qualifier = \"T\""),
            ["columns.s.qualifier: \"S\" here, \"T\" there"]
        );
        assert_eq!(changed("servers = 8", "servers = 9"), [""; 0]);
        assert_eq!(changed("regions = 16", "regions = 17"), [""; 0]);
        let families = |list: &str| {
            read(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = {list}\n[fields]\ns = {{ type = \"string\" }}\n[key]\nparts = [{{ field = \"s\" }}]\n"
            ))
        };
        let told = |ours: &str, theirs: &str| families(ours).differences(&families(theirs));
        let first = "{ f = { versions = 2 }, g = {} }";
        assert_eq!(
            told(first, "{ g = {}, f = { versions = 2 } }"),
            ["the order of families: f, g here, g, f there"]
        );
        assert_eq!(told(first, first), [""; 0]);
        assert_eq!(
            told("[\"f\", \"g\"]", "[\"g\", \"f\"]"),
            ["table.families: [\"f\", \"g\"] here, [\"g\", \"f\"] there"]
        );
        assert_eq!(
            told(first, "{ f = { versions = 3 }, g = {} }"),
            ["table.families.f.versions: 2 here, 3 there"]
        );
    }
}
