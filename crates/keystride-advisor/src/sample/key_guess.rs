//! The key of a new design when none is asked for.

#![expect(clippy::disallowed_types, reason = "values are only counted")]

use std::collections::HashSet;

use super::{Column, Kind, Sample};

/// The key of a new design.
#[derive(Debug, Clone, Default)]
pub struct SampleKey<'a> {
    /// Its columns, each with whether it sorts backwards.
    pub columns: Vec<(&'a Column, bool)>,
}

impl Sample {
    /// Returns a key that begins with what rows are about: of the columns whose values occur in several rows, the one with
    /// the most values. A time follows, newest first, then the columns that tell more rows apart, those with the most values
    /// first. Columns that lack a value in some row are left out; so are fractions.
    pub fn guessed_key(&self) -> SampleKey<'_> {
        let is_whole = |column: &&Column| column.values.iter().all(|value| !value.is_empty());
        let (times, others): (Vec<&Column>, Vec<&Column>) =
            self.columns.iter().filter(is_whole).partition(|column| is_time(column));
        let mut others: Vec<(usize, &Column)> = others
            .into_iter()
            .filter(|column| !matches!(column.kind, Kind::Number | Kind::Bool))
            .map(|column| (distinct(&[(column, false)], self), column))
            .collect();
        // The sort is stable: of two columns with as many values, the first in the file comes first.
        others.sort_by_key(|(values, _)| std::cmp::Reverse(*values));
        let is_subject = |values: usize| values > 1 && values < self.row_count;
        let subject = others.iter().position(|(values, _)| is_subject(*values));
        let mut key: Vec<_> = subject.map(|at| (others.remove(at).1, false)).into_iter().collect();
        key.extend(times.first().map(|time| (*time, true)));
        let mut told_apart = if key.is_empty() { 0 } else { distinct(&key, self) };
        for (_, column) in others {
            key.push((column, false));
            match distinct(&key, self) {
                more if more > told_apart => told_apart = more,
                _ => drop(key.pop()),
            }
        }
        SampleKey { columns: key }
    }

    /// Whether no two rows of the sample have the same values in the columns of a key.
    pub fn is_told_apart_by(&self, key: &SampleKey<'_>) -> bool {
        distinct(&key.columns, self) == self.row_count
    }
}

fn distinct(key: &[(&Column, bool)], sample: &Sample) -> usize {
    let values = |row: usize| key.iter().map(|(column, _)| column.values[row].as_str()).collect::<Vec<_>>();
    (0..sample.row_count).map(values).collect::<HashSet<_>>().len()
}

fn is_time(column: &Column) -> bool {
    matches!(column.kind, Kind::Epoch(_) | Kind::Pattern(_) | Kind::Iso8601 { .. })
}

#[cfg(test)]
mod tests {
    use super::super::SampleReader;

    fn guess(csv: &str) -> (String, bool) {
        let mut rows = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = rows.next().unwrap();
        let mut reader = SampleReader::new(&header);
        for row in rows {
            reader.add(header.iter().map(String::as_str).zip(row.iter().map(String::as_str)));
        }
        let sample = reader.finish();
        let key = sample.guessed_key();
        let words: Vec<&str> = key.columns.iter().map(|(column, _)| column.name.as_str()).collect();
        (words.join(" "), sample.is_told_apart_by(&key))
    }

    #[test]
    fn what_rows_are_about_leads_and_the_time_follows() {
        let calls = "at,kind,call,phone\n\
                     1586131200001,x,1,13800138000\n1586131200002,x,2,13800138000\n1586131200003,y,3,13900139000\n";
        assert_eq!(guess(calls), ("kind at".to_owned(), true), "the first of two with as many values");
        let more = format!("{calls}1586131200004,y,4,13700137000\n1586131200004,y,5,13700137000\n");
        assert_eq!(guess(&more), ("phone at call".to_owned(), true));
    }

    #[test]
    fn without_a_repeated_value_rows_are_told_by_their_own() {
        assert_eq!(guess("n,id\n1,7\n1,8\n"), ("id".to_owned(), true));
        assert_eq!(guess("n,id\n1,7\n"), ("n".to_owned(), true));
    }

    #[test]
    fn columns_that_tell_nothing_or_lack_values_are_left_out() {
        assert_eq!(guess("a,b,c,d\n1,1,x,0.5\n1,1,,0.25\n2,1,y,0.125\n"), ("a".to_owned(), false));
        assert_eq!(guess("a,d\nNA,1\n2,\n"), (String::new(), false));
    }
}
