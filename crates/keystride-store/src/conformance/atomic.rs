//! Increments, appends and conditional changes behave like HBase's and are atomic.

use futures_util::future::join_all;
use keystride::Key;

use super::Subject;
use super::trial::{Trial, all_versions, batch_of, family, line_of};
use crate::{
    Amount, Appended, Check, Compare, Condition, Family, Filter, LATEST, Missing, MutationBatch, RowBatch,
    Selection, StoreError, TableName, TimeRange,
};

fn key(row: &str) -> Key {
    Key::new(row.as_bytes()).unwrap()
}

fn amount(name: &str, amount: i64) -> Amount<'_> {
    let (family, qualifier) = name.split_once(':').unwrap();
    Amount { family: family.as_bytes(), qualifier: qualifier.as_bytes(), amount }
}

fn appended<'a>(name: &'a str, value: &'a str) -> Appended<'a> {
    let (family, qualifier) = name.split_once(':').unwrap();
    Appended { family: family.as_bytes(), qualifier: qualifier.as_bytes(), value: value.as_bytes() }
}

fn column(name: &str, comparison: Compare, value: &str) -> Condition {
    let (of, qualifier) = name.split_once(':').unwrap();
    Condition::column(family(of), qualifier, comparison, value)
}

fn filter(name: &str, comparison: Compare, value: &str, missing: Missing) -> Filter {
    let (of, qualifier) = name.split_once(':').unwrap();
    let (family, qualifier, value) = (family(of), qualifier.into(), value.into());
    Filter::Column { family, qualifier, comparison, value, missing }
}

/// A row of numbers as `family:qualifier=number …`.
fn numbers_of(rows: &RowBatch) -> String {
    let numbers = rows.rows().flat_map(|row| row.cells()).map(|cell| {
        let [family, qualifier] = [cell.family, cell.qualifier].map(String::from_utf8_lossy);
        format!("{family}:{qualifier}={}", i64::from_be_bytes(cell.value.try_into().unwrap()))
    });
    numbers.collect::<Vec<_>>().join(" ")
}

