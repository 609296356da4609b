//! Requests for as many regions as there can be: each is answered soon, in an answer that a page can take.

use keystride::split::MAX_REGIONS;
use serde_json::{Value, json};

use super::fixture::{Answer, Console, calls};

const MIB: usize = 1 << 20;

fn demand_small(answer: &Answer) -> Value {
    assert!(answer.body.len() < 8 * MIB, "{} MiB", answer.body.len() / MIB);
    answer.done()
}

#[tokio::test]
async fn a_preview_of_many_regions_shows_the_first() {
    let console = Console::start().await;
    for (regions, design) in [(65_536, None), (65_536, Some(calls(65_536))), (MAX_REGIONS, None)] {
        let split = json!({ "by": "algorithm", "name": "UniformSplit", "regions": regions });
        let asked = json!({ "name": "t", "families": [{ "name": "f" }], "design": design, "split": split });
        let preview = demand_small(&console.post("/splits", &asked).await);
        assert_eq!(preview["region_count"], regions);
        assert_eq!(preview["points"].as_array().unwrap().len(), 2_000);
        assert_eq!(preview["regions"].as_array().unwrap().len(), 2_000);
    }
}

#[tokio::test]
async fn more_regions_than_a_design_can_judge_soon_are_refused() {
    let console = Console::start().await;
    let split = json!({ "by": "algorithm", "name": "UniformSplit", "regions": MAX_REGIONS });
    let answer = console.post("/splits", &json!({ "design": calls(16), "split": split })).await;
    answer.demand_refused(422, "too-many-regions");
}

#[tokio::test]
async fn a_long_list_is_read_and_what_is_wrong_is_counted() {
    let console = Console::start().await;
    let preview = async |points: String| {
        let split = json!({ "by": "list", "form": "text", "points": points });
        console.post("/splits", &json!({ "split": split })).await
    };
    let many = |rows: usize| (0..rows).map(|n| format!("{n:07}\n")).collect::<Vec<_>>().concat();
    let right = demand_small(&preview(many(100_000)).await);
    assert_eq!((&right["region_count"], &right["problem_count"]), (&100_001.into(), &0.into()));
    preview(many(MAX_REGIONS)).await.demand_refused(422, "splits");
    let wrong = demand_small(&preview("a\n".repeat(1_000_000)).await);
    assert_eq!((&wrong["region_count"], &wrong["problem_count"]), (&2.into(), &999_999.into()));
    assert!(wrong["problems"].as_array().unwrap().len() <= 2_000);
}
