//! A design with what is found in it, and the patches that make it better.

use std::collections::BTreeSet;

use keystride::design::Silence;
use keystride::{Design, KeyCodec, SplitError, SplitPoints};

use crate::lint::{Effect, Finding, Fix, Language, PathStep, Severity, Subject, lint};

/// The points of a split, or why its rule makes none.
pub type Split = Result<SplitPoints, SplitError>;

/// Makes the split of a patched design; `None` if what its points are made from can't be read.
pub type SplitOf<'a> = &'a dyn Fn(&KeyCodec) -> Option<Split>;

/// The patches that may be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patches {
    /// Those by which every row keeps its key and its cells.
    KeepingRows,
    /// All.
    All,
}

/// A design that was checked, with its findings.
#[derive(Debug)]
pub struct Review {
    codec: KeyCodec,
    /// The text of the design file, if that is TOML.
    toml: Option<String>,
    split: Split,
    language: Language,
    findings: Vec<Finding>,
    silenced: Vec<Finding>,
}

impl Review {
    /// Checks a design. `toml` is the text that it was read from; without it, findings have no places, and no patch is
    /// applied.
    pub fn new(codec: KeyCodec, toml: Option<String>, split: Split, language: Language) -> Self {
        let mut subject = Subject::new(&codec).with_split(&split).in_language(language);
        if let Some(toml) = &toml {
            subject = subject.with_source(toml);
        }
        let (mut silenced, findings): (Vec<_>, _) =
            lint(&subject).into_iter().partition(|finding| finding.silenced.is_some());
        for finding in &mut silenced {
            finding.fix = None;
        }
        Self { codec, toml, split, language, findings, silenced }
    }

    /// Returns the design.
    pub fn design(&self) -> &Design {
        self.codec.design()
    }

    /// Returns the text of the design file, if that is TOML.
    pub fn toml(&self) -> Option<&str> {
        self.toml.as_deref()
    }

    /// Returns what was found and is not silenced, errors first, then in the file's order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns what was found and is silenced by the design, in the same order.
    pub fn silenced(&self) -> &[Finding] {
        &self.silenced
    }

    /// Returns what the design silences although it is not found.
    pub fn stale_silences(&self) -> impl Iterator<Item = &Silence> {
        let is_found =
            |silence: &Silence| self.silenced.iter().any(|finding| silence.lint.parse() == Ok(finding.id));
        self.design().silences().iter().filter(move |silence| !is_found(silence))
    }

    /// Returns how many different patches of the findings have this effect, as far as they were tried.
    pub fn fix_count(&self, effect: Effect) -> usize {
        let fixes = self.findings.iter().filter_map(|finding| finding.fix.as_ref());
        let mut counted: Vec<&Fix> = Vec::new();
        for fix in fixes.filter(|fix| fix.effect == Some(effect)) {
            if !counted.contains(&fix) {
                counted.push(fix);
            }
        }
        counted.len()
    }

    /// Applies patches one after the other, each to what the one before it made; returns their titles, too. Of what is
    /// still found, only patches that were not allowed are left: others would make nothing better.
    #[must_use]
    pub fn mended(mut self, allowed: Patches, split_of: SplitOf<'_>) -> (Self, Vec<String>) {
        let mut titles = Vec::new();
        let mut seen: BTreeSet<String> = self.toml.iter().cloned().collect();
        while let Some((title, better)) = self.first_mended(allowed, split_of, &seen) {
            titles.push(title);
            seen.extend(better.toml.clone());
            self = better;
        }
        if allowed == Patches::KeepingRows {
            self.keep_good_patches(split_of);
        }
        let is_left = |fix: &Fix| allowed == Patches::KeepingRows && fix.effect == Some(Effect::ChangesRows);
        for finding in &mut self.findings {
            finding.fix.take_if(|fix| !is_left(fix));
        }
        (self, titles)
    }

