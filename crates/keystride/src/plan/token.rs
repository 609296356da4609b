//! The tokens of a predicate.

use super::error::{PredicateError, PredicateFault};

/// A token of a predicate, and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) kind: TokenKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word(String),
    /// `"…"`, a name, with doubled quotes resolved.
    Name(String),
    /// `'…'`, with doubled quotes resolved.
    Text(String),
    /// A number as written.
    Number(String),
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, `(`, `)`, `,`.
    Symbol(&'static str),
    End,
}

/// Longer symbols come first; `<>` is SQL's other spelling of `!=`.
const SYMBOLS: [(&str, &str); 11] = [
    ("!=", "!="),
    ("<>", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("==", "="),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("(", "("),
    (")", ")"),
    (",", ","),
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, PredicateError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            tokens.push(Token { at, kind: TokenKind::End });
            return Ok(tokens);
        }
        let (kind, width) = token(&text[at..], at)?;
        tokens.push(Token { at, kind });
        at += width;
    }
}

fn token(rest: &str, at: usize) -> Result<(TokenKind, usize), PredicateError> {
    if let Some((written, symbol)) = SYMBOLS.iter().find(|(written, _)| rest.starts_with(written)) {
        return Ok((TokenKind::Symbol(symbol), written.len()));
    }
    let first = rest.chars().next().unwrap_or_default();
    match first {
        '\'' => quoted(rest, '\'', at).map(|(text, width)| (TokenKind::Text(text), width)),
        '"' => quoted(rest, '"', at).map(|(name, width)| (TokenKind::Name(name), width)),
        '0'..='9' | '-' | '.' => Ok(number(rest)),
        _ if first.is_alphabetic() || first == '_' => {
            let width = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            Ok((TokenKind::Word(rest[..width].to_owned()), width))
        }
        found => Err(PredicateError { at, fault: PredicateFault::Character { found } }),
    }
}

/// A number continues over letters, so that `12x` is one invalid number instead of two words.
fn number(rest: &str) -> (TokenKind, usize) {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | ':' | '_');
    let width = rest.find(|c| !part(c)).unwrap_or(rest.len());
    (TokenKind::Number(rest[..width].to_owned()), width)
}

/// Reads what stands in quotes, and returns the width of it with its quotes.
fn quoted(rest: &str, quote: char, at: usize) -> Result<(String, usize), PredicateError> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((index, character)) = characters.next() {
        if character != quote {
            text.push(character);
        } else if characters.next_if(|(_, next)| *next == quote).is_some() {
            text.push(quote);
        } else {
            return Ok((text, index + 1));
        }
    }
    Err(PredicateError { at, fault: PredicateFault::OpenQuote })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn quotes_are_doubled_inside_texts() {
        assert_eq!(kinds("'it''s'"), [TokenKind::Text("it's".to_owned()), TokenKind::End]);
        assert!(matches!(tokens("a = 'x").unwrap_err().fault, PredicateFault::OpenQuote));
    }

    #[test]
    fn symbols_stand_without_blanks() {
        let word = |w: &str| TokenKind::Word(w.to_owned());
        assert_eq!(
            kinds("a>=-1"),
            [word("a"), TokenKind::Symbol(">="), TokenKind::Number("-1".to_owned()), TokenKind::End]
        );
    }

    #[test]
    fn what_is_no_word_and_no_number_is_told() {
        let fault = |text: &str| tokens(text).unwrap_err().fault;
        assert_eq!(fault("a = \"x"), PredicateFault::OpenQuote);
        assert_eq!(fault("a = $x"), PredicateFault::Character { found: '$' });
        assert_eq!(kinds("_a1"), [TokenKind::Word("_a1".to_owned()), TokenKind::End]);
    }
}
