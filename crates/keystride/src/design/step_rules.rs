//! Checks which steps fit which fields, and which exclude each other.

use super::field::{Field, FieldKind, FloatKind, IntWidth};
use super::problem::Problem;
use super::reader::{Complaints, TableReader};
use super::steps::{Encoding, NumberDesc, Steps};

/// Checks `steps` against the field and each other, and normalises equivalent forms (`as = "text"` where text is
/// plain).
pub(crate) fn check(steps: &mut Steps, field: &Field, reader: &TableReader<'_>, complaints: &mut Complaints) {
    let before = complaints.count();
    let mut rules = Rules { field, reader, complaints };
    rules.floor(steps);
    rules.encoding(steps);
    rules.desc(steps);
    rules.width(steps);
    rules.pad(steps);
    rules.reverse(steps);
    rules.escape(steps);
    if rules.complaints.count() == before {
        rules.some_value(steps);
    }
    if steps.encoding == Encoding::Text && !matches!(field.kind, FieldKind::Uuid { .. }) {
        steps.encoding = Encoding::Plain;
    }
}

struct Rules<'a, 'b> {
    field: &'a Field,
    reader: &'a TableReader<'b>,
    complaints: &'a mut Complaints,
}

impl Rules<'_, '_> {
    fn unfit(&mut self, word: &'static str, step: &'static str, why: impl Into<String>) {
        let problem = Problem::UnfitStep {
            step,
            field: self.field.name.clone(),
            kind: self.field.kind.name(),
            why: why.into(),
        };
        self.reader.complain(self.complaints, word, problem);
    }

    fn contradict(&mut self, word: &'static str, first: &'static str, second: &str, why: &'static str) {
        let problem = Problem::Contradiction { first, second: second.to_owned(), why };
        self.reader.complain(self.complaints, word, problem);
    }

    fn floor(&mut self, steps: &Steps) {
        if steps.floor.is_some() && self.field.time().is_none() {
            self.unfit("floor", "floor", "it cuts a time");
        }
    }

    fn encoding(&mut self, steps: &Steps) {
        let kind = &self.field.kind;
        let number = matches!(kind, FieldKind::Int(_) | FieldKind::Time(_) | FieldKind::Float(_));
        match steps.encoding {
            Encoding::Plain if matches!(kind, FieldKind::Float(_)) => {
                let why =
                    "it has no default bytes: say as = \"ordered\", \"be\", \"phoenix\" or \"ordered-bytes\"";
                self.unfit("field", "a part without \"as\"", why);
            }
            Encoding::Plain => {}
            Encoding::Text if matches!(kind, FieldKind::Float(_) | FieldKind::Bytes { .. }) => {
                self.unfit("as", "as = \"text\"", "it has no text of its own in a key");
            }
            Encoding::Text => {}
            Encoding::Be if number || *kind == FieldKind::Bool => {}
            Encoding::Ordered if number => {}
            Encoding::Be | Encoding::Ordered => {
                self.unfit("as", "a binary number", "it takes numbers and times; drop \"as\"");
            }
            Encoding::Phoenix if phoenix_fits(kind) => {}
            Encoding::Phoenix => self.unfit("as", "as = \"phoenix\"", "Phoenix has no such type"),
            Encoding::OrderedBytes if ordered_bytes_fits(kind) => {}
            Encoding::OrderedBytes => {
                self.unfit("as", "as = \"ordered-bytes\"", "OrderedBytes has no such type");
            }
        }
    }

    fn desc(&mut self, steps: &Steps) {
        let Some(desc) = steps.desc else { return };
        if !self.field.kind.is_number() {
            let why = "it takes numbers and times; for other values say desc = \"invert\"";
            self.unfit("desc", "desc with a bound", why);
            return;
        }
        if desc == NumberDesc::LongMax
            && matches!(&self.field.kind, FieldKind::Int(int) if int.min > i64::MAX.into())
        {
            self.unfit("desc", "desc = \"long-max\"", "its smallest value is beyond 2^63 - 1");
        }
    }

