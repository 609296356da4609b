//! A design file with what is found in it, and the patches that make it better.

use std::collections::HashSet;

use keystride::lint::{Finding, Fix, PathStep, Severity, Subject, lint};
use keystride::{SplitError, SplitPoints};

use super::fix::patched;
use crate::design_file::DesignFile;
use crate::failure::Failure;
use crate::global::Global;

pub(super) struct Linted {
    pub(super) file: DesignFile,
    split: Result<SplitPoints, SplitError>,
    pub(super) findings: Vec<Finding>,
}

impl Linted {
    pub(super) fn of(global: &Global, file: DesignFile) -> Result<Self, Failure> {
        let split = match file.split_points(global) {
            Ok(points) => Ok(points),
            // A split rule that fails is a finding; a file that can't be read is a failure.
            Err(Failure::SplitOfFile { cause, .. }) => Err(cause),
            Err(other) => return Err(other),
        };
        Ok(Self::with_split(global, file, split))
    }

    fn with_split(global: &Global, file: DesignFile, split: Result<SplitPoints, SplitError>) -> Self {
        let mut subject = Subject::new(&file.codec).with_split(&split).in_language(global.lang);
        if let Some(source) = file.toml() {
            subject = subject.with_source(source);
        }
        let findings = lint(&subject);
        Self { file, split, findings }
    }

    /// Applies patches one after the other, each to what the one before it made; returns their titles, too.
    pub(super) fn mended(mut self, global: &Global) -> (Self, Vec<String>) {
        let mut titles = Vec::new();
        let mut seen = HashSet::from([self.file.text.clone()]);
        while let Some((title, better)) = self.first_mended(global, &seen) {
            titles.push(title);
            seen.insert(better.file.text.clone());
            self = better;
        }
        (self, titles)
    }

    fn first_mended(&self, global: &Global, seen: &HashSet<String>) -> Option<(String, Self)> {
        self.findings.iter().find_map(|finding| {
            let title = finding.fix.as_ref()?.title.clone();
            let better = self.with_fix_of(finding, global)?;
            (!seen.contains(&better.file.text)).then_some((title, better))
        })
    }

    /// Removes the patches that would not make the file better.
    pub(super) fn keep_good_patches(&mut self, global: &Global) {
        let mut tried: Vec<(&Fix, bool)> = Vec::new();
        let mut is_good = Vec::with_capacity(self.findings.len());
        for finding in &self.findings {
            let Some(fix) = &finding.fix else {
                is_good.push(false);
                continue;
            };
            // Several findings may be mended by one patch.
            let known = tried.iter().find(|(other, _)| *other == fix).map(|(_, is_good)| *is_good);
            let good = known.unwrap_or_else(|| self.with_fix_of(finding, global).is_some());
            tried.push((fix, good));
            is_good.push(good);
        }
        for (finding, is_good) in self.findings.iter_mut().zip(is_good) {
            finding.fix.take_if(|_| !is_good);
        }
    }

    /// The file with the patch of a finding, if that is a valid design which is better: with fewer errors, or as many and
    /// fewer warnings, or as many of both and fewer remarks; or with as many of all, but without this finding, which may
    /// have hidden another of a split.
    fn with_fix_of(&self, finding: &Finding, global: &Global) -> Option<Self> {
        let fix = finding.fix.as_ref()?;
        let file = DesignFile::of(&self.file.path, patched(&self.file.text, fix)?).ok()?;
        let patched = if can_move_points(fix) {
            // What reading the files of its split has to say was said when the file was linted.
            Self::of(&Global { quiet: true, ..global.clone() }, file).ok()?
        } else {
            Self::with_split(global, file, self.split.clone())
        };
        let is_found = |other: &Finding| other.id == finding.id && other.component == finding.component;
        let is_gone = !patched.findings.iter().any(is_found);
        let (before, after) = (self.badness(), patched.badness());
        let is_other = is_gone && !patched.has_new(Severity::Warning, self);
        let is_better = after < before || (after == before && is_other);
        (is_better && !patched.has_new(Severity::Error, self)).then_some(patched)
    }

    /// Whether there are findings of a severity and of a kind that there were none of before; those of a split may have
    /// been hidden.
    fn has_new(&self, severity: Severity, before: &Self) -> bool {
        let kinds = |linted: &Self| -> HashSet<&'static str> {
            let findings = linted.findings.iter().filter(|finding| finding.severity == severity);
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
