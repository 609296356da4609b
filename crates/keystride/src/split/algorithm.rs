//! HBase's three named split algorithms.

use super::decimal_string::DECIMAL_STRING;
use super::hex_string::HEX_STRING;
use super::radix::RadixRule;
use super::{SplitError, SplitPoints, list, uniform};

/// The three split algorithms of HBase's `RegionSplitter`, by the names that its shell accepts.
///
/// ```
/// # use keystride::split::{SplitAlgorithm, SplitPoints};
/// let hex = SplitAlgorithm::from_name("HexStringSplit")?;
/// assert_eq!(hex.split(4, None, None)?, SplitPoints::new(["40000000", "80000000", "c0000000"])?);
/// assert_eq!(SplitAlgorithm::Uniform.split(2, None, None)?, SplitPoints::new([b"\x80\0\0\0\0\0\0\0"])?);
/// # Ok::<(), keystride::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SplitAlgorithm {
    /// `HexStringSplit`: rows that begin with hex text, 00000000 to ffffffff.
    HexString,
    /// `DecimalStringSplit`: rows that begin with decimal text, 00000000 to 99999999.
    DecimalString,
    /// `UniformSplit`: rows of arbitrary bytes, from the empty row to eight FF bytes.
    Uniform,
}

/// Whether splitting a range also returns its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Only the rows between the ends.
    Dropped,
    /// The rows between the ends, and the ends themselves.
    Kept,
}

impl SplitAlgorithm {
    /// All algorithms.
    pub const ALL: [Self; 3] = [Self::HexString, Self::DecimalString, Self::Uniform];

