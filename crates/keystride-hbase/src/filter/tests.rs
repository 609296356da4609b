//! Filters and comparators on the wire.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use prost::Message;

use super::*;
use crate::proto::CompareType;
use crate::proto::bit_comparator::BitwiseOp;
use crate::proto::filter_list::Operator;

const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

fn owned(bytes: &[u8]) -> Bytes {
    Bytes::copy_from_slice(bytes)
}

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn some(bytes: &[u8]) -> Option<Bytes> {
    Some(owned(bytes))
}

/// Checks the class of a filter and its decoded message.
#[track_caller]
fn check<M: Message + Default + PartialEq + fmt::Debug>(filter: &Filter, class: &str, expected: &M) {
    let message = proto::Filter::decode(filter.to_proto().encode_to_vec().as_slice()).unwrap();
    assert_eq!(message.name, format!("{PACKAGE}{class}"));
    assert_eq!(filter.class(), message.name);
    assert_eq!(M::decode(message.serialized_filter.unwrap()).unwrap(), *expected, "{class}");
}

#[track_caller]
fn check_comparator<M: Message + Default + PartialEq + fmt::Debug>(
    comparator: &Comparator,
    class: &str,
    expected: &M,
) {
    let message =
        proto::Comparator::decode(comparator.clone().into_proto().encode_to_vec().as_slice()).unwrap();
    assert_eq!(message.name, format!("{PACKAGE}{class}"));
    assert_eq!(M::decode(message.serialized_comparator.unwrap()).unwrap(), *expected, "{class}");
}

fn less_than_v() -> proto::CompareFilter {
    proto::CompareFilter {
        compare_op: CompareType::Less.into(),
        comparator: Some(Comparator::binary("v").into_proto()),
    }
}

fn of_v(filter: fn(Compare, Comparator) -> Filter) -> Filter {
    filter(Compare::Less, Comparator::binary("v"))
}

#[test]
fn a_prefix_is_hbases_bytes() {
    let golden = "0a2b6f72672e6170616368652e6861646f6f702e68626173652e66696c7465722e50726566697846696c746572\
                  12040a026162";
    assert_eq!(HEXLOWER.encode(&Filter::prefix("ab").to_proto().encode_to_vec()), golden);
}

#[test]
fn filters_of_rows_travel_whole() {
    let compare_filter = less_than_v();
    check(&of_v(Filter::row), "RowFilter", &proto::RowFilter { compare_filter });
    check(&Filter::prefix("ab"), "PrefixFilter", &proto::PrefixFilter { prefix: some(b"ab") });
    let stop_row_key = some(b"z");
    check(&Filter::inclusive_stop("z"), "InclusiveStopFilter", &proto::InclusiveStopFilter { stop_row_key });
    check(&Filter::page(10), "PageFilter", &proto::PageFilter { page_size: 10 });
    check(&Filter::page(u64::MAX), "PageFilter", &proto::PageFilter { page_size: i64::MAX });
    check(&Filter::random_rows(0.25), "RandomRowFilter", &proto::RandomRowFilter { chance: 0.25 });
    // Servers don't have the class FilterAllFilter.
    assert_eq!(Filter::nothing(), Filter::all([Filter::page(0)]));
}

#[test]
fn row_ranges_are_sent_sorted_and_merged() {
    let filter = Filter::row_ranges([
        RowRange::of("m".."p"),
        RowRange::of("x"..),
        RowRange::of("b".."a"),
        RowRange::of("a".."c"),
        RowRange::of("n".."q"),
    ]);
    let range = |start: &[u8], stop: &[u8]| proto::RowRange {
        start_row: some(start),
        start_row_inclusive: Some(true),
        stop_row: some(stop),
        stop_row_inclusive: Some(false),
    };
    let row_range_list = vec![range(b"a", b"c"), range(b"m", b"q"), range(b"x", b"")];
    check(&filter, "MultiRowRangeFilter", &proto::MultiRowRangeFilter { row_range_list });
    assert_eq!(Filter::row_ranges([RowRange::of("b".."a")]), Filter::nothing());
}

#[test]
fn masks_are_0_where_fixed_and_1_where_free() {
    let row = FuzzyRow::new().fixed("ab").free(3).fixed("c");
    assert_eq!(format!("{row:?}"), "FuzzyRow(ab???c)");
    assert_eq!(row.len(), 6);
    let fixed = FuzzyRow::new().fixed("ab");
    let pair =
        |first: &[u8], second: &[u8]| proto::BytesBytesPair { first: owned(first), second: owned(second) };
    let message = proto::FuzzyRowFilter {
        fuzzy_keys_data: vec![pair(b"ab\0\0\0c", &[0, 0, 1, 1, 1, 0]), pair(b"ab", &[0, 0])],
        is_mask_v2: Some(true),
    };
    check(&Filter::fuzzy_rows([row, fixed]), "FuzzyRowFilter", &message);
    assert_eq!(Filter::fuzzy_rows([]), Filter::nothing());
}

