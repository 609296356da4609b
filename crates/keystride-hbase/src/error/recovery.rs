//! How to recover from each exception class: one table.

use std::time::Duration;

use super::RemoteError;
use crate::ServerName;

/// How to recover from an error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recovery {
    /// Retry at the same server after a pause.
    Wait,
    /// The server is overloaded: retry at the same server after a longer pause.
    WaitLonger,
    /// Retry after the time that the server asks for.
    WaitFor(Duration),
    /// Retry immediately.
    AtOnce,
    /// The region moved: find its server, then retry.
    Relocate {
        /// The new server, if the exception names it.
        to: Option<ServerName>,
    },
    /// The server is gone or stopping: find new servers for all its regions.
    Reconnect,
    /// The scanner is gone: open another one after the last row.
    ReopenScanner,
    /// The request is too large: send it in parts.
    Halve,
    /// The master changed: find the active one.
    FindMaster,
    /// Retrying does not help.
    GiveUp,
}

pub(super) fn recovery_of(error: &RemoteError) -> Recovery {
    match error.short_class() {
        "FatalConnectionException" => Recovery::Reconnect,
        _ if error.is_fatal() => Recovery::GiveUp,
        "RegionMovedException" => Recovery::Relocate { to: error.moved_to().cloned() },
        "NotServingRegionException" | "WrongRegionException" | "RegionOfflineException" => {
            Recovery::Relocate { to: None }
        }
        "RegionOpeningException" | "RegionTooBusyException" => Recovery::Wait,
        "CallQueueTooBigException" | "CallDroppedException" => Recovery::WaitLonger,
        "RpcThrottlingException" => error.throttled_for().map_or(Recovery::WaitLonger, Recovery::WaitFor),
        "RetryImmediatelyException" | "MultiActionResultTooLarge" => Recovery::AtOnce,
        "PleaseHoldException" | "MasterNotRunningException" | "MasterStoppedException" => {
            Recovery::FindMaster
        }
        "ServerNotRunningYetException" | "RegionServerStoppedException" | "RegionServerAbortedException" => {
            Recovery::Reconnect
        }
        "UnknownScannerException"
        | "ScannerResetException"
        | "LeaseException"
        | "OutOfOrderScannerNextException" => Recovery::ReopenScanner,
        "RequestTooBigException" => Recovery::Halve,
        class if never_helps(class) || error.do_not_retry => Recovery::GiveUp,
        _ if error.overloaded => Recovery::WaitLonger,
        // Also covers "Cannot append; log is closed", from a server that is stopping.
        _ => Recovery::Relocate { to: None },
    }
}

/// Exceptions inside a Multi come without the `do_not_retry` flag, so their classes are listed here.
fn never_helps(class: &str) -> bool {
    matches!(
        class,
        "DoNotRetryIOException"
            | "FailedSanityCheckException"
            | "NoSuchColumnFamilyException"
            | "TableNotFoundException"
            | "TableExistsException"
            | "TableNotEnabledException"
            | "TableNotDisabledException"
            | "NamespaceNotFoundException"
            | "NamespaceExistException"
            | "InvalidFamilyOperationException"
            | "UnknownRegionException"
            | "AccessDeniedException"
            | "QuotaExceededException"
            | "RowTooBigException"
            | "MergeRegionException"
            | "UnknownProtocolException"
            | "IllegalArgumentException"
            | "DoNotRetryRegionException"
            | "SnapshotDoesNotExistException"
            | "SnapshotExistsException"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto;

    fn recovery(class: &str, text: &str) -> Recovery {
        let value = Some(text.to_owned().into());
        RemoteError::from_pair(&proto::NameBytesPair { name: format!("o.a.h.h.{class}"), value }).recovery()
    }

    #[test]
    fn each_class_has_its_recovery() {
        assert_eq!(recovery("NotServingRegionException", ""), Recovery::Relocate { to: None });
        assert_eq!(recovery("exceptions.RegionOpeningException", ""), Recovery::Wait);
        assert_eq!(recovery("CallQueueTooBigException", ""), Recovery::WaitLonger);
        assert_eq!(recovery("exceptions.ScannerResetException", ""), Recovery::ReopenScanner);
        assert_eq!(recovery("regionserver.NoSuchColumnFamilyException", ""), Recovery::GiveUp);
        assert_eq!(recovery("exceptions.RequestTooBigException", ""), Recovery::Halve);
        assert_eq!(recovery("something.Unknown", ""), Recovery::Relocate { to: None });
    }

    #[test]
    fn a_quota_says_how_long_to_wait() {
        let text = "o.a.h.h.quotas.RpcThrottlingException: write size limit exceeded - wait 1sec, 500ms";
        assert_eq!(
            recovery("quotas.RpcThrottlingException", text),
            Recovery::WaitFor(Duration::from_millis(1_500))
        );
    }

    #[test]
    fn do_not_retry_is_respected_except_for_scanners() {
        let exception = |class: &str| proto::ExceptionResponse {
            exception_class_name: Some(format!("o.a.h.h.{class}")),
            do_not_retry: Some(true),
            ..Default::default()
        };
        let of = |class| RemoteError::from_header(&exception(class)).recovery();
        assert_eq!(of("UnknownScannerException"), Recovery::ReopenScanner);
        assert_eq!(of("Whatever"), Recovery::GiveUp);
    }
}
