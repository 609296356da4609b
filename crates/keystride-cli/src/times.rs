//! The style in which times are shown and read.

use keystride::design::TimeStyle;

use crate::format::Format;
use crate::global::Global;

impl Global {
    /// Returns the style for values: ISO 8601 for formats that people read, and the form that a load reads for formats that
    /// can be loaded again. Asking for a zone means that people read the times, so then all formats have ISO 8601.
    pub(crate) fn times(&self) -> TimeStyle {
        let is_loaded = matches!(self.format, Some(Format::Csv | Format::Json | Format::Ndjson));
        if is_loaded && self.tz.is_none() { TimeStyle::Source } else { self.times_in_words() }
    }

    /// Returns ISO 8601, whatever the format.
    pub(crate) fn times_in_words(&self) -> TimeStyle {
        TimeStyle::Iso8601 { zone: self.tz.clone() }
    }
}
