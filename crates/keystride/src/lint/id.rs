//! The ids of the lints.

use std::fmt;
use std::str::FromStr;

use super::Language;
use super::needs::{Need, Seen};
use super::pages::{Page, Text, enc, hot, rd, siz, slt, spl, unq, upd};

/// The error for an id that no lint has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no lint is called {found:?}{}", nearest.map(|id| format!(": did you mean {id}?")).unwrap_or_default())]
pub struct UnknownLint {
    /// The id that was asked for.
    pub found: String,
    /// A lint with a similar id.
    pub nearest: Option<LintId>,
}

macro_rules! lint_ids {
    ($($variant:ident = $name:literal: $page:path,)*) => {
        /// The id of a lint: three letters for its family, and a number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LintId {
            $(#[doc = $name] $variant,)*
        }

        impl LintId {
            /// All lints, family by family.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            pub(super) fn page(self) -> &'static Page {
                match self { $(Self::$variant => &$page,)* }
            }
        }
    };
}

lint_ids! {
    Enc01 = "ENC01": enc::ENC01,
    Enc02 = "ENC02": enc::ENC02,
    Enc03 = "ENC03": enc::ENC03,
    Enc04 = "ENC04": enc::ENC04,
    Enc05 = "ENC05": enc::ENC05,
    Enc06 = "ENC06": enc::ENC06,
    Enc07 = "ENC07": enc::ENC07,
    Enc08 = "ENC08": enc::ENC08,
    Enc09 = "ENC09": enc::ENC09,
    Enc10 = "ENC10": enc::ENC10,
    Enc11 = "ENC11": enc::ENC11,
    Enc12 = "ENC12": enc::ENC12,
    Enc13 = "ENC13": enc::ENC13,
    Enc14 = "ENC14": enc::ENC14,
    Enc15 = "ENC15": enc::ENC15,
    Spl01 = "SPL01": spl::SPL01,
    Spl02 = "SPL02": spl::SPL02,
    Spl03 = "SPL03": spl::SPL03,
    Spl04 = "SPL04": spl::SPL04,
    Spl05 = "SPL05": spl::SPL05,
    Spl06 = "SPL06": spl::SPL06,
    Spl07 = "SPL07": spl::SPL07,
    Spl08 = "SPL08": spl::SPL08,
    Spl09 = "SPL09": spl::SPL09,
    Spl10 = "SPL10": spl::SPL10,
    Spl11 = "SPL11": spl::SPL11,
    Spl12 = "SPL12": spl::SPL12,
    Spl13 = "SPL13": spl::SPL13,
    Spl14 = "SPL14": spl::SPL14,
    Spl15 = "SPL15": spl::SPL15,
    Spl16 = "SPL16": spl::SPL16,
    Slt01 = "SLT01": slt::SLT01,
    Slt02 = "SLT02": slt::SLT02,
    Slt03 = "SLT03": slt::SLT03,
    Slt04 = "SLT04": slt::SLT04,
    Slt05 = "SLT05": slt::SLT05,
    Slt06 = "SLT06": slt::SLT06,
    Slt07 = "SLT07": slt::SLT07,
    Slt08 = "SLT08": slt::SLT08,
    Slt09 = "SLT09": slt::SLT09,
    Slt10 = "SLT10": slt::SLT10,
    Slt11 = "SLT11": slt::SLT11,
    Slt12 = "SLT12": slt::SLT12,
    Slt13 = "SLT13": slt::SLT13,
    Slt14 = "SLT14": slt::SLT14,
    Hot01 = "HOT01": hot::HOT01,
    Hot02 = "HOT02": hot::HOT02,
    Hot03 = "HOT03": hot::HOT03,
    Hot04 = "HOT04": hot::HOT04,
    Hot05 = "HOT05": hot::HOT05,
    Hot06 = "HOT06": hot::HOT06,
    Hot07 = "HOT07": hot::HOT07,
    Hot08 = "HOT08": hot::HOT08,
    Hot09 = "HOT09": hot::HOT09,
    Hot10 = "HOT10": hot::HOT10,
    Hot11 = "HOT11": hot::HOT11,
    Hot12 = "HOT12": hot::HOT12,
    Rd01 = "RD01": rd::RD01,
    Rd02 = "RD02": rd::RD02,
    Rd03 = "RD03": rd::RD03,
    Rd04 = "RD04": rd::RD04,
    Rd05 = "RD05": rd::RD05,
    Rd06 = "RD06": rd::RD06,
    Rd07 = "RD07": rd::RD07,
    Rd08 = "RD08": rd::RD08,
    Rd09 = "RD09": rd::RD09,
    Unq01 = "UNQ01": unq::UNQ01,
    Unq02 = "UNQ02": unq::UNQ02,
    Unq03 = "UNQ03": unq::UNQ03,
    Unq04 = "UNQ04": unq::UNQ04,
    Unq05 = "UNQ05": unq::UNQ05,
    Unq06 = "UNQ06": unq::UNQ06,
    Siz01 = "SIZ01": siz::SIZ01,
    Siz02 = "SIZ02": siz::SIZ02,
    Siz03 = "SIZ03": siz::SIZ03,
    Siz04 = "SIZ04": siz::SIZ04,
    Siz05 = "SIZ05": siz::SIZ05,
    Siz06 = "SIZ06": siz::SIZ06,
    Upd01 = "UPD01": upd::UPD01,
}

