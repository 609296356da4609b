//! Columns that belong to no field, if the design keeps them.

use std::ops::Range;

/// The other columns of the current row, with names stored once per file and texts in a buffer that is reused for
/// every row.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Names from the header of the current file.
    names: Vec<String>,
    texts: String,
    cells: Vec<Cell>,
    /// Indexes of the cells sorted by name, to find duplicates.
    order: Vec<usize>,
}

#[derive(Debug)]
struct Cell {
    name: Name,
    /// `None` for null, which has no cell but takes the name.
    text: Option<Range<usize>>,
}

#[derive(Debug)]
enum Name {
    Header(usize),
    Text(Range<usize>),
}

impl Others {
    /// Starts a file whose other columns have these names.
    pub(super) fn set_header(&mut self, names: Vec<String>) {
        self.names = names;
        self.clear();
    }

    /// Returns the names from the header of the current file.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.cells.clear();
    }

    /// Adds the text of the column with index `name`.
    pub(super) fn push(&mut self, name: usize, text: &str) {
        let text = self.place(text);
        self.cells.push(Cell { name: Name::Header(name), text: Some(text) });
    }

    /// Adds a column by name, which need not occur in other rows; `None` for null.
    pub(super) fn push_named(&mut self, name: &str, text: Option<&str>) {
        let name = Name::Text(self.place(name));
        let text = text.map(|text| self.place(text));
        self.cells.push(Cell { name, text });
    }

    /// Returns the name and the text of each column that is not null, in the order of the source.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let text = |cell: usize| self.cells[cell].text.clone().map(|text| &self.texts[text]);
        (0..self.cells.len()).filter_map(move |cell| Some((self.name(cell), text(cell)?)))
    }

    /// Returns a name that occurs twice, whether it is null or not. Sorts the names, because a row may have very many of them.
    pub(super) fn twin(&mut self) -> Option<&str> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.cells.len());
        order.sort_unstable_by(|a, b| self.name(*a).cmp(self.name(*b)));
        let twin = order.windows(2).find(|pair| self.name(pair[0]) == self.name(pair[1])).map(|pair| pair[0]);
        self.order = order;
        twin.map(|cell| self.name(cell))
    }

    fn name(&self, cell: usize) -> &str {
        match &self.cells[cell].name {
            Name::Header(name) => &self.names[*name],
            Name::Text(range) => &self.texts[range.clone()],
        }
    }

    fn place(&mut self, text: &str) -> Range<usize> {
        let start = self.texts.len();
        self.texts.push_str(text);
        start..self.texts.len()
    }
}
