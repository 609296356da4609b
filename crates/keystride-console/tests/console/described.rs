//! The description of the interface is true: its examples are taken, and answered as it says.

use keystride_store::{LATEST, MutationBatch, TableName, Write};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fixture::{Console, calls};

/// A console with a table of calls, which has a row, and the folder of its files, which has a sample of calls.
async fn with_calls() -> (TempDir, Console) {
    let files = tempfile::tempdir().unwrap();
    std::fs::write(
        files.path().join("calls.csv"),
        "phone,ts\n13800138000,1586131200\n13900139000,1586134800\n",
    )
    .unwrap();
    let console = Console::with(|options| {
        options.allow_write = true;
        options.files = Some(files.path().to_owned());
    });
    let console = console.await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let mut batch = MutationBatch::new();
    batch.put(b"0138001380001586131200000", b"f", b"seconds", LATEST, b"1").unwrap();
    console.store.write(&TableName::new("calls").unwrap(), Write::of(batch)).await.unwrap();
    (files, console)
}

/// The path with a value in place of its parameter.
fn in_path(path: &str, value: &str) -> String {
    match path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1))) {
        Some((before, behind)) => format!("{before}{value}{behind}"),
        None => path.to_owned(),
    }
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
        let parameter = resolved(&document, &methods["parameters"][0]);
        let address = in_path(path, parameter["example"].as_str().unwrap_or_default());
        for (method, operation) in
            methods.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters")
        {
            let body = &operation["requestBody"]["content"]["application/json"];
            let example = &body["example"];
            let text = if example.is_null() { String::new() } else { example.to_string() };
            if !body.is_null() {
                check(&document, &body["schema"], example)
                    .unwrap_or_else(|place| panic!("{method} {path}: {place}"));
            }
            let (_files, console) = with_calls().await;
            let answer = console.send(&method.to_uppercase(), &address, &text).await;
            let expected = &operation["responses"][answer.status.to_string()];
            assert!(
                (200..300).contains(&answer.status) && expected.is_object(),
                "{method} {path}: {answer:?}"
            );
            match &expected["content"]["application/json"]["schema"] {
                Value::Null => assert_eq!(answer.body, "", "{method} {path}"),
                schema => check(&document, schema, &answer.json())
                    .unwrap_or_else(|place| panic!("{method} {path}: {place}: {}", answer.body)),
            }
            example_count += usize::from(!example.is_null());
        }
    }
    assert!(example_count > 5, "{example_count}");
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
