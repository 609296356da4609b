//! `docs/key-format.md` has the bytes that the code makes: every key and every split point it shows.

use data_encoding::HEXLOWER;
use keystride::{Design, KeyCodec, Row};

use crate::page::{codes, rows};

const PAGE: &str = include_str!("../../../../docs/key-format.md");

/// The rows of all tables with this head, cell by cell, each as the codes in it.
fn cases(head: &str) -> Vec<Vec<Vec<String>>> {
    let codes_of = |cell: &&str| codes(cell).map(|code| code.replace("\\|", "|")).collect();
    rows(PAGE, head).iter().map(|row| row.iter().map(codes_of).collect()).collect()
}

fn design(fields: &str, parts: &str, split: &str) -> Design {
    let toml = format!(
        "format = 1\n[table]\nname = \"try\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n{split}"
    );
    Design::from_toml(&toml).unwrap_or_else(|error| panic!("{toml}\n{error}"))
}

/// Returns the key of a row such as `v=x w=1 [7]`, in which the number is that of a bucket that is drawn.
fn key_of(codec: &KeyCodec, row: &str) -> Option<Vec<u8>> {
    let mut encoder = codec.encoder();
    let (words, supplied) = match row.split_once(" [") {
        Some((words, number)) => (words, number.trim_end_matches(']').parse().unwrap()),
        None => (row, 0),
    };
    encoder.supply(supplied);
    let mut values = Row::new(codec.design().fields().len());
    for word in words.split(' ') {
        let (name, value) = word.split_once('=').unwrap();
        codec.design().read_value(&mut values, codec.design().field_index(name).unwrap(), value).ok()?;
    }
    let mut key = Vec::new();
    encoder.encode(&values, &mut key).ok().map(|()| key)
}

/// Reads a key of the page: a text in quotes, or bytes in hex; `None` where the row is rejected.
fn expected(codes: &[String]) -> Option<Vec<u8>> {
    let code = codes.first()?;
    Some(match code.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) => text.as_bytes().to_vec(),
        None => HEXLOWER.decode(code.replace(' ', "").as_bytes()).unwrap(),
    })
}

#[test]
fn every_key_of_the_page_is_made_and_can_be_read() {
    let cases = cases("| `[fields]` | `parts` | row | key |");
    assert!(cases.len() > 90, "{} keys", cases.len());
    for case in &cases {
        let [fields, parts, row, key] = case.as_slice() else { panic!("{case:?}") };
        let codec = KeyCodec::new(design(&fields.join("\n"), &parts[0], ""));
        let made = key_of(&codec, &row[0]);
        assert_eq!(made, expected(key), "{case:?}");
        if let Some(key) = made {
            assert!(codec.describe(&key).is_ok(), "{case:?}");
        }
    }
}

#[test]
fn every_split_point_of_the_page_is_made() {
    let of_field = cases("| `[split]` | points |").into_iter();
    let of_field = of_field.map(|case| [vec![vec!["{ field = \"v\" }".to_owned()]], case].concat());
    let cases: Vec<_> = of_field.chain(cases("| part | `[split]` | points |")).collect();
    assert!(cases.len() > 15, "{} lists of points", cases.len());
    for case in &cases {
        let [part, split, points] = case.as_slice() else { panic!("{case:?}") };
        let split = format!("[split]\n{}", split.join("\n"));
        let parts = match part[0].as_str() {
            field if field.starts_with("{ field") => field.to_owned(),
            bucket => format!("{bucket}, {{ field = \"v\" }}"),
        };
        let made = design("v = { type = \"string\" }", &parts, &split).split_points(&mut []).unwrap();
        let made: Vec<String> = made.keys().iter().map(ToString::to_string).collect();
        assert_eq!(made, *points, "{case:?}");
    }
}
