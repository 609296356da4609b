//! The style in which times are shown and read.

use std::borrow::Cow;

use clap::ValueEnum;
use keystride::Design;
use keystride::design::TimeStyle;

use crate::format::Format;
use crate::global::Global;

/// How times are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Times {
    /// As the field's source writes them, so that they load again.
    Field,
    /// As numbers in the field's unit.
    Epoch,
    /// In ISO 8601, with an offset.
    Iso,
}

impl Global {
    /// Returns the style for the times of rows: what was asked for, or else what a load reads where the format is one of
    /// lines for programs, and ISO 8601 where it is not. Asking for a zone means that people read the times.
    pub(crate) fn times(&self) -> TimeStyle {
        let is_lines = matches!(self.rows_format(), Format::Csv | Format::Tsv | Format::Concise);
        self.style_of(if is_lines && self.tz.is_none() { Times::Field } else { Times::Iso })
    }

    /// Returns the style for times in explanations and in the bounds of regions: ISO 8601, whatever the format, unless
    /// another was asked for.
    pub(crate) fn times_in_words(&self) -> TimeStyle {
        self.style_of(Times::Iso)
    }

    fn style_of(&self, usual: Times) -> TimeStyle {
        match self.times.unwrap_or(usual) {
            Times::Field => TimeStyle::Source,
            Times::Epoch => TimeStyle::Epoch,
            Times::Iso => TimeStyle::Iso8601 { zone: self.tz.clone() },
        }
    }

    /// Returns the design by which texts are read: its times that are counted in a unit are in the zone asked for.
    pub(crate) fn reading<'a>(&self, design: &'a Design) -> Cow<'a, Design> {
        TimeStyle::Iso8601 { zone: self.tz.clone() }.reading(design)
    }
}