    fn first_mended(
        &self,
        allowed: Patches,
        split_of: SplitOf<'_>,
        seen: &BTreeSet<String>,
    ) -> Option<(String, Self)> {
        self.findings.iter().find_map(|finding| {
            let fix = finding.fix.as_ref()?;
            let (_, better) = self.with_fix_of(finding, fix, allowed, split_of)?;
            let is_new = better.toml.as_ref().is_some_and(|toml| !seen.contains(toml));
            is_new.then(|| (fix.title.clone(), better))
        })
    }

    /// Tries all patches: removes those that would not make the design better, and sets the effect of the others.
    pub fn keep_good_patches(&mut self, split_of: SplitOf<'_>) {
        // Several findings may be mended by one patch.
        let mut tried: Vec<(&Fix, Option<Effect>)> = Vec::new();
        let mut effects = Vec::with_capacity(self.findings.len());
        for finding in &self.findings {
            let effect = finding.fix.as_ref().and_then(|fix| {
                let known = tried.iter().find(|(other, _)| *other == fix).map(|(_, effect)| *effect);
                let try_it = || Some(self.with_fix_of(finding, fix, Patches::All, split_of)?.0);
                let effect = known.unwrap_or_else(try_it);
                tried.push((fix, effect));
                effect
            });
            effects.push(effect);
        }
        for (finding, effect) in self.findings.iter_mut().zip(effects) {
            finding.fix.take_if(|_| effect.is_none());
            if let Some(fix) = &mut finding.fix {
                fix.effect = effect;
            }
        }
    }

    /// The design with the patch of a finding, if that is valid and better: with fewer errors, or as many and fewer
    /// warnings, or as many of both and fewer remarks; or with as many of all, but without this finding, which may have
    /// hidden another of a split. Also tells what the patch does to rows.
    fn with_fix_of(
        &self,
        finding: &Finding,
        fix: &Fix,
        allowed: Patches,
        split_of: SplitOf<'_>,
    ) -> Option<(Effect, Self)> {
        let toml = fix.applied_to(self.toml.as_deref()?)?;
        let codec = KeyCodec::new(Design::from_toml(&toml).ok()?);
        let keeps_rows = self.design().stores_alike(codec.design());
        let effect = if keeps_rows { Effect::KeepsRows } else { Effect::ChangesRows };
        if allowed == Patches::KeepingRows && !keeps_rows {
            return None;
        }
        let split = if can_move_points(fix) { split_of(&codec)? } else { self.split.clone() };
        let patched = Self::new(codec, Some(toml), split, self.language);
        let is_found = |other: &Finding| other.id == finding.id && other.component == finding.component;
        let is_gone = !patched.findings.iter().any(is_found);
        let (before, after) = (self.badness(), patched.badness());
        let is_other = is_gone && !patched.has_new(Severity::Warning, self);
        let is_better = after < before || (after == before && is_other);
        (is_better && !patched.has_new(Severity::Error, self)).then_some((effect, patched))
    }

    /// Whether there are findings of a severity and of a kind that there were none of before; those of a split may have
    /// been hidden.
    fn has_new(&self, severity: Severity, before: &Self) -> bool {
        let kinds = |review: &Self| -> BTreeSet<&'static str> {
            let findings = review.findings.iter().filter(|finding| finding.severity == severity);
            findings.map(|finding| finding.id.name()).collect()
        };
        let known = kinds(before);
        kinds(self).into_iter().any(|id| !known.contains(id) && !id.starts_with("SPL"))
    }

    /// Whether the split can't be made, which hides what is wrong with its regions; then how many errors, warnings and
    /// remarks there are.
    fn badness(&self) -> (bool, [usize; 3]) {
        let count = |severity| self.findings.iter().filter(|finding| finding.severity == severity).count();
        (self.split.is_err(), [Severity::Error, Severity::Warning, Severity::Info].map(count))
    }
}

/// Whether a patch may change the points, which for a sample are read from its file again.
fn can_move_points(fix: &Fix) -> bool {
    let words = ["key", "fields", "split", "input"];
    fix.edits
        .iter()
        .any(|edit| matches!(edit.path.first(), Some(PathStep::Word(word)) if words.contains(&word.as_str())))
}
