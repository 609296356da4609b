//! A table that is made is the one that was previewed, on each store.

use std::sync::Arc;

use keystride_store::{EmbeddedOptions, EmbeddedStore, Store};
use serde_json::{Value, json};

use super::fixture::{Console, calls, memory};

/// A console over each store, and the folder of one of them.
async fn consoles() -> (Vec<Console>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let embedded = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap();
    let stores: [Arc<dyn Store>; 2] = [memory(), Arc::new(embedded)];
    let mut consoles = Vec::new();
    for store in stores {
        let allow = |options: &mut keystride_console::Options| options.allow_write = true;
        consoles.push(Console::serve(store, ([127, 0, 0, 1], 0).into(), allow).await);
    }
    (consoles, folder)
}

/// The starts of a table's regions, without the first, which is open.
async fn starts(console: &Console, table: &str) -> Vec<Value> {
    let regions = console.get(&format!("/tables/{table}/regions")).await.done();
    let regions = regions["regions"].as_array().unwrap();
    regions.iter().skip(1).map(|region| region["start"].clone()).collect()
}

fn escaped(preview: &Value) -> Vec<Value> {
    preview["points"].as_array().unwrap().iter().map(|point| point["escaped"].clone()).collect()
}

#[tokio::test]
async fn a_table_of_a_design_is_made_and_read_back() {
    let (consoles, _folder) = consoles().await;
    for console in consoles {
        let asked = json!({ "name": "ns:calls", "design": calls(16), "split": { "by": "design" } });
        let preview = console.post("/splits", &asked).await.done();
        assert_eq!((&preview["region_count"], &preview["empty_count"]), (&16.into(), &0.into()));
        let made = console.post("/tables", &asked).await.done();
        assert_eq!(made, json!({ "table": "ns:calls", "regions": 16 }));
        console.post("/tables", &asked).await.demand_refused(409, "table-exists");
        assert_eq!(starts(&console, "ns%3Acalls").await, escaped(&preview));
        let table = console.get("/tables/ns%3Acalls").await.done();
        assert_eq!(
            (&table["key"]["buckets"], &table["key"]["parts"][1]["name"]),
            (&16.into(), &"phone".into())
        );
        assert_eq!(console.get("/tables/ns%3Acalls/check").await.done()["same"], true);
        assert_eq!(console.get("/tables").await.done()["tables"], json!(["ns:calls"]));
    }
}

#[tokio::test]
async fn a_table_of_families_alone_is_made_and_read_back() {
    let (consoles, _folder) = consoles().await;
    for console in consoles {
        let family = json!({ "name": "cf", "attributes": { "VERSIONS": "3", "TTL": "86400" } });
        let split = json!({ "by": "list", "form": "hex", "points": "00ff\n80" });
        let asked = json!({ "name": "t", "families": [family], "split": split });
        let preview = console.post("/splits", &asked).await.done();
        console.post("/tables", &asked).await.done();
        assert_eq!(starts(&console, "t").await, escaped(&preview));
        let table = console.get("/tables/t").await.done();
        assert_eq!((&table["families"], &table["key"]), (&json!(["cf"]), &Value::Null), "{table}");
        console.get("/tables/t/check").await.demand_refused(422, "no-design");
        console.send("POST", "/tables/t/compact", "").await;
        let answer = console.send("DELETE", "/tables/t", r#"{"confirm":"t"}"#).await;
        assert_eq!(answer.status, 204, "{}", answer.body);
        console.get("/tables/t").await.demand_refused(404, "unknown-table");
    }
}

/// The mistake of a well-known recipe: 17 points for the 16 values 000 to 015 of a hex digit.
#[tokio::test]
async fn points_that_no_key_reaches_are_shown_and_mended() {
    let console = Console::start().await;
    let design = include_str!("../../../../examples/seed-003/design.toml");
    let preview = async |points: String| {
        let split = json!({ "by": "list", "form": "text", "points": points });
        console.post("/splits", &json!({ "name": "log", "design": design, "split": split })).await.done()
    };
    let seed = preview((0..=16).map(|n| format!("{n:03}\n")).collect::<Vec<_>>().concat()).await;
    assert_eq!((&seed["region_count"], &seed["empty_count"]), (&18.into(), &2.into()), "{seed}");
    let findings = seed["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["id"] == "SPL05"), "{findings:?}");
    let mended: Vec<&str> =
        seed["without_empty"].as_array().unwrap().iter().map(|point| point.as_str().unwrap()).collect();
    let mended = preview(mended.join("\n")).await;
    assert_eq!((&mended["region_count"], &mended["empty_count"]), (&16.into(), &0.into()));
    assert_eq!((&mended["without_empty"], &mended["findings"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn a_list_with_a_mistake_makes_no_table_and_its_mended_form_does() {
    let console = Console::start().await;
    let asked = |points: &str, form: &str| {
        let split = json!({ "by": "list", "form": form, "points": points });
        json!({ "name": "t", "families": [{ "name": "f" }], "split": split })
    };
    for (points, form, problem) in [
        ("a\n\nb", "text", "empty"),
        ("a\nb\na", "text", "doubled"),
        ("a\n\\xZZ", "escaped", "unreadable"),
        ("0a\n0", "hex", "unreadable"),
        ("1\n3000000000", "int", "unreadable"),
        ("b\na", "text", "unsorted"),
        ("a \nb", "text", "ends-in-space"),
        ("0A\n0b", "text", "mixed-case"),
    ] {
        let preview = console.post("/splits", &asked(points, form)).await.done();
        assert_eq!(preview["problems"][0]["problem"], problem, "{preview}");
        let refuses = !matches!(problem, "unsorted" | "ends-in-space" | "mixed-case");
        let answer = console.post("/tables", &asked(points, form)).await;
        if refuses {
            answer.demand_refused(422, "unusable-points");
            let mended = preview["mended"].as_str().unwrap();
            console.post("/tables", &asked(mended, form)).await.done();
        } else {
            answer.done();
        }
        assert_eq!(starts(&console, "t").await, escaped(&preview), "{problem}");
        console.send("DELETE", "/tables/t", r#"{"confirm":"t"}"#).await;
    }
}
