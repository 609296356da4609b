//! The log of recommendations, made up: 25 columns, a clock that moves through some days, phones of which few are in
//! most rows.

use std::io::{self, Read, Write as _};

use keystride::time::{Pattern, Zone};

/// Rows of the log as CSV with a line of names, made while they are read. The same numbers make the same bytes.
///
/// Rows come in the order of their times, but for seconds; no two have one key. The phone of rank *k* is in a share of
/// rows that falls as 1/*k* (Zipf's law), a row has 1 to 17 goods, and the texts are those of
/// `examples/seed-003/design.toml`.
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// keystride_bench::RecommendLog::new(2, 1, 7).read_to_string(&mut text)?;
/// assert_eq!(text.lines().count(), 3);
/// assert!(text.starts_with("recommend_type,opera_time,phone,rec_id,activity_id,"));
/// assert!(text.lines().nth(1).expect("a row").contains(",20200406"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecommendLog {
    row_count: u64,
    days: u32,
    row: u64,
    dice: Dice,
    phones: Phones,
    calendar: Calendar,
    ready: Vec<u8>,
    given: usize,
}

/// The first day: 2020-04-06, in milliseconds since 1970.
const START_MS: i64 = 1_586_131_200_000;
const DAY_S: u64 = 86_400;
const GOODS: u64 = 17;

impl RecommendLog {
    /// So many rows over so many days.
    pub fn new(row_count: u64, days: u32, seed: u64) -> Self {
        let (dice, phones, calendar) = (Dice(seed), Phones::new(), Calendar::default());
        Self { row_count, days, row: 0, dice, phones, calendar, ready: header(), given: 0 }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        while self.row < self.row_count && self.ready.len() < 1 << 16 {
            self.write_row()?;
            self.row += 1;
        }
        Ok(())
    }

    fn write_row(&mut self) -> io::Result<()> {
        let Self { dice, phones, ready, .. } = self;
        ready.extend_from_slice(dice.one_of(&["hot", "new", "like", "near"]).as_bytes());
        ready.push(b',');
        let late = dice.below(4);
        let span = u128::from(self.days) * u128::from(DAY_S);
        let second = u128::from(self.row) * span / u128::from(self.row_count);
        let second = u64::try_from(second).unwrap_or(u64::MAX).saturating_sub(late);
        self.calendar.write(second, ready)?;
        let (phone, id) = (phones.draw(dice), scatter(self.row));
        let (activity, rule) = (dice.below(100), dice.below(20));
        write!(ready, ",{phone},{id:016x},a{activity},r{rule}")?;
        for words in [["app", "web", "sms", "shop"], ["home", "cart", "detail", "search"]] {
            write!(ready, ",{}", dice.one_of(&words))?;
        }
        let goods = 1 + dice.below(GOODS);
        for place in 0..GOODS {
            ready.push(b',');
            if place < goods {
                write!(ready, "g{}", dice.below(10_000))?;
            }
        }
        ready.push(b'\n');
        Ok(())
    }
}

impl Read for RecommendLog {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.fill()?;
        }
        let count = buffer.len().min(self.ready.len() - self.given);
        buffer[..count].copy_from_slice(&self.ready[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

fn header() -> Vec<u8> {
    let mut names = String::from(
        "recommend_type,opera_time,phone,rec_id,activity_id,rule_id,channel_code,recommend_position",
    );
    for place in 1..=GOODS {
        names.push_str(&format!(",goods{place}"));
    }
    names.push('\n');
    names.into_bytes()
}

/// Phones by how often they are drawn.
#[derive(Debug)]
struct Phones {
    /// The sum of the shares of the first phones, for each rank.
    sums: Vec<f64>,
}

const PHONES: u32 = 100_000;

impl Phones {
    fn new() -> Self {
        let share = |rank: u32| 1.0 / f64::from(rank);
        let sums = (1..=PHONES).scan(0.0, |sum, rank| {
            *sum += share(rank);
            Some(*sum)
        });
        Self { sums: sums.collect() }
    }

    fn draw(&self, dice: &mut Dice) -> u64 {
        let all = self.sums.last().copied().unwrap_or_default();
        // 32 bits go into a float whole.
        let drawn = all * f64::from(dice.bits32()) / (f64::from(u32::MAX) + 1.0);
        let rank = self.sums.partition_point(|sum| *sum <= drawn) as u64;
        // The prime has no factor in common with 10⁸, so each rank has a number of its own.
        13_800_000_000 + rank * 48_271 % 100_000_000
    }
}

/// Writes seconds since the start as `20200406235959`; the day is written anew when it changes.
#[derive(Debug, Default)]
struct Calendar {
    day: Option<u64>,
    text: Vec<u8>,
}

impl Calendar {
    fn write(&mut self, second: u64, out: &mut Vec<u8>) -> io::Result<()> {
        let (day, rest) = (second / DAY_S, second % DAY_S);
        if self.day != Some(day) {
            let pattern = Pattern::parse("yyyyMMdd").map_err(io::Error::other)?;
            let ms = START_MS + i64::try_from(day * DAY_S * 1_000).unwrap_or(i64::MAX);
            self.text.clear();
            pattern.format(ms, &Zone::utc(), &mut self.text).map_err(io::Error::other)?;
            self.day = Some(day);
        }
        out.extend_from_slice(&self.text);
        write!(out, "{:02}{:02}{:02}", rest / 3_600, rest / 60 % 60, rest % 60)
    }
}

/// The splitmix generator.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    fn bits32(&mut self) -> u32 {
        u32::try_from(self.next() >> 32).unwrap_or_default()
    }

    fn below(&mut self, end: u64) -> u64 {
        (u64::from(self.bits32()) * end) >> 32
    }

    fn one_of<'a>(&mut self, words: &[&'a str; 4]) -> &'a str {
        words[usize::try_from(self.below(4)).unwrap_or_default()]
    }
}

/// Gives each number another one, and no two the same.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn rows(row_count: u64, days: u32, seed: u64) -> Vec<Vec<String>> {
        let mut text = String::new();
        RecommendLog::new(row_count, days, seed).read_to_string(&mut text).unwrap();
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        text.lines().skip(1).map(cells).collect()
    }

    #[test]
    fn one_seed_makes_one_text() {
        assert_eq!(rows(500, 3, 1), rows(500, 3, 1));
        assert_ne!(rows(500, 3, 1), rows(500, 3, 2));
    }

    #[test]
    fn every_row_has_all_columns_and_an_id_of_its_own() {
        let rows = rows(5_000, 10, 1);
        assert!(rows.iter().all(|row| row.len() == 25));
        assert_eq!(rows.iter().map(|row| &row[3]).collect::<BTreeSet<_>>().len(), 5_000);
    }

    #[test]
    fn rows_are_spread_evenly_over_the_days() {
        let mut days = BTreeMap::<String, u32>::new();
        for row in rows(10_000, 10, 1) {
            *days.entry(row[1][..8].to_owned()).or_default() += 1;
        }
        assert_eq!(days.len(), 10);
        assert!(days.values().all(|count| (990..=1_010).contains(count)), "{days:?}");
    }

    #[test]
    fn few_phones_are_in_many_rows() {
        let mut phones = BTreeMap::<String, u32>::new();
        for row in rows(20_000, 1, 1) {
            *phones.entry(row[2].clone()).or_default() += 1;
        }
        let mut counts: Vec<u32> = phones.into_values().collect();
        counts.sort_unstable();
        let top: u32 = counts.iter().rev().take(100).sum();
        assert!((7_000..11_000).contains(&top) && counts.len() > 5_000, "{top} of {}", counts.len());
    }
}
