//! Words of the parts of the key.

use crate::design::Design;
use crate::design::bucket::{Base, BucketInput, BucketPart};
use crate::design::part::{FieldPart, Part};
use crate::design::print::{Doc, bytes, int, list, table, text};
use crate::design::steps::{HashTake, NumberDesc};

impl Design {
    pub(super) fn part_doc(&self, part: &Part) -> Doc {
        match part {
            Part::Text(part) => table(vec![("text", bytes(&part.bytes))]),
            Part::Field(part) => self.field_part_doc(part),
            Part::Bucket(part) => self.bucket_doc(part),
        }
    }

    fn field_part_doc(&self, part: &FieldPart) -> Doc {
        let steps = &part.steps;
        let mut words = vec![("field", text(&self.fields[part.field].name))];
        words.extend(steps.floor.as_ref().map(|period| ("floor", text(&period.to_string()))));
        words.extend(steps.desc.map(|desc| match desc {
            NumberDesc::LongMax => ("desc", text("long-max")),
            NumberDesc::Bound(bound) => ("desc", int(bound.into())),
        }));
        words.extend(steps.encoding.word().map(|word| ("as", text(word))));
        words.extend(steps.width.map(|width| ("width", int(width as i128))));
        words.extend(steps.pad.map(|pad| ("pad", int(pad as i128))));
        words.extend(steps.reverse.then_some(("reverse", Doc::Bool(true))));
        words.extend(steps.hash.map(|hash| {
            let (word, count) = match hash.take {
                HashTake::Bytes(count) => ("bytes", count),
                HashTake::Hex(count) => ("hex", count),
            };
            ("hash", table(vec![("name", text(hash.digest.name())), (word, int(count as i128))]))
        }));
        words.extend(steps.escape.then_some(("escape", Doc::Bool(true))));
        words.extend(steps.invert.then(|| ("desc", text("invert"))));
        table(words)
    }

    fn bucket_doc(&self, part: &BucketPart) -> Doc {
        let mut words = vec![("bucket", int(part.count.get().into())), ("hash", text(part.hash.name()))];
        match &part.of {
            BucketInput::Rest => words.push(("of", list([text("rest")]))),
            BucketInput::Items(items) if items.is_empty() => {}
            BucketInput::Items(items) => {
                words.push(("of", list(items.iter().map(|item| text(&item.to_text(&self.fields))))));
            }
        }
        words.push(("width", int(part.width as i128)));
        words.push((
            "base",
            match part.base {
                Base::Decimal => int(10),
                Base::Hex => int(16),
                Base::Byte => text("byte"),
            },
        ));
        words.extend(part.spread.as_ref().map(|spread| {
            let by = list(spread.by.iter().map(|by| text(&by.to_text(&self.fields))));
            let values = spread.values.iter().map(|(value, count)| (value.clone(), int(count.get().into())));
            ("spread", table(vec![("by", by), ("values", Doc::Table(values.collect()))]))
        }));
        table(words)
    }
}
