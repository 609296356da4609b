//! Designs whose keys are hard to foresee: every key is in the language of the design, and every plan reads the rows
//! that its predicate wants.

use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, KeyLanguage, Planner, Predicate, Row};

/// A design, rows as `field=value` words between semicolons, and predicates.
struct Case {
    fields: &'static str,
    parts: &'static str,
    rows: &'static [&'static str],
    predicates: &'static [&'static str],
}

const CASES: &[Case] = &[
    // A mark of several bytes, the first of which may be in the value.
    Case {
        fields: "user = { type = \"string\", max_len = 16 }\nts = { type = \"time\", unit = \"s\" }\n",
        parts: "{ bucket = 4, of = [\"user\"] }, { field = \"user\" }, { text = \"||\" }, { field = \"ts\" }",
        rows: &["user=alice;ts=1400657685", "user=a|b;ts=1400657685", "user=bob;ts=1400657686"],
        predicates: &[
            "user = 'alice'",
            "user = 'alice' and ts = 1400657685",
            "user = 'a|b'",
            "user > 'a'",
            "ts = 1400657685",
        ],
    },
    Case {
        fields: "id = { type = \"string\", max_len = 4 }\nn = { type = \"int\" }\n",
        parts: "{ field = \"id\" }, { text = \"::\" }, { field = \"n\" }",
        rows: &["id=abcd;n=1", "id=ab;n=2", "id=:a;n=3"],
        predicates: &["id = 'abcd'", "id >= 'ab'", "id < 'b' and n = 2", "id = ':a'"],
    },
    // A number ended by digits.
    Case {
        fields: "m = { type = \"int\", min = 0, max = 99999 }\nn = { type = \"digits\", len = 2 }\n",
        parts: "{ field = \"m\" }, { text = \"01\" }, { field = \"n\" }",
        rows: &["m=10;n=77", "m=7;n=77", "m=22;n=12"],
        predicates: &["m = 10", "m >= 7", "n = '77'", "m in (7, 22)"],
    },
    // Bounds that hold the mark, or begin like it.
    Case {
        fields: "name = { type = \"string\" }\nid = { type = \"string\" }\n",
        parts: "{ field = \"name\" }, { text = \"_\" }, { field = \"id\" }",
        rows: &["name=x;id=zzz", "name=xa;id=1", "name=y;id=1"],
        predicates: &["name <= 'x_y'", "name < 'x__'", "name >= 'x' and name <= 'xa_b'"],
    },
    Case {
        fields: "name = { type = \"string\", default = \"\" }\nid = { type = \"string\" }\n",
        parts: "{ bucket = 4, of = [\"id\"] }, { field = \"name\" }, { text = \"||\" }, { field = \"id\" }",
        rows: &["id=~", "name=b;id=1", "name=a|b;id=1"],
        predicates: &["name < '|AA'", "name is null", "name <= '||'"],
    },
    // A mark that is the first letter of the alphabet: no value holds it, so the order is kept.
    Case {
        fields: "host = { type = \"string\", alphabet = \"a-z0-9.-\" }\nid = { type = \"string\" }\n",
        parts: "{ field = \"host\" }, { text = \"-\" }, { field = \"id\" }",
        rows: &["host=a;id=-b", "host=a.b;id=1", "host=a0;id=~", "host=b;id=1"],
        predicates: &[
            "host < 'a-b'",
            "host <= 'a-'",
            "host > 'a' and host < 'a0-'",
            "host like 'a%'",
            "host = 'a.b'",
        ],
    },
    // A text without an end, its first characters, and a list of a field that the key has twice.
    Case {
        fields: "vin = { type = \"string\" }\nn = { type = \"u32\" }\n",
        parts: "{ field = \"vin\" }, { field = \"n\", as = \"be\" }",
        rows: &["vin=W;n=1449551462", "vin=WV;n=1", "vin=WVx;n=4294967295", "vin=A;n=1465275990"],
        predicates: &[
            "vin like 'WV%'",
            "vin <= 'W'",
            "vin < 'WV'",
            "vin > 'W' and vin < 'WX'",
            "not vin like 'WV%'",
            "vin in ('', 'WVx')",
        ],
    },
    Case {
        fields: "cell = { type = \"string\" }\narea = { from = \"left(cell,3)\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"area\" }, { field = \"n\", pad = 20 }, { field = \"cell\" }",
        rows: &["cell=u33;n=1", "cell=u33d;n=2", "cell=u33~;n=2", "cell=u3é;n=3", "cell=u4\u{7f}é;n=3"],
        predicates: &[
            "cell like 'u33%'",
            "cell like 'u3%'",
            "not cell like 'u4\u{7f}%'",
            "cell > 'u33'",
            "cell >= 'u33d' and cell < 'u34'",
            "cell <= 'u33'",
            "cell < 'u33d'",
            "left(cell,2) = 'u3'",
            "left(cell,4) in ('u33d', 'u44a')",
            "not left(cell,4) = 'u33d'",
        ],
    },
    Case {
        fields: "user = { type = \"string\", default = \"b\" }\nend = { from = \"right(user,1)\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"end\" }, { field = \"user\", hash = { name = \"md5\", hex = 2 } }, { text = \"_\" }, \
                { bucket = 4, of = [\"user\"] }, { field = \"user\" }, { text = \"_\" }, { field = \"n\" }",
        rows: &["user=ab;n=1", "user=cb;n=2", "user=b;n=3", "n=4", "user=x;n=5"],
        predicates: &[
            "user in ('ab', 'cb', 'b')",
            "user in ('ab', 'x')",
            "user in ('ab', 'b') or user is null",
            "right(user,1) = 'b' and user in ('ab', 'x')",
            "user in ('ab', 'cb') and n > 1",
            "user like 'a%' or user in ('b', 'cb')",
        ],
    },
    // Periods and leading characters of times around an hour that clocks show twice.
    Case {
        fields: "ts = { type = \"time\", format = \"yyyyMMddHHmm\", zone = \"Europe/Berlin\" }\nid = { type = \"int\" }\n",
        parts: "{ field = \"ts\", floor = \"10m\" }, { field = \"id\" }",
        rows: &["ts=202410270235;id=1", "ts=202410270255;id=1", "ts=202410270305;id=2"],
        predicates: &[
            "ts < '2024-10-27T02:15:00+01:00'",
            "ts > '2024-10-27T02:15:00+01:00'",
            "ts >= '202410270240' and ts < '202410270300'",
        ],
    },
    Case {
        fields: "ts = { type = \"time\", format = \"yyyyMMddHHmm\", zone = \"America/New_York\" }\n\
                 d = { from = \"floor(ts,30m)\" }\nid = { type = \"int\" }\n",
        parts: "{ field = \"d\" }, { field = \"ts\", as = \"ordered\" }, { field = \"id\" }",
        rows: &["ts=201311030125;id=1", "ts=201311030155;id=1", "ts=201311030205;id=2"],
        predicates: &["ts >= '2013-11-03T05:23:58Z' and ts < '2013-11-03T06:00:03Z'", "d > '201311030100'"],
    },
    Case {
        fields: "ts = { type = \"time\", format = \"yyyyMMddHHmm\", zone = \"America/New_York\" }\nid = { type = \"int\" }\n",
        parts: "{ bucket = 64, of = [\"left(ts,11)\"] }, { field = \"ts\" }, { field = \"id\" }",
        rows: &[
            "ts=201311030105;id=1",
            "ts=201311030135;id=1",
            "ts=201311030155;id=1",
            "ts=201311030205;id=2",
        ],
        predicates: &["ts >= '201311030100' and ts < '201311030230'", "ts >= '2013-11-03T06:20:00Z'"],
    },
    // A bucket of two cuts of a time, of which the predicate gives the result of one and a range of the other.
    Case {
        fields: "ts = { type = \"time\", format = \"yyyyMMddHHmm\" }\nid = { type = \"int\" }\n",
        parts: "{ bucket = 64, of = [\"left(ts,8)\", \"right(ts,2)\"] }, \
                { bucket = 64, of = [\"right(ts,2)\", \"left(ts,8)\"] }, { field = \"ts\" }, { field = \"id\" }",
        rows: &["ts=202009010105;id=1", "ts=202009020305;id=1"],
        predicates: &["ts >= '202009010000' and ts < '202009030000' and right(ts,2) = '05'"],
    },
    // Texts whose bytes are inverted, before a mark of several bytes that may be in them.
    Case {
        fields: "name = { type = \"string\" }\nid = { type = \"string\" }\n",
        parts: "{ field = \"name\", desc = \"invert\" }, { text = \"||\" }, { field = \"id\" }",
        rows: &["name=b;id=1", "name=a|b;id=1", "name=z;id=1"],
        predicates: &["name >= 'b'", "name < 'b'", "name between 'a' and 'b'"],
    },
    // Times that are no values of their pattern, and periods that the pattern does not tell apart.
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMM\" }\nd = { from = \"floor(t,1d)\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"d\" }, { field = \"n\" }, { field = \"t\" }",
        rows: &["t=202004;n=1", "t=202005;n=1"],
        predicates: &[
            "d = '2020-04-15T00:00:00Z'",
            "t = '2020-04-15T00:00:00Z'",
            "t != '2020-04-15T00:00:00Z'",
        ],
    },
    // Texts that are cut out of no text, and truths.
    Case {
        fields: "id = { type = \"uuid\" }\nok = { type = \"bool\" }\n",
        parts: "{ field = \"ok\" }, { field = \"id\" }",
        rows: &[
            "id=00112233-4455-6677-8899-aabbccddeeff;ok=true",
            "id=00112233-4455-6677-8899-aabbccddeeff;ok=false",
        ],
        predicates: &["left(id,2) = '00' and ok = true", "ok != true", "not ok = true"],
    },
    // Texts of as many bytes as a UUID has.
    Case {
        fields: "v = { type = \"string\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"v\", as = \"text\", escape = true }, { field = \"n\" }",
        rows: &["v=abcdefghijklmnop;n=1", "v=abc;n=1", "v=abd;n=1"],
        predicates: &["v <= 'abcdefghijklmnop'", "v > 'abcdefghijklmnop'", "v >= 'abcdefghijklmnop'"],
    },
    // Leading characters of times that do not follow each other: the first of two months begins like the second.
    Case {
        fields: "d = { type = \"time\", format = \"ddMMyyyy\" }\nid = { type = \"int\" }\n",
        parts: "{ bucket = 64, of = [\"left(d,2)\"] }, { field = \"d\" }, { field = \"id\" }",
        rows: &["d=01012021;id=1", "d=15012021;id=1", "d=01022021;id=1"],
        predicates: &["d between '2021-01-01' and '2021-03-03'"],
    },
    // Ranges of texts with one beginning, with several, and with one that is shorter in characters than in bytes.
    Case {
        fields: "host = { type = \"string\", max_len = 9 }\nphone = { type = \"digits\", len = 9 }\n",
        parts: "{ bucket = 64, of = [\"left(host,3)\", \"left(phone,3)\"] }, { field = \"phone\" }, { field = \"host\" }",
        rows: &[
            "host=abca;phone=138012345",
            "host=abda;phone=138012345",
            "host=éax;phone=138012345",
            "host=éax;phone=139012345",
        ],
        predicates: &[
            "host >= 'abca' and host < 'abe' and phone like '1380%'",
            "host like 'abca%' and phone like '1380%'",
            "host like 'éa%' and phone like '1380%'",
            "host like 'éa%' and phone >= '1380' and phone < '1400'",
        ],
    },
    // Defaults that are no starts of periods.
    Case {
        fields: "t = { type = \"time\", unit = \"s\" }\nn = { type = \"u32\" }\n\
                 day = { from = \"floor(t,1d)\", default = \"9999999999\" }\n",
        parts: "{ field = \"day\" }, { field = \"n\", as = \"be\" }",
        rows: &["t=1600000000;n=1", "n=2", "n=3"],
        predicates: &[
            "t is null",
            "day = 9999999999",
            "day > 1700000000",
            "day is not null",
            "t is null and n = 2",
        ],
    },
    Case {
        fields: "t = { type = \"time\", unit = \"s\" }\nn = { type = \"u32\" }\n\
                 day = { from = \"floor(t,1d)\", default = \"1600000000\" }\n",
        parts: "{ field = \"day\" }, { field = \"n\", as = \"be\" }",
        rows: &["t=1599955201;n=1", "t=1600041605;n=2", "n=3"],
        predicates: &[
            "day in (1599955200, 1600041600)",
            "day != 1600000000",
            "day >= 1600000000",
            "day <= 1600000000",
            "day between 1600000000 and 1600000001",
        ],
    },
    Case {
        fields: "p = { type = \"time\", format = \"yyyyMMdd\", default = \"2020-10-25T13:45:00Z\" }\nn = { type = \"u32\" }\n",
        parts: "{ field = \"p\", as = \"be\" }, { field = \"n\", as = \"be\" }",
        rows: &["p=20201024;n=1", "p=20201026;n=2", "n=3", "p=20201025;n=4"],
        predicates: &["p = '20201025'", "p <= '20201025'", "p > '20201025'", "p is null", "p != '20201025'"],
    },
    // An escaped number, and a bucket of a function of which the predicate gives the result.
    Case {
        fields: "n = { type = \"int\" }\nm = { type = \"i32\" }\n",
        parts: "{ field = \"n\", escape = true }, { field = \"m\", as = \"ordered\" }",
        rows: &["n=9;m=1", "n=10;m=2", "n=-3;m=3"],
        predicates: &["n = 9", "n = 10 and m = 2", "n >= 9", "n in (9, -3)", "n < 0"],
    },
    Case {
        fields: "host = { type = \"string\", max_len = 9 }\nphone = { type = \"digits\", len = 6 }\n",
        parts: "{ bucket = 16, of = [\"lower(host)\", \"right(phone,2)\"] }, { field = \"phone\" }, { field = \"host\" }",
        rows: &[
            "host=Abc;phone=123456",
            "host=aBC;phone=993456",
            "host=b.c;phone=000000",
            "host=É;phone=111111",
        ],
        predicates: &[
            "lower(host) = 'abc' and right(phone,2) = '56'",
            "lower(host) in ('abc', 'b.c', 'É') and right(phone,2) in ('56', '00', '11')",
            "lower(host) = 'ABC' and right(phone,2) = '56'",
            "lower(host) = 'abc' and phone = '123456'",
            "right(phone,2) < '5'",
        ],
    },
    // A bucket of two functions of one field, of which the predicate gives both results.
    Case {
        fields: "phone = { type = \"digits\", len = 11 }\nhost = { type = \"string\", max_len = 9 }\nn = { type = \"int\" }\n",
        parts: "{ bucket = 64, of = [\"left(phone,3)\", \"right(phone,4)\"] }, \
                { bucket = 64, of = [\"left(host,4)\", \"lower(host)\", \"left(host,2)\"] }, { field = \"phone\" }, { field = \"n\" }",
        rows: &[
            "phone=13812345678;host=ABCDe;n=1",
            "phone=13899995678;host=abcd;n=2",
            "phone=99912345678;host=abxy;n=3",
        ],
        predicates: &[
            "left(phone,3) = '138' and right(phone,4) = '5678'",
            "left(phone,3) in ('138', '999') and right(phone,4) = '5678' and n = 3",
            "left(host,4) = 'abcd' and left(host,2) = 'ab' and lower(host) = 'abcd'",
            "left(host,4) = 'ABCD' and lower(host) = 'abcde'",
            "phone = '13812345678' and left(host,2) = 'AB'",
        ],
    },
    // A function whose values are not of its source's alphabet.
    Case {
        fields: "host = { type = \"string\", max_len = 5, alphabet = \"A-Z\" }\nlow = { from = \"lower(host)\" }\n\
                 n = { type = \"int\" }\n",
        parts: "{ field = \"low\" }, { text = \"!\" }, { field = \"n\" }",
        rows: &["host=ABC;n=1", "host=XYZAB;n=2"],
        predicates: &["low = 'abc'", "host = 'ABC'", "low > 'b'", "n = 2"],
    },
    // A cut of fixed width whose default has another.
    Case {
        fields: "host = { type = \"string\", max_len = 5, alphabet = \"a-z\" }\n\
                 pre = { from = \"left(host,2)\", default = \"-\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"pre\" }, { text = \"!\" }, { field = \"n\" }",
        rows: &["host=abc;n=1", "host=xyz;n=2", "n=3"],
        predicates: &["pre = 'ab'", "pre > 'b'", "host is null", "pre is null", "n = 3", "host = 'abc'"],
    },
    // A bucket of the rest, in which there is another bucket.
    Case {
        fields: "a = { type = \"int\", min = 0, max = 9 }\nn = { type = \"int\", min = 0, max = 3 }\n",
        parts: "{ bucket = 16, hash = \"md5\", of = [\"rest\"] }, { bucket = 4, hash = \"md5\", of = [\"a\"] }, \
                { field = \"a\", pad = 1 }, { field = \"n\" }",
        rows: &["a=0;n=0", "a=1;n=1", "a=2;n=2", "a=3;n=3", "a=4;n=0", "a=5;n=1", "a=6;n=2", "a=7;n=3"],
        predicates: &["a = 4", "n = 1", "a >= 5", "a in (1, 7) and n = 3"],
    },
    Case {
        fields: "a = { type = \"int\", min = 0, max = 9 }\n",
        parts: "{ bucket = 8, of = [\"rest\"] }, { bucket = 8, of = [\"rest\"] }, { field = \"a\" }",
        rows: &["a=0", "a=1", "a=2", "a=3", "a=4", "a=5", "a=6", "a=7"],
        predicates: &["a = 4", "a >= 5", "a in (1, 7)"],
    },
    Case {
        fields: "a = { type = \"int\", min = 0, max = 1 }\n",
        parts: "{ bucket = 8, of = [\"rest\"] }, { bucket = 8, hash = \"round-robin\" }, { field = \"a\" }",
        rows: &["a=0", "a=1"],
        predicates: &["a = 0", "a >= 1"],
    },
    // A period that begins before the least time.
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMMdd\", min = \"20200315\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"t\", floor = \"1mo\" }, { field = \"n\" }",
        rows: &["t=20200316;n=1", "t=20200401;n=2"],
        predicates: &[
            "t < '20200401'",
            "t <= '20200316'",
            "t = '20200316'",
            "t between '20200315' and '20200331'",
            "floor(t,1mo) < '20200401'",
            "floor(t,1mo) >= '20200301'",
        ],
    },
    Case {
        fields: "t = { type = \"time\", format = \"yyyyMM\", min = \"202004\", max = \"202012\" }\n\
                 y = { from = \"floor(t,1y)\" }\n",
        parts: "{ field = \"y\" }, { field = \"t\" }",
        rows: &["t=202005", "t=202007"],
        predicates: &["y <= '2020-06-01'", "t = '202005'", "t > '202005'", "y = '202001'"],
    },
    // Two zeros, which are different floats.
    Case {
        fields: "x = { type = \"f64\" }\nn = { type = \"int\" }\n",
        parts: "{ field = \"x\", as = \"ordered\" }, { field = \"n\" }",
        rows: &["x=-0.0;n=1", "x=0;n=2", "x=1;n=3"],
        predicates: &["x between -0.0 and 0", "x <= 0 and x >= -0.0", "x = 0", "x = -0.0", "x in (-0.0, 0)"],
    },
    // A bucket of one digit or two, and a text that may be its second.
    Case {
        fields: "a = { type = \"string\", alphabet = \"A-C\", max_len = 3 }\nn = { type = \"digits\", len = 2 }\n",
        parts: "{ field = \"a\" }, { text = \"!\" }, { bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 1 }, \
                { text = \"1\" }, { field = \"n\" }",
        rows: &["a=A;n=31", "a=A;n=40", "a=A;n=53", "a=A;n=54", "a=A;n=56", "a=A;n=59"],
        predicates: &["n = '31'", "n > '53'", "a = 'A'"],
    },
    // Hot values of a function.
    Case {
        fields: "phone = { type = \"digits\", len = 8 }\nseq = { type = \"int\" }\n",
        parts: "{ bucket = 16, of = [\"left(phone,3)\"], spread = { by = [\"seq\"], values = { \"138\" = 8 } } }, \
                { field = \"phone\" }, { text = \"!\" }, { field = \"seq\" }",
        rows: &[
            "phone=13800001;seq=1",
            "phone=13800001;seq=2",
            "phone=13800001;seq=3",
            "phone=13800001;seq=4",
            "phone=13800001;seq=5",
            "phone=13900001;seq=5",
        ],
        predicates: &[
            "phone = '13800001'",
            "phone = '13800001' and seq = 5",
            "seq = 5",
            "left(phone,3) = '138'",
        ],
    },
    // Hot values that have no text in keys.
    Case {
        fields: "id = { type = \"uuid\" }\nx = { type = \"f64\" }\nseq = { type = \"int\" }\n",
        parts: "{ bucket = 16, of = [\"id\"], spread = { by = [\"seq\"], \
                values = { \"00112233-4455-6677-8899-aabbccddeeff\" = 8 } } }, { field = \"id\" }, { field = \"seq\" }",
        rows: &[
            "id=00112233-4455-6677-8899-aabbccddeeff;x=1;seq=1",
            "id=00112233-4455-6677-8899-aabbccddeeff;x=1;seq=2",
            "id=00112233-4455-6677-8899-aabbccddeeff;x=1;seq=3",
            "id=10112233-4455-6677-8899-aabbccddeeff;x=1;seq=4",
        ],
        predicates: &["id = '00112233-4455-6677-8899-aabbccddeeff'", "seq = 2"],
    },
    // Few values, and a default of what is computed from them.
    Case {
        fields: "host = { type = \"string\", max_len = 1, alphabet = \"ab\" }\n\
                 pre = { from = \"left(host,1)\", default = \"-\" }\nn = { type = \"int\" }\n",
        parts: "{ bucket = 4, of = [\"pre\"] }, { field = \"n\" }",
        rows: &["host=a;n=1", "host=b;n=2", "n=2", "n=3"],
        predicates: &["n = 2", "n = 3", "pre is null and n = 3", "host = 'a'"],
    },
    // Words in a pattern.
    Case {
        fields: "d = { type = \"time\", format = \"dd日MM月yyyy年\" }\nts = { type = \"time\", format = \"yyyy年MM月dd日HH时\" }\n\
                 day = { from = \"floor(ts,1d)\" }\n",
        parts: "{ field = \"d\" }, { field = \"day\" }, { field = \"ts\" }",
        rows: &["d=03日02月2021年;ts=2021年02月03日11时", "d=04日02月2021年;ts=2021年02月03日12时"],
        predicates: &["d = '2021-02-03'", "ts >= '2021-02-03'", "day = '2021-02-03'", "d > '2021-02-03'"],
    },
    // Keys that can't be read back, with a bucket of all their bytes.
    Case {
        fields: "a = { type = \"string\", max_len = 2, alphabet = \"ab\" }\n\
                 c = { type = \"string\", max_len = 2, alphabet = \"cd\" }\n",
        parts: "{ bucket = 4, of = [\"rest\"] }, { field = \"a\" }, { field = \"c\" }",
        rows: &["a=a;c=c", "a=ab;c=d", "a=b;c=cd", "a=bb;c=dd", "a=aa;c=dc"],
        predicates: &["a = 'ab'", "c = 'c'", "a >= 'a'"],
    },
    // A text before a longer mark that begins with a zero byte.
    Case {
        fields: "s = { type = \"string\", max_len = 9 }\nn = { type = \"int\" }\n",
        parts: "{ field = \"s\" }, { text = '\\x00a' }, { field = \"n\" }",
        rows: &["s=x\0A;n=1", "s=y;n=2", "s=x;n=3"],
        predicates: &["s > 'x'", "s >= 'x'", "s < 'y'", "s = 'x'"],
    },
    // The one prefix of HBaseWD that is no bucket.
    Case {
        fields: "v = { type = \"bytes\", len = 6 }\nts = { type = \"time\", unit = \"s\" }\n",
        parts: "{ bucket = 3, hash = \"hbasewd\", of = [\"v\"] }, { field = \"ts\" }, { field = \"v\" }",
        rows: &["v=9600f60013fe;ts=1400657685", "v=000000000001;ts=1400657686"],
        predicates: &["ts = 1400657685", "ts >= 1400657685"],
    },
    // Buckets of months, of which few are asked for, and of few.
    Case {
        fields: "m = { type = \"time\", format = \"yyyyMM\", zone = \"America/Havana\", min = \"201911\", max = \"202103\" }\n\
                 id = { type = \"u32\" }\n",
        parts: "{ bucket = 16, of = [\"m\"] }, { field = \"id\", as = \"be\" }, { field = \"m\" }",
        rows: &["m=202001;id=1", "m=202002;id=2", "m=202011;id=3", "m=202103;id=4", "m=201911;id=5"],
        predicates: &[
            "m between '202001' and '202002'",
            "m >= '202011'",
            "m > '202011'",
            "m != '202001'",
            "m < '2020-01-02'",
            "id > 2",
        ],
    },
    // Numbers that are none, as C and Java write them.
    Case {
        fields: "id = { type = \"u32\" }\nf = { type = \"f64\" }\ng = { type = \"f32\" }\n",
        parts: "{ bucket = 16, of = [\"f\", \"g\"] }, { field = \"f\", as = \"ordered\" }, { field = \"g\", as = \"be\" }, \
                { field = \"id\", as = \"be\" }",
        rows: &["id=1;f=-nan;g=-nan", "id=2;f=nan;g=NaN", "id=3;f=5;g=-1", "id=4;f=-inf;g=inf"],
        predicates: &[
            "f = 'NaN'",
            "f = 'NaN' and g = 'NaN'",
            "f < 0",
            "g < 0",
            "f != 'NaN'",
            "g > 'inf'",
            "f <= 'inf'",
        ],
    },
    // An hour that clocks show twice.
    Case {
        fields: BERLIN,
        parts: "{ field = \"t\" }, { field = \"id\", as = \"be\" }",
        rows: SET_BACK,
        predicates: NEAR_SET_BACK,
    },
    Case {
        fields: BERLIN,
        parts: "{ field = \"t\", as = \"be\" }, { field = \"id\", as = \"be\" }",
        rows: SET_BACK,
        predicates: NEAR_SET_BACK,
    },
    Case {
        fields: BERLIN,
        parts: "{ field = \"t\", desc = \"long-max\" }, { field = \"id\", as = \"be\" }",
        rows: SET_BACK,
        predicates: NEAR_SET_BACK,
    },
    Case {
        fields: BERLIN,
        parts: "{ field = \"t\", floor = \"1h\" }, { field = \"id\", as = \"be\" }, { field = \"t\", as = \"ordered\", desc = \"invert\" }",
        rows: SET_BACK,
        predicates: NEAR_SET_BACK,
    },
];

