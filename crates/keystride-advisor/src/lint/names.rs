//! What the names of fields tell.

/// Whether the words of a name, which `_` separates, have one of these in a row: `load_time` in `the_load_time`.
pub(super) fn is_named(name: &str, listed: &[&str]) -> bool {
    let words = format!("_{name}_");
    listed.iter().any(|wanted| words.contains(&format!("_{wanted}_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_word_by_word() {
        for name in ["load_time", "the_load_time", "load_time_2", "nano"] {
            assert!(is_named(name, &["nano", "load_time"]), "{name}");
        }
        for name in ["payload_time", "load_times", "loadtime", "time_load", "nanotech"] {
            assert!(!is_named(name, &["nano", "load_time"]), "{name}");
        }
    }
}
