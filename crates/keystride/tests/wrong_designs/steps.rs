//! Steps that do not suit their field.

use crate::told::{complaints, placed};

#[test]
fn steps_that_no_value_goes_through_are_refused() {
    let told = |kind: &str, steps: &str| {
        complaints(&format!("v = {{ {kind} }}"), &format!("{{ field = \"v\", {steps} }}"), "")
    };
    let refused = |word: &str, range: &str| {
        format!(
            "key.parts[0].{word}: no value of field \"v\", {range}, can be written so; \
             choose a bound, a width or an encoding that its values fit"
        )
    };
    assert_eq!(
        told("type = \"i32\"", "desc = 9999999999999, as = \"be\""),
        [refused("desc", "-2147483648 to 2147483647")]
    );
    assert_eq!(told("type = \"int\", min = 1000, max = 2000", "pad = 3"), [refused("pad", "1000 to 2000")]);
    assert_eq!(
        told("type = \"int\", min = 5000000000, max = 6000000000", "as = \"be\", width = 4"),
        [refused("as", "5000000000 to 6000000000")]
    );
    for good in ["desc = 9999999999", "desc = 2147483647, as = \"be\"", "desc = \"long-max\", as = \"be\""] {
        assert_eq!(told("type = \"i32\"", good), [""; 0], "{good}");
    }
}

#[test]
fn a_time_beyond_its_bound_may_be_cut_down_to_it() {
    let field = "v = { type = \"time\", unit = \"s\", min = 1000000001, max = 1000000100 }";
    let part = "{ field = \"v\", floor = \"1h\", desc = 1000000000 }";
    assert_eq!(complaints(field, part, ""), [""; 0]);
}

#[test]
fn every_step_is_told_that_does_not_suit_its_field() {
    let fields = "n = { type = \"u64\", min = 9223372036854775808 }\nm = { type = \"u64\", min = 9223372036854775807 }\n\
                  v = { type = \"digits\", len = 4 }\ns = { type = \"string\" }\nb = { type = \"bytes\" }\n\
                  x = { type = \"f64\" }\nu = { type = \"uuid\" }\ng = { type = \"bool\" }\ni = { type = \"int\" }\n\
                  t = { type = \"time\", format = \"yyyy\" }";
    let no_number = "a binary number does not suit field";
    let drop = "it takes numbers and times; drop \"as\"";
    for (part, told) in [
        ("\"b\", as = \"text\"", "\"text\" | key.parts[0].as: as = \"text\" does not suit field \"b\" of type bytes: it has no text of its own in a key".to_owned()),
        ("\"x\", as = \"text\"", "\"text\" | key.parts[0].as: as = \"text\" does not suit field \"x\" of type f64: it has no text of its own in a key".to_owned()),
        ("\"x\"", "\"x\" | key.parts[0].field: a part without \"as\" does not suit field \"x\" of type f64: it has no default bytes: say as = \"ordered\", \"be\", \"phoenix\" or \"ordered-bytes\"".to_owned()),
        ("\"u\", as = \"be\"", format!("\"be\" | key.parts[0].as: {no_number} \"u\" of type uuid: {drop}")),
        ("\"g\", as = \"ordered\"", format!("\"ordered\" | key.parts[0].as: {no_number} \"g\" of type bool: {drop}")),
        ("\"v\", as = \"be\"", format!("\"be\" | key.parts[0].as: {no_number} \"v\" of type digits: {drop}")),
        ("\"b\", as = \"ordered\"", format!("\"ordered\" | key.parts[0].as: {no_number} \"b\" of type bytes: {drop}")),
        ("\"u\", as = \"phoenix\"", "\"phoenix\" | key.parts[0].as: as = \"phoenix\" does not suit field \"u\" of type uuid: Phoenix has no such type".to_owned()),
        ("\"g\", as = \"ordered-bytes\"", "\"ordered-bytes\" | key.parts[0].as: as = \"ordered-bytes\" does not suit field \"g\" of type bool: OrderedBytes has no such type".to_owned()),
        ("\"n\", as = \"ordered-bytes\"", "\"ordered-bytes\" | key.parts[0].as: as = \"ordered-bytes\" does not suit field \"n\" of type u64: OrderedBytes has no such type".to_owned()),
        ("\"n\", desc = \"long-max\"", "\"long-max\" | key.parts[0].desc: desc = \"long-max\" does not suit field \"n\" of type u64: its smallest value is beyond 2^63 - 1".to_owned()),
        ("\"s\", desc = 5", "5 | key.parts[0].desc: desc with a bound does not suit field \"s\" of type string: it takes numbers and times; for other values say desc = \"invert\"".to_owned()),
        ("\"i\", width = 4", "4 | key.parts[0].width: \"width\" and the encoding contradict each other: it narrows as = \"be\" and as = \"ordered\" alone".to_owned()),
        ("\"g\", as = \"be\", width = 4", "4 | key.parts[0].width: width does not suit field \"g\" of type bool: it narrows whole numbers and times".to_owned()),
        ("\"i\", as = \"be\", width = 5", "5 | key.parts[0].width: 5: expected 4 or 8 bytes".to_owned()),
        ("\"i\", as = \"be\", width = 4, desc = \"long-max\"", "4 | key.parts[0].width: \"width\" and desc = \"long-max\" contradict each other: 2^63 - 1 - t has 8 bytes".to_owned()),
        ("\"i\", as = \"be\", pad = 4", "4 | key.parts[0].pad: \"pad\" and a binary encoding contradict each other: a binary number has its width already".to_owned()),
        ("\"s\", pad = 3", "3 | key.parts[0].pad: pad does not suit field \"s\" of type string: it puts zeros in front of numbers in text; digits have their width already".to_owned()),
        ("\"t\", pad = 4", "4 | key.parts[0].pad: pad does not suit field \"t\" of type time: a formatted time is not a number; give it desc, or widen its format".to_owned()),
        ("\"i\", desc = 100, pad = 2", "2 | key.parts[0].pad: 2: expected at least the 3 digits of the bound".to_owned()),
        ("\"i\", pad = 3, escape = true", "true | key.parts[0].escape: \"escape\" and a fixed width contradict each other: a value of fixed width needs no end mark".to_owned()),
        ("\"s\", as = \"ordered-bytes\", escape = true", "true | key.parts[0].escape: \"escape\" and as = \"ordered-bytes\" contradict each other: that encoding ends itself".to_owned()),
        ("\"s\", as = \"ordered-bytes\", reverse = true", "true | key.parts[0].reverse: \"reverse\" and as = \"ordered-bytes\" contradict each other: the encoding's header must stand first".to_owned()),
        ("\"s\", floor = \"1d\"", "\"1d\" | key.parts[0].floor: floor does not suit field \"s\" of type string: it cuts a time".to_owned()),
    ] {
        assert_eq!(placed(fields, &format!("{{ field = {part} }}"), ""), [told]);
    }
    for part in [
        "\"m\", desc = \"long-max\"",
        "\"g\", as = \"be\"",
        "\"g\", as = \"phoenix\"",
        "\"i\", as = \"be\", width = 8, desc = \"long-max\"",
        "\"i\", as = \"be\", width = 4, desc = 2000000000",
        "\"i\", desc = 100, pad = 3",
        "\"t\", desc = 9999999999, pad = 12",
        "\"x\", as = \"ordered-bytes\"",
        "\"u\", as = \"text\"",
    ] {
        assert_eq!(placed(fields, &format!("{{ field = {part} }}"), ""), [""; 0], "{part}");
    }
}

