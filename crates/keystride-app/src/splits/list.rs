use std::collections::BTreeMap;

use keystride::{Key, SplitError, SplitPoints};
use serde::Serialize;

use crate::key_text::KeyForm;

/// A list of split points as a person gives it, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointList {
    /// The points that can be used, sorted, each once.
    pub points: SplitPoints,
    /// What is wrong, in the order of the list.
    pub problems: Vec<ListProblem>,
}

/// What is wrong with a list of split points; places are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ListProblem {
    /// A point is not in the form.
    Unreadable {
        /// Its place.
        at: usize,
        /// Its text.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// A point is empty.
    Empty {
        /// Its place.
        at: usize,
    },
    /// A point is there already.
    Doubled {
        /// Its place.
        at: usize,
        /// Its text.
        text: String,
        /// The place of the first.
        first: usize,
    },
    /// A point sorts before the one above it, so that regions come in another order than the list.
    Unsorted {
        /// Its place.
        at: usize,
        /// Its text.
        text: String,
    },
    /// A point ends in spaces, which HBase keeps.
    EndsInSpace {
        /// Its place.
        at: usize,
        /// Its text.
        text: String,
    },
    /// Some points have upper-case hex digits and some lower-case ones, which sort apart.
    MixedCase {
        /// One with upper-case digits.
        upper: String,
        /// One with lower-case digits.
        lower: String,
    },
}

impl ListProblem {
    /// Whether a table can't be made of the list as it is.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::Unreadable { .. } | Self::Empty { .. } | Self::Doubled { .. })
    }
}

impl PointList {
    /// Reads points: one a line, or between commas in a single line, or as the list of HBase's shell, `['a', 'b']`. A comma
    /// that a Chinese keyboard writes, `，` or `、`, is one where it can't be part of a point: between points of plain ASCII
    /// in every form but [`KeyForm::Text`].
    ///
    /// # Errors
    ///
    /// [`SplitError`] when there are more than a table can have.
    pub fn read(list: &str, form: KeyForm) -> Result<Self, SplitError> {
        let items = items(list, form);
        let (mut problems, mut keys, mut before) = (Vec::new(), BTreeMap::new(), None);
        for (at, &text) in (1..).zip(&items) {
            match form.read_key(text) {
                _ if text.is_empty() => problems.push(ListProblem::Empty { at }),
                Err(error) => {
                    let (text, message) = (text.to_owned(), error.to_string());
                    problems.push(ListProblem::Unreadable { at, text, message });
                }
                Ok(key) => {
                    note(&mut problems, at, text, &key, (&keys, before.as_ref()));
                    before = Some(key.clone());
                    keys.entry(key).or_insert(at);
                }
            }
        }
        problems.extend(mixed_case(&items));
        Ok(Self { points: SplitPoints::from_unsorted(keys.keys().map(Key::as_bytes))?, problems })
    }

    /// Whether a table can be made of the list as it is.
    pub fn is_usable(&self) -> bool {
        !self.problems.iter().any(ListProblem::is_error)
    }
}

/// Notes what is wrong with a point that can be read, given those before it.
fn note(
    problems: &mut Vec<ListProblem>,
    at: usize,
    text: &str,
    key: &Key,
    (known, before): (&BTreeMap<Key, usize>, Option<&Key>),
) {
    if text.ends_with(' ') {
        problems.push(ListProblem::EndsInSpace { at, text: text.to_owned() });
    }
    if let Some(&first) = known.get(key) {
        problems.push(ListProblem::Doubled { at, text: text.to_owned(), first });
    } else if before.is_some_and(|before| before > key) {
        problems.push(ListProblem::Unsorted { at, text: text.to_owned() });
    }
}

/// Finds two points of hex digits in different cases.
fn mixed_case(items: &[&str]) -> Option<ListProblem> {
    let is_hex = |text: &&&str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let of_case = |is_case: fn(&u8) -> bool| {
        items.iter().filter(is_hex).find(|text| text.as_bytes().iter().any(is_case))
    };
    let (upper, lower) = (of_case(u8::is_ascii_uppercase)?, of_case(u8::is_ascii_lowercase)?);
    Some(ListProblem::MixedCase { upper: (*upper).to_owned(), lower: (*lower).to_owned() })
}

/// `，` and `、`.
const WIDE_COMMAS: [char; 2] = ['\u{ff0c}', '\u{3001}'];

