//! Decides from the first rows of a file which columns get a dictionary.

use std::collections::HashSet;
use std::hash::Hash;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};

/// Minimum sample size: fewer values say nothing about those that follow.
const LEAST_VALUES: usize = 512;

/// Maximum sample size; more rows add nothing. If one of [`ONE_REPEATS_OF`] values repeats among these, the column
/// has about 32,768 different values, and the writer gives up a dictionary of twice that number because of its size.
const MOST_ROWS: usize = 4_096;

/// A column gets no dictionary if at most one of this many values repeats an earlier one.
const ONE_REPEATS_OF: usize = 16;

/// Returns the indexes of columns that are better written without a dictionary: ids and timestamps, whose values
/// hardly repeat. A dictionary would contain each value once, be searched for each value, and be abandoned when it is
/// full.
pub(super) fn columns_without(first: &RecordBatch) -> impl Iterator<Item = usize> {
    let rows = first.num_rows().min(MOST_ROWS);
    let columns = first.columns().iter().map(move |column| column.slice(0, rows)).enumerate();
    columns.filter(|(_, column)| hardly_repeats(column)).map(|(number, _)| number)
}

fn hardly_repeats(column: &ArrayRef) -> bool {
    match column.data_type() {
        DataType::Utf8 => are_apart(column.as_string::<i32>().iter().flatten(), column),
        DataType::Binary => are_apart(column.as_binary::<i32>().iter().flatten(), column),
        DataType::FixedSizeBinary(_) => are_apart(column.as_fixed_size_binary().iter().flatten(), column),
        DataType::Int64 => numbers_are_apart::<Int64Type>(column),
        DataType::UInt64 => numbers_are_apart::<UInt64Type>(column),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            numbers_are_apart::<TimestampMillisecondType>(column)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            numbers_are_apart::<TimestampMicrosecondType>(column)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => numbers_are_apart::<TimestampNanosecondType>(column),
        _ => false,
    }
}

fn numbers_are_apart<T: ArrowPrimitiveType<Native: Eq + Hash>>(column: &ArrayRef) -> bool {
    are_apart(column.as_primitive::<T>().iter().flatten(), column)
}

/// Whether hardly any value of a column repeats an earlier one. For most columns the search ends early, because
/// values repeat soon.
fn are_apart<T: Eq + Hash + Copy>(values: impl Iterator<Item = T>, column: &ArrayRef) -> bool {
    let count = column.len() - column.null_count();
    let most = count / ONE_REPEATS_OF;
    let mut met = HashSet::new();
    count >= LEAST_VALUES && values.filter(|&value| !met.insert(value)).take(most + 1).count() <= most
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Int64Array, StringArray, TimestampMillisecondArray};

    use super::*;

    /// Which of some columns do without, of rows whose numbers are `number` of 0, 1, 2, …
    fn without(rows: i64, number: impl Fn(i64) -> i64) -> Vec<usize> {
        let numbers = || (0..rows).map(&number);
        let texts = StringArray::from_iter_values(numbers().map(|number| number.to_string()));
        let with_nulls =
            numbers().map(|number| (number % 2 == 0).then(|| number.to_string())).collect::<StringArray>();
        let columns: [(&str, ArrayRef); 5] = [
            ("texts", Arc::new(texts)),
            ("alike", Arc::new(StringArray::from_iter_values(numbers().map(|_| "x")))),
            ("numbers", Arc::new(Int64Array::from_iter_values(numbers()))),
            ("times", Arc::new(TimestampMillisecondArray::from_iter_values(numbers()))),
            ("half", Arc::new(with_nulls)),
        ];
        columns_without(&RecordBatch::try_from_iter(columns).unwrap()).collect()
    }

    #[test]
    fn values_that_hardly_repeat_need_no_dictionary() {
        const NONE: [usize; 0] = [];
        assert_eq!(without(2_000, |row| row), [0, 2, 3, 4]);
        assert_eq!(without(2_000, |row| row.min(1_900)), [0, 2, 3]);
        assert_eq!(without(2_000, |row| row % 1_800), NONE);
        assert_eq!(without(1_000, |row| row), [0, 2, 3]);
        assert_eq!(without(500, |row| row), NONE);
        assert_eq!(without(0, |row| row), NONE);
    }
}
