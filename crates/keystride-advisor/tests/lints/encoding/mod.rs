//! Encoding and order.

mod cases;
mod ends;
mod lengths;
mod numbers;
mod times;

use crate::judge::design;

const RANGED: &str = "[access.range]\nrange = \"id\"";

fn number(declared: &str, steps: &str, rest: &str) -> String {
    design(
        &format!("id = {{ {declared} }}\nother_id = {{ type = \"digits\", len = 3 }}"),
        &format!("{{ field = \"id\"{steps} }}, {{ text = \"!\" }}, {{ field = \"other_id\" }}"),
        rest,
    )
}