impl Trial<'_> {
    /// Increments row `r` and returns the resulting numbers.
    async fn increment(&self, amounts: &[Amount<'_>]) -> String {
        let row = self.store.increment(&self.table, &key("r"), amounts).await.unwrap();
        assert_eq!((row.len(), row.row(0).key()), (1, &b"r"[..]));
        numbers_of(&row)
    }

    /// Writes numbers to row `r`.
    async fn write_numbers(&self, ts: i64, numbers: &[Amount<'_>]) {
        let mut batch = MutationBatch::new();
        for number in numbers {
            batch.put(b"r", number.family, number.qualifier, ts, &number.amount.to_be_bytes()).unwrap();
        }
        self.try_write(batch).await.unwrap();
    }

    /// The newest values of row `r`.
    async fn newest(&self) -> RowBatch {
        self.store.get(&self.table, &[b"r"], &Selection::default()).await.unwrap()
    }

    /// Appends to row `r` and returns the resulting values.
    async fn append(&self, values: &[Appended<'_>]) -> String {
        let row = self.store.append(&self.table, &key("r"), values).await.unwrap();
        assert_eq!(row.len(), 1);
        values_of(&row)
    }

    async fn try_check(&self, check: Check, lines: &[&str]) -> Result<bool, StoreError> {
        self.store.check_and_mutate(&self.table, &check, batch_of(lines)).await
    }

    /// Changes row `r` if a condition on it holds, and returns whether it did.
    async fn check(&self, condition: Condition, lines: &[&str]) -> bool {
        self.try_check(Check::of(key("r"), condition), lines).await.unwrap()
    }

    /// Whether a condition on row `r` holds. If it does, one more column is written.
    async fn holds(&self, condition: Condition) -> bool {
        self.check_holds(Check::of(key("r"), condition)).await
    }

    async fn check_holds(&self, check: Check) -> bool {
        let before = self.newest().await.cell_count();
        let is_applied = self.try_check(check, &[&format!("put r b:{before} 1 holds")]).await.unwrap();
        let after = self.newest().await.cell_count();
        assert_eq!(after - before, usize::from(is_applied), "what is said to be applied is");
        is_applied
    }

    /// The comparisons of a column with a value that hold.
    async fn holding(&self, name: &str, value: &str) -> Vec<Compare> {
        let mut holding = Vec::new();
        for comparison in Compare::ALL {
            if self.holds(column(name, comparison, value)).await {
                holding.push(comparison);
            }
        }
        holding
    }
}

fn values_of(rows: &RowBatch) -> String {
    let values = rows.rows().flat_map(|row| row.cells()).map(|cell| {
        let [family, qualifier, value] =
            [cell.family, cell.qualifier, cell.value].map(String::from_utf8_lossy);
        format!("{family}:{qualifier}={value}")
    });
    values.collect::<Vec<_>>().join(" ")
}

/// A missing counter starts at 0 and can be incremented or decremented.
pub async fn a_counter_counts_from_nothing(subject: Subject<'_>) {
    let trial = Trial::new(subject, "count_new").await;
    assert_eq!(trial.increment(&[amount("a:n", 5)]).await, "a:n=5");
    assert_eq!(trial.increment(&[amount("a:", -3)]).await, "a:=-3");
    assert_eq!(numbers_of(&trial.newest().await), "a:=-3 a:n=5");
}

/// An increment adds to the newest value and returns what is read afterwards.
pub async fn an_increment_adds_to_what_is_there(subject: Subject<'_>) {
    let trial = Trial::new(subject, "count_on").await;
    trial.write_numbers(1, &[amount("a:n", 1_000)]).await;
    trial.write_numbers(2, &[amount("a:n", 40), amount("a:other", 7)]).await;
    assert_eq!(trial.increment(&[amount("a:n", 2)]).await, "a:n=42");
    assert_eq!(trial.increment(&[amount("a:n", -50)]).await, "a:n=-8");
    let row = subject.store.increment(&trial.table, &key("r"), &[amount("a:n", 8)]).await.unwrap();
    let newest = trial.newest().await;
    assert_eq!(row.row(0).cells().next(), newest.row(0).cell(b"a", b"n"));
    assert_eq!(numbers_of(&newest), "a:n=0 a:other=7");
}

/// An amount of 0 does not change a number, but returns it.
pub async fn an_amount_of_nothing_reads_the_number(subject: Subject<'_>) {
    let trial = Trial::new(subject, "count_zero").await;
    trial.write_numbers(1, &[amount("a:n", 42)]).await;
    assert_eq!(trial.increment(&[amount("a:n", 0), amount("a:new", 0)]).await, "a:n=42 a:new=0");
    assert_eq!(trial.increment(&[amount("a:n", 1)]).await, "a:n=43");
}

/// Sums wrap around at the largest and the smallest number.
pub async fn a_sum_out_of_bounds_wraps_around(subject: Subject<'_>) {
    let trial = Trial::new(subject, "count_wrap").await;
    trial.write_numbers(1, &[amount("a:high", i64::MAX), amount("a:low", i64::MIN)]).await;
    let wrapped = trial.increment(&[amount("a:high", 1), amount("a:low", -1)]).await;
    assert_eq!(wrapped, format!("a:high={} a:low={}", i64::MIN, i64::MAX));
}

/// An increment of a value that is not a number is rejected, and none of its columns is changed.
pub async fn a_value_that_is_no_number_is_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "count_text").await;
    trial.write_numbers(1, &[amount("a:n", 1), amount("b:n", 1)]).await;
    trial.write(&["put r a:text 1 seven_b", "put r a:empty 1", "put r a:nine 1 nine_byte"]).await;
    let before = trial.all().await;
    for (name, bytes) in [("a:text", 7), ("a:empty", 0), ("a:nine", 9)] {
        let amounts = [amount("a:n", 1), amount(name, 1), amount("b:n", 1)];
        let refused = subject.store.increment(&trial.table, &key("r"), &amounts).await;
        let Err(StoreError::NotANumber { row, len, .. }) = refused else { panic!("{name}: {refused:?}") };
        assert_eq!((row, len), (key("r"), bytes), "{name}");
    }
    assert_eq!(trial.all().await, before);
}

