//! Texts in two languages: lints produce both, and the caller chooses one.

use std::fmt::{self, Formatter};

use keystride::design::Access;
use serde_json::Value;

use super::Language;

/// Makes a text in English and in Chinese, both in the syntax of `format!`; values with a wording of their own in each
/// language are listed at the end.
macro_rules! said {
    ($english:literal, $chinese:literal $(; $($told:ident),+)?) => {{
        const _: () = assert!(!$crate::lint::said::has_chinese($english), "Chinese in the English text");
        const _: () = assert!($crate::lint::said::has_chinese($chinese), "no Chinese in the Chinese text");
        $crate::lint::said::Bilingual {
            english: {
                $($(
                    let $told = $crate::lint::said::InLanguage(&$told, $crate::lint::Language::English);
                    // Some facts occur in the evidence only.
                    let _ = &$told;
                )+)?
                format!($english)
            },
            chinese: {
                $($(
                    let $told = $crate::lint::said::InLanguage(&$told, $crate::lint::Language::Chinese);
                    let _ = &$told;
                )+)?
                format!($chinese)
            },
        }
    }};
}
pub(super) use said;

/// A text in both languages. In evidence it is the English one, which programs can rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bilingual {
    pub(super) english: String,
    pub(super) chinese: String,
}

/// A value with a wording in each language.
pub(super) trait Tell {
    fn tell(&self, language: Language, f: &mut Formatter<'_>) -> fmt::Result;
}

/// A value together with the language to word it in.
pub(super) struct InLanguage<'a, T>(pub(super) &'a T, pub(super) Language);

/// Whether a text contains a character from U+4000 to U+9FFF, the range of the Chinese ones used here.
pub(super) const fn has_chinese(text: &str) -> bool {
    let mut bytes = text.as_bytes();
    while let [first, rest @ ..] = bytes {
        if matches!(first, 0xe4..=0xe9) {
            return true;
        }
        bytes = rest;
    }
    false
}

impl<T: Tell> fmt::Display for InLanguage<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.tell(self.1, f)
    }
}

macro_rules! told_alike {
    ($($type:ty),*) => {
        $(impl Tell for $type {
            fn tell(&self, _: Language, f: &mut Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        })*
    };
}
told_alike!(str, String, u8, u32, u64, usize, i32, i64, f64);

impl<T: Tell + ?Sized> Tell for &T {
    fn tell(&self, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
        T::tell(self, language, f)
    }
}

impl Bilingual {
    /// Makes a text that is the same in both languages: a name, or an error of another module.
    pub(super) fn alike(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { english: text.clone(), chinese: text }
    }

    /// Describes an access by its name.
    pub(super) fn access(access: &Access) -> Self {
        let name = &access.name;
        said!("access {name}", "查询 {name}")
    }

    pub(super) fn into_text(self, language: Language) -> String {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }
}

impl Tell for Bilingual {
    fn tell(&self, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        })
    }
}

impl From<Bilingual> for Value {
    fn from(said: Bilingual) -> Self {
        Self::from(said.english)
    }
}

#[cfg(test)]
mod tests {
    use super::has_chinese;
    use crate::lint::evidence::{Amount, Listed};

    #[test]
    fn chinese_is_told_from_other_text_beyond_ascii() {
        assert!(has_chinese("a 桶"));
        assert!(!has_chinese("'0…' é 、"));
    }

    #[test]
    fn what_is_named_is_told_in_each_language() {
        let (rows, regions, most) = (Amount(1.2e6), Listed(vec![0, 17]), 5);
        let said = said!("{rows} rows, {regions}: {most}", "{rows}行，{regions}：{most}"; rows, regions);
        assert_eq!(said.english, "1.2 million rows, 0 and 17: 5");
        assert_eq!(said.chinese, "120 万行，0 和 17：5");
    }
}
