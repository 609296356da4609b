//! Every message that the page shows is the one that is told.

use keystride::{Design, KeyCodec, Row};

use crate::page::{PAGE, codes, rows};
use crate::written::Written;

#[test]
fn what_is_written_says_what_the_page_shows() {
    let rows = rows(PAGE, "| Written | Says |");
    for row in &rows {
        let toml = Written::read(row[0]).toml();
        assert_eq!(said(&toml), [row[1]], "{}\n{toml}", row[0]);
    }
    assert!(rows.len() > 100, "{} rows are read", rows.len());
}

/// What is said of a design, or of its split points.
fn said(toml: &str) -> Vec<String> {
    match Design::from_toml(toml) {
        Ok(design) => design.split_points(&mut []).err().iter().map(ToString::to_string).collect(),
        Err(error) => {
            let lines = error.complaints.iter().map(|complaint| match complaint.problem.help() {
                Some(help) => format!("{} — {help}", complaint.problem),
                None => complaint.problem.to_string(),
            });
            lines.collect()
        }
    }
}

#[test]
fn rows_without_a_key_are_told_what_the_page_shows() {
    let rows = rows(PAGE, "| Row | Says |");
    for row in &rows {
        let (design, value) = row[0].rsplit_once(": ").unwrap();
        let (name, text) = codes(value).next().unwrap().split_once('=').unwrap();
        let codec = KeyCodec::new(Design::from_toml(&Written::read(design).toml()).unwrap());
        assert_eq!(refusal(&codec, name, text), row[1], "{}", row[0]);
    }
    assert!(rows.len() > 5, "{} rows are read", rows.len());
}

/// As `key encode` tells it.
fn refusal(codec: &KeyCodec, name: &str, text: &str) -> String {
    let mut row = Row::new(codec.design().fields().len());
    let field = codec.design().field_index(name).unwrap();
    if let Err(error) = codec.design().read_value(&mut row, field, text) {
        return format!("field \"{name}\": {error}");
    }
    let error = codec.encoder().encode(&row, &mut Vec::new()).unwrap_err();
    format!("the row has no key: {error}")
}
