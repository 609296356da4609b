//! Parts of the key that do not end.

use crate::told::{BYTES, complaints};

#[test]
fn blob_copy_stands_last_unless_it_descends() {
    let blob = "{ field = \"v\", as = \"ordered-bytes\" }";
    let refused = "key.parts[0]: blob-copy ends with the key: ascending, it has no end mark; \
                   put it last, or say desc = \"invert\"";
    for after in ["{ field = \"w\", as = \"be\" }", "{ text = \"_\" }"] {
        assert_eq!(complaints(BYTES, &format!("{blob}, {after}"), ""), [refused]);
    }
    let good = [
        format!("{{ field = \"w\", as = \"be\" }}, {blob}"),
        format!("{}, {{ field = \"w\" }}", blob.replace(" }", ", desc = \"invert\" }")),
        format!("{}, {{ field = \"w\" }}", blob.replace(" }", ", hash = { name = \"md5\", bytes = 4 } }")),
        blob.replace("\"v\"", "\"s\"") + ", { field = \"w\" }",
    ];
    for parts in good {
        let fields = format!("{BYTES}\ns = {{ type = \"string\" }}");
        assert_eq!(complaints(&fields, &parts, ""), [""; 0], "{parts}");
    }
}

/// Parts that could not be read were left out, and the numbers of those after them were too small.
#[test]
fn a_part_is_told_by_its_own_number_after_one_that_cant_be_read() {
    let blob = "{ field = \"v\", as = \"ordered-bytes\" }";
    let told = complaints(BYTES, &format!("{{ field = \"u\" }}, {blob}, {{ text = \"_\" }}"), "");
    assert_eq!(
        told,
        [
            "key.parts[0].field: unknown field \"u\"; known: v, w",
            "key.parts[1]: blob-copy ends with the key: ascending, it has no end mark; \
             put it last, or say desc = \"invert\"",
        ]
    );
}

/// It may be the terminator, or the rest that a bucket is computed from.
#[test]
fn no_end_is_missed_where_the_next_part_cant_be_read() {
    let unread = "double quotes hold printable ASCII only";
    for part in ["{ field = \"s\", desc = \"invert\" }", "{ bucket = 4, of = [\"rest\"] }"] {
        let told = complaints("s = { type = \"string\" }", &format!("{part}, {{ text = \"\\x00\" }}"), "");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("key.parts[1].text: ") && told[0].contains(unread), "{told:?}");
    }
    let told = complaints(BYTES, "{ field = \"v\", as = \"phoenix\" }, { field = \"u\" }", "");
    assert!(
        told.len() == 2 && told[0].contains("VARBINARY ends with the key"),
        "whatever comes next: {told:?}"
    );
}

#[test]
fn varbinary_stands_last_unless_it_is_escaped() {
    let bare = "{ field = \"v\", as = \"phoenix\" }";
    let refused = "key.parts[0]: VARBINARY ends with the key: it has no end mark; \
                   put it last, or say escape = true, which is Phoenix's VARBINARY_ENCODED";
    assert_eq!(complaints(BYTES, &format!("{bare}, {{ text = '\\x00' }}"), ""), [refused]);
    assert_eq!(complaints(BYTES, bare, ""), [""; 0]);
    let escaped = "{ field = \"v\", as = \"phoenix\", escape = true }, { field = \"w\" }";
    assert_eq!(complaints(BYTES, escaped, ""), [""; 0]);
}
