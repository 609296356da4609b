//! Why a command failed, and the exit code that says so to a script.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use keystride::SplitError;
use keystride::codec::{KeyDecodeError, KeyError};
use keystride::design::NotPhoenix;
use keystride::design::nearest;
use keystride::plan::{PlanError, PredicateError};
use keystride::value::ValueError;
use keystride_app::error_text::with_causes;
use keystride_app::load::TopicLoadError;
use keystride_app::marked_text::character_number;
use keystride_app::sample::SampleError;
use keystride_app::settings::SettingsError;
use keystride_console::ConsoleError;
use keystride_hbase::{Seconds, Wait};
use keystride_store::{Holder, NameError, StoreError, TableName};
use keystride_table::cells::RowError;
use keystride_table::extract::ExtractError;
#[cfg(feature = "kafka")]
use keystride_table::input::AvroSchemaError;
use keystride_table::input::InputError;
use keystride_table::load::LoadError;
use keystride_table::source::SourceError;
use keystride_table::source::kafka::PropertiesError;
use keystride_table::source::topic::TopicError;
use keystride_table::{PutError, ReadError, TableError};

use crate::design_failure::DesignFailure;
use crate::pipes::waits_for_this;
use crate::size::rows_text;
use crate::usage::Usage;

/// How a command that did not fail has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Done.
    Done,
    /// It worked, and the answer is no.
    No,
    /// Partly done.
    Partly,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Design(#[from] Box<DesignFailure>),
    #[error("{path}: {cause}", path = path.display())]
    Read {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(
        "{path}: there is no such file; {design} names it under [split], and paths in a design start at its folder",
        path = path.display(),
        design = design.display()
    )]
    NamedFile { design: PathBuf, path: PathBuf },
    #[error("{path} is a directory; name a file", path = path.display())]
    Directory { path: PathBuf },
    #[error("{path} is larger than {most_mib} MiB, which no such file is", path = path.display())]
    TooLarge { path: PathBuf, most_mib: u64 },
    #[error(
        "{path} has more than {most} keys, or {most_mib} MiB of them, which is more than split points are made of: of a \
         sample give each tenth row, or fewer",
        path = path.display()
    )]
    TooManyKeys { path: PathBuf, most: usize, most_mib: usize },
    #[error("{path}: {cause}", path = path.display())]
    Write {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("{}", input_text(.0))]
    Input(InputError),
    /// A record of a file that can't be read, with its place.
    #[error("{0}")]
    Record(String),
    #[error("{path} is empty: it needs a line of column names", path = path.display())]
    EmptySample { path: PathBuf },
    #[error("{path}: {cause}", path = path.display())]
    Sample {
        path: PathBuf,
        #[source]
        cause: Box<SampleError>,
    },
    #[error("{}", with_causes(.0))]
    Load(LoadError),
    /// The temporary files of a load, for what exceeds its memory.
    #[error(
        "temporary files can't be kept in {folder}: {cause}; set TMPDIR to another folder, or give more --memory",
        folder = folder.display()
    )]
    Spill {
        folder: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    /// A file with properties of Kafka's clients.
    #[error("{path}: {cause}", path = path.display())]
    KafkaProperties { path: PathBuf, cause: PropertiesError },
    /// A file with the schema of Avro bodies.
    #[cfg(feature = "kafka")]
    #[error("{path}: {cause}", path = path.display(), cause = with_causes(cause))]
    AvroSchema { path: PathBuf, cause: AvroSchemaError },
    #[error("{}", topic_text(.0))]
    Topic(Box<TopicLoadError>),
    /// A load that ended before it was complete.
    #[error("{cause}\n{}", stored_text(go_on, *records, *rows))]
    BrokenLoad { cause: Box<Self>, go_on: String, records: u64, rows: u64 },
    /// A load that was interrupted, or took too long.
    #[error("{cause}: {} {} stored. {go_on}", rows_text(*rows), if *rows == 1 { "is" } else { "are" })]
    LoadCutOff { cause: Box<Self>, rows: u64, go_on: String },
    #[error("{}", extract_text(.0))]
    Extract(ExtractError),
    #[error(
        "stopped: hot {hot:.2}, more than --abort-if-hot allows; {}",
        if *is_stored { "what was read is stored" } else { "nothing was stored" }
    )]
    TooHot { hot: f64, is_stored: bool },
    #[error(transparent)]
    Console(#[from] ConsoleError),
    #[error("interrupted")]
    Interrupted,
    #[error(
        "it took longer than --timeout allows, {}{}",
        Seconds(*.after),
        waits_for.as_ref().map(|wait| format!(": {wait}")).unwrap_or_default()
    )]
    TimedOut {
        after: Duration,
        /// What was waited for then.
        waits_for: Option<Box<Wait>>,
    },
    #[error("can't write the output: {0}")]
    Output(std::io::Error),
    /// The reader of stdout has closed it, which is not an error of the program.
    #[error("the output was closed")]
    ClosedPipe,
    #[error("{0}")]
    Usage(Usage),
    #[error("{path}:{line}: {cause}", path = path.display())]
    InLine { path: PathBuf, line: usize, cause: Usage },
    #[error(transparent)]
    Settings(SettingsError),
    #[error(transparent)]
    NotPhoenix(#[from] NotPhoenix),
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Split points of a file or of a design.
    #[error("{path}: {cause}", path = path.display())]
    SplitOfFile {
        path: PathBuf,
        #[source]
        cause: SplitError,
    },
    #[error("{path}: {cause}", path = path.display())]
    InFile { path: PathBuf, cause: Usage },
    #[error("{0}; leave out --newest and --oldest")]
    Plan(#[from] PlanError),
    #[error("there is no store in {folder}; `keystride table create` makes one, and so does `keystride serve --allow-write`", folder = folder.display())]
    NoStore { folder: PathBuf },
    #[error("can't start: {0}")]
    Runtime(std::io::Error),
    #[error("there is no table {table}{}", likes(table, known))]
    UnknownTable { table: TableName, known: Vec<String> },
    #[error("table {table} has no column family {family:?}{}", those_there(known))]
    UnknownFamily { table: TableName, family: String, known: Vec<String> },
    #[error("{}", store_text(.0))]
    Store(#[from] StoreError),
    /// The store can't be opened.
    #[error("{}", open_text(.0))]
    Open(StoreError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("{}", table_text(.0))]
    Table(TableError),
    #[error("{}", with_causes(.0))]
    Rows(ReadError),
    #[error("{}", with_causes(.0))]
    Put(PutError),
    #[error("the row has no key: {0}")]
    Key(#[from] Box<KeyError>),
    #[error("not a key of this design: {cause}{hint}")]
    NotAKey { cause: Box<KeyDecodeError>, hint: &'static str },
    #[error("field \"{field}\": {cause}")]
    Value {
        field: String,
        #[source]
        cause: Box<ValueError>,
    },
    #[error("the predicate can't be read at character {}: {cause}", character_number(text, cause.at))]
    Predicate { text: String, cause: Box<PredicateError> },
}

impl Failure {
    /// Returns the exit code: 1 for a negative answer and for what could not be done, 2 for wrong usage and for files
    /// that can't be read at all or written where they are to be, 3 for a store that can't be reached, 4 for a store to
    /// which access is denied, or a file that may not be written.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_number())
    }

    pub(crate) fn exit_number(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            // As a shell says of a program that Ctrl-C has ended: 128 and the number of the signal.
            Self::Interrupted => 130,
            Self::Store(error) | Self::Open(error) if error.is_denied() => 4,
            Self::Console(ConsoleError::Files { source, .. }) => number_of_write(source),
            Self::NoStore { .. } | Self::Open(_) | Self::Console(_) | Self::TimedOut { .. } => 3,
            Self::Store(StoreError::Cluster(error)) if error.is_unreachable() => 3,
            Self::Topic(error) => match &**error {
                TopicLoadError::Topic(error) => number_of_topic(error),
                TopicLoadError::Load(_) => 1,
                _ => 2,
            },
            Self::Load(LoadError::Source(SourceError::Topic(error))) => number_of_topic(error),
            Self::KafkaProperties { .. } => 2,
            #[cfg(feature = "kafka")]
            Self::AvroSchema { .. } => 2,
            Self::BrokenLoad { cause, .. } | Self::LoadCutOff { cause, .. } => cause.exit_number(),
            Self::Table(TableError::DesignNotTold { source, .. }) if source.is_denied() => 4,
            Self::Table(TableError::DesignNotTold { source, .. }) if source.is_without_master() => 3,
            Self::Load(
                LoadError::Claimed { .. }
                | LoadError::OtherDesign { .. }
                | LoadError::OtherCheck { .. }
                | LoadError::InputChanged { .. },
            ) => 2,
            Self::Extract(
                ExtractError::Day { .. }
                | ExtractError::NotATime { .. }
                | ExtractError::PartitionColumn { .. }
                | ExtractError::PartitionColumnTaken { .. }
                | ExtractError::NotEmpty { .. }
                | ExtractError::Partitioned { .. }
                | ExtractError::Unpartitioned { .. }
                | ExtractError::OtherFile { .. }
                | ExtractError::Dialect(_)
                | ExtractError::NotCsv { .. }
                | ExtractError::EmptyLine,
            ) => 2,
            Self::Write { cause, .. }
            | Self::Load(LoadError::Rejects(cause))
            | Self::Extract(ExtractError::Io { source: cause, .. }) => number_of_write(cause),
            Self::Put(PutError::Row { .. })
            | Self::Rows(ReadError::SortWithoutLimit { .. } | ReadError::NestedBuckets) => 2,
            Self::NotPhoenix(_) | Self::Load(_) | Self::Extract(_) | Self::TooHot { .. } => 1,
            Self::UnknownTable { .. } | Self::Store(_) | Self::Table(_) | Self::Rows(_) | Self::Put(_) => 1,
            Self::NotAKey { .. } | Self::Output(_) | Self::Spill { .. } | Self::Runtime(_) => 1,
            Self::Design(_)
            | Self::Read { .. }
            | Self::NamedFile { .. }
            | Self::Directory { .. }
            | Self::TooLarge { .. }
            | Self::TooManyKeys { .. }
            | Self::Input(_)
            | Self::Record(_)
            | Self::EmptySample { .. }
            | Self::Sample { .. }
            | Self::Usage(_)
            | Self::UnknownFamily { .. }
            | Self::InLine { .. }
            | Self::Settings(_)
            | Self::InFile { .. }
            | Self::Split(_)
            | Self::SplitOfFile { .. }
            | Self::Plan(_)
            | Self::Name(_)
            | Self::Key(_)
            | Self::Value { .. }
            | Self::Predicate { .. } => 2,
        }
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Write { path, cause } => Self::Write { path, cause },
            error => Self::Settings(error),
        }
    }
}

/// Takes output that nobody has read for printed: where something was done, that decides how the command ends.
pub(crate) fn ignore_closed_pipe(printed: Result<(), Failure>) -> Result<(), Failure> {
    if let Err(Failure::ClosedPipe) = printed { Ok(()) } else { printed }
}

/// Returns the exit code for a topic that can't be read: 3 if no broker can be reached, 4 if they refuse, 2 if there is none
/// of that name.
fn number_of_topic(error: &TopicError) -> u8 {
    match error {
        TopicError::Client { .. } => 3,
        TopicError::Denied { .. } => 4,
        TopicError::UnknownTopic { .. } | TopicError::NotBuilt => 2,
        _ => 1,
    }
}

/// Returns the exit code for a file that could not be written: 4 without permission, 2 where no file can be.
fn number_of_write(cause: &std::io::Error) -> u8 {
    match cause.kind() {
        ErrorKind::PermissionDenied => 4,
        ErrorKind::NotFound
        | ErrorKind::NotADirectory
        | ErrorKind::IsADirectory
        | ErrorKind::AlreadyExists => 2,
        _ => 1,
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        if let TableError::Store(store) = error { store.into() } else { Self::Table(error) }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Store(store) => store.into(),
            ReadError::Plan(plan) => plan.into(),
            ReadError::Key(key) => key.into(),
            error => Self::Rows(error),
        }
    }
}

