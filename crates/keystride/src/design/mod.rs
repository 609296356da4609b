//! The design file: parses text into a [`Design`], and reports everything that is wrong with it.
//!
//! [`Design::from_toml`] is the entry point. A `Design` is valid: names are resolved to indexes, steps fit their
//! fields, and no later code checks them again. Start reading at [`Design`], then [`Part`] and [`Field`].

mod access;
mod alphabet;
mod alter;
mod bare_day;
mod bucket;
mod bucket_reader;
mod bucket_rules;
mod columns;
mod ddl;
pub(crate) mod field;
pub(crate) mod field_names;
mod field_reader;
mod function;
mod function_text;
mod key_fields;
mod layout;
mod mark;
mod measure;
mod no_design;
mod part;
mod phoenix;
pub(crate) mod print;
mod problem;
pub(crate) mod raw;
mod raw_json;
mod reader;
mod silence;
mod size;
mod span;
mod split_rule;
mod step_rules;
mod steps;
mod steps_reader;
mod table;
mod time_field;
mod time_style;
mod write;
pub(crate) mod written;

pub use access::{
    Access, AccessBound, AccessOrder, Cluster, DEFAULT_PEAK_S, DEFAULT_PUTS_PER_S,
    DEFAULT_REGIONS_PER_SERVER, Peak, Workload,
};
pub use alphabet::Alphabet;
pub use alter::{Alteration, Conflict, ConflictOf};
pub use bucket::{Base, BucketInput, BucketPart, Spread};
pub use columns::{ArrivalOrder, Column, Columns, Delivery, Input, Int96Times, OtherColumns};
pub use ddl::ddl;
pub(crate) use field::derived_kind;
pub use field::{BytesInput, Charset, Field, FieldKind, FloatKind, IntKind, IntWidth, StringKind};
pub use field_reader::{field_name_of, is_field_name};
pub use function::{Expr, Function};
pub use layout::{End, OrderKept, PartLayout};
pub use mark::{InvalidMark, Mark};
pub use measure::{parse_bytes, parse_seconds};
pub use no_design::NoDesign;
pub use part::{FieldPart, Part, TextPart};
pub use phoenix::{NoColumn, NoType, NotPhoenix, PhoenixTable, phoenix_table};
pub use problem::{Complaint, DesignError, Problem, nearest};
pub use silence::Silence;
pub use span::Span;
pub use split_rule::{SplitRule, SplitSpec};
pub(crate) use steps::Units;
pub use steps::{Encoding, HashStep, HashTake, NumberDesc, Steps};
pub use table::{BlockEncoding, Bloom, Compression, Family, InvalidTableName, OnSameKey, TableSpec};
pub use time_field::{TimeKind, TimeText};
pub use time_style::TimeStyle;
pub use write::Difference;
pub(crate) use written::{
    Binary, binary_range, ceil_number, encodable, floor_number, next_period, partition,
};

use crate::escape::to_escaped;
use crate::time::Zone;
use raw::{Kind, Node};
use reader::{Complaints, TableReader, read_int};
use size::check_size;

/// The JSON Schema (draft 7) of design files, for editors.
pub const SCHEMA: &str = include_str!("design.schema.json");

/// The format of design files that this crate reads.
pub const FORMAT: i128 = 1;

pub use size::MOST_ENTRIES;

/// A checked design: how rows become keys and cells, how the table is split, and what it must serve.
///
/// ```
/// # use keystride::Design;
/// let design = Design::from_toml(
///     r#"
///     format = 1
///     [table]
///     name = "calls"
///     families = ["f"]
///     [fields]
///     phone = { type = "digits", len = 11 }
///     ts = { type = "time", unit = "ms" }
///     [key]
///     parts = [ { bucket = 16, of = ["phone"] }, { field = "phone" }, { field = "ts", desc = 9999999999999 } ]
///     "#,
/// )?;
/// assert_eq!(design.parts().len(), 3);
/// # Ok::<(), keystride::design::DesignError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    pub(crate) table: TableSpec,
    pub(crate) fields: Vec<Field>,
    pub(crate) parts: Vec<Part>,
    pub(crate) layout: Vec<PartLayout>,
    pub(crate) columns: Columns,
    pub(crate) input: Input,
    pub(crate) split: Option<SplitSpec>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) workload: Option<Workload>,
    pub(crate) cluster: Option<Cluster>,
    pub(crate) silences: Vec<Silence>,
}

