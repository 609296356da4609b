//! The ids of the lints.

use std::fmt;
use std::str::FromStr;

use keystride::Design;
use keystride::design::{Complaint, DesignError, Problem};

use super::Language;
use super::needs::{Need, Seen};
use super::pages::{Page, Text};

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
    ($($variant:ident = $name:literal: $seen:ident [$($need:ident),*],)*) => {
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
                match self {
                    $(Self::$variant => &Page {
                        seen: Seen::$seen,
                        needs: &[$(Need::$need),*],
                        english: include_str!(concat!("pages/en/", $name, ".md")),
                        chinese: include_str!(concat!("pages/zh/", $name, ".md")),
                    },)*
                }
            }
        }
    };
}

lint_ids! {
    Enc01 = "ENC01": Wholly [Design, Queries],
    Enc02 = "ENC02": Wholly [Design],
    Enc03 = "ENC03": Wholly [Design, Queries],
    Enc04 = "ENC04": Not [Design, Sample],
    Enc05 = "ENC05": Wholly [Design, Queries],
    Enc06 = "ENC06": Wholly [Design],
    Enc07 = "ENC07": Not [Sample],
    Enc08 = "ENC08": Partly [Design, Sample],
    Enc09 = "ENC09": Not [Code, Sample],
    Enc10 = "ENC10": Wholly [Design],
    Enc11 = "ENC11": Not [Sample],
    Enc12 = "ENC12": Wholly [Design, Queries],
    Enc13 = "ENC13": Partly [Design, Sample],
    Enc14 = "ENC14": Wholly [Design],
    Enc15 = "ENC15": Not [Code],
    Spl01 = "SPL01": Wholly [Design],
    Spl02 = "SPL02": Wholly [Design],
    Spl03 = "SPL03": Wholly [Design],
    Spl04 = "SPL04": Wholly [Design],
    Spl05 = "SPL05": Wholly [Design],
    Spl06 = "SPL06": Wholly [Design],
    Spl07 = "SPL07": Wholly [Design],
    Spl08 = "SPL08": Wholly [Design],
    Spl09 = "SPL09": Wholly [Design, Cluster],
    Spl10 = "SPL10": Wholly [Design, Cluster],
    Spl11 = "SPL11": Not [Sample, Cluster],
    Spl12 = "SPL12": Not [Sample],
    Spl13 = "SPL13": Partly [Design, Cluster],
    Spl14 = "SPL14": Not [Code],
    Spl15 = "SPL15": Wholly [Design],
    Spl16 = "SPL16": Wholly [Design],
    Slt01 = "SLT01": Wholly [Design],
    Slt02 = "SLT02": Partly [Design, Sample],
    Slt03 = "SLT03": Partly [Design, Sample],
    Slt04 = "SLT04": Wholly [Design, Queries],
    Slt05 = "SLT05": Wholly [Design, Queries],
    Slt06 = "SLT06": Partly [Design, Cluster, Sample],
    Slt07 = "SLT07": Not [Table],
    Slt08 = "SLT08": Not [Code],
    Slt09 = "SLT09": Not [Code],
    Slt10 = "SLT10": Partly [Design, Cluster, Sample],
    Slt11 = "SLT11": Wholly [Design, Queries, Cluster],
    Slt12 = "SLT12": Wholly [Design, Queries],
    Slt13 = "SLT13": Wholly [Design],
    Slt14 = "SLT14": Partly [Design, Sample],
    Hot01 = "HOT01": Wholly [Design, Cluster],
    Hot02 = "HOT02": Partly [Design, Cluster, Sample],
    Hot03 = "HOT03": Partly [Design, Cluster, Sample],
    Hot04 = "HOT04": Not [Sample],
    Hot05 = "HOT05": Partly [Design, Sample],
    Hot06 = "HOT06": Partly [Design, Sample],
    Hot07 = "HOT07": Wholly [Design, Cluster],
    Hot08 = "HOT08": Not [Sample],
    Hot09 = "HOT09": Wholly [Design, Cluster],
    Hot10 = "HOT10": Not [Table],
    Hot11 = "HOT11": Partly [Design, Sample],
    Hot12 = "HOT12": Wholly [Design, Queries, Cluster],
    Rd01 = "RD01": Wholly [Design, Queries, Cluster],
    Rd02 = "RD02": Wholly [Design, Queries],
    Rd03 = "RD03": Wholly [Design, Queries],
    Rd04 = "RD04": Not [Code],
    Rd05 = "RD05": Wholly [Design, Queries],
    Rd06 = "RD06": Partly [Design, Queries, Sample],
    Rd07 = "RD07": Wholly [Design, Queries],
    Rd08 = "RD08": Wholly [Design, Queries],
    Rd09 = "RD09": Wholly [Design, Queries, Cluster],
    Unq01 = "UNQ01": Not [Sample],
    Unq02 = "UNQ02": Partly [Design, Cluster, Sample],
    Unq03 = "UNQ03": Partly [Design],
    Unq04 = "UNQ04": Wholly [Design],
    Unq05 = "UNQ05": Not [Sample],
    Unq06 = "UNQ06": Wholly [Design, Cluster],
    Siz01 = "SIZ01": Wholly [Design],
    Siz02 = "SIZ02": Wholly [Design],
    Siz03 = "SIZ03": Partly [Design, Sample],
    Siz04 = "SIZ04": Wholly [Design],
    Siz05 = "SIZ05": Wholly [Design],
    Siz06 = "SIZ06": Not [Sample],
    Upd01 = "UPD01": Wholly [Design],
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

/// Checks that there are lints of the ids that a design silences.
///
/// # Errors
///
/// [`DesignError`] with a complaint for each id that no lint has.
pub fn check_silences(design: &Design) -> Result<(), DesignError> {
    let unknown = design.silences().iter().filter_map(|silence| {
        let UnknownLint { found, nearest } = silence.lint.parse::<LintId>().err()?;
        let nearest = nearest.map(|id| id.name().to_owned());
        let problem = Problem::UnknownName { what: "lint", found, nearest, known: Vec::new() };
        let span = Some(silence.span.clone()).filter(|span| !span.is_empty());
        Some(Complaint { span, path: "lint.allow".to_owned(), problem })
    });
    let complaints: Vec<Complaint> = unknown.collect();
    if complaints.is_empty() { Ok(()) } else { Err(DesignError { complaints }) }
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
    let is_alike = |id: &LintId| id.name().len().abs_diff(name.len()) <= 2;
    let distance = |id: &LintId| strsim::damerau_levenshtein(name, id.name());
    LintId::ALL.iter().copied().filter(|id| is_alike(id) && distance(id) <= 2).min_by_key(distance)
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
