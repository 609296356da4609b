//! The key of a new design when none is asked for.

#![expect(clippy::disallowed_types, reason = "values are only counted")]

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::identifier::Rank;
use super::{Column, Kind, Sample};

/// The key of a new design.
#[derive(Debug, Clone, Default)]
pub struct SampleKey<'a> {
    /// Its columns, each with whether it sorts backwards.
    pub columns: Vec<(&'a Column, bool)>,
}

/// A key of more columns than this is none that anyone wants.
const MOST_GUESSED: usize = 6;

/// A column of this many values has many, however many rows there are.
const MANY: usize = 10;

impl Sample {
    /// Returns a key of columns of three kinds, in this order:
    ///
    /// 1. Who or what rows are about: identifiers with many values, each in several rows. Long numbers of one length and
    ///    UUIDs come before texts, and texts before whole numbers whose names say that they are identifiers; of several
    ///    such columns, the one with the most values. Without any, one that is next to it.
    /// 2. The time of the row, newest first.
    /// 3. What is still needed to tell rows apart, that which tells most first. Whole numbers that may be measured, such
    ///    as durations, are taken only where identifiers do not suffice.
    ///
    /// So what is measured leads only where there is nothing else. Fractions are in no key, nor are columns that lack
    /// values; only a text that leads may lack a few, as it has a default for them.
    pub fn guessed_key(&self) -> SampleKey<'_> {
        let mut key = SampleKey::default();
        key.columns.extend(self.subject().map(|subject| (subject, false)));
        key.columns.extend(self.time().map(|time| (time, true)));
        let is_keyed = |column: &Column| key.columns.iter().any(|(keyed, _)| keyed.name == column.name);
        let rest = self.columns.iter().filter(|column| column.missing_count() == 0 && !is_keyed(column));
        let (identifiers, numbers): (Vec<&Column>, Vec<&Column>) = rest
            .filter(|column| !matches!(column.kind, Kind::Number | Kind::Bool) && !column.has_long_texts())
            .partition(|column| !column.is_measured());
        let mut groups = Groups::of(self, &key);
        for mut columns in [identifiers, numbers] {
            while key.columns.len() < MOST_GUESSED
                && let Some(place) = groups.best_of(&columns)
            {
                let column = columns.remove(place);
                groups.divide(column);
                key.columns.push((column, false));
            }
        }
        key
    }

    /// Whether no two rows of the sample have the same values in the columns of a key.
    pub fn is_told_apart_by(&self, key: &SampleKey<'_>) -> bool {
        Groups::of(self, key).count == self.row_count
    }

    /// Returns the column of who or what rows are about.
    fn subject(&self) -> Option<&Column> {
        let many = MANY.min(self.row_count.isqrt());
        let candidates: Vec<(Rank, Repeats, &Column)> = self
            .columns
            .iter()
            .filter_map(|column| Some((column.rank()?, Repeats::of(column), column)))
            .collect();
        let best = |accepts: fn(Rank, bool, bool) -> bool| {
            let fits = |(rank, repeats, _): &&(Rank, Repeats, &Column)| {
                repeats.distinct > 1 && accepts(*rank, repeats.are_several, repeats.distinct >= many)
            };
            // The last of several largest is the first of the file.
            let fit = candidates.iter().rev().filter(fits);
            fit.max_by_key(|(rank, repeats, _)| (*rank, repeats.distinct)).map(|(.., column)| *column)
        };
        best(|_, are_several, are_many| are_several && are_many)
            // Further rows may repeat the values of long identifiers; texts are often different in each row, and numbers
            // are often those of the rows.
            .or_else(|| best(|rank, _, are_many| are_many && rank == Rank::Long))
            .or_else(|| best(|_, are_several, _| are_several))
            .or_else(|| best(|_, _, are_many| are_many))
    }

    /// Returns the time of the rows: the first that changes about as often as any.
    fn time(&self) -> Option<&Column> {
        let times = self.columns.iter().filter(|column| column.is_time() && column.missing_count() == 0);
        let times: Vec<(usize, &Column)> = times.map(|time| (Repeats::of(time).distinct, time)).collect();
        let most = times.iter().map(|(distinct, _)| *distinct).max()?;
        times.into_iter().find(|(distinct, _)| 2 * distinct >= most).map(|(_, time)| time)
    }
}

/// How often the values of a column occur.
struct Repeats {
    distinct: usize,
    /// Whether at least half of the rows have a value that another row has, too.
    are_several: bool,
}

impl Repeats {
    fn of(column: &Column) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for value in &column.values {
            *counts.entry(value).or_default() += 1;
        }
        let lone_count = counts.values().filter(|count| **count == 1).count();
        Self { distinct: counts.len(), are_several: 2 * lone_count <= column.values.len() }
    }
}

