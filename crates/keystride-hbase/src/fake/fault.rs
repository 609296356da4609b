//! Calls that are spoiled.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use super::{Answer, Exception, Phase, Seen};

/// What happens to a call instead of what should.
#[derive(Clone)]
pub(crate) enum Fault {
    /// It is not made; this is the answer.
    Exception(Exception),
    /// It is made, and this is the answer.
    LateException(Exception),
    /// It is not made, and never answered.
    Silence,
    /// It is made, and never answered.
    LostAnswer,
    /// It is not made; the connection is closed without a word.
    CloseBefore,
    /// It is made; the connection is closed without a word.
    CloseAfter,
    /// It is made; the connection is closed after so many bytes of the answer.
    CutShort(usize),
    /// It is made; these bytes come in place of the answer.
    Garbage(&'static [u8]),
    /// It is made; an answer under an id that nobody has comes before the true one.
    StrangerFirst,
    /// It is made; its answer comes twice.
    Twice,
    /// It is made; the answer waits until the gate is open.
    Hold(Gate),
    /// It is not made; this is said about the connection as a whole, which is then closed.
    Fatal(Exception),
    /// It is made; the answer is changed.
    Edit(Arc<Edit>),
}

pub(crate) type Edit = dyn Fn(&mut Answer) + Send + Sync;

impl Fault {
    pub(crate) fn edit(edit: impl Fn(&mut Answer) + Send + Sync + 'static) -> Self {
        Self::Edit(Arc::new(edit))
    }

    /// Whether the call is made all the same.
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

/// What answers wait for.
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

/// Which calls are spoiled.
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

    /// The first of a scan's calls of that kind.
    pub(crate) fn scan(phase: Phase) -> Self {
        Self { phase: Some(phase), ..Self::calling("Scan") }
    }

    /// The first lookup in hbase:meta.
    pub(crate) fn looking_up() -> Self {
        Self::calling("Scan").of("hbase:meta")
    }

    /// Only of that table.
    pub(crate) fn of(self, table: &'static str) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Only at that server.
    pub(crate) fn at(self, server: usize) -> Self {
        Self { server: Some(server), ..self }
    }

    /// Not the first ones.
    pub(crate) fn skip(self, skip: usize) -> Self {
        Self { skip, ..self }
    }

    /// So many of them.
    pub(crate) fn times(self, times: usize) -> Self {
        Self { times, ..self }
    }

    /// All of them.
    pub(crate) fn always(self) -> Self {
        self.times(usize::MAX)
    }

    fn means(&self, seen: &Seen) -> bool {
        self.method == seen.method
            && self.phase.is_none_or(|phase| phase == seen.phase)
            && self.table.is_none_or(|table| seen.table.as_deref() == Some(table))
            && self.server.is_none_or(|server| server == seen.server)
    }

    /// Whether it spoils this call; counts it.
    pub(crate) fn takes(&mut self, seen: &Seen) -> bool {
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
