//! Complaints about small designs.

use keystride::Design;
use keystride::design::Complaint;

/// Fields of bytes.
pub(crate) const BYTES: &str = "v = { type = \"bytes\" }\nw = { type = \"i32\" }";

/// Fields that a bucket may be spread by.
pub(crate) const SPREAD: &str =
    "v = { type = \"digits\", len = 4 }\nseq = { type = \"u64\" }\nraw = { type = \"bytes\" }";

/// Complaints about a design of these fields, parts and further tables, each with what would do.
pub(crate) fn complaints(fields: &str, parts: &str, tables: &str) -> Vec<String> {
    told(fields, parts, tables, |complaint, _| match complaint.problem.help() {
        Some(help) => format!("{complaint}; {help}"),
        None => complaint.to_string(),
    })
}

/// Complaints about a design, each after the text of the file that it is about.
pub(crate) fn placed(fields: &str, parts: &str, tables: &str) -> Vec<String> {
    told(fields, parts, tables, |complaint, toml| {
        let place = complaint.span.clone().map_or("nowhere", |span| &toml[span]);
        format!("{place} | {complaint}")
    })
}

/// What `tell` makes of each complaint about a design and its file; nothing if it is a design.
fn told(fields: &str, parts: &str, tables: &str, tell: impl Fn(&Complaint, &str) -> String) -> Vec<String> {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [ {parts} ]\n{tables}"
    );
    let Err(error) = Design::from_toml(&toml) else { return Vec::new() };
    error.complaints.iter().map(|complaint| tell(complaint, &toml)).collect()
}
