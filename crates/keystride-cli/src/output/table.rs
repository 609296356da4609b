//! Rows as a table or, where that is far wider than the terminal, as one record after the other.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use serde_json::Value;

use super::cell_text::shown;
use super::safe;
use crate::size::bytes_text;

/// Returns a value as a cell of a table. A long one is cut: it takes no more lines of the terminal than can be read, and
/// costs no more than they do.
pub(super) fn table_cell(value: Value, columns: Option<usize>) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => cut(&text, columns),
        other => cut(&other.to_string(), columns),
    }
}

/// The most lines of a terminal that a cell takes, and the most characters that it has where there is no terminal.
const CELL_LINES: usize = 10;
const CELL_CHARACTERS: usize = 1 << 20;

fn cut(text: &str, columns: Option<usize>) -> String {
    let most = columns.map_or(CELL_CHARACTERS, |columns| columns.saturating_mul(CELL_LINES));
    let end = if text.len() > most { text.char_indices().nth(most).map(|(end, _)| end) } else { None };
    let visible = |text| safe(&shown(text)).into_owned();
    match end {
        Some(end) => format!("{}… ({})", visible(&text[..end]), bytes_text(text.len() as u64)),
        None => visible(text),
    }
}

/// The rows of one table, of which there is no more than can be laid out: each cell is as wide as the widest of its
/// column.
#[derive(Debug, Default)]
pub(super) struct Kept {
    rows: Vec<Vec<String>>,
    /// The bytes of the longest cell of each column.
    longest: Vec<usize>,
    contents: Vec<Contents>,
}

/// What a cell has, or of all cells of a column the last of these that one has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contents {
    Nothing,
    /// Numbers, which are aligned by their last digits and never broken.
    Numbers,
    /// Texts without spaces, such as times, which are broken only if nothing else can be.
    Words,
    Texts,
}

impl Contents {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Number(_) => Self::Numbers,
            Value::String(text) if text.contains(char::is_whitespace) => Self::Texts,
            _ => Self::Words,
        }
    }
}

/// Maximum number of rows in a table, and of characters with those that fill its cells.
const TABLE_ROWS: usize = 10_000;
const TABLE_CHARACTERS: usize = 8 << 20;

impl Kept {
    pub(super) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    pub(super) fn contents(&self) -> &[Contents] {
        &self.contents
    }

    /// Whether the table has room for another row. A table of no rows has room for any.
    pub(super) fn has_room_for(&self, row: &[String]) -> bool {
        let widths = row.iter().zip(&self.longest).map(|(cell, longest)| cell.len().max(*longest));
        let characters = widths.sum::<usize>().saturating_mul(self.rows.len() + 1);
        self.rows.is_empty() || (self.rows.len() < TABLE_ROWS && characters <= TABLE_CHARACTERS)
    }

    pub(super) fn push(&mut self, row: Vec<String>, contents: &[Contents]) {
        self.longest.resize(row.len(), 0);
        for (longest, cell) in self.longest.iter_mut().zip(&row) {
            *longest = cell.len().max(*longest);
        }
        self.contents.resize(contents.len(), Contents::Nothing);
        for (all, contents) in self.contents.iter_mut().zip(contents) {
            *all = (*all).max(*contents);
        }
        self.rows.push(row);
    }
}

/// Rows to be drawn.
#[derive(Debug)]
pub(super) struct Drawing<'a> {
    pub(super) names: &'a [String],
    /// Whether a table shows the names; records always do.
    pub(super) has_header: bool,
    pub(super) rows: &'a [Vec<String>],
    /// What is in each column.
    pub(super) contents: &'a [Contents],
    /// The number of the first row.
    pub(super) first: usize,
}

