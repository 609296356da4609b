use keystride::{Design, KeyCodec};
use keystride_advisor::lint::{Finding, Language, LintId, Severity, Subject, lint};
use serde_json::Value;

use crate::{languages, patch};

/// All findings about a design file whose split needs nothing from outside, which both languages tell alike.
pub(crate) fn findings(toml: &str) -> Vec<Finding> {
    let design = Design::from_toml(toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
    let split = design.split_points(&mut []);
    let codec = KeyCodec::new(design);
    let subject = Subject::new(&codec).with_split(&split).with_source(toml);
    let english = lint(&subject);
    let has_place = |finding: &Finding| finding.span.is_some() || !toml.contains("[split]");
    assert!(english.iter().all(has_place), "without a place\n{}", shown(&english));
    languages::agree(&english, &lint(&subject.in_language(Language::Chinese)));
    english
}

/// The first finding of a lint.
#[track_caller]
pub(crate) fn fires(toml: &str, id: &str) -> Finding {
    let all = findings(toml);
    let found = all.iter().find(|finding| finding.id.name() == id);
    found.unwrap_or_else(|| panic!("{id} is silent\n{}\n{toml}", shown(&all))).clone()
}

#[track_caller]
pub(crate) fn silent(toml: &str, id: &str) {
    id.parse::<LintId>().expect("a lint");
    let all = findings(toml);
    assert!(all.iter().all(|finding| finding.id.name() != id), "{id} fires\n{}\n{toml}", shown(&all));
}

/// The patch of the first finding of a lint makes all its findings go. Gives the patched file.
#[track_caller]
pub(crate) fn mends(toml: &str, id: &str) -> String {
    let finding = fires(toml, id);
    let fix = finding.fix.unwrap_or_else(|| panic!("{id} has no patch: {}", finding.message));
    let patched = patch::apply(toml, &fix);
    silent(&patched, id);
    patched
}

/// A finding's fact.
#[track_caller]
pub(crate) fn fact<'a>(finding: &'a Finding, name: &str) -> &'a Value {
    finding.evidence.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", finding.evidence))
}

#[track_caller]
pub(crate) fn number(finding: &Finding, name: &str) -> f64 {
    fact(finding, name).as_f64().expect("a number")
}

/// `error SPL01` and so on, in order, information left out.
pub(crate) fn serious(toml: &str) -> Vec<String> {
    let all = findings(toml);
    let serious = all.iter().filter(|finding| finding.severity != Severity::Info);
    serious.map(|finding| format!("{} {}", finding.severity, finding.id)).collect()
}

pub(crate) fn shown(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!("{}[{}] {}: {}", finding.severity, finding.id, finding.component, finding.message)
        })
        .collect();
    lines.join("\n")
}

/// A design file of these fields and parts; `rest` is what else it says.
pub(crate) fn design(fields: &str, parts: &str, rest: &str) -> String {
    format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies.f = {{ encoding = \"fast-diff\", compression = \"zstd\" }}\n\
         [fields]\n{fields}\n[key]\nparts = [ {parts} ]\n{rest}\n"
    )
}