impl Design {
    /// Reads a design file.
    ///
    /// # Errors
    ///
    /// [`DesignError`] with every complaint about the file, each with its place.
    pub fn from_toml(text: &str) -> Result<Self, DesignError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (root, syntax) = Node::from_toml(text);
        if let Some(why) = NoDesign::of_toml(text, &root) {
            return Err(why.into());
        }
        if !syntax.is_empty() {
            return Err(DesignError { complaints: syntax });
        }
        Self::from_node(&root, FormatPlace::First)
    }

    /// Reads a design from JSON: it has the same words, and texts of keys and split points are escaped text.
    ///
    /// # Errors
    ///
    /// [`DesignError`] with every complaint, each with the path of its word.
    pub fn from_json(text: &str) -> Result<Self, DesignError> {
        if text.trim_start().is_empty() {
            return Err(NoDesign::Empty.into());
        }
        let root = Node::from_json(text).map_err(|complaint| DesignError { complaints: vec![*complaint] })?;
        if let Some(why) = NoDesign::of_json(&root) {
            return Err(why.into());
        }
        Self::from_node(&root, FormatPlace::Anywhere)
    }

    fn from_node(root: &Node, place: FormatPlace) -> Result<Self, DesignError> {
        let mut complaints = Complaints::default();
        let design =
            check_size(root, &mut complaints).then(|| read_design(root, place, &mut complaints)).flatten();
        match design {
            Some(design) if complaints.is_empty() => Ok(design),
            _ => Err(DesignError { complaints: complaints.into_sorted() }),
        }
    }

    /// Returns the table's name, its families, and what two rows with the same key mean.
    pub fn table(&self) -> &TableSpec {
        &self.table
    }

    /// Returns the fields of the source in the file's order, followed by derived ones.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the parts of the key in order; at least one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns where each part ends and how it sorts, indexed like [`parts`](Self::parts).
    pub fn layout(&self) -> &[PartLayout] {
        &self.layout
    }

    /// Returns how fields are stored as cells.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns what the source looks like.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Returns how the table is split; `None` for a single region.
    pub fn split(&self) -> Option<&SplitSpec> {
        self.split.as_ref()
    }

    /// Returns the queries that the table must serve.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// Returns the rates and sizes of what is written.
    pub fn workload(&self) -> Option<&Workload> {
        self.workload.as_ref()
    }

    /// Returns the servers of the cluster.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// Returns the lints whose findings are not shown.
    pub fn silences(&self) -> &[Silence] {
        &self.silences
    }

    /// Returns the same design for a table of another name, `qualifier` or `namespace:qualifier`.
    ///
    /// # Errors
    ///
    /// [`InvalidTableName`] for a name that HBase does not allow.
    pub fn renamed(mut self, name: &str) -> Result<Self, InvalidTableName> {
        table::check_table_name(name)?;
        name.clone_into(&mut self.table.name);
        Ok(self)
    }

    /// Returns the design by which texts are read in a zone: its times that are counted in a unit have this one instead
    /// of their own. Keys and cells stay the same.
    #[must_use]
    pub fn in_zone(mut self, zone: &Zone) -> Self {
        for field in &mut self.fields {
            if let FieldKind::Time(TimeKind { text: TimeText::Epoch(_), zone: own, .. }) = &mut field.kind {
                own.clone_from(zone);
            }
        }
        self
    }

    /// Returns the index of the field named `name`.
    pub fn field_index(&self, name: &str) -> Option<usize> {
        let name = field_names::nfc(name);
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the fields that are read from the source, with their indexes: all but the derived ones.
    pub fn source_fields(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.fields.iter().enumerate().filter(|(_, field)| field.from.is_none())
    }

    /// Returns the part's name as messages show it: `field "ts"`, `bucket`, `text "_"`.
    pub fn part_name(&self, index: usize) -> String {
        match &self.parts[index] {
            Part::Text(text) => format!("text \"{}\"", to_escaped(&text.bytes)),
            Part::Field(part) => format!("field \"{}\"", self.fields[part.field].name),
            Part::Bucket(_) => "bucket".to_owned(),
        }
    }

    /// Returns the bucket part at the head of the key, if there is one.
    pub fn leading_bucket(&self) -> Option<&BucketPart> {
        match self.parts.first() {
            Some(Part::Bucket(bucket)) => Some(bucket),
            _ => None,
        }
    }

    /// Returns, for each of `fields`, whether its value can be read back from the key.
    pub fn fields_in_key(&self) -> Vec<bool> {
        layout::fields_in_key(&self.fields, &self.parts, &self.layout)
    }
}

