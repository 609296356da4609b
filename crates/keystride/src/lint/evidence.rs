use std::fmt;

use serde_json::Value;

/// An amount for people: `7`, `0.35`, `12,480`, `1.2 million`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amount(pub(super) f64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(amount) = *self;
        match amount {
            _ if amount >= 1e9 => write!(f, "{} billion", short(amount / 1e9)),
            _ if amount >= 1e6 => write!(f, "{} million", short(amount / 1e6)),
            _ if amount >= 10.0 => f.write_str(&grouped(amount)),
            _ => f.write_str(&short(amount)),
        }
    }
}

impl From<Amount> for Value {
    fn from(amount: Amount) -> Self {
        Self::from(amount.0)
    }
}

/// A list for people: see [`listed`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed<T>(pub(super) Vec<T>);

impl<T: fmt::Display> fmt::Display for Listed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&listed(&self.0))
    }
}

impl<T: Into<Value>> From<Listed<T>> for Value {
    fn from(list: Listed<T>) -> Self {
        Self::from(list.0)
    }
}

/// One decimal above ten, two below, none where they are zero.
fn short(amount: f64) -> String {
    let text = if amount >= 10.0 { format!("{amount:.1}") } else { format!("{amount:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn grouped(amount: f64) -> String {
    let digits = format!("{amount:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `a`, `a and b`, `a, b and c`; beyond six the rest is counted.
fn listed<T: fmt::Display>(items: &[T]) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> = items.iter().take(MOST).map(T::to_string).collect();
    match (shown.as_slice(), items.len().saturating_sub(MOST)) {
        ([], _) => "none".to_owned(),
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The facts that the lints of one family find: each variant with its lint, its fields and its sentence.
macro_rules! evidence {
    ($(#[$doc:meta])* enum $name:ident {
        $($id:ident => $variant:ident { $($field:ident: $type:ty),* $(,)? } $sentence:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        enum $name { $($variant { $($field: $type),* },)* }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant { $($field),* } => {
                        // Some facts are told by the evidence alone.
                        $(let _ = $field;)*
                        write!(f, $sentence)
                    })*
                }
            }
        }

        impl $crate::lint::finding::Evidence for $name {
            fn id(&self) -> $crate::lint::LintId {
                match self { $(Self::$variant { .. } => $crate::lint::LintId::$id,)* }
            }

            fn facts(&self) -> $crate::lint::Facts {
                match self {
                    $(Self::$variant { $($field),* } => $crate::lint::Facts::from([
                        $((stringify!($field), serde_json::Value::from($field.clone())),)*
                    ]),)*
                }
            }
        }
    };
}
pub(super) use evidence;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        let shown = [0.353, 7.0, 62.5, 12_480.0, 1_234_567.0, 2e9].map(|amount| Amount(amount).to_string());
        assert_eq!(shown, ["0.35", "7", "62", "12,480", "1.23 million", "2 billion"]);
    }

    #[test]
    fn long_lists_are_counted() {
        assert_eq!(listed(&[1, 10]), "1 and 10");
        assert_eq!(listed(&[0, 1, 2, 3, 4, 5, 6, 7]), "0, 1, 2, 3, 4, 5 and 2 more");
    }
}
