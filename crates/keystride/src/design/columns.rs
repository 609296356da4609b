//! `[columns]` and `[input]`: how fields are stored as cells, and what the source looks like.

use std::collections::BTreeMap;

use super::field::{CHARSETS, Charset, Field, FieldKind};
use super::field_names::{field_index, find_field};
use super::mark::{InvalidMark, Mark};
use super::problem::{Problem, nearest};
use super::raw::Entry;
use super::reader::{Complaints, Spanned, TableReader};
use super::steps::{ENCODINGS, Encoding};
use super::table::Family;

/// How fields are stored as cells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// The cells of a row, in the order of the fields.
    pub cells: Vec<Column>,
    /// What happens to input columns that no field names.
    pub other: OtherColumns,
    /// Index of the field that gives the cells' timestamps; `None` for one timestamp per load.
    pub cell_time: Option<usize>,
}

/// One cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Index of the field.
    pub field: usize,
    /// Index of the family in `[table] families`.
    pub family: usize,
    /// The qualifier.
    pub qualifier: String,
    /// How the value is encoded.
    pub encoding: Encoding,
}

/// What happens to input columns that no field names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OtherColumns {
    /// The input is rejected.
    #[default]
    Error,
    /// They are ignored.
    Drop,
    /// They are stored as text in this family.
    Store(usize),
}

/// What the source looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Texts that mean that there is no value.
    pub null: Vec<String>,
    /// Whether a row may arrive more than once.
    pub delivery: Delivery,
    /// The order in which rows arrive.
    pub order: ArrivalOrder,
    /// What the times of a Parquet column of type INT96 are.
    pub int96: Int96Times,
    /// The character set of the whole source; `None` for those of its fields, and UTF-8 elsewhere.
    pub encoding: Option<Charset>,
    /// What encloses fields of CSV.
    pub quote: Mark,
    /// What takes the next character of CSV as it is. Without it, a quote in an enclosed field is doubled.
    pub escape: Mark,
}

impl Input {
    /// Whether a text means that there is no value.
    pub fn is_null(&self, text: &str) -> bool {
        self.null.iter().any(|null| null == text)
    }
}

/// Whether a row may arrive more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// No.
    ExactlyOnce,
    /// Yes; the key must then be a function of the record.
    AtLeastOnce,
}

/// The order in which rows arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrivalOrder {
    /// In the order of the events.
    Arrival,
    /// Sorted by key.
    Sorted,
}

/// What the times of a Parquet column of type INT96 are, which the file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Int96Times {
    /// Instants, as Spark, Hive, Trino and pyarrow write them.
    #[default]
    Utc,
    /// Local times of the field's zone, as Impala writes them.
    Local,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            null: vec![String::new()],
            delivery: Delivery::ExactlyOnce,
            order: ArrivalOrder::Arrival,
            int96: Int96Times::Utc,
            encoding: None,
            quote: Mark::QUOTE,
            escape: Mark::NONE,
        }
    }
}

const DELIVERIES: [(&str, Delivery); 2] =
    [("exactly-once", Delivery::ExactlyOnce), ("at-least-once", Delivery::AtLeastOnce)];
const ORDERS: [(&str, ArrivalOrder); 2] =
    [("arrival", ArrivalOrder::Arrival), ("sorted", ArrivalOrder::Sorted)];
const INT96_TIMES: [(&str, Int96Times); 2] = [("utc", Int96Times::Utc), ("local", Int96Times::Local)];

pub(crate) fn read_input(mut table: TableReader<'_>, complaints: &mut Complaints) -> Input {
    let plain = Input::default();
    let null = table.texts("null", complaints);
    let input = Input {
        null: null.map_or(plain.null, |texts| texts.into_iter().map(|text| text.value).collect()),
        delivery: table.choice("delivery", "delivery", &DELIVERIES, complaints).unwrap_or(plain.delivery),
        order: table.choice("order", "order", &ORDERS, complaints).unwrap_or(plain.order),
        int96: table.choice("int96", "times of INT96", &INT96_TIMES, complaints).unwrap_or(plain.int96),
        encoding: table.choice("encoding", "character set", &CHARSETS, complaints),
        quote: read_mark(&mut table, "quote", complaints).unwrap_or(plain.quote),
        escape: read_mark(&mut table, "escape", complaints).unwrap_or(plain.escape),
    };
    if input.escape == input.quote && input.quote != Mark::NONE {
        let what = format!("quote and escape are both {}", input.quote);
        let help = "leave escape out, as a quote is doubled by default";
        table.complain(complaints, "escape", Problem::Rule { what, help });
    }
    table.finish(complaints);
    input
}