fn items(list: &str, form: KeyForm) -> Vec<&str> {
    let list = list.strip_prefix('\u{feff}').unwrap_or(list);
    let trimmed = list.trim();
    if trimmed.is_empty() {
        return Vec::new();
    }
    if let Some(shell) = shell_list(trimmed) {
        return shell;
    }
    let is_number = matches!(form, KeyForm::Int | KeyForm::Long);
    let is_one_line = !trimmed.contains('\n');
    // A text may have any letter.
    let is_wide = form != KeyForm::Text && trimmed.chars().all(|c| c.is_ascii() || WIDE_COMMAS.contains(&c));
    let is_comma = |c: char| c == ',' || (is_wide && WIDE_COMMAS.contains(&c));
    match () {
        () if is_number => trimmed.split(|c| is_comma(c) || c == '\n').map(str::trim).collect(),
        () if is_one_line => trimmed.split(is_comma).map(str::trim_start).collect(),
        () => list.trim_end_matches(['\r', '\n']).lines().collect(),
    }
}

/// Returns what is in quotes in a list of HBase's shell: `SPLITS => ['a', 'b']`, or what is between its brackets.
fn shell_list(text: &str) -> Option<Vec<&str>> {
    let list = text.strip_prefix("SPLITS").map_or(text, |rest| rest.trim_start_matches([' ', '=', '>']));
    let mut rest = list.strip_prefix('[')?.trim_end().strip_suffix(']')?;
    let mut items = Vec::new();
    while let Some(start) = rest.find(['\'', '"']) {
        let quote = &rest[start..=start];
        let (item, after) = rest[start + 1..].split_once(quote)?;
        items.push(item);
        rest = after;
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str, form: KeyForm) -> (Vec<String>, Vec<ListProblem>) {
        let read = PointList::read(list, form).unwrap();
        (read.points.keys().iter().map(ToString::to_string).collect(), read.problems)
    }

    #[test]
    fn lines_commas_and_the_shell_s_list_are_read_alike() {
        for list in
            ["a\nb c\n\\x00\n", "a\r\nb c\r\n\\x00", "a,b c,\\x00", "SPLITS => ['a', \"b c\", '\\x00']"]
        {
            let (points, problems) = read(list, KeyForm::Escaped);
            assert_eq!(points, ["\\x00", "a", "b c"], "{list}");
            assert_eq!(problems, [ListProblem::Unsorted { at: 3, text: "\\x00".into() }], "{list}");
        }
        assert_eq!(read(" \n", KeyForm::Escaped), (vec![], vec![]));
    }

    #[test]
    fn commas_of_a_chinese_keyboard_separate_points_of_plain_ascii() {
        for list in ["a，b c，\\x00", "a、b c、\\x00", "a, b c，\\x00", "['a'，'b c'、'\\x00']"] {
            let (points, problems) = read(list, KeyForm::Escaped);
            assert_eq!(points, ["\\x00", "a", "b c"], "{list}");
            assert_eq!(problems, [ListProblem::Unsorted { at: 3, text: "\\x00".into() }], "{list}");
        }
        assert_eq!(read("0a，ff", KeyForm::Hex).0, ["\\x0A", "\\xFF"]);
        assert_eq!(read("1，2、\n3", KeyForm::Int).1, [ListProblem::Empty { at: 3 }]);
        // These may be letters of the points.
        assert_eq!(read("甲，乙", KeyForm::Text).0.len(), 1);
        assert_eq!(read("a，b", KeyForm::Text).0.len(), 1);
        assert!(matches!(&*read("a，b\nc", KeyForm::Escaped).1, [ListProblem::Unreadable { at: 1, .. }]));
        assert!(matches!(&*read("甲，b", KeyForm::Escaped).1, [ListProblem::Unreadable { at: 1, .. }]));
    }

    #[test]
    fn numbers_are_points_as_java_writes_them() {
        let (points, problems) = read("1, 10,15\n-1", KeyForm::Int);
        let expected =
            ["\\x00\\x00\\x00\\x01", "\\x00\\x00\\x00\\x0A", "\\x00\\x00\\x00\\x0F", "\\xFF\\xFF\\xFF\\xFF"];
        assert_eq!((points, problems), (expected.map(str::to_owned).into(), vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_the_rest_is_used() {
        let (points, problems) = read("b\n\na \nb\n\\xZZ", KeyForm::Escaped);
        assert_eq!(points, ["a ", "b"]);
        let problems: Vec<_> =
            problems.iter().map(|problem| serde_json::to_value(problem).unwrap()).collect();
        let kinds: Vec<_> =
            problems.iter().map(|problem| (problem["problem"].as_str().unwrap(), &problem["at"])).collect();
        let [two, three, four, five] = [2, 3, 4, 5].map(serde_json::Value::from);
        assert_eq!(
            kinds,
            [
                ("empty", &two),
                ("ends-in-space", &three),
                ("unsorted", &three),
                ("doubled", &four),
                ("unreadable", &five)
            ]
        );
    }

    #[test]
    fn hex_digits_of_both_cases_are_pointed_out() {
        let mixed = ListProblem::MixedCase { upper: "0A".into(), lower: "0b".into() };
        assert_eq!(read("09\n0A\n0b", KeyForm::Escaped).1, [mixed]);
        assert_eq!(read("09\n0A\n0B", KeyForm::Escaped).1, []);
    }
}
