//! Messages, such as those of a topic, each of which holds one record.

use std::fmt;
use std::sync::Arc;

use keystride::design::Charset;
use keystride::{Design, Row};

#[cfg(feature = "avro")]
use super::avro::{AvroRecords, AvroSchema};
use super::csv::CsvRecords;
use super::json_lines::JsonRecords;
use super::others::Others;
use super::reject::{Fault, RejectReason};
use super::transcode::text_of;
use super::{InputError, InputOptions, KeptRecord, Reject};

/// The format of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageFormat {
    /// One line of CSV without a header: these columns, or those of the design's fields in their order.
    Csv {
        /// The names of the columns.
        columns: Option<Vec<String>>,
    },
    /// One JSON object.
    Json,
    /// One record in Avro's binary encoding, on its own or behind a zero and four bytes with the id that a registry has for
    /// its schema. The design's fields take those of their names; the key's are required. Such five bytes are a part of
    /// the record only if without them the message is none, and with them it is one.
    #[cfg(feature = "avro")]
    Avro {
        /// The schema with which the messages were written.
        schema: AvroSchema,
    },
}

/// Reads messages as rows of a design.
///
/// ```
/// # use std::sync::Arc;
/// # use keystride::{Design, Value};
/// # use keystride_table::input::{InputOptions, MessageFormat, MessageReader};
/// # let design = Arc::new(Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
/// #     id = { type = \"int\" }\nname = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]")?);
/// let format = MessageFormat::Json;
/// let mut reader = MessageReader::new("calls", Arc::clone(&design), &[], format, InputOptions::default())?;
/// let mut row = reader.new_row();
/// reader.read(br#"{"id": 7, "name": "Li"}"#, ("calls-0", 5), &mut row).unwrap();
/// assert_eq!(row.get(0), Some(Value::Int(7)));
/// let reject = reader.read(b"7,Li", ("calls-0", 6), &mut row).unwrap_err();
/// assert_eq!((reject.source.as_str(), reject.line), ("calls-0", 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MessageReader {
    design: Arc<Design>,
    records: Records,
    encoding: Option<Charset>,
    scratch: String,
    others: Others,
}

enum Records {
    Csv(Box<CsvRecords>),
    Json(Box<JsonRecords>),
    #[cfg(feature = "avro")]
    Avro(Box<AvroRecords>),
}

impl MessageReader {
    /// Creates a reader of the messages of `name`, which hold all fields but those that are `given` otherwise.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the columns, or the fields of a schema, do not fit the design.
    pub fn new(
        name: &str,
        design: Arc<Design>,
        given: &[usize],
        format: MessageFormat,
        options: InputOptions,
    ) -> Result<Self, InputError> {
        let mut others = Others::default();
        let is_csv = matches!(format, MessageFormat::Csv { .. });
        let options = if is_csv { options.of_csv(&design) } else { options };
        let records = match format {
            MessageFormat::Csv { columns } => {
                let mut records = CsvRecords::of_messages(name, &design, given, columns, options)?;
                others.set_header(records.take_other_names());
                Records::Csv(Box::new(records))
            }
            MessageFormat::Json => Records::Json(Box::new(JsonRecords::of_messages(name, &design, given))),
            #[cfg(feature = "avro")]
            MessageFormat::Avro { schema } => {
                let mut records = AvroRecords::of_messages(name, &design, given, schema)?;
                others.set_header(records.take_other_names());
                Records::Avro(Box::new(records))
            }
        };
        Ok(Self { design, records, encoding: options.encoding, scratch: String::new(), others })
    }

    /// Returns the design of the rows.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    /// Creates an empty row for [`Self::read`].
    pub fn new_row(&self) -> Row {
        Row::new(self.design.fields().len())
    }

    /// Reads a message into `row`, which is replaced. `place` is what it is part of and its number there, for the reject.
    ///
    /// # Errors
    ///
    /// The reject of a message that is no row of the design; the values of `row` are then unspecified.
    pub fn read(&mut self, message: &[u8], place: (&str, u64), row: &mut Row) -> Result<(), Box<Reject>> {
        self.others.clear();
        self.read_record(message, row).map_err(|fault| {
            let Fault { column, reason } = fault;
            let (source, line) = (place.0.to_owned(), place.1);
            let mut kept = KeptRecord::default();
            self.keep(message, &mut kept);
            Box::new(Reject { source, line, column, reason, raw: kept.raw() })
        })
    }

    /// Keeps a message, for callers that decide later whether to reject it.
    pub fn keep(&self, message: &[u8], kept: &mut KeptRecord) {
        if self.records.is_binary() {
            kept.set_bytes(message);
        } else {
            kept.set_text(message);
        }
    }

    /// Returns the name and text of each column of the current message that belongs to no field and is not null. Empty
    /// unless the design stores such columns.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter()
    }

    fn read_record(&mut self, message: &[u8], row: &mut Row) -> Result<(), Fault> {
        let Self { design, records, encoding, scratch, others } = self;
        let message = match *encoding {
            None | Some(Charset::Utf8) => message,
            Some(_) if records.is_binary() => message,
            Some(charset) => {
                let text = text_of(message, charset, scratch);
                let not_text = || Fault::of_record(RejectReason::NotText { charset: charset.name() });
                text.ok_or_else(not_text)?.as_bytes()
            }
        };
        match records {
            Records::Csv(records) => {
                records.begin_message(message)?;
                records.read(design, row, others)
            }
            Records::Json(records) => {
                records.begin_message(message);
                records.read(design, row, others)
            }
            #[cfg(feature = "avro")]
            Records::Avro(records) => records.read(message, design, row, others),
        }
    }
}

impl Records {
    /// Whether the messages are no texts.
    fn is_binary(&self) -> bool {
        match self {
            Self::Csv(_) | Self::Json(_) => false,
            #[cfg(feature = "avro")]
            Self::Avro(_) => true,
        }
    }
}

impl fmt::Debug for MessageReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageReader").field("design", &self.design.table().name).finish_non_exhaustive()
    }
}