const BERLIN: &str = "id = { type = \"u32\" }\n\
                      t = { type = \"time\", format = \"yyyyMMddHHmm\", zone = \"Europe/Berlin\" }\n";

const SET_BACK: &[&str] = &[
    "id=1;t=202410270130",
    "id=2;t=202410270229",
    "id=3;t=202410270230",
    "id=4;t=202410270245",
    "id=5;t=202410270259",
    "id=6;t=202410270300",
];

const NEAR_SET_BACK: &[&str] = &[
    "t < '2024-10-27T01:30:00Z'",
    "t > '2024-10-27T01:30:00Z'",
    "t between 1729989000000 and 1729992600000",
    "t != 1729992600000",
    "floor(t,1h) >= '2024-10-27T01:00:00Z'",
    "floor(t,1h) < '2024-10-27T01:00:00Z'",
    "floor(t,1h) = '2024-10-27T00:00:00Z'",
    "t >= '2024-10-27T02:29:30'",
    "t >= '2024-10-27T02:30'",
    "t > 1729988999999",
    "t <= '2024-10-27T00:59:59Z'",
];

fn codec(fields: &str, parts: &str) -> KeyCodec {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}[key]\nparts = [ {parts} ]\n"
    );
    KeyCodec::new(Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}")))
}

fn row(design: &Design, words: &str) -> Row {
    let mut row = Row::new(design.fields().len());
    for word in words.split(';') {
        let (name, value) = word.split_once('=').expect("a field and its value");
        let field = design.field_index(name).expect("a field of the design");
        design.read_value(&mut row, field, value).expect("a value of the field");
    }
    row
}

