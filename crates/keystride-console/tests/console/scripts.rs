//! Script in names, designs and keys: it is answered as JSON, which no browser runs, whatever it says.

use serde_json::json;

use super::fixture::{Answer, Console, calls};

const SCRIPT: &str = "</script><script>alert(1)</script>";

/// All answers are safe, as the fixture demands; this one is JSON, too, and has the text as it is.
fn demand_told(answer: &Answer, text: &str) {
    assert!(
        answer.json().to_string().contains(&json!(text).to_string().trim_matches('"').to_owned()),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn names_of_tables_have_no_script() {
    let console = Console::start().await;
    let asked = json!({ "name": SCRIPT, "families": [{ "name": "f" }], "split": { "by": "none" } });
    let refused = console.post("/tables", &asked).await;
    refused.demand_refused(422, "name");
    let encoded = "%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    for rest in ["", "/regions", "/check"] {
        console.get(&format!("/tables/{encoded}{rest}")).await.demand_refused(422, "name");
    }
    console.get(&format!("/{encoded}")).await.demand_refused(404, "no-such-page");
}

#[tokio::test]
async fn script_in_a_design_is_text() {
    let console = Console::start().await;
    let with_text =
        calls(4).replace("{ field = \"ts\" }", &format!("{{ text = \"{SCRIPT}\" }}, {{ field = \"ts\" }}"));
    let judged = console.post("/design", &json!({ "design": with_text })).await;
    demand_told(&judged, SCRIPT);
    let with_name = calls(4).replace("\"calls\"", &format!("\"{SCRIPT}\""));
    demand_told(&console.post("/design", &json!({ "design": with_name })).await, "script");
    demand_told(&console.post("/design", &json!({ "design": SCRIPT })).await, "mistakes");
}

#[tokio::test]
async fn script_in_split_points_and_families_is_text() {
    let console = Console::start().await;
    let split = json!({ "by": "list", "form": "text", "points": format!("{SCRIPT}\n{SCRIPT}") });
    let asked = json!({ "name": "t", "families": [{ "name": SCRIPT }], "split": split });
    let preview = console.post("/splits", &asked).await;
    demand_told(&preview, SCRIPT);
    let split = json!({ "by": "list", "form": "text", "points": SCRIPT });
    let asked = json!({ "name": "t", "families": [{ "name": "<b>" }], "split": split });
    console.post("/tables", &asked).await.done();
    demand_told(&console.get("/tables/t").await, "<b>");
    demand_told(&console.get("/tables/t/regions").await, SCRIPT);
}
