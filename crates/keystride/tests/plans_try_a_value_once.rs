//! What a plan tries one by one is not multiplied by what does not depend on it, and many ranges are looked at quickly.

use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, Planner, Predicate};

/// Buckets of fields with few values, some of which are tried at every place of the key and none of which is given.
const BUCKETS_OF_FEW: &str = r#"
format = 1
[table]
name = "t"
families = ["f"]
[fields]
aa = { type = "string", max_len = 3, alphabet = "a-c", default = "-" }
bb = { type = "time", format = "yyyyMMdd", min = 1584230400000, max = 1621468800000 }
cc = { type = "string", max_len = 3, alphabet = "a-c", default = "-a" }
bb_of = { from = "floor(bb,1mo)", default = "20210520" }
[key]
parts = [
  { field = "aa" },
  { bucket = 1, hash = "murmur3", of = ["left(aa,1)"], width = 1, base = 10 },
  { bucket = 3, hash = "java-string", of = ["left(cc,1)"], width = 1, base = 10 },
  { field = "bb_of" },
  { bucket = 7, hash = "hbasewd", of = ["cc", "bb"], width = 1, base = "byte" },
]
"#;

#[test]
fn a_plan_with_several_buckets_of_few_values_is_made_at_once() {
    let planner = Planner::new(&KeyCodec::new(Design::from_toml(BUCKETS_OF_FEW).unwrap()));
    let parts = |text: &str| {
        let predicate = Predicate::parse(text, planner.codec().design()).unwrap();
        let plan = planner.plan(Some(&predicate), PlanOrder::Any).unwrap();
        (plan.ranges.len(), plan.buckets.len())
    };
    // A range for each value of `aa` and bucket of `cc`; each value of `aa` comes to its own bucket and to that of `cc`.
    assert_eq!(parts("floor(bb,1mo) != '20210520'"), (40 * 3, 40 * 2));
    assert_eq!(parts("bb_of != '20210520'"), (40 * 3, 40 * 2));
    assert_eq!(parts("aa like 'cc%' or floor(bb,1mo) != '20210520'").1, 40 * 2);
}

#[test]
fn many_ranges_behind_which_a_time_has_a_default_are_looked_up_at_once() {
    let toml = r#"
format = 1
[table]
name = "t"
families = ["f"]
[fields]
aa = { type = "int", min = 0, max = 2 }
bb = { type = "string", max_len = 3, alphabet = "a-c" }
cc = { type = "time", unit = "ms" }
cc_of = { from = "floor(cc,7d)", default = "1586134800000" }
[key]
parts = [
  { field = "aa" },
  { text = "!" },
  { field = "bb" },
  { text = "!" },
  { bucket = 130, hash = "phoenix", of = ["cc_of"], base = "byte" },
  { field = "cc_of" },
]
"#;
    let planner = Planner::new(&KeyCodec::new(Design::from_toml(toml).unwrap()));
    let predicate = Predicate::parse("cc_of <= 1586131200000", planner.codec().design()).unwrap();
    let plan = planner.plan(Some(&predicate), PlanOrder::Any).unwrap();
    // A range for each value of `aa` and `bb`, and bucket.
    assert_eq!(plan.ranges.len(), 3 * 39 * 130);
}
