use std::num::NonZeroUsize;

use keystride::design::{BucketPart, SplitRule};
use keystride::hash::BucketCount;
use keystride_heat::placement;

use crate::lint::context::{Context, count};
use crate::lint::evidence::evidence;
use crate::lint::follows::clock_after_bucket;
use crate::lint::said::{Bilingual, said};
use crate::lint::slt::{are_filled, known_values};
use crate::lint::spl::fix::{bucket_split_fix, needs_width};
use crate::lint::{Found, Patch};

evidence! {
    /// How regions are distributed over servers.
    enum Servers {
        Spl09 => Idle { spread: Bilingual, pieces: u32, buckets: u32, servers: u32, percent: f64, better: Option<u32> }
            "{spread} on {servers} servers: the ceiling is {percent:.0} % of the cluster"
            "{spread}放在 {servers} 台服务器上：上限是集群的 {percent:.0}%",
        Spl09 => IdleLater { spread: Bilingual, pieces: u32, buckets: u32, servers: u32, later: u32, percent: f64, better: Option<u32> }
            "{spread} suit {servers} servers, but on {later} the ceiling is {percent:.0} % of the cluster"
            "{spread}适合 {servers} 台服务器，但到 {later} 台时，上限是集群的 {percent:.0}%",
        Spl10 => Neighbours { buckets: u32, regions_a_bucket: u32, servers: u32, used: u32 }
            "the regions that new rows go to, one of each {regions_a_bucket} for {buckets} buckets, lie on {used} of {servers} servers"
            "{buckets} 个桶里写入新行的 region 彼此相隔 {regions_a_bucket} 个，{servers} 台服务器里只落在 {used} 台上",
        Spl13 => TooMany { regions: usize, servers: u32, each: usize, most: u32 }
            "{regions} regions on {servers} servers are up to {each} each, above the {most} that one should hold"
            "{regions} 个 region 放在 {servers} 台服务器上，每台至多 {each} 个，超过一台应有的 {most} 个",
    }
}

/// Below this efficiency, a bucket count does not suit the cluster.
const EFFICIENT: f64 = 0.9;

/// For more servers than these, a count is judged by one server fewer and one more alone.
const FEW_SERVERS: u32 = 256;

/// SPL09.
pub(super) fn idle_servers(context: &Context<'_>) -> Vec<Found> {
    let (Some(part), Some(servers)) = (context.design.leading_bucket(), context.servers()) else {
        return Vec::new();
    };
    let buckets = context.filled_buckets().unwrap_or(1);
    let (pieces, spread) = pieces_of(context, part, buckets);
    let now = efficiency(pieces, servers);
    let near = [servers - 1, servers + 1].into_iter().filter(|servers| *servers > 0);
    let later = near.map(|later| (later, efficiency(pieces, later))).min_by(|(_, a), (_, b)| a.total_cmp(b));
    let values = Some(part).filter(|part| part.is_computed());
    let values = values.and_then(|part| known_values(context, part.of.items()));
    let better = || better_count(part, values, (pieces, servers));
    let (finding, better) = match later {
        _ if now < EFFICIENT => {
            let (percent, better) = (now * 100.0, better());
            let evidence = Servers::Idle { spread, pieces, buckets, servers, percent, better };
            (Found::warning(context.part_place(0), &evidence), better)
        }
        Some((later, share)) if share < EFFICIENT => {
            let (percent, better) = (share * 100.0, better());
            let evidence = Servers::IdleLater { spread, pieces, buckets, servers, later, percent, better };
            (Found::info(context.part_place(0), &evidence), better)
        }
        _ => return Vec::new(),
    };
    vec![match better {
        Some(better) => finding.fix(count_fix(context, part, better)),
        None => finding.help(no_better_count(part, (pieces, servers))),
    }]
}

/// Returns how many regions or buckets are spread over the servers, as a number and in words; rows have `buckets` of the
/// buckets.
fn pieces_of(context: &Context<'_>, part: &BucketPart, buckets: u32) -> (u32, Bilingual) {
    let count = part.count.get();
    match context.rule() {
        Some(SplitRule::Bucket { regions: Some(1), .. }) if buckets > 1 => {
            (1, said!("1 region of {buckets} buckets", "{buckets} 个桶 (bucket) 的 1 个 region "))
        }
        Some(SplitRule::Bucket { regions: Some(regions), .. }) if *regions < buckets => {
            let spread = said!(
                "{regions} regions of {buckets} buckets",
                "{buckets} 个桶 (bucket) 的 {regions} 个 region "
            );
            (*regions, spread)
        }
        _ if buckets < count => {
            let spread = said!(
                "the {buckets} of {count} buckets that rows have",
                "{count} 个桶 (bucket) 里有行的 {buckets} 个"
            );
            (buckets, spread)
        }
        _ if buckets == 1 => (1, said!("1 bucket", "1 个桶 (bucket) ")),
        _ => (buckets, said!("{buckets} buckets", "{buckets} 个桶 (bucket) ")),
    }
}

/// Returns the advice where no other count is better for the buckets that now lie on so many servers.
fn no_better_count(part: &BucketPart, now: (u32, u32)) -> Bilingual {
    let counts = part.hash.counts();
    let (hash, least, most) = (part.hash.name(), counts.start(), counts.end());
    if least == most {
        return said!(
            "{hash} makes {least} buckets, whatever the cluster: another hash leaves the choice",
            "{hash} 总是 {least} 个桶 (bucket)：换一种散列才能选桶数"
        );
    }
    if better_count(part, None, now).is_none() {
        let (_, servers) = now;
        return said!(
            "{hash} makes {most} buckets at most, and no count of them suits {servers} servers",
            "{hash} 最多 {most} 个桶 (bucket)，其中没有适合 {servers} 台服务器的桶数"
        );
    }
    said!(
        "no count suits that the bucket's values would fill: add a field to `of`",
        "没有既合适、又能被桶 (bucket) 的值填满的桶数：在 `of` 里再加一个字段"
    )
}

