use crate::lint::Found;
use crate::lint::clock::Clock;
use crate::lint::context::Context;
use crate::lint::evidence::{Amount, evidence};
use crate::lint::follows::leading_clock;
use crate::lint::said::said;

evidence! {
    /// What expired rows leave behind.
    enum Expiry {
        Hot07 => Behind { kept_days: Amount }
            "keys begin with the time and rows are kept for {kept_days} days: regions of expired rows stay, empty"
            "时间打头，行保留 {kept_days}天：前沿之后的 region 空着留下来",
    }
}

/// HOT07.
pub(super) fn empty_behind_the_front(context: &Context<'_>) -> Vec<Found> {
    let (Some((index, Clock::Rising | Clock::Falling)), Some(kept_s)) =
        (leading_clock(context), context.kept_s())
    else {
        return Vec::new();
    };
    let evidence = Expiry::Behind { kept_days: Amount(kept_s / 86_400.0) };
    let finding = Found::warning(context.part_place(index), &evidence);
    vec![finding.help(said!(
        "let the entity lead, or drop the regions of a period when it has expired",
        "让实体打头，或者在一个周期过期后删掉它的 region"
    ))]
}