/// Bytes are appended to the newest value; a missing column counts as empty.
pub async fn an_append_goes_behind_what_is_there(subject: Subject<'_>) {
    let trial = Trial::new(subject, "append").await;
    trial.write(&["put r a:q 1 older", "put r a:q 2 log", "put r a:empty 1", "put r a:other 1 o"]).await;
    assert_eq!(trial.append(&[appended("a:q", ",in")]).await, "a:q=log,in");
    assert_eq!(
        trial.append(&[appended("a:q", ",out"), appended("a:new", "n")]).await,
        "a:new=n a:q=log,in,out"
    );
    assert_eq!(
        trial.append(&[appended("a:empty", "e"), appended("a:q", "")]).await,
        "a:empty=e a:q=log,in,out"
    );
    assert_eq!(values_of(&trial.newest().await), "a:empty=e a:new=n a:other=o a:q=log,in,out");
}

/// Columns of several families change at once and are returned in cell order.
pub async fn several_families_change_at_once(subject: Subject<'_>) {
    let trial = Trial::new(subject, "at_once").await;
    trial.write_numbers(1, &[amount("a:y", 10), amount("b:x", 20)]).await;
    let amounts = [amount("b:x", 2), amount("a:z", 3), amount("b:", 4), amount("a:y", 1)];
    assert_eq!(trial.increment(&amounts).await, "a:y=11 a:z=3 b:=4 b:x=22");
    assert_eq!(numbers_of(&trial.newest().await), "a:y=11 a:z=3 b:=4 b:x=22");
    let row = key("s");
    let values = [appended("b:q", "two"), appended("a:q", "one")];
    let row = subject.store.append(&trial.table, &row, &values).await.unwrap();
    assert_eq!(values_of(&row), "a:q=one b:q=two");
}

/// Deleted and expired values do not count.
pub async fn only_what_is_visible_counts(subject: Subject<'_>) {
    let families = [
        Family { versions: 10, ..Family::new(family("a")) },
        Family { ttl_seconds: Some(3_600), ..Family::new(family("b")) },
    ];
    let trial = Trial::with_families(subject, "seen", families, &[]).await;
    trial.write_numbers(1, &[amount("a:back", 10), amount("a:gone", 10)]).await;
    trial.write_numbers(2, &[amount("a:back", 20), amount("a:gone", 20)]).await;
    trial.write(&["delete r a:back 2", "delete_column r a:gone 2"]).await;
    trial.write_numbers(trial.now_ms - 7_200_000, &[amount("b:over", 10)]).await;
    trial.write_numbers(trial.now_ms - 600_000, &[amount("b:live", 10)]).await;
    assert!(trial.check(Condition::absent(family("b"), "over"), &["put r a:checked 1 v"]).await);
    assert!(trial.check(Condition::absent(family("a"), "gone"), &["put r a:checked 2 v"]).await);
    let amounts = [amount("a:back", 1), amount("a:gone", 1), amount("b:live", 1), amount("b:over", 1)];
    assert_eq!(trial.increment(&amounts).await, "a:back=11 a:gone=1 b:live=11 b:over=1");
    trial.write(&["put s a:q 1 hidden", "delete_family s a 1"]).await;
    let row = subject.store.append(&trial.table, &key("s"), &[appended("a:q", "v")]).await.unwrap();
    assert_eq!(values_of(&row), "a:q=v");
}

/// A new value is the newest, even if the old one has a future timestamp; the old one stays as a version.
pub async fn a_new_value_is_the_newest(subject: Subject<'_>) {
    let trial = Trial::new(subject, "newest_value").await;
    let later = trial.now_ms + 3_600_000;
    trial.write_numbers(later, &[amount("a:n", 1)]).await;
    for number in 2..5 {
        assert_eq!(trial.increment(&[amount("a:n", 1)]).await, format!("a:n={number}"));
        assert_eq!(numbers_of(&trial.newest().await), format!("a:n={number}"));
    }
    let versions = subject.store.get(&trial.table, &[b"r"], &all_versions()).await.unwrap();
    let times: Vec<i64> = versions.row(0).cells().map(|cell| cell.ts - later).collect();
    assert_eq!(times, [3, 2, 1, 0]);
}

/// A condition compares the stored value with the given one, in that order, as unsigned bytes.
pub async fn a_condition_compares_stored_with_given(subject: Subject<'_>) {
    let trial = Trial::new(subject, "compared").await;
    trial.write(&["put r a:n 1 3", "put r a:n 2 2", "put r a:empty 1"]).await;
    let less = [Compare::Less, Compare::LessOrEqual, Compare::NotEqual];
    let equal = [Compare::LessOrEqual, Compare::Equal, Compare::GreaterOrEqual];
    let greater = [Compare::NotEqual, Compare::GreaterOrEqual, Compare::Greater];
    for given in ["22", "3", "\u{80}"] {
        assert_eq!(trial.holding("a:n", given).await, less, "2 is before {given}");
    }
    assert_eq!(trial.holding("a:n", "2").await, equal);
    assert_eq!(trial.holding("a:n", "1").await, greater);
    assert_eq!(trial.holding("a:empty", "2").await, less);
}

