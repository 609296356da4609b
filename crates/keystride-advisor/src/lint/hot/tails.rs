use crate::lint::clock::Clock;
use crate::lint::context::{Context, SEEK_S, count};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::follows::{clock_after_bucket, follows_clock, leading_clock};
use crate::lint::found::Place;
use crate::lint::said::Bilingual;
use crate::lint::{Found, Severity, Splits};

evidence! {
    /// Where the growing ends of buckets lie.
    enum Tails {
        Hot09 => Meet { tails: u32, servers: u32, times: f64 }
            "after some splits, chance puts the {tails} regions that take new rows on {servers} servers: expect {times:.1} times the mean on the busiest"
            "分裂几次之后，写入新行的 {tails} 个 region 随机落在 {servers} 台服务器上：最忙的那台预计是平均值的 {times:.1} 倍",
        Hot12 => Newest { access: Bilingual, reads_per_s: Amount, regions: u32, servers: u32 }
            "{reads_per_s} reads a second of {access} want the newest rows, which lie on at most {regions} of {servers} servers"
            "{access} 每秒 {reads_per_s}次要读最新的行，而它们最多在 {servers} 台服务器中的 {regions} 台上",
    }
}

/// Reads below this share of one server's capacity are not hot.
const EASY: f64 = 0.3;
/// Larger clusters and bucket counts are not computed exactly.
const MOST_SERVERS: u32 = 128;

/// HOT09.
pub(super) fn tails_meet(context: &Context<'_>) -> Vec<Found> {
    let (Some(_), Some(servers)) = (clock_after_bucket(context), context.servers()) else {
        return Vec::new();
    };
    let Some(tails) = context.filled_buckets() else { return Vec::new() };
    if !(2..=MOST_SERVERS).contains(&servers) || tails > 2 * MOST_SERVERS {
        return Vec::new();
    }
    let times = Deal::new(tails, servers).busiest() * f64::from(servers) / f64::from(tails);
    vec![Found::info(context.part_place(0), &Tails::Meet { tails, servers, times })]
}

/// The number of regions of one bucket after its growing end has been split off several times.
const REGIONS_A_TAIL: u32 = 10;

/// A random assignment of all regions, growing ends among them, to servers with the same number of regions each.
struct Deal {
    tails: usize,
    servers: usize,
    /// The number of regions per server.
    each: usize,
    /// Logarithms of factorials.
    ln_factorial: Vec<f64>,
}

impl Deal {
    fn new(tails: u32, servers: u32) -> Self {
        let each = (tails * REGIONS_A_TAIL).div_ceil(servers) as usize;
        let ln_factorial =
            std::iter::once(0.0).chain((1..=each * servers as usize).scan(0.0, |sum, number| {
                *sum += count(number as u128).ln();
                Some(*sum)
            }));
        Self { tails: tails as usize, servers: servers as usize, each, ln_factorial: ln_factorial.collect() }
    }

    /// Returns the expected number of growing ends on the busiest server: Σ over m of the probability that some server
    /// has more than m.
    fn busiest(&self) -> f64 {
        let more = (0..self.tails).map(|most| 1.0 - self.none_above(most));
        more.take_while(|more| *more > 1e-6).sum()
    }

    /// Returns the probability that no server has more than `most`; servers get their regions one after another, from
    /// those left.
    fn none_above(&self, most: usize) -> f64 {
        let mut left = vec![0.0; self.tails + 1];
        left[self.tails] = 1.0;
        for servers in (1..=self.servers).rev() {
            let mut next = vec![0.0; self.tails + 1];
            for (there, chance) in left.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                for taken in 0..=most.min(there) {
                    next[there - taken] += chance * self.takes(taken, there, servers * self.each);
                }
            }
            left = next;
        }
        left[0]
    }

    /// Returns the probability that a server's regions include `taken` of the `there` growing ends among `regions`.
    fn takes(&self, taken: usize, there: usize, regions: usize) -> f64 {
        let others = regions - self.each;
        if taken > self.each || there - taken > others {
            return 0.0;
        }
        let ways = self.ln_choose(self.each, taken) + self.ln_choose(others, there - taken);
        (ways - self.ln_choose(regions, there)).exp()
    }

    fn ln_choose(&self, of: usize, some: usize) -> f64 {
        self.ln_factorial[of] - self.ln_factorial[some] - self.ln_factorial[of - some]
    }
}

/// HOT12.
pub(super) fn newest_rows_meet(context: &Context<'_>) -> Vec<Found> {
    let Some(servers) = context.servers() else { return Vec::new() };
    let in_bucket = context.design.leading_bucket().is_some_and(|part| follows_clock(context, part));
    let regions = if in_bucket || leading_clock(context).is_some() {
        1
    } else if let Some((_, clock)) = clock_after_bucket(context) {
        newest_regions(context, clock)
    } else {
        return Vec::new();
    };
    let recent =
        context.design.accesses().iter().filter_map(|access| Some((access, access.rate? * access.recent?)));
    recent
        .filter(|(_, reads)| *reads > 0.0 && regions < servers)
        .map(|(access, reads)| {
            let evidence = Tails::Newest {
                access: Bilingual::access(access),
                reads_per_s: Amount(reads),
                regions,
                servers,
            };
            let is_heat = reads * SEEK_S / f64::from(regions) > EASY;
            let severity = if is_heat { Severity::Warning } else { Severity::Info };
            Found::new(severity, Place::access(access), &evidence)
        })
        .collect()
}

/// Returns how many regions take the newest rows of buckets whose keys follow `clock`: one for each bucket, unless the
/// design cuts fewer.
fn newest_regions(context: &Context<'_>, clock: Clock) -> u32 {
    let buckets = context.design.leading_bucket().map_or(1, |part| part.count.get());
    let is_cut = matches!(context.subject.splits, Splits::Points { .. }) && context.rule().is_some();
    let regions = match &context.regions {
        Some(regions) => regions.with_newest(clock),
        None if is_cut => 1,
        None => return buckets,
    };
    u32::try_from(regions).map_or(buckets, |regions| regions.clamp(1, buckets))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measured values are 1.5, 2.0 and 2.9.
    #[test]
    fn sixteen_ends_on_sixteen_servers_meet_three_at_a_time() {
        let times = |tails, servers| {
            let times = Deal::new(tails, servers).busiest() * f64::from(servers) / f64::from(tails);
            format!("{times:.1}")
        };
        assert_eq!([4, 8, 16].map(|servers| times(16, servers)), ["1.5", "2.0", "2.9"]);
        assert_eq!(times(64, 16), "1.9");
        assert_eq!(times(160, 16), "1.6");
    }
}