#[test]
fn keys_are_in_the_language_and_in_the_plans() {
    for case in CASES {
        let codec = codec(case.fields, case.parts);
        let design = codec.design();
        let mut encoder = codec.encoder();
        let keyed: Vec<(Vec<u8>, Row)> = case
            .rows
            .iter()
            .map(|words| {
                let row = row(design, words);
                let mut key = Vec::new();
                encoder.encode(&row, &mut key).unwrap();
                (key, row)
            })
            .collect();
        let language = KeyLanguage::new(&codec);
        for ((key, _), words) in keyed.iter().zip(case.rows) {
            let after = [key.as_slice(), &[0]].concat();
            assert!(language.meets(key, Some(&after)), "{words}: {}", String::from_utf8_lossy(key));
        }
        for text in case.predicates {
            let predicate = Predicate::parse(text, design).unwrap_or_else(|error| panic!("{text}: {error}"));
            for order in [PlanOrder::Any, PlanOrder::Newest, PlanOrder::Oldest] {
                let Ok(plan) = Planner::new(&codec).plan(Some(&predicate), order) else { continue };
                for ((key, row), words) in keyed.iter().zip(case.rows) {
                    let is_wanted = predicate.matches(design, row);
                    let is_read = plan.ranges.iter().any(|planned| planned.range.contains(key))
                        && plan.filter.as_ref().is_none_or(|filter| filter.matches(design, row));
                    assert_eq!(is_read, is_wanted, "{text} {order:?} of {words} in {}", case.parts);
                }
            }
        }
    }
}

#[test]
fn a_cut_of_a_time_without_a_text_gives_no_key() {
    let codec = codec(
        "t = { type = \"time\", unit = \"ms\" }\nd = { from = \"left(t,1)\" }\n",
        "{ field = \"d\" }, { field = \"t\", as = \"ordered\" }",
    );
    let has_key = |ms: &str| {
        let row = row(codec.design(), &format!("t={ms}"));
        codec.encoder().encode(&row, &mut Vec::new()).is_ok()
    };
    assert!(has_key("1586131200000") && has_key("1000000000000"));
    assert!(!has_key("-1000") && !has_key("0") && !has_key("12345"));
}

#[test]
fn a_period_that_begins_before_the_least_time_reads_back() {
    let codec = codec(
        "t = { type = \"time\", format = \"yyyyMM\", min = \"202004\" }\ny = { from = \"floor(t,1y)\" }\n",
        "{ field = \"y\" }, { field = \"t\" }",
    );
    let mut key = Vec::new();
    codec.encoder().encode(&row(codec.design(), "t=202005"), &mut key).unwrap();
    assert_eq!(key, b"202001202005");
    assert!(codec.decode(&key).is_ok());
}
