//! The language of the system, where no setting says one.

use keystride_advisor::lint::Language;

use super::origin::{Origin, Setting};

/// The variables that set the language of messages, the strongest first.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// Returns the language of the first variable that is set: Chinese for `zh_CN.UTF-8` and the like, and English for all
/// that lints are not told in.
pub(super) fn language() -> Setting<Language> {
    language_of(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
}

fn language_of(value: impl Fn(&str) -> Option<String>) -> Setting<Language> {
    let value_of = |name| Some((name, value(name).filter(|value| !value.is_empty())?));
    match VARIABLES.into_iter().find_map(value_of) {
        Some((name, locale)) if is_chinese(&locale) => Setting::new(Language::Chinese, Origin::Locale(name)),
        _ => Setting::new(Language::English, Origin::Default),
    }
}

fn is_chinese(locale: &str) -> bool {
    locale.split(['_', '-', '.', '@']).next().is_some_and(|language| language.eq_ignore_ascii_case("zh"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_variable_that_is_set_says_the_language() {
        for (set, language, origin) in [
            (&[("LANG", "zh_CN.UTF-8")][..], Language::Chinese, Origin::Locale("LANG")),
            (&[("LANG", "zh")], Language::Chinese, Origin::Locale("LANG")),
            (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "zh_TW")], Language::Chinese, Origin::Locale("LC_ALL")),
            (&[("LANG", "zh_CN"), ("LC_ALL", "")], Language::Chinese, Origin::Locale("LANG")),
            (&[("LANG", "zh_CN"), ("LC_MESSAGES", "C")], Language::English, Origin::Default),
            (&[("LANG", "zhx")], Language::English, Origin::Default),
            (&[], Language::English, Origin::Default),
        ] {
            let value = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            let found = language_of(value);
            assert_eq!((found.value, found.origin), (language, origin), "{set:?}");
        }
    }
}