impl LintId {
    /// Returns what it looks for, in one line.
    pub fn title(self, language: Language) -> &'static str {
        self.page().text(language).title
    }

    /// Returns what information it needs.
    pub fn needs(self) -> &'static [Need] {
        self.page().needs
    }

    /// Returns a page of text: what it checks, why that matters, what to do, what information it needs.
    pub fn explain(self, language: Language) -> String {
        let Text { title, checks, why, remedy } = self.page().text(language);
        let needs: Vec<&str> = self.needs().iter().map(|need| need.words(language)).collect();
        match language {
            Language::English => format!(
                "{self}: {title}\n\nWhat it checks\n{checks}\n\nWhy it matters\n{why}\n\nWhat to do\n{remedy}\n\n\
                 What it needs\n{}.\n",
                needs.join("; "),
            ),
            Language::Chinese => format!(
                "{self}：{title}\n\n检查什么\n{checks}\n\n为什么重要\n{why}\n\n怎么办\n{remedy}\n\n需要什么\n{}。\n",
                needs.join("；"),
            ),
        }
    }

    /// Returns how much of it can be found from a design file, without a sample or a table.
    pub fn seen_in_design(self) -> Seen {
        self.page().seen
    }
}

impl Need {
    /// Returns a description for people.
    pub fn words(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english(),
            Language::Chinese => self.chinese(),
        }
    }

    fn english(self) -> &'static str {
        match self {
            Self::Design => "the design",
            Self::Sample => "a sample of rows",
            Self::Queries => "the queries declared in [access]",
            Self::Cluster => "the rates and servers declared in [workload] and [cluster]",
            Self::Table => "a live table",
            Self::Code => {
                "a program's own code, which keystride does not read; its own code can't go wrong this way"
            }
        }
    }

    fn chinese(self) -> &'static str {
        match self {
            Self::Design => "设计",
            Self::Sample => "行的样本",
            Self::Queries => "[access] 里声明的查询",
            Self::Cluster => "[workload] 和 [cluster] 里声明的速率和服务器",
            Self::Table => "真实的表",
            Self::Code => "程序自己的代码，keystride 不读它；keystride 自己的代码不会出这种错",
        }
    }
}

impl fmt::Display for LintId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LintId {
    type Err = UnknownLint;

    /// Parses an id; upper or lower case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_uppercase();
        let found = Self::ALL.iter().copied().find(|id| id.name() == name);
        found.ok_or_else(|| UnknownLint { found: text.to_owned(), nearest: nearest(&name) })
    }
}

/// Returns the id with the smallest edit distance, if that is at most 2.
fn nearest(name: &str) -> Option<LintId> {
    let distance = |id: &LintId| strsim::damerau_levenshtein(name, id.name());
    LintId::ALL.iter().copied().filter(|id| distance(id) <= 2).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::language::tests::is_chinese;

    #[test]
    fn every_name_reads_back_in_either_case() {
        for id in LintId::ALL {
            assert_eq!(id.name().parse(), Ok(*id));
            assert_eq!(id.name().to_lowercase().parse(), Ok(*id));
        }
        assert_eq!(LintId::ALL.len(), 79);
    }

    #[test]
    fn a_misspelt_name_is_answered_with_one_like_it() {
        let error = "SLP05".parse::<LintId>().unwrap_err();
        assert_eq!(error.to_string(), "no lint is called \"SLP05\": did you mean SPL05?");
        assert_eq!("x".parse::<LintId>().unwrap_err().to_string(), "no lint is called \"x\"");
    }

    #[test]
    fn every_page_is_whole() {
        for id in LintId::ALL {
            let page = id.explain(Language::English);
            assert!(page.starts_with(&format!("{id}: {}\n", id.title(Language::English))), "{page}");
            assert!(page.split_whitespace().count() > 60, "{page}");
            let chinese = id.explain(Language::Chinese);
            assert!(chinese.starts_with(&format!("{id}：{}\n", id.title(Language::Chinese))), "{chinese}");
            assert!(chinese.chars().filter(|c| is_chinese(*c)).count() > 90, "{chinese}");
            assert!(!id.needs().is_empty());
        }
    }
}
