//! A design file with what is found in it, and the patches that make it better.

use keystride::lint::{Finding, Fix, Severity, Subject, lint};

use super::fix::patched;
use crate::design_file::DesignFile;
use crate::failure::Failure;
use crate::global::Global;

pub(super) struct Linted {
    pub(super) file: DesignFile,
    pub(super) findings: Vec<Finding>,
}

impl Linted {
    pub(super) fn of(global: &Global, file: DesignFile) -> Result<Self, Failure> {
        let split = match file.split_points(global) {
            Ok(points) => Ok(points),
            // A split rule that fails is a finding; a file that can't be read is a failure.
            Err(Failure::Split(error)) => Err(error),
            Err(other) => return Err(other),
        };
        let findings = lint(&Subject::new(&file.codec).with_split(&split).in_language(global.lang));
        Ok(Self { file, findings })
    }

    /// Applies patches one after the other, each to what the one before it made; returns their titles, too.
    pub(super) fn mended(mut self, global: &Global) -> (Self, Vec<String>) {
        let mut titles = Vec::new();
        while let Some((title, better)) = self.first_mended(global) {
            titles.push(title);
            self = better;
        }
        (self, titles)
    }

    fn first_mended(&self, global: &Global) -> Option<(String, Self)> {
        let mut fixes = self.findings.iter().filter_map(|finding| finding.fix.as_ref());
        fixes.find_map(|fix| Some((fix.title.clone(), self.with(fix, global)?)))
    }

    /// Removes the patches that would not make the file better.
    pub(super) fn keep_good_patches(&mut self, global: &Global) {
        let is_good: Vec<bool> = self
            .findings
            .iter()
            .map(|finding| finding.fix.as_ref().is_some_and(|fix| self.with(fix, global).is_some()))
            .collect();
        for (finding, is_good) in self.findings.iter_mut().zip(is_good) {
            finding.fix.take_if(|_| !is_good);
        }
    }

    /// The file with a patch, if it is then a valid design of which worse things are found no longer.
    fn with(&self, fix: &Fix, global: &Global) -> Option<Self> {
        let text = patched(&self.file.text, fix)?;
        // What reading the files of its split has to say was said when the file was linted.
        let global = &Global { quiet: true, ..global.clone() };
        let file = DesignFile::of(&self.file.path, text).ok()?;
        let patched = Self::of(global, file).ok()?;
        (patched.counts() < self.counts()).then_some(patched)
    }

    /// How many errors, warnings and remarks there are: as a patch lessens them, patches come to an end.
    fn counts(&self) -> [usize; 3] {
        let count = |severity| self.findings.iter().filter(|finding| finding.severity == severity).count();
        [Severity::Error, Severity::Warning, Severity::Info].map(count)
    }
}