/// No comparison of a missing column with a value holds, not even `NotEqual`.
pub async fn a_missing_column_compares_with_no_value(subject: Subject<'_>) {
    let trial = Trial::new(subject, "incomparable").await;
    assert_eq!(trial.holding("a:n", "2").await, [], "there is no row");
    trial.write(&["put r a:other 1 2"]).await;
    assert_eq!(trial.holding("a:n", "2").await, [], "there is no column");
}

/// An empty given value tests for a non-empty value; a missing column is like one with an empty value.
pub async fn an_empty_given_value_asks_whether_there_is_any(subject: Subject<'_>) {
    let trial = Trial::new(subject, "any_value").await;
    trial.write(&["put r a:n 1 2", "put r a:empty 1"]).await;
    let but_not_equal: Vec<_> =
        Compare::ALL.into_iter().filter(|comparison| *comparison != Compare::NotEqual).collect();
    for name in ["a:missing", "a:empty"] {
        assert_eq!(trial.holding(name, "").await, but_not_equal, "{name}");
    }
    assert_eq!(trial.holding("a:n", "").await, [Compare::NotEqual]);
    let (a, absent) = (family("a"), |name: &str| Condition::absent(family("a"), name));
    assert!(trial.holds(absent("missing")).await && trial.holds(absent("empty")).await);
    assert!(trial.holds(Condition::present(a.clone(), "n")).await && !trial.holds(absent("n")).await);
    assert!(trial.holds(Condition::equals(a, "n", "2")).await);
}

/// A condition can be a filter over all columns of the row, which must have at least one.
pub async fn a_condition_can_be_a_filter(subject: Subject<'_>) {
    let trial = Trial::new(subject, "filtered").await;
    let equal = |name, value, missing| filter(name, Compare::Equal, value, missing);
    let lenient = Condition::Filter(equal("a:n", "2", Missing::Passes));
    assert!(!trial.holds(lenient.clone()).await, "there is no row");
    trial.write(&["put r a:n 1 3", "put r a:n 2 2", "put r b:m 1 x"]).await;
    assert!(trial.holds(lenient).await);
    let both = |value| {
        let conditions =
            ["a:n", "b:m"].map(|name| equal(name, if name == "a:n" { "2" } else { value }, Missing::Fails));
        Condition::Filter(Filter::All(conditions.into()))
    };
    assert!(trial.holds(both("x")).await);
    assert!(!trial.holds(both("y")).await);
    assert!(!trial.holds(Condition::Filter(equal("a:n", "3", Missing::Passes))).await, "an older version");
    assert!(!trial.holds(Condition::Filter(equal("a:other", "2", Missing::Fails))).await);
    assert!(trial.holds(Condition::Filter(equal("a:other", "2", Missing::Passes))).await);
}

/// A condition can be restricted to a range of timestamps; other cells are treated as absent.
pub async fn a_condition_can_look_at_some_timestamps_only(subject: Subject<'_>) {
    let trial = Trial::new(subject, "timed").await;
    trial.write(&["put r a:n 10 old", "put r a:n 20 new"]).await;
    let at = |min_ms, max_ms, value| Check {
        times: TimeRange { min_ms, max_ms },
        ..Check::of(key("r"), column("a:n", Compare::Equal, value))
    };
    assert!(trial.check_holds(at(10, 20, "old")).await);
    assert!(!trial.check_holds(at(10, 20, "new")).await);
    assert!(trial.check_holds(at(20, i64::MAX, "new")).await);
    assert!(trial.check_holds(at(11, 20, "")).await);
    let filter = |min_ms, max_ms| Check {
        times: TimeRange { min_ms, max_ms },
        ..Check::of(key("r"), Condition::Filter(filter("a:n", Compare::Equal, "old", Missing::Fails)))
    };
    assert!(trial.check_holds(filter(10, 20)).await);
    assert!(!trial.check_holds(filter(10, 21)).await);
}

