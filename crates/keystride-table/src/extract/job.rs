//! A planned extract: what it reads and the names of its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_schema::SchemaRef;
use data_encoding::HEXLOWER;
use keystride::Design;
use tokio::sync::watch;

use super::day::{NO_TIME, can_name_partitions};
use super::text_form::TextForm;
use super::{Extract, ExtractError, ExtractProgress, Partition};
use crate::Table;
use crate::arrow::{ColumnRows, schema};
use crate::input::Format;
use crate::scan::{PreparedQuery, Query};

/// A planned extract.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) table: Table,
    pub(super) extract: Extract,
    folder: PathBuf,
    pub(super) prepared: PreparedQuery,
    /// Distinguishes the hidden files of this extract from those of others: 16 hex digits of a digest of everything
    /// that determines its rows and files.
    id: String,
    schema: SchemaRef,
    fields: Vec<usize>,
    /// The fields that are decoded directly from cells to columns.
    pub(super) late: Vec<usize>,
    /// How rows are written as text; `None` for Parquet.
    pub(super) text: Option<TextForm>,
    /// The folder name of the only partition; `None` if there may be several.
    pub(super) partition: Option<String>,
    pub(super) is_stopped: AtomicBool,
    pub(super) progress: watch::Sender<ExtractProgress>,
}

/// Prefix of the names of manifests.
const MANIFEST: &str = ".keystride-extract-";

impl Job {
    pub(super) async fn new(table: &Table, extract: &Extract, folder: &Path) -> Result<Self, ExtractError> {
        let cluster = table.store().cluster_id().await?;
        let design = table.design();
        let fields = extract.field_indexes(design);
        let column = &extract.partition_column;
        if !can_name_partitions(column) {
            return Err(ExtractError::PartitionColumn { name: column.clone() });
        }
        if extract.partition != Partition::Whole
            && fields.iter().any(|&field| design.fields()[field].name.eq_ignore_ascii_case(column))
        {
            return Err(ExtractError::PartitionColumnTaken { name: column.clone() });
        }
        let mut read = fields.clone();
        if let Partition::ByDay { field } = extract.partition {
            super::day::time_of(design, field)?;
            read.push(field);
        }
        let partition = match &extract.partition {
            Partition::Whole => Some(String::new()),
            Partition::Day(day) => {
                let text = extract.day_format.text_of(day.name());
                let found = || day.name().to_owned();
                let text = text.map_err(|source| ExtractError::Day { found: found(), source })?;
                Some(format!("{column}={text}"))
            }
            Partition::ByDay { .. } => None,
        };
        let query = Query { predicate: extract.whole_predicate(), fields: Some(read), ..Query::default() };
        let prepared = table.prepare(&query)?;
        let mut late = prepared.late_fields();
        if let Partition::ByDay { field } = extract.partition {
            late.retain(|&late| late != design.source_of(field));
        }
        Ok(Self {
            prepared,
            late,
            id: id(design, cluster.as_deref(), extract, &query),
            schema: schema(design, &fields),
            text: TextForm::of(extract.format, design, &fields)?,
            table: table.clone(),
            extract: extract.clone(),
            folder: folder.to_owned(),
            fields,
            partition,
            is_stopped: AtomicBool::new(false),
            progress: watch::Sender::default(),
        })
    }

    /// Returns the error for a row whose time has no day.
    pub(super) fn no_day(&self, key: &[u8], number: i128) -> ExtractError {
        let field = match self.extract.partition {
            Partition::ByDay { field } => self.design().fields()[field].name.clone(),
            Partition::Whole | Partition::Day(_) => String::new(),
        };
        ExtractError::NoDay { key: key.to_vec(), field, number }
    }

    pub(super) fn design(&self) -> &Design {
        self.table.design()
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    pub(super) fn column_rows(&self) -> ColumnRows {
        ColumnRows::new(self.design(), &self.fields, &self.late, &self.schema)
    }

    /// Returns the partition that is created even if it has no rows.
    pub(super) fn expected_partition(&self) -> Option<&str> {
        self.partition.as_deref()
    }

    pub(super) fn partition_folder(&self, partition: &str) -> PathBuf {
        if partition.is_empty() { self.folder.clone() } else { self.folder.join(partition) }
    }

    /// Returns the target folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether `name` is the name of a partition folder, in the format of this extract.
    pub(super) fn is_partition(&self, name: &str) -> bool {
        name.split_once('=').is_some_and(|(column, day)| {
            let is_day = || day == NO_TIME || self.extract.day_format.is_day(day);
            column == self.extract.partition_column && is_day()
        })
    }

    pub(super) fn manifest_path(&self) -> PathBuf {
        self.folder.join(format!("{MANIFEST}{}.json", self.id))
    }

    /// Whether `name` is the name of a manifest of any extract.
    pub(super) fn is_manifest_name(name: &str) -> bool {
        name.starts_with(MANIFEST) && name.strip_suffix(".json").is_some()
    }

    /// Returns the ending of its files.
    pub(super) fn ending(&self) -> &'static str {
        match self.extract.format {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
        }
    }

    /// Returns the name that a file has until all files are complete.
    pub(super) fn hidden_name(&self, name: &str) -> String {
        format!(".{}-{name}", self.id)
    }
}

/// Returns 16 hex digits of the MD5 of everything that determines an extract's rows and files.
fn id(design: &Design, cluster: Option<&str>, extract: &Extract, query: &Query) -> String {
    let predicate = query.predicate.as_ref().map(|predicate| predicate.to_text(design));
    let told = format!(
        "{cluster:?}\n{}\n{predicate:?}\n{:?}\n{}\n{:?}\n{}\n{}",
        design.row_rules(),
        extract.partition,
        extract.partition_column,
        extract.field_indexes(design),
        extract.format,
        extract.day_format
    );
    HEXLOWER.encode(&keystride::hash::md5(told.as_bytes())[..8])
}