    fn width(&mut self, steps: &Steps) {
        let Some(width) = steps.width else { return };
        if !matches!(steps.encoding, Encoding::Be | Encoding::Ordered) {
            self.contradict(
                "width",
                "\"width\"",
                "the encoding",
                "it narrows as = \"be\" and as = \"ordered\" alone",
            );
        } else if !self.field.kind.is_number() {
            self.unfit("width", "width", "it narrows whole numbers and times");
        } else if steps.desc == Some(NumberDesc::LongMax) && width != 8 {
            self.contradict("width", "\"width\"", "desc = \"long-max\"", "2^63 - 1 - t has 8 bytes");
        } else if !matches!(width, 4 | 8) {
            let problem = Problem::BadValue { found: width.to_string(), expected: "4 or 8 bytes".to_owned() };
            self.reader.complain(self.complaints, "width", problem);
        }
    }

    fn pad(&mut self, steps: &Steps) {
        let Some(pad) = steps.pad else { return };
        if !self.field.kind.is_number() {
            self.unfit(
                "pad",
                "pad",
                "it puts zeros in front of numbers in text; digits have their width already",
            );
        } else if !steps.is_text(&self.field.kind) {
            self.contradict("pad", "\"pad\"", "a binary encoding", "a binary number has its width already");
        } else if self.field.time().is_some_and(|time| matches!(time.text, super::TimeText::Pattern(_)))
            && steps.desc.is_none()
        {
            self.unfit("pad", "pad", "a formatted time is not a number; give it desc, or widen its format");
        } else if let Some(desc) = steps.desc.filter(|desc| desc.digits() > pad) {
            let expected = format!("at least the {} digits of the bound", desc.digits());
            let problem = Problem::BadValue { found: pad.to_string(), expected };
            self.reader.complain(self.complaints, "pad", problem);
        }
    }

    fn reverse(&mut self, steps: &Steps) {
        if steps.reverse && steps.encoding == Encoding::OrderedBytes {
            self.contradict(
                "reverse",
                "\"reverse\"",
                "as = \"ordered-bytes\"",
                "the encoding's header must stand first",
            );
        }
        if steps.invert && steps.desc.is_some() {
            self.contradict("desc", "desc = \"invert\"", "a bound", "a value descends in one way");
        }
    }

    /// Rejects steps that no value of the field can go through.
    fn some_value(&mut self, steps: &Steps) {
        let Some((least, most)) = self.field.kind.number_range() else { return };
        let (min, max) = super::encodable(steps, &self.field.kind);
        if min <= max {
            return;
        }
        let word = match steps {
            Steps { desc: Some(_), .. } => "desc",
            Steps { pad: Some(_), .. } => "pad",
            Steps { encoding: Encoding::Plain, .. } => "field",
            _ => "as",
        };
        let name = &self.field.name;
        let what = format!("no value of field \"{name}\", {least} to {most}, can be written so");
        let help = "choose a bound, a width or an encoding that its values fit";
        self.reader.complain(self.complaints, word, Problem::Rule { what, help });
    }

    fn escape(&mut self, steps: &Steps) {
        if !steps.escape {
            return;
        }
        let unescaped = Steps { escape: false, ..steps.clone() };
        if unescaped.fixed_width(&self.field.kind).is_some() {
            self.contradict(
                "escape",
                "\"escape\"",
                "a fixed width",
                "a value of fixed width needs no end mark",
            );
        } else if steps.encoding == Encoding::OrderedBytes {
            self.contradict("escape", "\"escape\"", "as = \"ordered-bytes\"", "that encoding ends itself");
        }
    }
}

pub(crate) fn phoenix_fits(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Int(_) | FieldKind::Time(_) | FieldKind::Float(_) | FieldKind::Bool => true,
        FieldKind::String(_) | FieldKind::Bytes { .. } => true,
        FieldKind::Digits { .. } | FieldKind::Uuid { .. } => false,
    }
}

pub(crate) fn ordered_bytes_fits(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Int(int) => !matches!(int.width, IntWidth::U32 | IntWidth::U64),
        FieldKind::Time(_) | FieldKind::Float(FloatKind::F32 | FloatKind::F64) => true,
        FieldKind::String(_) | FieldKind::Bytes { .. } => true,
        FieldKind::Digits { .. } | FieldKind::Uuid { .. } | FieldKind::Bool => false,
    }
}
