//! An array of a design file taken apart into elements, each with its own comments, so that they can be moved.

use toml_edit::{Array, RawString, Value};

/// The elements of an array. In the parsed file, a comment behind an element belongs to the next one.
#[derive(Debug)]
pub(crate) struct ArrayLines {
    elements: Vec<Element>,
    /// What stands before the first line end after the opening bracket.
    head: String,
    /// What stands before the closing bracket.
    tail: String,
}

#[derive(Debug)]
struct Element {
    /// What stands before it: lines of comments, and the indent.
    lead: String,
    value: Value,
    /// What stands behind it on its line, without the comma.
    comment: String,
}

impl ArrayLines {
    pub(crate) fn of(array: &Array) -> Self {
        let mut lines = Self { elements: Vec::new(), head: String::new(), tail: String::new() };
        // Behind the last one there need not be a comma: blanks and line ends there stand before the bracket.
        let mut behind = String::new();
        for value in array {
            let (before, lead) = cut(&text(value.decor().prefix()));
            lines.put_behind_last(&before);
            let mut value = value.clone();
            let (mut comment, rest) = cut_all(&text(value.decor().suffix()));
            behind = rest;
            if comment.trim().is_empty() {
                behind.insert_str(0, &std::mem::take(&mut comment));
            }
            value.decor_mut().clear();
            lines.elements.push(Element { lead, value, comment });
        }
        let (before, tail) = cut(&(behind + &text(Some(array.trailing()))));
        lines.put_behind_last(&before);
        lines.tail = tail;
        lines
    }

    /// Moves an element to where another one is; `None` if one of them is not there.
    pub(crate) fn moved(mut self, from: usize, to: usize) -> Option<Self> {
        if from.max(to) >= self.elements.len() {
            return None;
        }
        let leads: Vec<String> = self.elements.iter().map(|element| element.lead.clone()).collect();
        let element = self.elements.remove(from);
        self.elements.insert(to, element);
        if !leads.iter().any(|lead| lead.contains('#')) {
            // The places keep their blanks: of a list in one line, the first has none.
            self.elements.iter_mut().zip(leads).for_each(|(element, lead)| element.lead = lead);
        }
        Some(self)
    }

    /// Removes an element with its own comments; `None` if it is not there.
    pub(crate) fn without(mut self, index: usize) -> Option<Self> {
        if index >= self.elements.len() {
            return None;
        }
        let removed = self.elements.remove(index);
        if index == 0
            && let Some(first) = self.elements.first_mut().filter(|first| !first.lead.contains('\n'))
        {
            first.lead = removed.lead;
        }
        Some(self)
    }

    pub(crate) fn write_to(self, array: &mut Array) {
        array.clear();
        let mut before = self.head;
        for Element { lead, mut value, comment } in self.elements {
            value.decor_mut().set_prefix(joined(&before, &lead));
            value.decor_mut().set_suffix("");
            before = comment;
            array.push_formatted(value);
        }
        array.set_trailing(joined(&before, &self.tail));
    }

    fn put_behind_last(&mut self, text: &str) {
        let place = self.elements.last_mut().map_or(&mut self.head, |last| &mut last.comment);
        place.push_str(text);
    }
}

/// Cuts a text before its first line end; without one, all of it comes behind.
fn cut(text: &str) -> (String, String) {
    let (before, behind) = text.split_at(text.find('\n').unwrap_or(0));
    (before.to_owned(), behind.to_owned())
}

/// The same; without a line end, all of it comes before.
fn cut_all(text: &str) -> (String, String) {
    let (before, behind) = text.split_at(text.find('\n').unwrap_or(text.len()));
    (before.to_owned(), behind.to_owned())
}

/// A comment ends with its line.
fn joined(comment: &str, lead: &str) -> String {
    let ends = !comment.contains('#') || lead.starts_with('\n');
    format!("{comment}{}{lead}", if ends { "" } else { "\n" })
}

fn text(raw: Option<&RawString>) -> String {
    raw.and_then(RawString::as_str).unwrap_or_default().to_owned()
}