fn read_mark(table: &mut TableReader<'_>, word: &'static str, complaints: &mut Complaints) -> Option<Mark> {
    let text = table.text(word, complaints)?;
    let bad = |InvalidMark { found }| Problem::BadValue {
        found: format!("{found:?}"),
        expected: Mark::EXPECTED.to_owned(),
    };
    complaints.ok(text.value.parse().map_err(bad), &text.span, &table.path_of(word))
}

/// What the file says about a cell; absent words have their defaults.
#[derive(Default)]
struct CellWords {
    family: Option<usize>,
    qualifier: Option<String>,
    encoding: Option<Encoding>,
    keep: bool,
}

/// Reads the columns of a design; `in_key` says which fields can be read back from the key.
pub(crate) fn read_columns(
    table: Option<&TableReader<'_>>,
    fields: &[Field],
    families: &[Family],
    in_key: &[bool],
    complaints: &mut Complaints,
) -> Columns {
    let mut columns = Columns::default();
    let mut said: Vec<Option<CellWords>> = fields.iter().map(|_| None).collect();
    let mut entries: Vec<Option<&Entry>> = vec![None; fields.len()];
    let places = fields.iter().enumerate().map(|(index, field)| (field.name.as_str(), index));
    let places: BTreeMap<&str, usize> = places.collect();
    for entry in table.into_iter().flat_map(TableReader::entries) {
        let path = table.map_or_else(String::new, |table| table.path_of(&entry.word));
        match entry.word.as_str() {
            "other" => {
                columns.other = read_other(&entry.value, families, &path, complaints).unwrap_or_default();
            }
            "cell_time" => columns.cell_time = read_cell_time(&entry.value, fields, &path, complaints),
            name => {
                let word = Spanned { value: name.to_owned(), span: entry.span.clone() };
                let known = places.get(name).copied();
                let found = known.map_or_else(|| find_column(name, fields), Ok);
                let Some(index) = complaints.ok(found, &word.span, &path) else {
                    continue;
                };
                let Some(reader) =
                    TableReader::open_like("{ family = \"f\" }", &entry.value, path, complaints)
                else {
                    continue;
                };
                said[index] = Some(read_cell(reader, &fields[index], in_key[index], families, complaints));
                entries[index] = Some(entry);
            }
        }
    }
    columns.cells = cells_of(said, &entries, fields, in_key, complaints);
    columns
}

/// Returns the cells of all fields that have one, and complains of two in one place.
fn cells_of(
    said: Vec<Option<CellWords>>,
    entries: &[Option<&Entry>],
    fields: &[Field],
    in_key: &[bool],
    complaints: &mut Complaints,
) -> Vec<Column> {
    let mut cells: Vec<Column> = Vec::new();
    // A design may have many thousand fields.
    let mut places: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for (index, said) in said.into_iter().enumerate() {
        let Some(cell) = cell_of(index, said, &fields[index], in_key[index]) else { continue };
        let first = *places.entry((cell.family, cell.qualifier.clone())).or_insert(index);
        if first != index {
            let second = index;
            // At least one of the two does not have its default qualifier, the name of its field.
            let said = entries[second].or(entries[first]);
            let names = [first, second].map(|field| fields[field].name.as_str());
            complain_of_one_cell(names, &cell.qualifier, said, complaints);
        }
        cells.push(cell);
    }
    cells
}

fn complain_of_one_cell(
    [first, second]: [&str; 2],
    qualifier: &str,
    said: Option<&Entry>,
    complaints: &mut Complaints,
) {
    let what = format!(
        "fields \"{first}\" and \"{second}\" have the same cell: qualifier \"{qualifier}\" of one family"
    );
    let help = "give one of them another qualifier or family, as a cell holds one value";
    let (span, path) = said.map_or((0..0, "columns".to_owned()), |entry| {
        (entry.value.span.clone(), format!("columns.{}", entry.word))
    });
    complaints.add(&span, &path, Problem::Rule { what, help });
}

/// Returns the cell of a field, if it has one: fields of the source that the key does not contain do, and so do other
/// fields named in `[columns]`, those in the key only with `keep`.
fn cell_of(index: usize, said: Option<CellWords>, field: &Field, in_key: bool) -> Option<Column> {
    let by_default = field.from.is_none() && !in_key;
    if !by_default && said.is_none() {
        return None;
    }
    let said = said.unwrap_or_default();
    if in_key && !said.keep {
        return None;
    }
    Some(Column {
        field: index,
        family: said.family.unwrap_or(0),
        qualifier: said.qualifier.unwrap_or_else(|| field.name.clone()),
        encoding: said.encoding.unwrap_or(Encoding::Text),
    })
}