    /// Returns its name in HBase.
    pub fn name(self) -> &'static str {
        self.radix_rule().map_or(uniform::NAME, |rule| rule.name)
    }

    /// Returns the algorithm with this name or Java class.
    ///
    /// # Errors
    ///
    /// [`SplitError::UnknownAlgorithm`] for any other name; names are case-sensitive, as in HBase.
    pub fn from_name(name: &str) -> Result<Self, SplitError> {
        let short = name.strip_prefix("org.apache.hadoop.hbase.util.RegionSplitter$").unwrap_or(name);
        let known = Self::ALL.into_iter().find(|algorithm| algorithm.name() == short);
        known.ok_or_else(|| SplitError::UnknownAlgorithm { name: name.to_owned() })
    }

    /// Returns the default first row.
    pub fn first_row(self) -> &'static [u8] {
        self.radix_rule().map_or(uniform::FIRST, |rule| rule.first.as_bytes())
    }

    /// Returns the default last row.
    pub fn last_row(self) -> &'static [u8] {
        self.radix_rule().map_or(uniform::LAST, |rule| rule.last.as_bytes())
    }

    /// Returns points that cut a table into `regions`.
    ///
    /// `first` and `last` are numbers in the algorithm's radix, or escaped text for `UniformSplit`. The last row
    /// belongs to the range; in hex or decimal, its length is the width of all points.
    ///
    /// # Errors
    ///
    /// [`SplitError`] for fewer than one region (`UniformSplit`: two), for more regions than rows, and for ends that
    /// can't be read or are out of order.
    pub fn split(
        self,
        regions: usize,
        first: Option<&str>,
        last: Option<&str>,
    ) -> Result<SplitPoints, SplitError> {
        if let Some(rule) = self.radix_rule() {
            return rule.split(regions, first, last);
        }
        let first = first.map(list::unescape).transpose()?;
        let last = last.map(list::unescape).transpose()?;
        uniform::split(
            regions,
            first.as_deref().unwrap_or(uniform::FIRST),
            last.as_deref().unwrap_or(uniform::LAST),
        )
    }

    /// Returns rows that cut the range from `start` to `end` into `regions`, without checking that they can be
    /// [`SplitPoints`].
    ///
    /// An empty `start` is the lowest row; an empty `end` is the default last row of `UniformSplit`. Hex and decimal
    /// rows are padded to eight digits and never truncated, so longer ones need not be ascending.
    ///
    /// ```
    /// # use keystride::split::{Ends, SplitAlgorithm};
    /// let rows = SplitAlgorithm::HexString.split_range(b"10", b"20", 2, Ends::Kept)?;
    /// assert_eq!(rows, [b"00000010", b"00000018", b"00000020"]);
    /// # Ok::<(), keystride::SplitError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`split`](Self::split).
    pub fn split_range(
        self,
        start: &[u8],
        end: &[u8],
        regions: usize,
        ends: Ends,
    ) -> Result<Vec<Vec<u8>>, SplitError> {
        match self.radix_rule() {
            Some(rule) => rule.split_range(start, end, regions, ends),
            None => uniform::split_range(start, end, regions, ends),
        }
    }

    /// Returns the row half-way between two rows, at which HBase's rolling split would cut a region.
    ///
    /// ```
    /// # use keystride::split::SplitAlgorithm;
    /// assert_eq!(SplitAlgorithm::HexString.midpoint(b"10000000", b"30000000")?, b"20000000");
    /// assert_eq!(SplitAlgorithm::Uniform.midpoint(b"aaa", b"aab")?, b"aaa\x80");
    /// # Ok::<(), keystride::SplitError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SplitError`] for ends that can't be read; in hex and decimal for an end of 0 but, as in HBase, not for ends
    /// that are out of order; in `UniformSplit` for ends that are out of order.
    pub fn midpoint(self, start: &[u8], end: &[u8]) -> Result<Vec<u8>, SplitError> {
        match self.radix_rule() {
            Some(rule) => rule.midpoint(start, end),
            None => uniform::midpoint(start, end),
        }
    }

    /// Returns the row for a text, as `strToRow` does. Numbers are padded to eight digits, other text is unescaped.
    ///
    /// # Errors
    ///
    /// [`SplitError`] for text that is not a number in the radix (signs are rejected), or not escaped text.
    pub fn row(self, text: &str) -> Result<Vec<u8>, SplitError> {
        match self.radix_rule() {
            Some(rule) => rule.row(text),
            None => list::unescape(text),
        }
    }

    fn radix_rule(self) -> Option<&'static RadixRule> {
        match self {
            Self::HexString => Some(&HEX_STRING),
            Self::DecimalString => Some(&DECIMAL_STRING),
            Self::Uniform => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_midpoint_needs_an_end_above_0_and_no_order() {
        use SplitAlgorithm::{DecimalString, HexString};
        assert_eq!(HexString.midpoint(b"F", b"B"), Ok(b"0000000d".to_vec()));
        assert_eq!(DecimalString.midpoint(b"61", b"1"), Ok(b"00000031".to_vec()));
        for end in [&b""[..], b"0", b"00000000"] {
            assert!(matches!(HexString.midpoint(b"", end), Err(SplitError::EmptyRange { .. })));
        }
    }

    #[test]
    fn names_are_those_of_the_shell() {
        for algorithm in SplitAlgorithm::ALL {
            assert_eq!(SplitAlgorithm::from_name(algorithm.name()), Ok(algorithm));
            let class = format!("org.apache.hadoop.hbase.util.RegionSplitter${}", algorithm.name());
            assert_eq!(SplitAlgorithm::from_name(&class), Ok(algorithm));
        }
        let unknown = SplitAlgorithm::from_name("hexstringsplit").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "HBase has no split algorithm \"hexstringsplit\": \
             it has HexStringSplit, DecimalStringSplit and UniformSplit"
        );
    }

    #[test]
    fn many_regions_are_made_and_too_many_refused() {
        for algorithm in SplitAlgorithm::ALL {
            assert_eq!(algorithm.split(65_536, None, None).unwrap().region_count(), 65_536);
            let refused = algorithm.split(usize::MAX, None, None);
            assert_eq!(refused, Err(SplitError::TooManyRegions { regions: usize::MAX }));
        }
    }

    #[test]
    fn a_row_of_its_own_default_is_the_default() {
        for algorithm in SplitAlgorithm::ALL {
            let (first, last) = (algorithm.first_row(), algorithm.last_row());
            assert_eq!(algorithm.row(&crate::escape::to_escaped(first)).as_deref(), Ok(first));
            assert_eq!(algorithm.row(&crate::escape::to_escaped(last)).as_deref(), Ok(last));
        }
    }
}
