//! What callers that have no text make of values is what a predicate's text says, or is refused.

#![expect(clippy::unwrap_used, reason = "a design that can't be read fails")]

use keystride::plan::{Comparison, PredicateFault};
use keystride::{Design, Predicate, Value};

fn design() -> Design {
    Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
         phone = { type = \"digits\", len = 4 }\nok = { type = \"bool\" }\nrate = { type = \"f32\" }\n\
         raw = { type = \"bytes\", len = 2 }\nts = { type = \"time\", unit = \"ms\" }\nu = { type = \"uuid\" }\n\
         [key]\nparts = [{ field = \"id\" }]",
    )
    .unwrap()
}

#[test]
fn what_is_made_of_values_is_what_its_text_says() {
    let design = &design();
    let compare = |operand, op, value| Predicate::compare(design, operand, op, value);
    for (made, text) in [
        (compare("id", Comparison::Greater, Value::Int(-1)), "id > -1"),
        (compare("phone", Comparison::Less, Value::Text("13")), "phone < '13'"),
        (compare("left(phone,2)", Comparison::Equal, Value::Text("13")), "left(phone,2) = '13'"),
        (compare("ok", Comparison::NotEqual, Value::Bool(true)), "ok != true"),
        (compare("rate", Comparison::LessOrEqual, Value::F32(0.1)), "rate <= 0.1"),
        (compare("rate", Comparison::Less, Value::F32(f32::INFINITY)), "rate < 'inf'"),
        (compare("raw", Comparison::Equal, Value::Bytes(b"\x00\xff")), "raw = '00ff'"),
        (compare("ts", Comparison::Equal, Value::Int(0)), "ts = '1970-01-01T00:00:00Z'"),
        (
            compare("u", Comparison::Equal, Value::Uuid([0xab; 16])),
            "u = 'abababab-abab-abab-abab-abababababab'",
        ),
        (Predicate::one_of(design, "id", [7, 3, 7].map(Value::Int)), "id in (3, 7)"),
        (Predicate::between(design, "id", Value::Int(3), Value::Int(7)), "id between 3 and 7"),
        (Predicate::starts_with(design, "phone", "13_"), r"phone like '13\_%'"),
        (Predicate::is_null(design, "left(phone,2)"), "left(phone,2) is null"),
        (Predicate::is_null(design, "id").map(|is_null| !is_null), "id is not null"),
    ] {
        assert_eq!(made, Ok(Predicate::parse(text, design).unwrap()), "{text}");
    }
}

#[test]
fn a_value_that_does_not_fit_its_operand_is_refused() {
    let design = &design();
    let compare = |operand, op, value| Predicate::compare(design, operand, op, value).unwrap_err();
    for (operand, value) in [
        ("id", Value::Text("1")),
        ("id", Value::F64(1.0)),
        ("phone", Value::Int(1380)),
        ("left(id,1)", Value::Int(1)),
        ("rate", Value::F64(0.1)),
        ("rate", Value::Int(1)),
        ("ts", Value::Text("2020-01-01")),
        ("raw", Value::Text("00ff")),
        ("u", Value::Bytes(&[0; 16])),
        ("ok", Value::Int(1)),
    ] {
        let fault = compare(operand, Comparison::Equal, value);
        assert!(matches!(fault, PredicateFault::OtherType { .. }), "{operand}: {fault}");
    }
    assert_eq!(
        compare("left(id,1)", Comparison::Equal, Value::Int(1)).to_string(),
        "left(id,1) of type digits can't be compared with a whole number"
    );
    let fault = compare("raw", Comparison::Less, Value::Bytes(b"abc"));
    assert!(matches!(fault, PredicateFault::Literal { .. }), "{fault}");
    let fault = compare("phone", Comparison::Equal, Value::Text("138"));
    assert!(matches!(fault, PredicateFault::Length { .. }), "{fault}");
    let fault = compare("ok", Comparison::Less, Value::Bool(true));
    assert!(matches!(fault, PredicateFault::Unfit { .. }), "{fault}");
    let fault = compare("no", Comparison::Less, Value::Int(1));
    assert!(matches!(fault, PredicateFault::Operand(_)), "{fault}");
    let fault = Predicate::one_of(design, "id", []).unwrap_err();
    assert!(matches!(fault, PredicateFault::NoValues { .. }), "{fault}");
    let fault = Predicate::starts_with(design, "id", "1").unwrap_err();
    assert!(matches!(fault, PredicateFault::Unfit { .. }), "{fault}");
}