fn read_cell(
    mut table: TableReader<'_>,
    field: &Field,
    in_key: bool,
    families: &[Family],
    complaints: &mut Complaints,
) -> CellWords {
    let family = table.text("family", complaints);
    let path = table.path_of("family");
    let said = CellWords {
        family: family.and_then(|name| family_index(&name, &[], families, &path, complaints)),
        qualifier: table.text("qualifier", complaints).map(|text| text.value),
        encoding: table.choice("as", "encoding", &ENCODINGS, complaints),
        keep: table.bool("keep", complaints).unwrap_or(false),
    };
    if in_key && !said.keep && !table.has("keep") {
        let what = format!("\"{}\" can be read back from the key and is not stored as a cell", field.name);
        let help = "say keep = true to store it as well, or drop the line";
        complaints.add(&table.span, &table.path, Problem::Rule { what, help });
    }
    if let Some(encoding) = said.encoding
        && !cell_fits(encoding, &field.kind)
    {
        let problem = Problem::UnfitStep {
            step: "this encoding",
            field: field.name.clone(),
            kind: field.kind.name(),
            why: fitting(encoding).to_owned(),
        };
        table.complain(complaints, "as", problem);
    }
    table.finish(complaints);
    said
}

fn cell_fits(encoding: Encoding, kind: &FieldKind) -> bool {
    let number = kind.is_number() || matches!(kind, FieldKind::Float(_));
    match encoding {
        Encoding::Plain | Encoding::Text => true,
        Encoding::Be => number || *kind == FieldKind::Bool,
        Encoding::Ordered => number,
        Encoding::Phoenix => super::step_rules::phoenix_fits(kind),
        Encoding::OrderedBytes => super::step_rules::ordered_bytes_fits(kind),
    }
}

/// What an encoding of cells is for.
fn fitting(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain | Encoding::Text => "every type has a text",
        Encoding::Be => "big-endian bytes are for numbers, times and true or false",
        Encoding::Ordered => "bytes that sort are for numbers and times",
        Encoding::Phoenix => "Phoenix's types are numbers, times, true or false, strings and bytes",
        Encoding::OrderedBytes => "OrderedBytes has signed numbers, times, strings and bytes",
    }
}

fn read_other(
    node: &super::raw::Node,
    families: &[Family],
    path: &str,
    complaints: &mut Complaints,
) -> Option<OtherColumns> {
    let text = super::reader::read_text(node, path, complaints)?;
    match text.value.as_str() {
        "error" => Some(OtherColumns::Error),
        "drop" => Some(OtherColumns::Drop),
        _ => family_index(&text, &["error", "drop"], families, path, complaints).map(OtherColumns::Store),
    }
}

/// Returns the index of a field that is named like a word of the table.
fn find_column(name: &str, fields: &[Field]) -> Result<usize, Problem> {
    find_field(name, fields).map_err(|problem| match problem {
        Problem::UnknownName { what, found, known, .. } => {
            let words = ["other", "cell_time"].into_iter().chain(known.iter().map(String::as_str));
            let nearest = nearest(&found, words);
            Problem::UnknownName { what, found, nearest, known }
        }
        problem => problem,
    })
}

fn read_cell_time(
    node: &super::raw::Node,
    fields: &[Field],
    path: &str,
    complaints: &mut Complaints,
) -> Option<usize> {
    let text = super::reader::read_text(node, path, complaints)?;
    let index = field_index(&text, fields, path, complaints)?;
    if fields[index].time().is_some() {
        return Some(index);
    }
    let problem = Problem::UnfitStep {
        step: "cell_time",
        field: text.value,
        kind: fields[index].kind.name(),
        why: "it takes a field of type time".to_owned(),
    };
    complaints.add(&text.span, path, problem);
    None
}

/// Looks up a family by name, in a place that takes some other words, too.
fn family_index(
    name: &Spanned<String>,
    words: &[&str],
    families: &[Family],
    path: &str,
    complaints: &mut Complaints,
) -> Option<usize> {
    let found = families.iter().position(|family| family.name == name.value);
    if found.is_none() {
        let known = || words.iter().copied().chain(families.iter().map(|family| family.name.as_str()));
        let problem = Problem::UnknownName {
            what: "family",
            found: name.value.clone(),
            nearest: nearest(&name.value, known()),
            known: known().map(str::to_owned).collect(),
        };
        complaints.add(&name.span, path, problem);
    }
    found
}
