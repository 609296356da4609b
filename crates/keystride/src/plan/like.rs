//! Patterns of `like` that ask for a prefix and nothing more.

const ESCAPE: char = '\\';

/// Returns the prefix that a pattern asks for; `None` when it asks for anything else.
///
/// `%` ends the pattern, `_` would match any one character, and a backslash makes the character after it literal.
pub(super) fn prefix_of(pattern: &str) -> Option<String> {
    let mut prefix = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        match character {
            ESCAPE => prefix.push(rest.next().filter(|next| is_special(*next))?),
            '%' => return rest.next().is_none().then_some(prefix),
            '_' => return None,
            plain => prefix.push(plain),
        }
    }
    None
}

/// Returns the pattern that asks for `prefix`.
pub(super) fn pattern_of(prefix: &[u8]) -> Vec<u8> {
    let mut pattern = Vec::with_capacity(prefix.len() + 1);
    for &byte in prefix {
        if is_special(byte.into()) {
            pattern.push(b'\\');
        }
        pattern.push(byte);
    }
    pattern.push(b'%');
    pattern
}

fn is_special(character: char) -> bool {
    matches!(character, '%' | '_' | ESCAPE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_and_its_beginning_say_the_same() {
        for (pattern, prefix) in [("138%", "138"), ("%", ""), (r"x\_y%", "x_y"), (r"100\%\\%", r"100%\")] {
            assert_eq!(prefix_of(pattern).as_deref(), Some(prefix));
            assert_eq!(pattern_of(prefix.as_bytes()), pattern.as_bytes());
        }
    }

    #[test]
    fn more_than_a_beginning_is_refused() {
        for pattern in ["138", "", "%8", "1%8%", "x_y%", r"138\%", r"a\b%", r"138\"] {
            assert_eq!(prefix_of(pattern), None, "{pattern}");
        }
    }
}
