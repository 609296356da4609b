//! The facts that findings rest on, and how they are worded.

use std::fmt::{self, Formatter};

use serde_json::Value;

use super::Language;
use super::said::{InLanguage, Tell};
use crate::grouped;

/// An amount for people: `7`, `0.35`, `12,480`, `1.2 million` or `120 万`.
///
/// In Chinese, the counted noun follows directly; a number in digits includes the space that separates them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amount(pub(super) f64);

impl Tell for Amount {
    fn tell(&self, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(amount) = *self;
        match language {
            Language::English if amount >= 1e9 => write!(f, "{} billion", short(amount / 1e9)),
            Language::English if amount >= 1e6 => write!(f, "{} million", short(amount / 1e6)),
            Language::Chinese if amount >= 1e12 => write!(f, "{} 万亿", short(amount / 1e12)),
            Language::Chinese if amount >= 1e8 => write!(f, "{} 亿", short(amount / 1e8)),
            Language::Chinese if amount >= 1e6 => write!(f, "{} 万", whole(amount / 1e4)),
            Language::Chinese => write!(f, "{} ", plain(amount)),
            Language::English => f.write_str(&plain(amount)),
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

impl<T: Tell> Tell for Listed<T> {
    fn tell(&self, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&listed(&self.0, language))
    }
}

impl<T: Into<Value>> From<Listed<T>> for Value {
    fn from(list: Listed<T>) -> Self {
        Self::from(list.0)
    }
}

fn plain(amount: f64) -> String {
    if amount >= 10.0 { whole(amount) } else { short(amount) }
}

fn whole(amount: f64) -> String {
    grouped(format_args!("{amount:.0}"))
}

/// Returns one decimal from ten on, two below, four below a hundredth, without trailing zeros.
fn short(amount: f64) -> String {
    let decimals = match amount {
        10.0.. => 1,
        0.01..10.0 => 2,
        _ => 4,
    };
    let text = format!("{amount:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns `a`, `a and b`, or `a, b and c`; beyond six items, only the number of the others.
fn listed<T: Tell>(items: &[T], language: Language) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> =
        items.iter().take(MOST).map(|item| InLanguage(item, language).to_string()).collect();
    let more = items.len().saturating_sub(MOST);
    match (language, shown.as_slice(), more) {
        (Language::English, [], _) => "none".to_owned(),
        (Language::Chinese, [], _) => "无".to_owned(),
        (_, [only], 0) => only.clone(),
        (Language::English, [first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (Language::Chinese, [first @ .., last], 0) => format!("{} 和 {last}", first.join("、")),
        (Language::English, shown, more) => format!("{} and {more} more", shown.join(", ")),
        (Language::Chinese, shown, more) => format!("{} 和另外 {more} 个", shown.join("、")),
    }
}

/// Defines the facts that the lints of one family find: for each variant its lint, its fields, and its sentence in
/// English and in Chinese.
macro_rules! evidence {
    ($(#[$doc:meta])* enum $name:ident {
        $($id:ident => $variant:ident { $($field:ident: $type:ty),* $(,)? } $english:literal $chinese:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        enum $name { $($variant { $($field: $type),* },)* }

        impl $crate::lint::found::Evidence for $name {
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

            fn sentence(&self) -> $crate::lint::said::Bilingual {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $crate::lint::said::said!($english, $chinese; $($field),*)
                    })*
                }
            }
        }
    };
}
pub(super) use evidence;

#[cfg(test)]
mod tests {
    use super::*;

    const AMOUNTS: [f64; 8] = [0.353, 7.0, 62.5, 12_480.0, 1_234_567.0, 98_765_432.0, 2e9, 1.4e12];

    #[test]
    fn amounts_are_short() {
        let shown = AMOUNTS.map(|amount| InLanguage(&Amount(amount), Language::English).to_string());
        let million =
            ["0.35", "7", "62", "12,480", "1.23 million", "98.8 million", "2 billion", "1400 billion"];
        assert_eq!(shown, million);
        let shown = AMOUNTS.map(|amount| InLanguage(&Amount(amount), Language::Chinese).to_string());
        assert_eq!(shown, ["0.35 ", "7 ", "62 ", "12,480 ", "123 万", "9,877 万", "20 亿", "1.4 万亿"]);
    }

    #[test]
    fn long_lists_are_counted() {
        assert_eq!(listed(&[1, 10], Language::English), "1 and 10");
        assert_eq!(listed(&[1, 10], Language::Chinese), "1 和 10");
        assert_eq!(listed(&[0, 1, 2, 3, 4, 5, 6, 7], Language::English), "0, 1, 2, 3, 4, 5 and 2 more");
        assert_eq!(listed(&[0, 1, 2, 3, 4, 5, 6, 7], Language::Chinese), "0、1、2、3、4、5 和另外 2 个");
        assert_eq!(listed::<i32>(&[], Language::Chinese), "无");
    }
}
