//! What the names of fields tell.

/// Whether the words of a name, which `_` or a capital letter separates, have one of these in a row: `load_time`.
pub(super) fn is_named(name: &str, listed: &[&str]) -> bool {
    let words = format!("_{}_", words_of(name));
    listed.iter().any(|wanted| words.contains(&format!("_{wanted}_")))
}

/// `insertNano-2` is `insert_nano_2`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for char in name.chars() {
        if char.is_uppercase() && was_lower {
            words.push('_');
        }
        was_lower = char.is_lowercase() || char.is_numeric();
        words.extend(if char.is_alphanumeric() { char.to_lowercase().collect() } else { vec!['_'] });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_word_by_word() {
        for name in ["load_time", "LOAD_TIME", "loadTime", "the.load-time"] {
            assert!(is_named(name, &["nano", "load_time"]), "{name}");
        }
        for name in ["payload_time", "load_times", "loadtime", "time_load"] {
            assert!(!is_named(name, &["nano", "load_time"]), "{name}");
        }
    }
}