#[test]
fn filters_of_columns_travel_whole() {
    let compare_filter = less_than_v();
    check(
        &of_v(Filter::family),
        "FamilyFilter",
        &proto::FamilyFilter { compare_filter: compare_filter.clone() },
    );
    check(&of_v(Filter::qualifier), "QualifierFilter", &proto::QualifierFilter { compare_filter });
    check(
        &Filter::column_prefix("a"),
        "ColumnPrefixFilter",
        &proto::ColumnPrefixFilter { prefix: owned(b"a") },
    );
    let sorted_prefixes = vec![owned(b"a"), owned(b"b")];
    let message = proto::MultipleColumnPrefixFilter { sorted_prefixes };
    check(&Filter::column_prefixes(["b", "a", "b"]), "MultipleColumnPrefixFilter", &message);
    let message = proto::ColumnCountGetFilter { limit: 3 };
    check(&Filter::column_count(3), "ColumnCountGetFilter", &message);
    let message = proto::ColumnPaginationFilter { limit: 3, offset: Some(6), column_offset: None };
    check(&Filter::column_page(3, 6), "ColumnPaginationFilter", &message);
    let message = proto::ColumnPaginationFilter { limit: i32::MAX, offset: None, column_offset: some(b"q") };
    check(&Filter::column_page_from(u32::MAX, "q"), "ColumnPaginationFilter", &message);
    check(&Filter::first_key_only(), "FirstKeyOnlyFilter", &proto::FirstKeyOnlyFilter {});
    let message = proto::FirstKeyValueMatchingQualifiersFilter { qualifiers: vec![owned(b"q")] };
    check(&Filter::first_key_until(["q"]), "FirstKeyValueMatchingQualifiersFilter", &message);
    check(&Filter::key_only(), "KeyOnlyFilter", &proto::KeyOnlyFilter { len_as_val: false });
    check(&Filter::key_and_length(), "KeyOnlyFilter", &proto::KeyOnlyFilter { len_as_val: true });
}

#[test]
fn ranges_of_columns_keep_their_bounds() {
    let message = |min_column, min_inclusive, max_column, max_inclusive| proto::ColumnRangeFilter {
        min_column,
        min_column_inclusive: Some(min_inclusive),
        max_column,
        max_column_inclusive: Some(max_inclusive),
    };
    check(
        &Filter::column_range("a".."b"),
        "ColumnRangeFilter",
        &message(some(b"a"), true, some(b"b"), false),
    );
    check(&Filter::column_range(..="b"), "ColumnRangeFilter", &message(None, true, some(b"b"), true));
}

#[test]
fn timestamps_below_0_are_not_asked_for() {
    let message = |can_hint| proto::TimestampsFilter { timestamps: vec![1, 5], can_hint: Some(can_hint) };
    check(&Filter::timestamps([5, -1, 1, 5]), "TimestampsFilter", &message(false));
    check(&Filter::timestamps_by_seeking([5, 1]), "TimestampsFilter", &message(true));
}

#[test]
fn filters_by_value_travel_whole() {
    check(&of_v(Filter::value), "ValueFilter", &proto::ValueFilter { compare_filter: less_than_v() });
    let comparator = Comparator::binary("v");
    let message = proto::ColumnValueFilter {
        family: owned(b"f"),
        qualifier: owned(b"q"),
        compare_op: CompareType::Greater.into(),
        comparator: comparator.clone().into_proto(),
    };
    let filter = Filter::column_value("f", "q", Compare::Greater, comparator.clone());
    check(&filter, "ColumnValueFilter", &message);

    let test = ColumnTest::new("f", "q", Compare::NotEqual, comparator.clone());
    let message = proto::SingleColumnValueFilter {
        column_family: some(b"f"),
        column_qualifier: some(b"q"),
        compare_op: CompareType::NotEqual.into(),
        comparator: comparator.into_proto(),
        filter_if_missing: Some(false),
        latest_version_only: Some(true),
    };
    check(&Filter::single_column_value(test.clone()), "SingleColumnValueFilter", &message);
    let test = ColumnTest { keep_if_missing: false, latest_version_only: false, ..test };
    let message = proto::SingleColumnValueFilter {
        filter_if_missing: Some(true),
        latest_version_only: Some(false),
        ..message
    };
    let message = proto::SingleColumnValueExcludeFilter { single_column_value_filter: message };
    check(&Filter::single_column_value_exclude(test), "SingleColumnValueExcludeFilter", &message);
}

