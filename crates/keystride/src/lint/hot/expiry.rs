use crate::lint::Finding;
use crate::lint::clock::{Clock, leading_clock};
use crate::lint::context::Context;
use crate::lint::evidence::{Amount, evidence};

evidence! {
    /// What expiry leaves behind.
    enum Expiry {
        Hot07 => Behind { kept_days: Amount }
            "time leads and rows are kept for {kept_days} days: regions behind the front stay, empty",
    }
}

/// HOT07.
pub(super) fn empty_behind_the_front(context: &Context<'_>) -> Vec<Finding> {
    let (Some((index, Clock::Rising | Clock::Falling)), Some(kept_s)) =
        (leading_clock(context), context.kept_s())
    else {
        return Vec::new();
    };
    let evidence = Expiry::Behind { kept_days: Amount(kept_s / 86_400.0) };
    let finding = Finding::warning(context.part_place(index), &evidence);
    vec![finding.help("let the entity lead, or drop the regions of a period when it has expired")]
}