#[test]
fn a_digest_is_taken_in_as_many_bytes_or_digits_as_it_has() {
    let fields = "v = { type = \"digits\", len = 4 }";
    let example = "write for example: hash = { name = \"murmur3\", bytes = 4 }";
    for (hash, told) in [
        ("name = \"md5\"", format!("key.parts[0].hash: \"bytes\" is missing; {example}")),
        ("bytes = 2", format!("key.parts[0].hash: \"name\" is missing; {example}")),
        ("name = \"md5\", bytes = 17", "key.parts[0].hash.bytes: 17: expected a whole number from 1 to 16".to_owned()),
        ("name = \"md5\", hex = 33", "key.parts[0].hash.hex: 33: expected a whole number from 1 to 32".to_owned()),
        ("name = \"md5\", hex = true", "key.parts[0].hash.hex: expected a whole number, found true or false".to_owned()),
        ("name = \"md5\", bytes = 1, hex = 2", "key.parts[0].hash.hex: \"bytes\" and \"hex\" contradict each other: a digest is taken in bytes or in hex digits".to_owned()),
        ("name = \"md6\", hex = 3", "key.parts[0].hash.name: unknown digest \"md6\"; did you mean \"md5\"?".to_owned()),
    ] {
        let part = format!("{{ field = \"v\", hash = {{ {hash} }} }}");
        assert_eq!(complaints(fields, &part, ""), [told]);
    }
    for hash in ["name = \"md5\", bytes = 16", "name = \"md5\", hex = 32", "name = \"crc32\", hex = 8"] {
        assert_eq!(complaints(fields, &format!("{{ field = \"v\", hash = {{ {hash} }} }}"), ""), [""; 0]);
    }
}
