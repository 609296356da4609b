//! Bytes that HBase would not read as they are meant.

use crate::told::complaints;

#[test]
fn text_that_hbase_would_mangle_is_refused_wherever_bytes_are_read() {
    let field = "v = { type = \"string\" }";
    let beyond = "'年' at character 0 is not ASCII, and HBase keeps only its low 8 bits: \
                  write its bytes as \\xE5\\xB9\\xB4";
    let lower =
        "HBase reads \\x0a at character 1 as the text x0a: hex digits must be upper case; write \\x0A";
    let no_digits = "HBase reads \\xgo at character 0 as the text xgo: hex digits must be upper case; \
                     write \\x5C for a backslash";
    for (text, said) in [("年", beyond), ("a\\x0a", lower), ("\\xgo", no_digits)] {
        let part = format!("{{ field = \"v\" }}, {{ text = '{text}' }}");
        assert_eq!(complaints(field, &part, ""), [format!("key.parts[1].text: {said}")]);
        let splits = [
            ("points", format!("by = \"list\"\npoints = ['{text}']")),
            ("suffix", format!("by = \"partition-keys\"\nregions = 3\nsuffix = '{text}'")),
            ("end", format!("by = \"range\"\nregions = 3\nstart = 'A'\nend = '{text}'")),
            ("last", format!("by = \"UniformSplit\"\nregions = 3\nlast = '{text}'")),
        ];
        for (word, split) in splits {
            let told = complaints(field, "{ field = \"v\" }", &format!("[split]\n{split}\n"));
            assert_eq!(told, [format!("split.{word}: {said}")]);
        }
    }
}

#[test]
fn bytes_that_hbase_would_mangle_are_told_with_what_to_write() {
    let told = |text: &str| {
        complaints("v = { type = \"i32\" }", &format!("{{ text = '{text}' }}, {{ field = \"v\" }}"), "")
    };
    for (text, help) in [
        (r"\xff", r"; write \xFF"),
        (r"\x0a", r"; write \x0A"),
        (r"\x0g", r"; write \x5C for a backslash"),
        (r"\xg0", r"; write \x5C for a backslash"),
    ] {
        let told = told(text);
        assert!(told.len() == 1 && told[0].ends_with(help), "{text}: {told:?}");
    }
}