/// JSON objects are unordered, so `format` may be anywhere in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormatPlace {
    First,
    Anywhere,
}

fn read_design(root: &Node, place: FormatPlace, complaints: &mut Complaints) -> Option<Design> {
    let mut file = TableReader::open(root, String::new(), complaints)?;
    check_format(&mut file, root, place, complaints)?;
    let table = needed_table(&mut file, "table", "[table] with name and families", complaints)
        .and_then(|table| table::read_table(table, complaints));
    let fields = needed_table(&mut file, "fields", "[fields] with the inputs of a row", complaints)
        .map(|table| field_reader::read_fields(&table, complaints))
        .unwrap_or_default();
    let key = needed_table(&mut file, "key", "[key] with parts", complaints)
        .map(|table| part::read_key(table, &fields, complaints))
        .unwrap_or_default();
    let has_all_parts = key.iter().all(Option::is_some);
    let parts: Vec<Part> = key.into_iter().flatten().collect();
    let layout = layout::layout(&fields, &parts);
    let in_key = layout::fields_in_key(&fields, &parts, &layout);
    let families = table.as_ref().map_or(&[][..], |table| &table.families);
    let columns = file.table("columns", complaints);
    let columns = columns::read_columns(columns.as_ref(), &fields, families, &in_key, complaints);
    let input = file.table("input", complaints).map(|table| columns::read_input(table, complaints));
    let known_parts = if has_all_parts { &parts[..] } else { &[] };
    let split = file.table("split", complaints);
    let split = split.and_then(|table| split_rule::read_split(table, known_parts, complaints));
    let accesses = file.table("access", complaints);
    let accesses =
        accesses.map(|table| access::read_accesses(&table, &fields, complaints)).unwrap_or_default();
    let workload = file.table("workload", complaints).map(|table| access::read_workload(table, complaints));
    let cluster = file.table("cluster", complaints).and_then(|table| access::read_cluster(table, complaints));
    let lint = file.table("lint", complaints);
    let silences = lint.map(|table| silence::read_silences(table, complaints)).unwrap_or_default();
    file.finish(complaints);
    let input = input.unwrap_or_default();
    let table = table?;
    Some(Design {
        table,
        fields,
        parts,
        layout,
        columns,
        input,
        split,
        accesses,
        workload,
        cluster,
        silences,
    })
}

/// Returns `None` when the file has another format, so that nothing more can be said about it.
fn check_format(
    file: &mut TableReader<'_>,
    root: &Node,
    place: FormatPlace,
    complaints: &mut Complaints,
) -> Option<()> {
    let first =
        matches!(&root.kind, Kind::Table(entries) if entries.first().is_some_and(|e| e.word == "format"));
    let Some(node) = file.node("format") else {
        complaints.add(&(0..1), "", Problem::FormatFirst);
        return Some(());
    };
    if place == FormatPlace::First && !first {
        complaints.add(&node.span, "", Problem::FormatFirst);
    }
    let found = read_int(node, 1, i64::MAX.into(), "format", complaints)?.value;
    if found != FORMAT {
        complaints.add(&node.span, "", Problem::FormatUnknown { found });
        return None;
    }
    Some(())
}

fn needed_table<'a>(
    file: &mut TableReader<'a>,
    word: &'static str,
    example: &'static str,
    complaints: &mut Complaints,
) -> Option<TableReader<'a>> {
    if !file.has(word) {
        file.node(word);
        file.missing(word, example, complaints);
        return None;
    }
    file.table(word, complaints)
}
