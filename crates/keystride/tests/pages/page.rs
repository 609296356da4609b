//! Pages, taken apart.

/// The page of design files.
pub(crate) const PAGE: &str = include_str!("../../../../docs/design-file.md");

/// Rows of all tables that have this head, cell by cell.
pub(crate) fn rows(text: &'static str, head: &str) -> Vec<Vec<&'static str>> {
    let mut lines = text.lines();
    let mut rows = Vec::new();
    while lines.by_ref().any(|line| line == head) {
        let table = lines.by_ref().skip(1).map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        rows.extend(table.map(|row| row.split(" | ").map(str::trim).collect::<Vec<_>>()));
    }
    rows
}

/// What stands under a heading, up to the next one that is as high or higher.
pub(crate) fn section(heading: &str) -> &'static str {
    let (_, after) = PAGE.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let level = heading.split(' ').next().unwrap().len();
    let ends = (1..=level).filter_map(|level| after.find(&format!("\n{} ", "#".repeat(level))));
    &after[..ends.min().unwrap_or(after.len())]
}

/// What stands in backticks, in order.
pub(crate) fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The words of what stands in backticks, but for whole examples and the tables of mistakes.
pub(crate) fn code_words(text: &str) -> impl Iterator<Item = &str> {
    let paragraphs = text.split("```").step_by(2).flat_map(|prose| prose.split("\n\n"));
    let told =
        paragraphs.filter(|text| !["| Written |", "| Row |"].iter().any(|head| text.starts_with(head)));
    told.flat_map(codes).flat_map(|code| code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')))
}