/// All puts and deletes are applied if the condition holds, and none if it does not.
pub async fn a_batch_is_applied_whole_or_not_at_all(subject: Subject<'_>) {
    let trial = Trial::new(subject, "whole").await;
    trial.write(&["put r a:state 1 open", "put r a:by 1 ada", "put r b:x 1 x", "put s a:state 1 open"]).await;
    let before = trial.all().await;
    let close =
        ["put r a:state 2 closed", "delete_column r a:by 2", "delete_family r b 2", "put r b:at 3 noon"];
    assert!(!trial.check(column("a:state", Compare::Equal, "shut"), &close).await);
    assert_eq!(trial.all().await, before);
    assert!(trial.check(column("a:state", Compare::Equal, "open"), &close).await);
    assert!(!trial.check(column("a:state", Compare::Equal, "open"), &close).await);
    assert_eq!(trial.all().await, ["r a:state@2=closed a:state@1=open b:at@3=noon", "s a:state@1=open"]);
}

/// A value put without a timestamp is not older than the examined cell, even if that has a future timestamp.
pub async fn a_value_is_not_older_than_what_was_looked_at(subject: Subject<'_>) {
    let trial = Trial::new(subject, "not_older").await;
    let later = trial.now_ms + 3_600_000;
    trial.write(&[&format!("put r a:state {later} open")]).await;
    let condition = column("a:state", Compare::Equal, "open");
    assert!(trial.check(condition, &["put r a:state now closed", "put r a:x 5 x"]).await);
    assert_eq!(values_of(&trial.newest().await), "a:state=closed a:x=x");
    assert!(trial.check(Condition::absent(family("a"), "new"), &["put r a:new now n"]).await);
    let newest = trial.newest().await;
    let at = |name: &[u8]| newest.row(0).cell(b"a", name).unwrap().ts;
    assert_eq!((at(b"state"), at(b"x")), (later, 5));
    assert!(at(b"new").abs_diff(trial.now_ms) < 600_000);
}

/// Mutations of rows other than the checked one are rejected, and so is an empty batch.
pub async fn mutations_of_another_row_are_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "other_row").await;
    trial.write(&["put r a:q 1 v"]).await;
    let holds = || Check::of(key("r"), Condition::present(family("a"), "q"));
    for lines in [&["put s a:q 2 w"][..], &["put r a:q 2 w", "put s a:q 2 w"]] {
        let refused = trial.try_check(holds(), lines).await;
        assert!(matches!(&refused, Err(StoreError::OtherRow { found, .. }) if found == b"s"), "{refused:?}");
    }
    let refused = trial.try_check(holds(), &[]).await;
    assert!(matches!(refused, Err(StoreError::EmptyChange { .. })), "{refused:?}");
    assert_eq!(trial.all().await, ["r a:q@1=v"]);
}

/// A change without columns, or with a repeated column, is rejected.
pub async fn no_column_and_a_column_twice_are_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "twice").await;
    let (store, table, row) = (subject.store, &trial.table, key("r"));
    let none = store.increment(table, &row, &[]).await;
    assert!(matches!(none, Err(StoreError::EmptyChange { .. })));
    let none = store.append(table, &row, &[]).await;
    assert!(matches!(none, Err(StoreError::EmptyChange { .. })));
    let twice = store.increment(table, &row, &[amount("a:n", 1), amount("b:n", 1), amount("a:n", 2)]).await;
    assert!(matches!(&twice, Err(StoreError::ColumnTwice { column, .. }) if column == "a:n"));
    let twice = store.append(table, &row, &[appended("a:n", "x"), appended("a:n", "x")]).await;
    assert!(matches!(twice, Err(StoreError::ColumnTwice { .. })));
    assert!(trial.all().await.is_empty());
}

