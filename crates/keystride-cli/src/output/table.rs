//! Rows as a table or, where that is far wider than the terminal, as one record after the other.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

use super::cell_text::{cell_text, shown};

/// Rows to be drawn.
#[derive(Debug)]
pub(super) struct Drawing<'a> {
    pub(super) names: &'a [String],
    /// Whether a table shows the names; records always do.
    pub(super) has_header: bool,
    pub(super) rows: &'a [Vec<Value>],
    /// The number of the first row.
    pub(super) first: usize,
}

impl Drawing<'_> {
    /// Returns the rows as a text that fits into so many columns, if there is a limit. A table that is a little wider
    /// gets cells of several lines.
    pub(super) fn within(&self, columns: Option<usize>) -> String {
        let mut table = self.table();
        let text = table.to_string();
        let width = text.lines().next().map_or(0, |line| line.chars().count());
        match columns {
            Some(columns) if width > columns / 2 * 3 => self.records(columns),
            Some(columns) if width > columns => {
                table.set_content_arrangement(ContentArrangement::Dynamic);
                table.set_width(u16::try_from(columns).unwrap_or(u16::MAX)).to_string()
            }
            _ => text,
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        if self.has_header {
            table.set_header(self.names.iter().map(|name| shown(name)));
        }
        for row in self.rows {
            table.add_row(row.iter().map(|cell| shown(&cell_text(cell))));
        }
        table
    }

    fn records(&self, columns: usize) -> String {
        let names: Vec<String> = self.names.iter().map(|name| shown(name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut lines = Vec::new();
        for (number, row) in (self.first..).zip(self.rows) {
            let title = format!("── {number} ");
            let rule = "─".repeat(columns.saturating_sub(title.chars().count()));
            lines.push(format!("{title}{rule}"));
            for (name, cell) in names.iter().zip(row) {
                lines.push(format!("{name:width$}  {}", shown(&cell_text(cell))).trim_end().to_owned());
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
        let rows = [vec!["N14228".into(), "2013-12-28T18:00".into()], vec![7.into(), Value::Null]];
        Drawing { names: &names, has_header: true, rows: &rows, first: 5 }.within(columns)
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
}
