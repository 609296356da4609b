//! What the program does meanwhile, told on stderr for `-v`.

use std::io;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime as _, Uptime, uptime};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::format::Color;
use crate::output::{LogOut, has_colors};

/// Prints the events of keystride's crates: with one `-v` what is done, with two every call to a server as well.
pub(crate) fn listen(verbosity: u8, color: Color) {
    let level = match verbosity {
        0 => return,
        1 => Level::INFO,
        _ => Level::DEBUG,
    };
    let lines = fmt::layer()
        .event_format(Line(uptime()))
        .with_ansi(has_colors(color, &io::stderr()))
        .with_writer(|| LogOut);
    let ours = Targets::new().with_target("keystride", level);
    tracing_subscriber::registry().with(lines).with(ours).init();
}

/// A line of the log: the time since the start, the level, and what the event says. The operations it is part of are left
/// out, as calls name what they are about.
#[derive(Debug)]
struct Line(Uptime);

impl<S, F> FormatEvent<S, F> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    F: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &fmt::FmtContext<'_, S, F>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        self.0.format_time(&mut line)?;
        write!(line, " {:>5} ", event.metadata().level())?;
        context.field_format().format_fields(line.by_ref(), event)?;
        writeln!(line)
    }
}