#[test]
fn a_dependent_column_compares_only_if_asked_to() {
    let column = DependentColumn::new("f", "q");
    let message = proto::DependentColumnFilter {
        compare_filter: proto::CompareFilter { compare_op: CompareType::NoOp.into(), comparator: None },
        column_family: some(b"f"),
        column_qualifier: some(b"q"),
        drop_dependent_column: Some(false),
    };
    check(&Filter::dependent_column(column.clone()), "DependentColumnFilter", &message);
    let value = Some((Compare::Less, Comparator::binary("v")));
    let column = DependentColumn { value, drop_column: true, ..column };
    let message = proto::DependentColumnFilter {
        compare_filter: less_than_v(),
        drop_dependent_column: Some(true),
        ..message
    };
    check(&Filter::dependent_column(column), "DependentColumnFilter", &message);
}

#[test]
fn filters_of_filters_travel_whole() {
    let (a, b) = (Filter::prefix("a"), Filter::page(1));
    let filters = vec![a.to_proto(), b.to_proto()];
    let list = |operator: Operator| proto::FilterList { operator: operator.into(), filters: filters.clone() };
    check(&Filter::all([a.clone(), b.clone()]), "FilterList", &list(Operator::MustPassAll));
    check(&Filter::any([a.clone(), b]), "FilterList", &list(Operator::MustPassOne));
    let filter = a.to_proto();
    check(&Filter::skip(a.clone()), "SkipFilter", &proto::SkipFilter { filter: filter.clone() });
    check(&Filter::while_match(a), "WhileMatchFilter", &proto::WhileMatchFilter { filter });
    assert_eq!(Filter::any([]), Filter::nothing());
}

#[test]
fn comparators_travel_whole() {
    let comparable = |value: &[u8]| proto::ByteArrayComparable { value: some(value) };
    let v = || comparable(b"v");
    let message = proto::BinaryComparator { comparable: v() };
    check_comparator(&Comparator::binary("v"), "BinaryComparator", &message);
    let message = proto::BinaryPrefixComparator { comparable: v() };
    check_comparator(&Comparator::binary_prefix("v"), "BinaryPrefixComparator", &message);
    let message = proto::BinaryComponentComparator { value: owned(b"v"), offset: 4 };
    check_comparator(&Comparator::binary_component("v", 4), "BinaryComponentComparator", &message);
    let message = proto::LongComparator { comparable: comparable(&[0xff; 8]) };
    check_comparator(&Comparator::long(-1), "LongComparator", &message);
    let message = proto::BigDecimalComparator { comparable: comparable(&[0, 0, 0, 1, 15]) };
    check_comparator(&Comparator::big_decimal(15, 1), "BigDecimalComparator", &message);
    for (join, op) in
        [(BitJoin::And, BitwiseOp::And), (BitJoin::Or, BitwiseOp::Or), (BitJoin::Xor, BitwiseOp::Xor)]
    {
        let message = proto::BitComparator { comparable: v(), bitwise_op: op.into() };
        check_comparator(&Comparator::bits("v", join), "BitComparator", &message);
    }
    check_comparator(&Comparator::null(), "NullComparator", &proto::NullComparator {});
    let message = proto::SubstringComparator { substr: "V".into() };
    check_comparator(&Comparator::substring("V"), "SubstringComparator", &message);
}

#[test]
fn a_regex_carries_flags_charset_and_engine() {
    let message = |pattern_flags, charset: &str, engine: &str| proto::RegexStringComparator {
        pattern: "a.b".into(),
        pattern_flags,
        charset: charset.into(),
        engine: Some(engine.into()),
    };
    let regex = Regex::new("a.b");
    check_comparator(
        &Comparator::regex(regex.clone()),
        "RegexStringComparator",
        &message(32, "UTF-8", "JAVA"),
    );
    let regex = regex
        .with_flags(RegexFlags::CASE_INSENSITIVE | RegexFlags::MULTILINE)
        .with_text(RegexText::Latin1)
        .with_engine(RegexEngine::Joni);
    check_comparator(&Comparator::regex(regex), "RegexStringComparator", &message(10, "ISO-8859-1", "JONI"));
}

#[test]
fn classes_of_ones_own_travel_as_given() {
    let filter = Filter::custom("com.example.Mine", [1, 2]).to_proto();
    let expected = proto::Filter { name: "com.example.Mine".into(), serialized_filter: some(&[1, 2]) };
    assert_eq!(filter, expected);
    let comparator = Comparator::custom("com.example.Mine", [3]).into_proto();
    let expected = proto::Comparator { name: "com.example.Mine".into(), serialized_comparator: some(&[3]) };
    assert_eq!(comparator, expected);
}

#[test]
fn compares_have_hbases_numbers() {
    let all = [
        Compare::Less,
        Compare::LessOrEqual,
        Compare::Equal,
        Compare::NotEqual,
        Compare::GreaterOrEqual,
        Compare::Greater,
    ];
    assert_eq!(all.map(Compare::code), [0, 1, 2, 3, 4, 5]);
    assert_eq!(all.map(Compare::reversed).map(Compare::code), [5, 4, 2, 3, 1, 0]);
}
