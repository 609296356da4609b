//! Faults of calls.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use super::{Answer, Exception, Phase, RecordedCall};

#[derive(Clone)]
pub(crate) enum Fault {
    /// The call is not executed, and answered with this exception.
    Exception(Exception),
    /// The call is executed, and answered with this exception.
    LateException(Exception),
    /// The call is not executed and never answered.
    Silence,
    /// The call is executed and never answered.
    LostAnswer,
    /// The call is not executed; the connection is closed without an answer.
    CloseBefore,
    /// The call is executed; the connection is closed without an answer.
    CloseAfter,
    /// The call is executed; the connection is closed after this many bytes of the answer.
    CutShort(usize),
    /// The call is executed; these bytes are sent instead of the answer.
    Garbage(&'static [u8]),
    /// The call is executed; an answer with an unknown id comes before the real one.
    StrangerFirst,
    /// The call is executed; its answer is sent twice.
    Twice,
    /// The call is executed; the answer waits until the gate opens.
    Hold(Gate),
    /// The call is not executed; the exception is sent for the whole connection, which is then closed.
    Fatal(Exception),
    /// The call is executed; the answer is changed.
    Edit(Arc<Edit>),
}

pub(crate) type Edit = dyn Fn(&mut Answer) + Send + Sync;

impl Fault {
    pub(crate) fn edit(edit: impl Fn(&mut Answer) + Send + Sync + 'static) -> Self {
        Self::Edit(Arc::new(edit))
    }

    /// Whether the call is executed anyway.
    pub(crate) fn lets_it_happen(&self) -> bool {
        !matches!(self, Self::Exception(_) | Self::Silence | Self::CloseBefore | Self::Fatal(_))
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exception(exception) => write!(f, "Exception({exception:?})"),
            Self::Edit(_) => f.write_str("Edit"),
            _ => f.write_str("Fault"),
        }
    }
}

/// Holds answers back until it is opened.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    open: Arc<watch::Sender<bool>>,
}

impl Gate {
    pub(crate) fn closed() -> Self {
        Self { open: Arc::new(watch::Sender::new(false)) }
    }

    pub(crate) fn open(&self) {
        self.open.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        let mut open = self.open.subscribe();
        open.wait_for(|open| *open).await.expect("the gate holds its own sender");
    }
}

#[derive(Debug, Clone)]
pub(crate) struct When {
    method: &'static str,
    phase: Option<Phase>,
    table: Option<&'static str>,
    server: Option<usize>,
    skip: usize,
    times: usize,
}

impl When {
    /// The first call of a method.
    pub(crate) fn calling(method: &'static str) -> Self {
        Self { method, phase: None, table: None, server: None, skip: 0, times: 1 }
    }

    /// The first call of a scan of that phase.
    pub(crate) fn scan(phase: Phase) -> Self {
        Self { phase: Some(phase), ..Self::calling("Scan") }
    }

    /// The first lookup in hbase:meta.
    pub(crate) fn looking_up() -> Self {
        Self::calling("Scan").of("hbase:meta")
    }

    pub(crate) fn of(self, table: &'static str) -> Self {
        Self { table: Some(table), ..self }
    }

    pub(crate) fn at(self, server: usize) -> Self {
        Self { server: Some(server), ..self }
    }

    pub(crate) fn skip(self, skip: usize) -> Self {
        Self { skip, ..self }
    }

    pub(crate) fn times(self, times: usize) -> Self {
        Self { times, ..self }
    }

    pub(crate) fn always(self) -> Self {
        self.times(usize::MAX)
    }

    fn means(&self, seen: &RecordedCall) -> bool {
        self.method == seen.method
            && self.phase.is_none_or(|phase| phase == seen.phase)
            && self.table.is_none_or(|table| seen.table.as_deref() == Some(table))
            && self.server.is_none_or(|server| server == seen.server)
    }

    /// Whether the fault applies to this call. Counts the call.
    pub(crate) fn takes(&mut self, seen: &RecordedCall) -> bool {
        if !self.means(seen) || self.times == 0 {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.times -= 1;
        true
    }
}
