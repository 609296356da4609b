//! Says which servers told nothing of their regions.

use std::collections::BTreeMap;

use keystride_store::{Region, RegionState};

use crate::global::Global;
use crate::output::say;

/// Says which servers of these regions could not be asked.
pub(crate) fn say_silent_servers<'a>(global: &Global, regions: impl IntoIterator<Item = &'a Region>) {
    for line in lines(regions) {
        say(global, &line);
    }
}

fn lines<'a>(regions: impl IntoIterator<Item = &'a Region>) -> Vec<String> {
    let mut silent: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for region in regions {
        let why = match region.state {
            RegionState::ServerDead => "can't be reached",
            RegionState::ServerSilent => "does not answer",
            _ => continue,
        };
        *silent.entry((region.server.as_deref().unwrap_or("an unknown server"), why)).or_default() += 1;
    }
    let line = |((server, why), count): ((&str, &str), usize)| {
        let regions = if count == 1 { "region" } else { "regions" };
        format!("{server} {why}: nothing is known of what its {count} {regions} got")
    };
    silent.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use keystride::KeyRange;
    use keystride_store::{RegionCounts, RegionId};

    use super::*;

    #[test]
    fn each_server_that_told_nothing_is_named_once() {
        let region = |server: &str, state| Region {
            id: RegionId::new("r"),
            range: KeyRange::all(),
            server: Some(server.to_owned()),
            state,
            counts: RegionCounts::default(),
            load: None,
        };
        let regions = [
            region("b,1,2", RegionState::ServerSilent),
            region("a,1,2", RegionState::ServerDead),
            region("b,1,2", RegionState::ServerSilent),
            region("c,1,2", RegionState::Open),
        ];
        let told = [
            "a,1,2 can't be reached: nothing is known of what its 1 region got",
            "b,1,2 does not answer: nothing is known of what its 2 regions got",
        ];
        assert_eq!(lines(&regions), told);
    }
}
