//! Designs are written as they are read.

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
int96 = "local"
encoding = "gb18030"
quote = "none"
escape = "\\"

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

[lint]
allow = ["UNQ04: offsets come from one partition", "ENC14: no rows at night"]
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
    assert!(listed.contains("[split]\nby = \"list\"\npoints = [\"a\", '\\xFF']\n\n[access.one]"), "{listed}");
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
           [input]\nnull = [\"\"]\ndelivery = \"exactly-once\"\norder = \"arrival\"\nquote = '\"'\nescape = \"none\"\n";
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
fn designs_store_alike_unless_a_byte_of_a_key_or_a_cell_differs() {
    let design = read(EVERY_WORD);
    let stays = |from: &str, to: &str| {
        assert!(EVERY_WORD.contains(from), "{from}");
        design.stores_alike(&read(&EVERY_WORD.replacen(from, to, 1)))
    };
    for (from, to) in [
        ("distinct = 900", "distinct = 800"),
        (", max_share = 0.25", ""),
        (", updated = true", ""),
        ("compression = \"zstd\"", "compression = \"none\""),
        ("encoding = \"fast-diff\"", "encoding = \"none\""),
        ("delivery = \"at-least-once\"\n", ""),
        ("regions = 16", "regions = 17"),
        ("name = \"ns:t\"", "name = \"u\""),
    ] {
        assert!(stays(from, to), "{from}");
    }
    for (from, to) in [
        ("bucket = 20", "bucket = 22"),
        ("hash = \"xxh3\"", "hash = \"murmur3\""),
        ("zone = \"Asia/Shanghai\"", "zone = \"UTC\""),
        ("desc = \"long-max\"", "desc = 9999999999999"),
        ("qualifier = \"S\"", "qualifier = \"T\""),
        ("n = { as = \"be\", keep = true }\n", ""),
        ("families = { f = {}, g", "families = { h = {}, g"),
        ("null = [\"\", \"NA\"]", "null = [\"NA\"]"),
        ("on_same_key = \"replace\"\n", ""),
    ] {
        assert!(!stays(from, to), "{from}");
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
    assert_eq!(changed("d = {}\nother", "other"), ["columns.d: {} here, nothing there"]);
    assert_eq!(
        changed("d = {}\nother", "d = { family = \"g\" }\nother"),
        ["columns.d.family: nothing here, \"g\" there"]
    );
    assert_eq!(
        changed("families = { f = {}, g", "families = { h = {}, g"),
        ["table.families.f: {} here, nothing there", "table.families.h: nothing here, {} there"]
    );
    assert_eq!(changed("servers = 8", "servers = 9"), [""; 0]);
    assert_eq!(changed("no rows at night", "none"), [""; 0]);
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
