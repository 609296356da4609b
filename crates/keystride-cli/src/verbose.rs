//! What the program does meanwhile, told on stderr for `-v`.

use std::io;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::SubscriberExt as _;
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
        .compact()
        .with_timer(uptime())
        .with_target(verbosity > 1)
        .with_ansi(has_colors(color, &io::stderr()))
        .with_writer(|| LogOut);
    let ours = Targets::new().with_target("keystride", level);
    tracing_subscriber::registry().with(lines).with(ours).init();
}
