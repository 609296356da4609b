//! Reading of sources into rows: CSV, JSON Lines and Parquet; from files, globs, standard input and any reader;
//! uncompressed, gzip or zstd.
//!
//! [`open`] takes the specification of what to read and returns an [`InputReader`], which returns one record after
//! another: either as a [`Row`](keystride::Row) of typed values, or as a [`Reject`] with its line, column and reason.
//! Rejects never stop the reading; an [`InputError`] means that the whole source can't be read, or can't be read
//! further.
//!
//! ```
//! # use std::sync::Arc;
//! # use keystride::{Design, Value};
//! # use keystride_table::input::*;
//! let design = Arc::new(Design::from_toml(
//!     r#"
//!     format = 1
//!     [table]
//!     name = "calls"
//!     families = ["f"]
//!     [fields]
//!     phone = { type = "digits", len = 11 }
//!     ts = { type = "time", unit = "ms" }
//!     [key]
//!     parts = [ { field = "phone" }, { field = "ts", desc = 9999999999999 } ]
//!     "#,
//! )?);
//! let text: &[u8] = b"ts,phone\n1400657685457,13800138000\nsoon,13800138001\n";
//! let sources = vec![Source::reader("calls.csv", text)];
//! let mut reader = InputReader::open(Arc::clone(&design), sources, InputOptions::default())?;
//! let mut row = reader.new_row();
//!
//! assert!(matches!(reader.next(&mut row)?, Next::Row));
//! assert_eq!(row.get(0), Some(Value::Text("13800138000")));
//! assert_eq!(row.get(1), Some(Value::Int(1_400_657_685_457)));
//!
//! let Next::Rejected(reject) = reader.next(&mut row)? else { panic!() };
//! assert_eq!((reject.line, reject.column.as_deref()), (3, Some("ts")));
//! assert!(matches!(reader.next(&mut row)?, Next::End));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to start: [`SourceSpec`] and [`Source`] determine where bytes come from, [`InputOptions`] how they are read,
//! and [`Position`] where to continue; [`RejectsWriter`] records what was rejected.

#[cfg(feature = "avro")]
mod avro;
mod buffer;
mod columns;
mod csv;
mod csv_fields;
mod csv_parser;
mod csv_reader;
mod csv_text;
#[cfg(feature = "parquet")]
mod csv_writer;
mod dialect;
mod error;
mod file_id;
mod fingerprint;
mod glob_files;
mod gzip;
mod json_lines;
mod kept;
mod lines;
mod message;
mod options;
mod others;
mod overlong;
#[cfg(feature = "parquet")]
mod parquet;
mod position;
mod reader;
mod reject;
mod rejects;
mod rejects_file;
mod source;
mod source_records;
mod stream;
mod transcode;
#[cfg(any(feature = "parquet", feature = "avro"))]
mod typed;
mod unfit_columns;

#[cfg(feature = "avro")]
pub use avro::{AvroFault, AvroSchema, AvroSchemaError};
pub use csv_reader::CsvReader;
#[cfg(feature = "parquet")]
pub(crate) use dialect::Dialect;
pub use error::InputError;
pub use kept::KeptRecord;
pub use message::{MessageFormat, MessageReader};
pub(crate) use options::most_row_bytes;
pub use options::{Delimiter, Format, Header, InputOptions, InvalidDelimiter, RequiredFields, source_name};
#[cfg(feature = "parquet")]
pub use parquet::is_guarded;
pub use position::{Position, Progress};
pub use reader::{InputReader, Next, open};
pub use reject::{Reject, RejectReason};
pub use rejects::{ExistingRejects, RejectsColumns, RejectsWriter, default_rejects_path};
pub use source::{Source, SourceSpec, expand};
pub use stream::Compression;
pub use unfit_columns::{MissingColumn, UnknownColumn};

use source_records::Advance;
pub(crate) use transcode::text_of;