/// Returns the count to propose instead of the buckets that now lie on so many servers; where it is known how many values
/// the buckets are computed from, one that these fill.
fn better_count(part: &BucketPart, values: Option<f64>, (buckets, servers): (u32, u32)) -> Option<u32> {
    let is_allowed = |buckets: u32| {
        part.hash.counts().contains(&buckets) && values.is_none_or(|values| are_filled(buckets, values))
    };
    let near = |buckets| worst(buckets, servers, servers + 1);
    best_count(servers, is_allowed)
        .filter(|&better| near(better) >= EFFICIENT && near(better) > near(buckets))
}

fn count_fix(context: &Context<'_>, part: &BucketPart, better: u32) -> Option<Patch> {
    if !matches!(context.rule(), None | Some(SplitRule::Bucket { .. })) {
        return None;
    }
    if better == part.count.get() {
        let title = said!("cut at the {better} buckets", "按 {better} 个桶来切");
        return Some(Patch::new(title).remove("split.regions"));
    }
    let fix = Patch::new(said!("{better} buckets", "改为 {better} 个桶"))
        .set("key.parts[0].bucket", better.to_string());
    let digits = BucketPart::needed_width(BucketCount::new(better).ok()?, part.base);
    // A width that is only as large as needed is removed, which leaves it to the default.
    let fix = if part.width > needs_width(part) {
        fix.set("key.parts[0].width", part.width.max(digits).to_string())
    } else {
        fix.remove("key.parts[0].width")
    };
    Some(fix.remove("split.regions"))
}

/// Returns the share of a cluster that buckets of equal weight use; there is at least one of both.
fn efficiency(buckets: u32, servers: u32) -> f64 {
    let some = |count: u32| NonZeroUsize::new(count as usize).unwrap_or(NonZeroUsize::MIN);
    placement::efficiency(some(buckets), some(servers))
}

/// Returns the least share that buckets use of a cluster with one server fewer, with `most`, or any number between.
fn worst(buckets: u32, servers: u32, most: u32) -> f64 {
    let fewer = servers.saturating_sub(1).max(1);
    (fewer..=most).map(|servers| efficiency(buckets, servers)).fold(1.0, f64::min)
}

/// Returns the smallest of the allowed counts, up to eight for each server, that suits the cluster with one server fewer
/// and one more, and that has the best worst-case efficiency up to twice the servers.
fn best_count(servers: u32, is_allowed: impl Fn(u32) -> bool) -> Option<u32> {
    let most = if servers <= FEW_SERVERS { 2 * servers } else { servers + 1 };
    let worth =
        |buckets: u32| (worst(buckets, servers, servers + 1).min(EFFICIENT), worst(buckets, servers, most));
    let counts = (1..=8 * servers).filter(|&buckets| is_allowed(buckets));
    let best = counts
        .map(|buckets| (buckets, worth(buckets)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(buckets, _)| buckets)
}

/// SPL10.
pub(super) fn neighbouring_tails(context: &Context<'_>) -> Vec<Found> {
    let (Some(regions), Some(servers)) = (&context.regions, context.servers()) else { return Vec::new() };
    let Some(buckets) = context.filled_buckets() else { return Vec::new() };
    if clock_after_bucket(context).is_none() {
        return Vec::new();
    }
    let mut each: Vec<usize> =
        regions.reachable.iter().map(|&bucket| regions.regions_of_bucket(bucket)).collect();
    each.dedup();
    let [Ok(each)] = each.iter().map(|&each| u32::try_from(each)).collect::<Vec<_>>()[..] else {
        return Vec::new();
    };
    let common = gcd(each, servers);
    let used = servers / common;
    if each < 2 || used >= buckets.min(servers) {
        return Vec::new();
    }
    let evidence = Servers::Neighbours { buckets, regions_a_bucket: each, servers, used };
    vec![Found::warning(context.split_place(), &evidence).fix(bucket_split_fix(context))]
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// SPL13.
pub(super) fn too_many_regions(context: &Context<'_>) -> Vec<Found> {
    let (Some(regions), Some(cluster)) = (&context.regions, context.cluster()) else { return Vec::new() };
    let each = count(regions.count() as u128) / f64::from(cluster.servers);
    if each <= f64::from(cluster.regions_per_server) {
        return Vec::new();
    }
    let evidence = Servers::TooMany {
        regions: regions.count(),
        servers: cluster.servers,
        each: regions.count().div_ceil(cluster.servers as usize),
        most: cluster.regions_per_server,
    };
    vec![Found::warning(context.split_place(), &evidence)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_with_many_divisors_suit_most_clusters() {
        let up_to = |most: u32| move |buckets| buckets <= most;
        assert_eq!(best_count(3, up_to(64)), Some(24));
        assert_eq!(best_count(3, up_to(11)), Some(11));
        assert_eq!(best_count(8, up_to(64)), Some(60));
        assert_eq!(best_count(8, |_| false), None);
    }

    #[test]
    fn what_is_proposed_is_enough_wherever_eight_buckets_a_server_can_be() {
        for servers in 1..=30 {
            let best = best_count(servers, |_| true).unwrap();
            let near = [servers.saturating_sub(1).max(1), servers, servers + 1];
            assert!(
                near.iter().all(|&servers| efficiency(best, servers) >= EFFICIENT),
                "{best} on {servers}"
            );
        }
        assert!((efficiency(10, 8) - 0.625).abs() < 1e-9);
    }
}