/// The rows of a sample, in groups that a key does not tell apart.
struct Groups {
    /// The group of each row.
    of_row: Vec<usize>,
    count: usize,
}

impl Groups {
    fn of(sample: &Sample, key: &SampleKey<'_>) -> Self {
        let mut groups = Self { of_row: vec![0; sample.row_count], count: sample.row_count.min(1) };
        if key.columns.is_empty() {
            // A key without a column tells nothing apart; the first column is added whatever it tells.
            groups.count = 0;
        }
        key.columns.iter().for_each(|(column, _)| groups.divide(column));
        groups
    }

    /// Returns the place of the column that tells most rows apart, the first of several; `None` if none does.
    fn best_of(&self, columns: &[&Column]) -> Option<usize> {
        if self.count == self.of_row.len() {
            return None;
        }
        let told = columns.iter().map(|column| self.pairs(column).collect::<HashSet<_>>().len());
        let (most, Reverse(place)) = told.enumerate().map(|(place, told)| (told, Reverse(place))).max()?;
        (most > self.count).then_some(place)
    }

    /// Divides the groups by the values of a column.
    fn divide(&mut self, column: &Column) {
        let mut numbers = HashMap::new();
        let divided = self.pairs(column).map(|pair| {
            let next = numbers.len();
            *numbers.entry(pair).or_insert(next)
        });
        self.of_row = divided.collect();
        self.count = numbers.len();
    }

    fn pairs<'a>(&self, column: &'a Column) -> impl Iterator<Item = (usize, &'a str)> {
        self.of_row.iter().copied().zip(column.values.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::super::real_samples::{calls, flights, log, readings, sample};

    fn guess(csv: &str) -> (String, bool) {
        let sample = sample(csv);
        let key = sample.guessed_key();
        let words = key.columns.iter().map(|(column, desc)| match desc {
            true => format!("{} desc", column.name),
            false => column.name.clone(),
        });
        (words.collect::<Vec<_>>().join(" "), sample.is_told_apart_by(&key))
    }

    #[test]
    fn who_or_what_leads_then_the_time_and_then_what_tells_rows_apart() {
        for (csv, key) in [
            (calls(), "caller at desc callee"),
            (flights(), "tailnum time desc"),
            (log(), "phone opera_time desc"),
            (readings(), "device at desc"),
        ] {
            assert_eq!(guess(&csv), (key.to_owned(), true));
        }
    }

    #[test]
    fn what_is_measured_never_leads() {
        let row = |number: usize| {
            format!(
                "2024-03-01 00:{:02}:{:02},{},{},{}\n",
                number / 60,
                number % 60,
                number % 200,
                number % 7,
                number % 90
            )
        };
        let rows: String = (0..600).map(row).collect();
        assert_eq!(guess(&format!("at,seconds,kind,delay\n{rows}")).0, "at desc");
        assert_eq!(guess(&format!("at,seconds,kind,user_id\n{rows}")).0, "user_id at desc");
        let twice = "user_id,at,seconds,degrees\n7,2024-03-01 00:00:00,5,1.5\n7,2024-03-01 00:00:00,6,2.5\n\
                     8,2024-03-01 00:00:00,5,1.5\n8,2024-03-01 00:00:01,5,1.5\n";
        assert_eq!(guess(twice), ("user_id at desc seconds".to_owned(), true), "identifiers do not suffice");
    }

    #[test]
    fn a_number_of_the_row_does_not_lead_where_a_text_repeats() {
        let row =
            |number: usize| format!("{number},m{},{}\n", number % 5, 20_240_301_000_000_usize + number % 60);
        let rows: String = (1..200).map(row).collect();
        assert_eq!(guess(&format!("id,machine,time\n{rows}")), ("machine time desc id".to_owned(), true));
        assert_eq!(guess("id,delay\n1,7\n2,7\n3,7\n4,8\n").0, "id");
    }

    #[test]
    fn without_a_repeated_value_rows_are_told_by_their_own() {
        let calls = "at,kind,phone\n1586131200001,x,13800138000\n1586131200002,x,13900139000\n";
        assert_eq!(guess(calls).0, "phone at desc", "the next call is of one of them");
        assert_eq!(guess("n,id\n1,7\n1,8\n"), ("id".to_owned(), true));
        assert_eq!(guess("n,m\n1,7\n"), ("n".to_owned(), true));
    }

    #[test]
    fn columns_that_tell_nothing_or_lack_values_are_left_out() {
        assert_eq!(guess("a,b,c,d\n1,1,x,0.5\n1,1,,0.25\n2,1,y,0.125\n"), ("a".to_owned(), false));
        assert_eq!(guess("a,d\nNA,1\n2,\n"), (String::new(), false));
    }
}
