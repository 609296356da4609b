use keystride::hash::md5;
use keystride::plan::PlanOrder;
use keystride::{KeyLanguage, Planner, Predicate, SplitPoints};
use serde_json::{Value, json};

use crate::fields::{is_refused, text, texts};
use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, same, to_hex};

const BUCKET: &str = "{ bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3 }";

#[test]
fn buckets_splits_and_days_are_those_of_seed_003() {
    let given = SplitPoints::new((0..17).map(|bucket| format!("{bucket:03}"))).expect("split points");
    check_file("seed-003.json", |vector| match text(vector, "case") {
        "key" => key(&given, vector),
        "splits" => splits_of_both(&given, vector),
        "day" => day(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

/// The rest of the key as one text, as vectors hold texts of any shape.
fn key(given: &SplitPoints, vector: &Value) -> Outcome {
    let recipe = Recipe::new("row = { type = \"string\" }", &format!("{BUCKET}, {{ field = \"row\" }}"));
    let row = text(vector, "row");
    let ours = recipe.key(&[row]).expect("every text has a key");
    let read = recipe.decode(&ours).ok();
    if read != recipe.row(&[row]).ok() {
        return Outcome::Failed(format!("decoded {read:?}"));
    }
    let [bucket, whole] = [&ours[..3], &ours].map(String::from_utf8_lossy);
    let facts = json!([to_hex(&md5(row.as_bytes())), bucket, whole, given.region_of(&ours)]);
    same(&facts, &json!([vector["md5"], vector["bucket"], vector["key"], vector["region"]]))
}

/// One region a bucket takes 15 points; the seed's list has two more, for regions that stay empty.
fn splits_of_both(given: &SplitPoints, vector: &Value) -> Outcome {
    let regions = usize::try_from(vector["regions"].as_u64().expect("regions")).expect("a count");
    let listed = logs(&format!("[split]\nby = \"list\"\npoints = {}", vector["given"])).split_points();
    let needed = SplitPoints::new(texts(vector, "needed")).expect("split points");
    let ours = (given, given.region_count(), logs("[split]\nby = \"bucket\"").split_points());
    same(&ours, &(&listed, regions, needed))
}

/// One range a bucket, which holds the keys that the seed's range holds.
fn day(vector: &Value) -> Outcome {
    let logs = logs("");
    let (design, language) = (logs.codec().design(), KeyLanguage::new(logs.codec()));
    if is_refused(vector) {
        let question = format!("opera_time >= '{}000000'", text(vector, "day"));
        return same(&Predicate::parse(&question, design).is_err(), &true);
    }
    if text(vector, "day").starts_with("0000") {
        return Outcome::NotApplicable("a time before year 1 is refused");
    }
    let pairs: Vec<[&str; 2]> = vector["ranges"].as_array().expect("ranges").iter().map(pair).collect();
    let [from, to] = pairs[0].map(|bound| &bound[3..]);
    let predicate = format!("opera_time >= '{from}000000' and opera_time < '{to}000000'");
    let predicate = Predicate::parse(&predicate, design).expect("a predicate");
    let plan = Planner::new(logs.codec()).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
    let first = |bound: &[u8]| language.first_at_or_after(bound);
    let ours = plan
        .ranges
        .iter()
        .map(|planned| [first(planned.range.start()), planned.range.stop().and_then(first)]);
    let theirs = pairs.iter().map(|bounds| bounds.map(|bound| first(bound.as_bytes())));
    let buckets: Vec<Option<u32>> = plan.ranges.iter().map(|planned| planned.bucket).collect();
    let ours = (ours.collect::<Vec<_>>(), buckets, &plan.filter, from);
    same(&ours, &(theirs.collect(), (0..16).map(Some).collect(), &None, text(vector, "day")))
}

fn pair(bounds: &Value) -> [&str; 2] {
    [0, 1].map(|index| bounds[index].as_str().expect("a bound"))
}

fn logs(split: &str) -> Recipe {
    let fields = "opera_time = { type = \"time\", format = \"yyyyMMddHHmmss\" }\n\
                  phone = { type = \"digits\", len = 11 }\nrec_id = { type = \"string\" }";
    let parts =
        format!("{BUCKET}, {{ field = \"opera_time\" }}, {{ field = \"phone\" }}, {{ field = \"rec_id\" }}");
    Recipe::read(fields, &parts, split).expect("a design")
}
