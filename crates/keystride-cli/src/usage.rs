//! What is wrong with the arguments.

use std::path::PathBuf;

use keystride::Key;
use keystride_advisor::lint::UnknownLint;
use keystride_app::fields::FieldError;
use keystride_app::key_text::KeyTextError;
use keystride_app::new_table::FamilyError;
use keystride_store::AddressError;
use keystride_table::source::kafka::InvalidTopicAddress;

/// Arguments that can't be used together, or at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Usage {
    #[error("expected field=value, found \"{found}\"")]
    NotAnAssignment { found: String },
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(
        "no key can be guessed: there are no rows, or no column has a value in each; say one with --key 'phone, time desc'"
    )]
    NoKeyToGuess,
    #[error("column \"{column}\" holds field \"{field}\"; put it as {field}=…")]
    ColumnOfField { column: String, field: String },
    #[error("column \"{name}\" is named twice; name it once")]
    ColumnTwice { name: String },
    #[error("field \"{field}\" is not part of the key; `keystride query --where` finds rows by it")]
    NotForKey { field: String },
    #[error("the key also needs {missing}; `keystride query {table} --where` finds rows by a part of it")]
    KeyNeeds { table: String, missing: String },
    #[error("column \"{column}\" marks rows that have no other cell; name another one")]
    RowMark { column: String },
    #[error("field \"{field}\" is given twice")]
    FieldTwice { field: String },
    #[error("\"{field}\" is computed by the design; leave it out")]
    DerivedField { field: String },
    #[error("the line is longer than {most_bytes} bytes, which no key is: write one key a line")]
    LongLine { most_bytes: u64 },
    #[error("byte {} is not UTF-8 text: write bytes as \\xNN", at + 1)]
    LineNotText { at: usize },
    #[error(transparent)]
    KeyText(#[from] KeyTextError),
    #[error(transparent)]
    Family(#[from] FamilyError),
    #[error("give a row as field=value …, or a file with --csv")]
    NoRow,
    #[error("give one key, as text, with --hex or with --escaped")]
    NoKey,
    #[error("{path} has no column \"{column}\"; it has {known}", path = path.display())]
    NoSuchColumn { path: PathBuf, column: String, known: String },
    #[error("`{command}` is for stores in folders: name one with --backend embedded:DIR")]
    FolderAlone { command: &'static str },
    #[error("--hbase and --backend both name a store; name one")]
    TwoBackends,
    #[error("there is no table; `keystride table create DESIGN` makes one")]
    NoTables,
    #[error("name a table with --table: {names}")]
    ManyTables { names: String },
    #[error("{what} needs {needs}")]
    Needs { what: &'static str, needs: &'static str },
    #[error("bucket {bucket} is not below the design's {count}")]
    Bucket { bucket: u32, count: u32 },
    #[error("the design computes its bucket; --bucket fixes one of hash = \"random\" or \"round-robin\"")]
    ComputedBucket,
    #[error("{folder} holds files that no demo made; name another folder with --dir", folder = folder.display())]
    DemoFolder { folder: PathBuf },
    #[error(
        "no demo made the table {table} of {backend}; name another cluster with --backend, or drop the table: \
         keystride --backend {backend} table drop {table} --yes"
    )]
    DemoTable { table: String, backend: String },
    #[error(
        "a region {side} {at} would stay empty: no key of the design lies there; choose another key, or add --force"
    )]
    EmptyRegion { side: &'static str, at: Key },
    #[error("the design has no time for windows to be cut by; write a number of rows, as in --window 100000")]
    NoTimeForWindows,
    #[error(
        "batches of --batch, with those --in-flight, take {batches} at a time, more than half of --memory, {memory}: \
         give smaller ones, or more memory"
    )]
    LargeBatches { batches: String, memory: String },
    #[error("a topic holds CSV, JSON or Avro: give --input csv or json, or --schema FILE for Avro")]
    FormatOfTopic,
    #[error("--schema says that the bodies are Avro: leave --input out")]
    SchemaAndFormat,
    #[error("--columns names the columns of CSV; those of Avro are in its schema")]
    ColumnsOfAvro,
    #[error("--columns names the columns of CSV; the keys of JSON are in its objects")]
    ColumnsOfJson,
    #[error("--resume goes on where the last load ended, and --from begins elsewhere: give one of them")]
    FromAndResume,
    #[error("{option} is of topics, such as kafka://host:9092/topic; files are read whole")]
    NoTopic { option: &'static str },
    #[error("{option} is of files; a topic is loaded in batches, with its progress kept")]
    NotOfTopics { option: &'static str },
    #[error("a topic is loaded alone: give one address, and no files")]
    TopicAlone,
    #[error(transparent)]
    TopicAddress(#[from] InvalidTopicAddress),
    #[error("the design has no time, so it has no days")]
    NoTime,
    #[error("{0}")]
    UnknownLint(UnknownLint),
    #[error("{what} would be written over the input or the design: name another file than {}", path.display())]
    WritesInput { what: &'static str, path: PathBuf },
    #[error("the report and the rejects would both be written to {}: name two files", path.display())]
    OneFile { path: PathBuf },
    #[error("\"{path}\" exists already; name another file, or remove it")]
    Exists { path: String },
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("this removes rows of {table} for good; say --yes")]
    NotConfirmed { table: String },
    #[error("{what} has no rows for --format {format}; take json, or leave it out")]
    NoRows { what: &'static str, format: &'static str },
    #[error("{what} is a text that --format {format} does not fit; leave it out")]
    TextAlone { what: &'static str, format: &'static str },
    #[error(
        "--format says how results are printed: as table, json, ndjson, csv or tsv; `extract` writes files in the format \
         of --to-format parquet, csv or json"
    )]
    ParquetOfExtract,
    #[error("a key is not UTF-8 text; print it --as escaped or --as hex")]
    KeyIsNoText,
    #[error("--fix and --diff change TOML files alone")]
    FixNeedsToml,
    #[error("--fix changes files; a pipe can't be changed")]
    FixNeedsFile,
}
