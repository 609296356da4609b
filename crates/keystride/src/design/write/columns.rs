//! Words of columns and of the input.

use crate::design::columns::{ArrivalOrder, Column, Delivery, Int96Times, OtherColumns};
use crate::design::print::{Doc, list, table, text};
use crate::design::steps::Encoding;
use crate::design::{Design, Input};

impl Design {
    pub(super) fn columns_doc(&self) -> Vec<(String, Doc)> {
        let in_key = self.fields_in_key();
        let mut words = Vec::new();
        for column in &self.columns.cells {
            let said = self.column_words(column, in_key[column.field]);
            if !said.is_empty() || self.fields[column.field].from.is_some() {
                words.push((self.fields[column.field].name.clone(), table(said)));
            }
        }
        match self.columns.other {
            OtherColumns::Error => {}
            OtherColumns::Drop => words.push(("other".to_owned(), text("drop"))),
            OtherColumns::Store(family) => {
                words.push(("other".to_owned(), text(&self.table.families[family].name)));
            }
        }
        words.extend(
            self.columns.cell_time.map(|field| ("cell_time".to_owned(), text(&self.fields[field].name))),
        );
        words
    }

    fn column_words(&self, column: &Column, in_key: bool) -> Vec<(&'static str, Doc)> {
        let mut words = Vec::new();
        words
            .extend((column.family != 0).then(|| ("family", text(&self.table.families[column.family].name))));
        let renamed = column.qualifier != self.fields[column.field].name;
        words.extend(renamed.then(|| ("qualifier", text(&column.qualifier))));
        let encoded = !matches!(column.encoding, Encoding::Text | Encoding::Plain);
        words.extend(column.encoding.word().filter(|_| encoded).map(|word| ("as", text(word))));
        words.extend(in_key.then_some(("keep", Doc::Bool(true))));
        words
    }
}

pub(super) fn input_doc(input: &Input) -> Option<Doc> {
    let plain = Input::default();
    let mut words = Vec::new();
    words
        .extend((input.null != plain.null).then(|| ("null", list(input.null.iter().map(|null| text(null))))));
    words.extend((input.delivery == Delivery::AtLeastOnce).then(|| ("delivery", text("at-least-once"))));
    words.extend((input.order == ArrivalOrder::Sorted).then(|| ("order", text("sorted"))));
    words.extend((input.int96 == Int96Times::Local).then(|| ("int96", text("local"))));
    words.extend(input.encoding.map(|charset| ("encoding", text(charset.name()))));
    words.extend((input.quote != plain.quote).then(|| ("quote", text(&input.quote.to_string()))));
    words.extend((input.escape != plain.escape).then(|| ("escape", text(&input.escape.to_string()))));
    (!words.is_empty()).then(|| table(words))
}
