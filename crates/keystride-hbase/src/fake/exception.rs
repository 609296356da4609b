//! Exceptions as servers send them.

use bytes::Bytes;

use crate::{ServerName, proto};

#[derive(Debug, Clone)]
pub(crate) struct Exception {
    /// Name of the Java class after `org.apache.hadoop.hbase.`.
    class: &'static str,
    text: String,
    do_not_retry: bool,
    overloaded: bool,
    moved_to: Option<ServerName>,
}

impl Exception {
    pub(crate) fn new(class: &'static str, text: impl Into<String>) -> Self {
        Self { class, text: text.into(), do_not_retry: false, overloaded: false, moved_to: None }
    }

    /// An exception with the flag `do_not_retry`.
    pub(crate) fn final_one(class: &'static str, text: impl Into<String>) -> Self {
        Self { do_not_retry: true, ..Self::new(class, text) }
    }

    pub(crate) fn not_serving(region: &[u8]) -> Self {
        Self::new("NotServingRegionException", format!("{} is not online", region.escape_ascii()))
    }

    pub(crate) fn moved(to: &ServerName) -> Self {
        let (host, port, code) = (&to.host, to.port, to.start_code);
        let text =
            format!("Region moved to: hostname={host} port={port} startCode={code}. As of locationSeqNum=2.");
        Self { moved_to: Some(to.clone()), ..Self::new("exceptions.RegionMovedException", text) }
    }

    pub(crate) fn queue_full() -> Self {
        let text = "Call queue is full, is hbase.ipc.server.max.callqueue.size too small?";
        Self { overloaded: true, ..Self::new("CallQueueTooBigException", text) }
    }

    pub(crate) fn unknown_scanner(id: u64) -> Self {
        Self::final_one("UnknownScannerException", format!("Unknown scanner '{id}'"))
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        let text = format!(
            "127.0.0.1 is unable to read call parameter from client; java.lang.UnsupportedOperationException: {method}"
        );
        Self::final_one("DoNotRetryIOException", text)
    }

    pub(crate) fn is(&self, class: &str) -> bool {
        self.class == class
    }

    fn class_name(&self) -> String {
        format!("org.apache.hadoop.hbase.{}", self.class)
    }

    fn stack(&self) -> String {
        format!("{}: {}\n\tat org.apache.hadoop.hbase.Fake.call(Fake.java:1)", self.class_name(), self.text)
    }

    pub(crate) fn to_header(&self) -> proto::ExceptionResponse {
        proto::ExceptionResponse {
            exception_class_name: Some(self.class_name()),
            stack_trace: Some(self.stack()),
            hostname: self.moved_to.as_ref().map(|to| to.host.to_string()),
            port: self.moved_to.as_ref().map(|to| to.port.into()),
            do_not_retry: Some(self.do_not_retry),
            server_overloaded: Some(self.overloaded),
        }
    }

    /// The exception in a Multi's answer.
    pub(crate) fn to_pair(&self) -> proto::NameBytesPair {
        proto::NameBytesPair { name: self.class_name(), value: Some(Bytes::from(self.stack())) }
    }

    pub(crate) fn to_foreign(&self) -> proto::ForeignExceptionMessage {
        proto::ForeignExceptionMessage {
            source: Some("master".into()),
            generic_exception: Some(proto::GenericExceptionMessage {
                class_name: Some(self.class_name()),
                message: Some(self.text.clone()),
                ..Default::default()
            }),
        }
    }
}
