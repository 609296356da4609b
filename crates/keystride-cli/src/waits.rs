//! Says what a command waits for, when it takes long.

use std::convert::Infallible;
use std::time::Duration;

use keystride_hbase::{Seconds, Wait};
use keystride_store::StoreOpener;
use tokio::time::{MissedTickBehavior, interval};

use crate::global::Global;
use crate::output::say;

/// What takes as long is said.
const LONG: Duration = Duration::from_secs(2);
/// How often it is looked.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// What goes on is said again after twice the time, but not later than so much later.
const LATEST: Duration = Duration::from_secs(30);

/// Says what a cluster's client waits for, as often as it takes long. It does not end.
pub(crate) async fn tell_waits(global: &Global, opener: &StoreOpener) -> Infallible {
    if let StoreOpener::Embedded { .. } = opener {
        return std::future::pending().await;
    }
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut announced = Announced::default();
    loop {
        looks.tick().await;
        if let Some(line) = announced.look(opener.waits().first()) {
            say(global, &line);
        }
    }
}

/// What was said of the wait under way.
#[derive(Debug, Default)]
struct Announced {
    /// How long it had lasted when it was last looked at.
    lasted: Duration,
    /// How long it will have lasted when it is said again, if it was said.
    next: Option<Duration>,
}

impl Announced {
    /// What is to be said now, if anything.
    fn look(&mut self, longest: Option<&Wait>) -> Option<String> {
        let Some(wait) = longest.filter(|wait| wait.lasted >= LONG) else {
            let announced = std::mem::take(self);
            return announced.next.map(|_| format!("it goes on, after {}", Seconds(announced.lasted)));
        };
        if wait.lasted < self.lasted {
            *self = Self::default();
        }
        self.lasted = wait.lasted;
        if self.next.is_some_and(|next| wait.lasted < next) {
            return None;
        }
        self.next = Some(wait.lasted + wait.lasted.min(LATEST));
        Some(format!("waiting: {wait}"))
    }
}
