//! The description of the interface is true: its examples are taken, and answered as it says.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::fixture::{Answer, Console, calls};
use super::stream::Stream;

/// A console with a table of calls, into which job 1 has loaded two, and the folder of their file.
async fn with_calls() -> (TempDir, Console) {
    let (files, console) = Console::with_files().await;
    let rows = "phone,ts\n13800138000,1586131200000\n13900139000,1586134800000\n";
    std::fs::write(files.path().join("calls.csv"), rows).unwrap();
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let load = json!({ "file": { "path": "calls.csv" } });
    let job = console.post("/tables/calls/loads", &load).await.done();
    let ended = console.end_of(&job).await;
    assert_eq!(ended["end"]["report"]["rows"], 2, "{ended}");
    (files, console)
}

/// The path with the examples of its parameters.
fn address(document: &Value, path: &str, parameters: &Value) -> String {
    let mut address = path.to_owned();
    for parameter in parameters.as_array().into_iter().flatten().map(|one| resolved(document, one)) {
        let name = parameter["name"].as_str().unwrap();
        let example = match &parameter["example"] {
            Value::String(text) => Some(text.clone()),
            example => example.as_i64().map(|number| number.to_string()),
        };
        match (parameter["in"].as_str(), example) {
            (Some("path"), Some(example)) => address = address.replace(&format!("{{{name}}}"), &example),
            (Some("query"), Some(example)) => {
                let mark = if address.contains('?') { '&' } else { '?' };
                address.push_str(&format!("{mark}{name}={example}"));
            }
            _ => assert_eq!(parameter["required"], false, "{path}: {name} has no example"),
        }
    }
    address
}

/// The body that is an operation's example.
fn example(document: &Value, place: &str, operation: &Value) -> String {
    let content = &operation["requestBody"]["content"];
    if let Some(text) = content["application/octet-stream"]["example"].as_str() {
        return text.to_owned();
    }
    let body = &content["application/json"];
    if body.is_null() {
        return String::new();
    }
    check(document, &body["schema"], &body["example"]).unwrap_or_else(|error| panic!("{place}: {error}"));
    body["example"].to_string()
}

async fn document() -> Value {
    Console::start().await.get("/openapi.json").await.done()
}

/// The thing that a reference names, or the thing itself.
fn resolved<'a>(document: &'a Value, thing: &'a Value) -> &'a Value {
    match thing["$ref"].as_str() {
        Some(name) => document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}")),
        None => thing,
    }
}

#[tokio::test]
async fn each_example_is_answered_as_described() {
    let document = document().await;
    let mut example_count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let address = address(&document, path, &methods["parameters"]);
        for (method, operation) in
            methods.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters")
        {
            let (place, method) = (format!("{method} {path}"), method.to_uppercase());
            let body = example(&document, &place, operation);
            let (_files, console) = with_calls().await;
            let responses = &operation["responses"];
            let done = if is_stream(&responses["200"]) {
                check_stream(&document, &responses["200"], console.open(&method, &address, &body).await).await
            } else {
                check_answer(&document, responses, &console, console.send(&method, &address, &body).await)
                    .await
            };
            done.unwrap_or_else(|error| panic!("{place}: {error}"));
            example_count += usize::from(!body.is_empty());
        }
    }
    assert!(example_count > 15, "{example_count}");
}

fn is_stream(response: &Value) -> bool {
    let kinds = response["content"].as_object().into_iter().flatten();
    kinds.into_iter().any(|(kind, _)| kind != "application/json")
}

/// Checks an answer that is a document, and the job that it began.
async fn check_answer(
    document: &Value,
    responses: &Value,
    console: &Console,
    answer: Answer,
) -> Result<(), String> {
    let expected = &responses[answer.status.to_string()];
    if !(200..300).contains(&answer.status) || !expected.is_object() {
        return Err(format!("{answer:?}"));
    }
    let schema = &expected["content"]["application/json"]["schema"];
    if schema.is_null() {
        assert_eq!(answer.body, "");
        return Ok(());
    }
    let found = answer.json();
    check(document, schema, &found)?;
    if found["begun_ms"].is_u64() { check(document, schema, &console.end_of(&found).await) } else { Ok(()) }
}

/// Checks the lines of a stream, or its events until there was one of each name.
async fn check_stream(document: &Value, response: &Value, mut stream: Stream) -> Result<(), String> {
    let (kind, described) = response["content"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(stream.head.header("content-type"), Some(kind.as_str()));
    if let Some(events) = described["x-events"].as_object() {
        let mut to_come: Vec<_> = events.keys().collect();
        while !to_come.is_empty() {
            let (name, event) = stream.event().await.ok_or(format!("it ended without {to_come:?}"))?;
            check(document, &described["x-events"][&name], &event)?;
            to_come.retain(|other| **other != name);
        }
        return Ok(());
    }
    let mut line_count = 0;
    while let Some(line) = stream.json().await {
        check(document, &described["x-lines"], &line)?;
        line_count += 1;
    }
    if line_count == 3 { Ok(()) } else { Err(format!("{line_count} lines")) }
}

#[tokio::test]
async fn refusals_are_as_described() {
    let document = document().await;
    let schema = &document["components"]["schemas"]["Error"];
    let answer = with_calls().await.1.get("/tables/none").await;
    assert_eq!(check(&document, schema, &answer.json()), Ok(()));
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    fn walk(document: &Value, thing: &Value) {
        resolved(document, thing);
        match thing {
            Value::Object(things) => things.values().for_each(|thing| walk(document, thing)),
            Value::Array(things) => things.iter().for_each(|thing| walk(document, thing)),
            _ => (),
        }
    }
    let document = document().await;
    walk(&document, &document);
}

/// Checks a value against a schema, in those words that the document uses; otherwise says where they differ. What is not
/// described is not there.
fn check(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let schema = resolved(document, schema);
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = any.iter().any(|schema| check(document, schema, value).is_ok());
        return if fits { Ok(()) } else { Err(format!("{value} is none of {any:?}")) };
    }
    if let Some(words) = schema["enum"].as_array() {
        return if words.contains(value) { Ok(()) } else { Err(format!("{value} is not one of {words:?}")) };
    }
    let types = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    if !types.iter().any(|name| is_of_type(name.as_str().unwrap_or_default(), value)) {
        return Err(format!("{value} is not {types:?}"));
    }
    for item in value.as_array().into_iter().flatten() {
        check(document, &schema["items"], item).map_err(|place| format!("[]: {place}"))?;
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        let more = &schema["additionalProperties"];
        let of_name = schema["properties"].get(name).or(Some(more).filter(|more| !more.is_null()));
        let of_name = of_name.ok_or_else(|| format!("{name} is not described"))?;
        if *of_name != true {
            check(document, of_name, value).map_err(|place| format!("{name}: {place}"))?;
        }
    }
    Ok(())
}

fn is_of_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
