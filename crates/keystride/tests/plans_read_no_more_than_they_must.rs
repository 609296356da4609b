//! What plans read: no more keys than those of the rows that match, where the order of keys allows it, and no filter where
//! the ranges hold nothing else.

use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, Planner, Predicate};

/// A design, and for each predicate the ranges that are read, with `filter` behind them if one is kept.
struct Case {
    fields: &'static str,
    parts: &'static str,
    plans: &'static [(&'static str, &'static str)],
}

const CASES: &[Case] = &[
    // A boolean, whose text sorts by no bound.
    Case {
        fields: "ok = { type = \"bool\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"ok\" }, { field = \"n\" }",
        plans: &[("ok = true", "[1, 2)"), ("ok != true", "[0, 1)"), ("ok in (true, false)", "[0, 2)")],
    },
    // Signed numbers in two's complement, of which the negative ones come last.
    Case {
        fields: "n = { type = \"i32\" }\nm = { type = \"u32\" }\n",
        parts: "{ field = \"n\", as = \"be\" }, { field = \"m\" }",
        plans: &[
            ("n > -3", "[\\x00\\x00\\x00\\x00, \\x80) [\\xFF\\xFF\\xFF\\xFE, end)"),
            ("n < 3", "[\\x00\\x00\\x00\\x00, \\x00\\x00\\x00\\x03) [\\x80\\x00\\x00\\x00, end)"),
            (
                "n between 1 and 2 and m = 7",
                "[\\x00\\x00\\x00\\x017, \\x00\\x00\\x00\\x017\\x00) [\\x00\\x00\\x00\\x027, \\x00\\x00\\x00\\x027\\x00)",
            ),
            ("n >= 0 and m = 7", "[\\x00\\x00\\x00\\x007, \\x7F\\xFF\\xFF\\xFF7\\x00) filter"),
        ],
    },
    // Texts of fixed width, and bounds that are longer or shorter.
    Case {
        fields: "phone = { type = \"digits\", len = 3 }\nn = { type = \"int\" }\n",
        parts: "{ field = \"phone\" }, { field = \"n\" }",
        plans: &[
            ("phone > '1234'", "[124, end)"),
            ("phone <= '1234'", "[, 124)"),
            ("phone > '12'", "[12, end)"),
            ("phone <= '12'", "[, 12)"),
            ("phone > '123'", "[124, end)"),
        ],
    },
    // Beginnings of a text.
    Case {
        fields: "host = { type = \"string\", max_len = 9 }\n",
        parts: "{ field = \"host\" }",
        plans: &[
            ("left(host,2) = 'ab'", "[ab, ac)"),
            ("left(host,2) = 'abc'", ""),
            ("host like 'ab%'", "[ab, ac)"),
        ],
    },
    // A part that is cut out of a text, and a default of it.
    Case {
        fields: "host = { type = \"string\", max_len = 9 }\npre = { from = \"left(host,2)\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"pre\" }, { text = \"!\" }, { field = \"n\" }",
        plans: &[
            ("pre = 'ab'", "[ab!, ab\")"),
            ("host = 'abc'", "[ab!, ab\") filter"),
            ("host in ('abc', 'xyz')", "[ab!, ab\") [xy!, xy\") filter"),
        ],
    },
    Case {
        fields: "phone = { type = \"digits\", len = 3 }\npre = { from = \"left(phone,2)\", default = \"99\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"pre\" }, { field = \"n\" }",
        plans: &[
            ("pre < '50'", "[, 50)"),
            ("pre > '50'", "[51, end) filter"),
            ("pre != '99'", "[, 99)"),
            ("pre = '99'", "[99, 9:) filter"),
        ],
    },
    // A default that is a value reads back as that value, so the first field is never missing.
    Case {
        fields: "host = { type = \"string\", max_len = 9, alphabet = \"a-z\" }\n\
                 end = { from = \"right(host,1)\", default = \"a\" }\nlast = { from = \"right(host,1)\", default = \"0\" }\n",
        parts: "{ field = \"end\" }, { text = \"!\" }, { field = \"last\" }, { text = \"!\" }",
        plans: &[
            ("end is null", ""),
            ("last is null", "[a!0!, a!0!\\x00)"),
            ("last is null and end = 'a'", "[a!0!, a!0!\\x00)"),
            ("end = 'a'", "[a!, a\")"),
        ],
    },
    // A default that sorts among what is asked for, though it is shorter.
    Case {
        fields: "v = { type = \"string\", max_len = 3, alphabet = \"a-z\", default = \"-\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"v\", desc = \"invert\" }, { text = '\\x00' }, { field = \"n\" }",
        plans: &[("v <= '-b'", "[\\xD2\\x9D\\xFF, end) filter"), ("v >= 'b'", "[, \\x9E)")],
    },
    // Texts with a mark of their own.
    Case {
        fields: "v = { type = \"string\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"v\", as = \"ordered-bytes\" }, { field = \"n\" }",
        plans: &[("v <= 'a'", "[, 4a\\x01)"), ("v = 'a'", "[4a\\x00, 4a\\x01)")],
    },
    Case {
        fields: "v = { type = \"string\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"v\", escape = true }, { field = \"n\" }",
        plans: &[
            ("v > 'a\0b'", "[a\\x00\\xFFb\\x00\\x02, end)"),
            ("v <= 'a\0b'", "[, a\\x00\\xFFb\\x00\\x02)"),
        ],
    },
    // A mark of several bytes, which may be in the text.
    Case {
        fields: "name = { type = \"string\" }\nid = { type = \"string\" }\n",
        parts: "{ field = \"name\" }, { text = \"||\" }, { field = \"id\" }",
        plans: &[("name >= 'b'", "[b, end) filter"), ("name < 'b'", "[, |}) filter")],
    },
    // UUIDs as texts.
    Case {
        fields: "id = { type = \"uuid\" }\nn = { type = \"u32\" }\n",
        parts: "{ field = \"id\", as = \"text\" }, { field = \"n\" }",
        plans: &[(
            "id <= '00112233-4455-6677-8899-aabbccddeeff'",
            "[, 00112233-4455-6677-8899-aabbccddeefg)",
        )],
    },
    // Floats.
    Case {
        fields: "x = { type = \"f64\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"x\", as = \"ordered\" }, { field = \"n\" }",
        plans: &[
            (
                "x between 0.5 and 2.5",
                "[\\xBF\\xE0\\x00\\x00\\x00\\x00\\x00\\x00, \\xC0\\x04\\x00\\x00\\x00\\x00\\x00\\x01) filter",
            ),
            ("x > 0.5", "[\\xBF\\xE0\\x00\\x00\\x00\\x00\\x00\\x00, end) filter"),
        ],
    },
    // Days, to the end of which times are rounded.
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMMdd\" }\nu = { type = \"string\", max_len = 5 }\nn = { type = \"u32\" }\n",
        parts: "{ field = \"t\" }, { field = \"u\" }, { text = \"|\" }, { field = \"n\" }",
        plans: &[
            ("t between '20200401' and '20200403'", "[20200401, 20200404)"),
            ("t > '20200401' and t < '20200403'", "[20200402, 20200403)"),
            ("t > '2020-04-15T12:00:00Z' and t < '20200417'", "[20200416, 20200417)"),
            ("t = '2020-04-15T12:00:00Z'", ""),
            ("t >= '20200401' and u = 'ab'", "[20200401ab|, 99991231ab}) filter"),
        ],
    },
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMMdd\" }\nu = { type = \"string\", max_len = 5 }\n",
        parts: "{ field = \"t\", desc = \"long-max\" }, { field = \"u\" }",
        plans: &[
            ("t between '20200401' and '20200403'", "[9223370450982775807, 9223370451241975807)"),
            (
                "t between '20200401' and '20200403' and u = 'ab'",
                "[9223370450982775807ab, 9223370451155575807ab\\x00) filter",
            ),
        ],
    },
    // A value that is tried as the predicate says nothing of it, and the one bucket that it has.
    Case {
        fields: "digit = { type = \"int\", min = 0, max = 3 }\nn = { type = \"u32\" }\n",
        parts: "{ field = \"digit\" }, { text = \"!\" }, { bucket = 2, hash = \"mod\", of = [\"digit\"] }, { field = \"n\" }",
        plans: &[("n = 7", "[0!07, 0!07\\x00) [1!17, 1!17\\x00) [2!07, 2!07\\x00) [3!17, 3!17\\x00)")],
    },
    // Periods of a time, which hold all of it or leave some of it to the filter.
    Case {
        fields: "ts = { type = \"time\", unit = \"s\" }\n",
        parts: "{ field = \"ts\", floor = \"1h\" }",
        plans: &[
            ("ts >= 1600002000 and ts <= 1600005599", "[1600002000, 1600002000\\x00)"),
            ("ts >= 1600002000", "[1600002000, 9999997201)"),
            ("ts > 1600001999", "[1600002000, 9999997201)"),
            ("ts > 1600002000", "[1600002000, 9999997201) filter"),
            ("ts < 1600002000", "[1000000800, 1600002000)"),
            ("ts <= 1600001999", "[1000000800, 1600002000)"),
            ("ts <= 1600002000", "[1000000800, 1600005600) filter"),
            ("floor(ts,1h) > 1599998400", "[1600002000, 9999997201)"),
            ("floor(ts,1h) = 1599998400", "[1599998400, 1599998400\\x00)"),
        ],
    },
    Case {
        fields: "ts = { type = \"time\", unit = \"ms\" }\nu = { type = \"digits\", len = 3 }\n",
        parts: "{ field = \"ts\", floor = \"1d\" }, { field = \"u\" }, { field = \"ts\" }",
        plans: &[
            (
                "ts >= 1600000000000 and ts < 1600100000000 and u = '123'",
                "[15999552000001231600000000000, 15999552000001231600041600000) [16000416000001231600041600000, 16000416000001231600100000000)",
            ),
            (
                "ts = 1600000000000 and u = '123'",
                "[15999552000001231600000000000, 15999552000001231600000000000\\x00)",
            ),
        ],
    },
    Case {
        fields: "ts = { type = \"time\", unit = \"ms\" }\nday = { from = \"floor(ts,1d)\" }\nu = { type = \"digits\", len = 3 }\n",
        parts: "{ field = \"u\" }, { field = \"day\" }, { field = \"ts\" }",
        plans: &[
            (
                "u = '123' and ts >= 1600000000000 and ts < 1600300000000",
                "[12315999552000001600000000000, 12316002144000001600300000000) filter",
            ),
            ("u = '123' and day >= 1599955200000", "[1231599955200000, 1239999936000001)"),
        ],
    },
    // Periods that the pattern of the time does not tell apart.
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMM\" }\nd = { from = \"floor(t,1d)\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"d\" }, { field = \"n\" }",
        plans: &[
            ("d = '2020-04-15T00:00:00Z'", "[202004, 202005) filter"),
            ("t = '202004'", "[202004, 202005) filter"),
        ],
    },
    // Few values before what is asked for, and too many.
    Case {
        fields: "b = { type = \"int\", min = 0, max = 2 }\nn = { type = \"u64\" }\n",
        parts: "{ field = \"b\" }, { field = \"n\" }",
        plans: &[("n = 5", "[05, 05\\x00) [15, 15\\x00) [25, 25\\x00)")],
    },
    Case {
        fields: "b = { type = \"int\", min = 0, max = 64 }\nn = { type = \"u64\" }\n",
        parts: "{ field = \"b\", pad = 2 }, { field = \"n\" }",
        plans: &[("n = 5", "[, end) filter")],
    },
    // A bucket of a number of which a range is given, and of the rest of the key.
    Case {
        fields: "n = { type = \"u64\" }\n",
        parts: "{ bucket = 64, of = [\"n\"] }, { field = \"n\" }",
        plans: &[("n between 1 and 3", "[202, 202\\x00) [241, 241\\x00) [483, 483\\x00)")],
    },
    Case {
        fields: "a = { type = \"int\", min = 0, max = 9 }\nn = { type = \"u64\" }\n",
        parts: "{ bucket = 16, of = [\"rest\"] }, { field = \"a\" }, { field = \"n\" }",
        plans: &[("a = 4 and n = 5", "[1245, 1245\\x00)")],
    },
    // A bucket of a day, and what is not in the key.
    Case {
        fields: "ts = { type = \"time\", format = \"yyyyMMddHHmm\" }\nc = { type = \"int\" }\n",
        parts: "{ bucket = 64, of = [\"left(ts,8)\"] }, { field = \"ts\" }",
        plans: &[
            (
                "ts >= '202009010000' and ts < '202009030000'",
                "[06202009010000, 06202009020000) [31202009020000, 31202009030000)",
            ),
            ("c = 7", "[, end) filter"),
        ],
    },
    // A number that the field does not hold, before a text of any bytes.
    Case {
        fields: "n = { type = \"int\", min = 0, max = 99 }\ns = { type = \"string\" }\n",
        parts: "{ field = \"n\" }, { field = \"s\" }",
        plans: &[("n = 150", ""), ("n = 15", "[15, 16) filter")],
    },
    // All keys of a design, of which there are few.
    Case {
        fields: "host = { type = \"string\", max_len = 2, alphabet = \"ab\" }\npre = { from = \"left(host,1)\" }\n",
        parts: "{ field = \"pre\" }",
        plans: &[("pre = 'a'", "[a, a\\x00)"), ("host = 'ab'", "[a, a\\x00) filter")],
    },
    Case {
        fields: "n = { type = \"int\", min = 0, max = 9 }\nc = { type = \"int\" }\n",
        parts: "{ field = \"n\" }",
        plans: &[
            ("n in (3, 4)", "[3, 4\\x00)"),
            ("n = 5 and c = 7", "[5, 5\\x00) filter"),
            ("c = 7", "[, end) filter"),
        ],
    },
];

fn plan_text(codec: &KeyCodec, predicate: &str) -> String {
    let predicate =
        Predicate::parse(predicate, codec.design()).unwrap_or_else(|error| panic!("{predicate}: {error}"));
    let plan = Planner::new(codec).plan(Some(&predicate), PlanOrder::Any).expect("a plan in any order");
    let ranges = plan.ranges.iter().map(|planned| planned.range.to_string());
    ranges.chain(plan.filter.map(|_| "filter".to_owned())).collect::<Vec<_>>().join(" ")
}

#[test]
fn plans_read_no_more_than_the_key_makes_them() {
    for Case { fields, parts, plans } in CASES {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}[key]\nparts = [ {parts} ]\n"
        );
        let codec = KeyCodec::new(Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}")));
        for (predicate, expected) in *plans {
            assert_eq!(plan_text(&codec, predicate), *expected, "{predicate} in {parts}");
        }
    }
}