impl From<PutError> for Failure {
    fn from(error: PutError) -> Self {
        match error {
            PutError::Store(store) => store.into(),
            PutError::Row { source: RowError::Key(key), .. } => key.into(),
            error => Self::Put(error),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<ExtractError> for Failure {
    fn from(error: ExtractError) -> Self {
        match error {
            ExtractError::Read(error) => error.into(),
            ExtractError::Store(error) => error.into(),
            error => Self::Extract(error),
        }
    }
}

impl From<TopicLoadError> for Failure {
    fn from(error: TopicLoadError) -> Self {
        match error {
            TopicLoadError::Input(error) => error.into(),
            TopicLoadError::Load(error) => error.into(),
            error => Self::Topic(Box::new(error)),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Input(error) => error.into(),
            LoadError::Store(error) => error.into(),
            LoadError::Spill(cause) => Self::Spill { folder: std::env::temp_dir(), cause },
            error => Self::Load(error),
        }
    }
}

/// Names a table that may have been meant, or says where all of them are named.
fn likes(table: &TableName, known: &[String]) -> String {
    let near = nearest(&table.to_string(), known.iter().map(String::as_str));
    near.map_or_else(
        || "; `keystride table list` shows those that there are".to_owned(),
        |near| format!(" (did you mean {near}?)"),
    )
}

/// Names the families that there are, if they are known.
fn those_there(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; it has {}", known.join(", ")) }
}

/// Returns the text of a store's error, with the option that avoids it.
fn store_text(error: &StoreError) -> String {
    let text = with_causes(error);
    match error {
        StoreError::NotesDenied { table, .. } => format!(
            "{text}; have {table} made and READ and WRITE on it granted, or load with --no-resume, which keeps none"
        ),
        _ => text,
    }
}

/// Returns the text of an input's error, with the command that makes room for new columns.
fn input_text(error: &InputError) -> String {
    let text = with_causes(error);
    match error {
        InputError::UnknownColumns { .. } => {
            format!(
                "{text}; for a table that is there, give it the changed design with `keystride table alter`"
            )
        }
        _ => text,
    }
}

/// Returns the text of a topic's error, with the command that installs what is missing.
fn topic_text(error: &TopicLoadError) -> String {
    let text = with_causes(error);
    match error {
        TopicLoadError::Topic(TopicError::NotBuilt) => {
            format!(
                "{text}: in its source, `cargo install --path crates/keystride-cli --features kafka` adds it"
            )
        }
        _ => text,
    }
}

/// Returns the text of a table's error, with the option that avoids it.
fn table_text(error: &TableError) -> String {
    let text = with_causes(error);
    match error {
        TableError::NoDesign { .. } | TableError::DesignNotTold { .. } => {
            format!("{text}; name its design with -d FILE")
        }
        TableError::OtherDesign { table, .. } => {
            format!(
                "{text}; `keystride table alter -t {table} -d FILE` gives it the new design, if its rows allow"
            )
        }
        _ => text,
    }
}

/// Describes what is stored of an incomplete load, and how to go on.
fn stored_text(go_on: &str, records: u64, rows: u64) -> String {
    let first = match records {
        0 => return "no row was stored by this run".to_owned(),
        1 => "the first record".to_owned(),
        _ => format!("the first {records} records"),
    };
    format!("stored {rows} of {first}: {go_on}")
}

/// Returns the text of an extract's error, with the option that avoids it.
fn extract_text(error: &ExtractError) -> String {
    let text = with_causes(error);
    match error {
        ExtractError::PartitionColumnTaken { .. } => format!("{text} with --partition-column"),
        ExtractError::NotEmpty { folder } => format!(
            "{} has files already: replace them with --overwrite, go on with an interrupted extract with --resume, or \
             extract to another folder",
            folder.display()
        ),
        _ => text,
    }
}

/// Returns the text of an error of opening a store, with the command that goes on.
fn open_text(error: &StoreError) -> String {
    let text = with_causes(error);
    match error {
        StoreError::DamagedJournal { .. } => {
            format!("{text}; nothing was changed: `keystride store repair` goes on with what comes before")
        }
        StoreError::Locked { holder: Some(holder), .. } if waits_for_this(holder) => {
            format!("{text}; two commands of one pipe can't use one folder: write to a file in between")
        }
        StoreError::Locked { holder: Some(Holder { console: Some(_), .. }), .. } => {
            format!("{text}; do it there, or end the console first")
        }
        StoreError::Locked { .. } => {
            format!("{text}; try again when it has ended, or wait longer with --wait")
        }
        _ => text,
    }
}

impl From<Usage> for Failure {
    fn from(usage: Usage) -> Self {
        Self::Usage(usage)
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        Self::Key(Box::new(error))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Output(error) }
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        match code {
            Code::Done => Self::SUCCESS,
            Code::No => Self::from(1),
            Code::Partly => Self::from(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use keystride_hbase::{Error as ClusterError, HostPort};

    use super::*;

    fn opened(kind: ErrorKind) -> Failure {
        let (path, source) = (PathBuf::from("data"), std::io::Error::from(kind));
        Failure::Open(StoreError::Io { path, doing: "open it", source })
    }

    #[test]
    fn a_folder_that_takes_no_temporary_files_is_named() {
        let failure = Failure::from(LoadError::Spill(ErrorKind::StorageFull.into()));
        let folder = std::env::temp_dir();
        assert!(failure.to_string().contains(&format!("in {}: ", folder.display())), "{failure}");
        assert_eq!(failure.exit_number(), 1);
    }

    #[test]
    fn a_file_that_can_not_be_there_is_wrong_usage() {
        let written = |kind: ErrorKind| {
            Failure::Write { path: PathBuf::from("no/such/folder/r.json"), cause: kind.into() }.exit_number()
        };
        let kinds = [
            ErrorKind::NotFound,
            ErrorKind::NotADirectory,
            ErrorKind::PermissionDenied,
            ErrorKind::StorageFull,
        ];
        assert_eq!(kinds.map(written), [2, 2, 4, 1]);
    }

    #[test]
    fn a_store_that_is_not_allowed_ends_with_4_and_one_out_of_reach_with_3() {
        assert_eq!(opened(ErrorKind::PermissionDenied).exit_number(), 4);
        assert_eq!(opened(ErrorKind::StorageFull).exit_number(), 3);
        assert_eq!(Failure::Open(StoreError::Damaged { what: "the catalog" }).exit_number(), 3);
        assert_eq!(Failure::Store(StoreError::Closed).exit_number(), 1);
    }

    #[test]
    fn what_a_store_says_ends_alike_whatever_was_done_with_it() {
        let denied = || {
            let (path, source) = (PathBuf::from("data"), ErrorKind::PermissionDenied.into());
            StoreError::Io { path, doing: "read it", source }
        };
        let failures = [
            Failure::from(TableError::Store(denied())),
            Failure::from(ReadError::Store(denied())),
            Failure::from(PutError::Store(denied())),
            Failure::from(LoadError::Store(denied())),
            Failure::from(ExtractError::Store(denied())),
            Failure::from(ExtractError::Read(ReadError::Store(denied()))),
        ];
        assert_eq!(failures.map(|failure| failure.exit_number()), [4; 6]);
    }

    #[test]
    fn a_cluster_that_denies_ends_with_4_and_one_that_is_lost_with_3() {
        let number = |error| Failure::Store(StoreError::Cluster(Box::new(error))).exit_number();
        let (what, message) = ("create table t", String::new());
        let failed =
            |class: &str| ClusterError::Procedure { what, class: class.to_owned(), message: message.clone() };
        let server = HostPort { host: "zk1".into(), port: 2181 };
        assert_eq!(number(failed("org.apache.hadoop.hbase.security.AccessDeniedException")), 4);
        assert_eq!(number(ClusterError::ConnectionLost { server, reason: message.clone() }), 3);
        assert_eq!(number(failed("java.io.IOException")), 1);
    }

    #[test]
    fn a_mistake_after_chinese_text_is_counted_in_characters() {
        let text = "城市 = '上海' ?";
        let design = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\"城市\" = { type = \"string\" }\n\
                      [key]\nparts = [{ field = \"城市\" }]";
        let design = keystride::Design::from_toml(design).unwrap();
        let told = crate::predicate_args::parse_predicate(text, &design).unwrap_err().to_string();
        assert!(told.starts_with("the predicate can't be read at character 11: "), "{told}");
    }

    #[test]
    fn each_cause_is_told_once() {
        let told = opened(ErrorKind::StorageFull).to_string();
        let cause = std::io::Error::from(ErrorKind::StorageFull).to_string();
        assert!(told.ends_with(&format!(": {cause}")), "{told}");
        assert_eq!(told.matches(&cause).count(), 1, "{told}");
        let told = Failure::from(LoadError::Rejects(ErrorKind::StorageFull.into())).to_string();
        assert_eq!(told, format!("a rejected row can't be kept: {cause}"));
        let failure = Failure::Read { path: PathBuf::from("a.csv"), cause: ErrorKind::StorageFull.into() };
        assert_eq!(with_causes(&failure), format!("a.csv: {cause}"));
    }
}