/// An unknown table or family is rejected, whether the condition holds or not.
pub async fn an_unknown_table_or_family_is_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "nowhere").await;
    let (store, row, nowhere) = (subject.store, key("r"), TableName::new("conformance_no_table").unwrap());
    let absent = |name: &str| Check::of(key("r"), Condition::absent(family(name), "q"));
    let put = || batch_of(&["put r a:q 1 v"]);
    let refused = [
        store.increment(&nowhere, &row, &[amount("a:n", 1)]).await.map(drop),
        store.append(&nowhere, &row, &[appended("a:n", "x")]).await.map(drop),
        store.check_and_mutate(&nowhere, &absent("a"), put()).await.map(drop),
    ];
    assert!(
        refused.iter().all(|refused| matches!(refused, Err(StoreError::UnknownTable { .. }))),
        "{refused:?}"
    );
    let filter = Condition::Filter(filter("nope:q", Compare::Equal, "v", Missing::Passes));
    let present = Check::of(key("r"), Condition::present(family("a"), "q"));
    let refused = [
        store.increment(&trial.table, &row, &[amount("a:n", 1), amount("nope:n", 1)]).await.map(drop),
        store.append(&trial.table, &row, &[appended("a:n", "x"), appended("nope:n", "x")]).await.map(drop),
        store.check_and_mutate(&trial.table, &absent("nope"), put()).await.map(drop),
        store.check_and_mutate(&trial.table, &Check::of(key("r"), filter), put()).await.map(drop),
        trial.try_check(absent("a"), &["put r a:q 1 v", "put r nope:q 1 v"]).await.map(drop),
        trial.try_check(present, &["put r a:q 1 v", "put r nope:q 1 v"]).await.map(drop),
    ];
    assert!(
        refused.iter().all(|refused| matches!(refused, Err(StoreError::UnknownFamily { .. }))),
        "{refused:?}"
    );
    assert!(trial.all().await.is_empty());
}

/// A hundred concurrent increments of one counter add up, and each returns a different number.
pub async fn increments_at_once_add_up(subject: Subject<'_>) {
    let trial = Trial::new(subject, "add_up").await;
    let row = key("r");
    let increments = (0..100).map(|_| async {
        let row = subject.store.increment(&trial.table, &row, &[amount("a:n", 1), amount("b:n", 2)]).await;
        numbers_of(&row.unwrap())
    });
    let mut given = join_all(increments).await;
    given.sort_unstable();
    let mut expected: Vec<String> =
        (1..=100).map(|number| format!("a:n={number} b:n={}", number * 2)).collect();
    expected.sort_unstable();
    assert_eq!(given, expected);
    assert_eq!(numbers_of(&trial.newest().await), "a:n=100 b:n=200");
}

/// Of many concurrent puts under the same condition, exactly one is applied.
pub async fn of_many_at_once_one_wins(subject: Subject<'_>) {
    let trial = Trial::new(subject, "one_wins").await;
    let check = Check::of(key("r"), Condition::absent(family("a"), "owner"));
    let puts = (0..50).map(|who| {
        let (store, table, check) = (subject.store, &trial.table, &check);
        async move {
            let mut batch = MutationBatch::new();
            batch.put(b"r", b"a", b"owner", LATEST, who.to_string().as_bytes()).unwrap();
            store.check_and_mutate(table, check, batch).await.unwrap()
        }
    });
    let won: Vec<usize> =
        join_all(puts).await.into_iter().enumerate().filter_map(|(who, won)| won.then_some(who)).collect();
    assert_eq!(won.len(), 1, "{won:?}");
    assert_eq!(values_of(&trial.newest().await), format!("a:owner={}", won[0]));
}

/// Each operation counts as a read of its row, and as a write if it writes.
pub async fn what_depends_on_a_row_reads_and_writes_it(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "counted", &["m"]).await;
    let before = subject.store.rows_read();
    let row = subject.store.append(&trial.table, &key("a"), &[appended("a:q", "vv")]).await.unwrap();
    assert_eq!(line_of(row.row(0)).split('=').next_back(), Some("vv"));
    trial.increment(&[amount("a:x", 1), amount("b:y", 1)]).await;
    assert!(trial.check(Condition::present(family("a"), "x"), &["put r a:z 1 zz"]).await);
    assert!(!trial.check(Condition::absent(family("a"), "x"), &["put r a:z 1 zz"]).await);
    let regions = subject.store.regions(&trial.table).await.unwrap();
    let counts: Vec<_> = regions
        .iter()
        .map(|region| region.counts)
        .map(|counts| (counts.rows_written, counts.cells_written, counts.bytes_written, counts.rows_read))
        .collect();
    assert_eq!(counts, [(1, 1, 5, 1), (2, 3, 2 * 11 + 5, 3)]);
    assert_eq!(subject.store.rows_read() - before, 4);
}