impl Drawing<'_> {
    /// Returns the rows as a text that fits into so many columns, if there is a limit. A table that is a little wider
    /// gets cells of several lines, but for numbers.
    pub(super) fn within(&self, columns: Option<usize>) -> String {
        let mut table = self.table(columns);
        let text = table.to_string();
        let width = text.lines().next().map_or(0, |line| line.chars().count());
        match columns {
            Some(columns) if width > columns => {
                let too_wide = width - columns;
                let held = [&[Contents::Numbers, Contents::Words][..], &[Contents::Numbers]];
                let held = held.into_iter().find(|held| too_wide <= self.spare(&table, held));
                let Some(held) = held.filter(|_| width <= columns / 2 * 3) else {
                    return self.records(columns);
                };
                self.hold(&mut table, held);
                table.set_content_arrangement(ContentArrangement::Dynamic);
                table.set_width(u16::try_from(columns).unwrap_or(u16::MAX)).to_string()
            }
            _ => text,
        }
    }

    /// Returns by how much the columns that are not held can be narrower and still be read.
    fn spare(&self, table: &Table, held: &[Contents]) -> usize {
        const LEAST: usize = 6;
        let widths = table.column_max_content_widths().into_iter().map(usize::from).enumerate();
        let others = widths.filter(|(column, _)| !self.is_any(*column, held));
        others.map(|(_, width)| width.saturating_sub(LEAST)).sum()
    }

    /// Keeps columns from being narrower than what is in them.
    fn hold(&self, table: &mut Table, held: &[Contents]) {
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.is_any(index, held) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }

    fn is_any(&self, column: usize, contents: &[Contents]) -> bool {
        self.contents.get(column).is_some_and(|found| contents.contains(found))
    }

    fn shown_names(&self, columns: Option<usize>) -> impl Iterator<Item = String> {
        self.names.iter().map(move |name| cut(name, columns))
    }

    fn table(&self, columns: Option<usize>) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        if self.has_header {
            table.set_header(self.shown_names(columns));
        }
        for row in self.rows {
            table.add_row(row);
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.is_any(index, &[Contents::Numbers]) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    fn records(&self, columns: usize) -> String {
        let names: Vec<String> = self.shown_names(Some(columns)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (number, row) in (self.first..).zip(self.rows) {
            let title = format!("── {number} ");
            let rule = "─".repeat(columns.saturating_sub(title.chars().count()));
            lines.push(format!("{title}{rule}"));
            for (name, cell) in names.iter().zip(row) {
                lines.push(format!("{name:width$}  {cell}").trim_end().to_owned());
            }
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(columns: Option<usize>) -> String {
        let names = ["tail", "time_hour"].map(str::to_owned);
        let rows = [["N14228", "2013-12-28T18:00"], ["7", ""]].map(|row| row.map(str::to_owned).to_vec());
        Drawing { names: &names, has_header: true, rows: &rows, contents: &[], first: 5 }.within(columns)
    }

    #[test]
    fn numbers_are_aligned_by_their_last_digits_and_broken_never_and_words_last() {
        let names = ["long_name", "n", "word", "text"].map(str::to_owned);
        let mut kept = Kept::default();
        for (number, text) in
            [(Value::Null, ""), (7.into(), "a few words of text"), (9_876_543_210_i64.into(), "x")]
        {
            let row = ["some words of it".into(), number, "2013-12-28T18:00".into(), text.into()];
            let contents = row.each_ref().map(Contents::of);
            kept.push(row.map(|value| table_cell(value, None)).to_vec(), &contents);
        }
        let drawing = Drawing {
            names: &names,
            has_header: true,
            rows: kept.rows(),
            contents: kept.contents(),
            first: 1,
        };
        let whole = drawing.within(None);
        assert!(whole.contains("            7   2013-12-28T18:00   a few"), "{whole}");
        let width = whole.lines().next().unwrap().chars().count();
        for columns in 1..width {
            let narrow = drawing.within(Some(columns));
            assert!(narrow.contains("9876543210"), "{columns}: {narrow}");
            let is_table = narrow.starts_with('┌');
            assert!(
                !is_table || narrow.lines().all(|line| line.chars().count() <= columns),
                "{columns}: {narrow}"
            );
        }
        let narrow = drawing.within(Some(width - 10));
        assert!(narrow.starts_with('┌') && narrow.contains("2013-12-28T18:00"), "{narrow}");
        assert_eq!(kept.contents(), [Contents::Texts, Contents::Numbers, Contents::Words, Contents::Texts]);
    }

    #[test]
    fn a_table_of_half_as_much_again_as_the_terminal_is_still_a_table() {
        let width = within(None).lines().next().unwrap().chars().count();
        let is_table = |columns: usize| within(Some(columns)).starts_with('┌');
        let least = (1..=width).find(|columns| is_table(*columns)).unwrap();
        assert!(
            (least..=width).all(is_table) && least / 2 * 3 >= width && (least - 1) / 2 * 3 < width,
            "{least} of {width}"
        );
    }

    #[test]
    fn a_table_that_is_too_wide_gets_narrow_cells_and_then_becomes_records() {
        let whole = within(None);
        let width = whole.lines().next().unwrap().chars().count();
        assert_eq!(whole, within(Some(width)));
        let narrow = within(Some(width - 4));
        assert!(narrow.starts_with('┌') && narrow.lines().all(|line| line.chars().count() <= width - 4));
        let records = "── 5 ────────\ntail       N14228\ntime_hour  2013-12-28T18:00\n\
                       ── 6 ────────\ntail       7\ntime_hour";
        assert_eq!(within(Some(13)), records);
    }

    #[test]
    fn a_long_cell_is_cut_and_tells_its_size() {
        let cell = |text: String, columns| table_cell(text.into(), columns);
        assert_eq!(cell("北".repeat(40), Some(4)), "北".repeat(40));
        assert_eq!(cell("北".repeat(41), Some(4)), format!("{}… (123 B)", "北".repeat(40)));
        assert_eq!(cell("\x1b".repeat(1 << 20), Some(1)), format!("{}… (1.0 MiB)", "\\x1b".repeat(10)));
        assert_eq!(cell("a".repeat(1_200_000), None), format!("{}… (1.1 MiB)", "a".repeat(1 << 20)));
        assert_eq!(table_cell(Value::Null, Some(4)), "");
    }

    #[test]
    fn one_wide_cell_does_not_widen_thousands_of_rows() {
        let mut kept = Kept::default();
        let row = |len| vec![String::new(), "a".repeat(len)];
        (0..1_000).for_each(|_| kept.push(row(1), &[]));
        assert_eq!([8_000, 9_000].map(|len| kept.has_room_for(&row(len))), [true, false]);
        assert!(Kept::default().has_room_for(&row(TABLE_CHARACTERS + 1)));
    }
}
