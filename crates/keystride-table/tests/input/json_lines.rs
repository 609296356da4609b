use keystride_table::input::*;

use crate::reading::*;

fn lines(text: &str) -> Vec<String> {
    read("c.jsonl", text).unwrap()
}

#[test]
fn keys_may_stand_in_any_order_and_be_missing() {
    let told = lines(
        "{\"phone\":\"12345\",\"ts\":1400657685457,\"city\":\"Oslo\",\"n\":7}\n\
         { \"n\" : 8 , \"phone\" : \"12346\" }\r\n\
         {\"city\":null,\"phone\":12347,\"ts\":\"NA\"}",
    );
    assert_eq!(told, ["1: 12345|1400657685457|Oslo|7", "2: 12346|-|-|8", "3: 12347|-|-|-"]);
}

#[test]
fn strings_may_hold_escapes() {
    let told = lines(r#"{"ph\u006fne":"12345","city":"a\"\u00e9\n\ud83d\ude00"}"#);
    assert_eq!(told, ["1: 12345|-|a\"é\n😀|-"]);
    let told = lines(r#"{"phone":"12345","city":"\ud83d"}"#);
    assert!(told[0].starts_with("rejected c.jsonl:1: column \"city\": not a JSON object"), "{}", told[0]);
}

#[test]
fn numbers_and_booleans_are_their_own_text() {
    let design = with_fields(
        r#"
        phone = { type = "string" }
        i = { type = "int" }
        f = { type = "f64" }
        b = { type = "bool" }
        t = { type = "time", unit = "s", input = "iso8601" }
        "#,
        "error",
    );
    let text = r#"
        {"phone":1.10,"i":-5,"f":2.5e3,"b":true,"t":"2013-01-01T10:00:00Z"}
        {"phone":true,"i":517.0,"f":1,"b":0}
        {"phone":"x","i":1e3}
        {"phone":"x","i":1.5}
        {"phone":"x","i":1.9999999999999999}
        {"phone":"x","i":1234567890123456.9}
        {"phone":"x","i":1e999999999}
        {"phone":"x","i":9007199254740993.0}
        {"phone":"x","i":9223372036854775807}"#;
    let told = read_with(&design, "c.json", text, InputOptions::default()).unwrap();
    assert_eq!(told[0], "2: 1.10|-5|2500|1|1357034400");
    assert_eq!(told[1], "3: true|517|1|0|-");
    assert_eq!(told[2], "4: x|1000|-|-|-");
    assert!(told[3].starts_with("rejected c.json:5: column \"i\": \"1.5\" is not"), "{}", told[3]);
    assert!(
        told[4].starts_with("rejected c.json:6: column \"i\": \"1.9999999999999999\" is not"),
        "{}",
        told[4]
    );
    assert!(
        told[5].starts_with("rejected c.json:7: column \"i\": \"1234567890123456.9\" is not"),
        "{}",
        told[5]
    );
    assert!(told[6].starts_with("rejected c.json:8: column \"i\": \"1e999999999\" is not"), "{}", told[6]);
    assert_eq!(told[7], "9: x|9007199254740993|-|-|-");
    assert_eq!(told[8], "10: x|9223372036854775807|-|-|-");
}

#[test]
fn what_is_no_object_of_values_is_rejected_alone() {
    let told = lines(
        "[1]\n{\"phone\":\"12345\",\"city\":{\"a\":1}}\n{\"phone\":\"12345\"} x\n{\"phone\":\n{\"phone\":\"12345\"}\n\
         {\"phone\":\"12345\",\"phone\":\"12346\"}\n\"x\"\n",
    );
    assert!(told[0].starts_with("rejected c.jsonl:1: not a JSON object: "), "{}", told[0]);
    assert_eq!(told[1], "rejected c.jsonl:2: column \"city\": an object or a list, not a value");
    assert!(told[2].starts_with("rejected c.jsonl:3: not a JSON object: trailing characters"), "{}", told[2]);
    assert!(
        told[3].starts_with("rejected c.jsonl:4: column \"phone\": not a JSON object: EOF"),
        "{}",
        told[3]
    );
    assert_eq!(told[4], "5: 12345|-|-|-");
    assert_eq!(told[5], "rejected c.jsonl:6: column \"phone\": the key is there twice");
    assert!(told[6].starts_with("rejected c.jsonl:7: not a JSON object"), "{}", told[6]);
}

#[test]
fn bytes_that_are_not_utf8_are_rejected_with_line_and_column() {
    let told =
        read("c.jsonl", b"{\"phone\":\"12345\",\"city\":\"\xBA\xD3\"}\n{\"phone\":\"12345\"}\n").unwrap();
    assert!(told[0].starts_with("rejected c.jsonl:1: column \"city\": not utf-8"), "{}", told[0]);
    assert_eq!(told[1], "2: 12345|-|-|-");
}

#[test]
fn unknown_keys_of_the_first_line_are_an_error_and_later_ones_rejects() {
    let error = read("c.jsonl", "{\"phone\":\"12345\",\"seq\":4,\"kind\":\"x\"}\n").unwrap_err().to_string();
    assert!(error.contains("\nseq = { type = \"int\" }\nkind = { type = \"string\" }\n"), "{error}");
    let told = lines("{\"phone\":\"12345\"}\n{\"seq\":[],\"phone\":\"12346\"}\n{\"phone\":\"12347\"}\n");
    assert_eq!(
        told[1],
        "rejected c.jsonl:2: column \"seq\": no field has this name, and the design says other = \"error\""
    );
    assert_eq!(told[2], "3: 12347|-|-|-");
}

#[test]
fn an_array_and_objects_over_several_lines_are_no_json_lines() {
    for text in ["[{\"phone\":\"12345\"},\n{\"phone\":\"12346\"}]\n", "{\n  \"phone\": \"12345\"\n}\n"] {
        let error = read("c.json", text).unwrap_err().to_string();
        assert!(error.starts_with("c.json: JSON is read one object a line"), "{error}");
    }
}

#[test]
fn unknown_keys_are_dropped_or_kept_as_text() {
    let text = "{\"phone\":\"12345\",\"a\\u0062\":1.50,\"c\":null,\"d\":\"x\\ny\",\"e\":\"NA\",\"f\":true}\n\
                {\"phone\":\"12346\",\"g\":[1]}\n\
                {\"phone\":\"12347\",\"a\":1,\"b\":2,\"a\":3}\n";
    let told = read_with(&calls("drop"), "c.jsonl", text, InputOptions::default()).unwrap();
    assert_eq!(told, ["1: 12345|-|-|-", "2: 12346|-|-|-", "3: 12347|-|-|-"]);
    let told = read_with(&calls("x"), "c.jsonl", text, InputOptions::default()).unwrap();
    assert_eq!(told[0], "1: 12345|-|-|- ab=1.50 d=x\ny f=true");
    assert_eq!(told[1], "rejected c.jsonl:2: column \"g\": an object or a list, not a value");
    assert_eq!(told[2], "rejected c.jsonl:3: column \"a\": the key is there twice");
}

#[test]
fn a_key_is_there_twice_whether_one_is_null_or_not() {
    let text = "{\"phone\":\"12345\",\"k\":null,\"k\":2}\n{\"phone\":\"12345\",\"k\":\"NA\",\"\\u006b\":null}\n\
                {\"phone\":\"12345\",\"city\":null,\"city\":\"Oslo\"}\n{\"phone\":\"12345\",\"k\":null}\n";
    let told = read_with(&calls("x"), "c.jsonl", text, InputOptions::default()).unwrap();
    for (line, key) in [(1, "k"), (2, "k"), (3, "city")] {
        let expected = format!("rejected c.jsonl:{line}: column \"{key}\": the key is there twice");
        assert_eq!(told[line - 1], expected);
    }
    assert_eq!(told[3], "4: 12345|-|-|-");
}
