//! Time zones.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use jiff::tz::TimeZoneDatabase;
use strsim::damerau_levenshtein;

use super::TimeError;
use super::civil::{FOUR_DIGIT_YEARS, LocalTime};
use super::clock_changes::{ClockChanges, Gap, Named, Stretch};
use super::cursor::{Cursor, OffsetStyle};

/// A time zone of the bundled IANA database, or a fixed offset such as `+08:00`. Cheap to clone.
///
/// The machine's own zone and zone database are never used, so a design means the same everywhere.
///
/// ```
/// # use keystride::time::Zone;
/// let shanghai = Zone::parse("Asia/Shanghai")?;
/// assert_eq!(shanghai.offset_at(1_400_657_685), 8 * 3600);
/// assert_eq!(Zone::parse("-03:30")?.offset_at(0), -12_600);
/// assert_eq!(
///     Zone::parse("Asia/Shangai").unwrap_err().to_string(),
///     "unknown zone \"Asia/Shangai\": did you mean \"Asia/Shanghai\"?",
/// );
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
#[derive(Clone)]
pub struct Zone(Arc<Rules>);

struct Rules {
    name: Box<str>,
    changes: ClockChanges,
}

impl Zone {
    /// Returns Coordinated Universal Time.
    pub fn utc() -> Self {
        Self::fixed("UTC", 0)
    }

    /// Parses an IANA name, spelled as in the database, or an offset from `-18:00` to `+18:00`.
    ///
    /// # Errors
    ///
    /// [`TimeError::UnknownZone`], with a similar name if there is one.
    pub fn parse(name: &str) -> Result<Self, TimeError> {
        if let Some(offset) = fixed_offset(name) {
            return Ok(Self::fixed(name, offset));
        }
        let database = TimeZoneDatabase::bundled();
        match database.get(name) {
            // The database ignores case and has a zone "Etc/Unknown"; Java accepts neither.
            Ok(zone) if zone.iana_name() == Some(name) && !zone.is_unknown() => {
                Ok(Self(Arc::new(Rules { name: name.into(), changes: ClockChanges::of(&zone) })))
            }
            _ => Err(TimeError::UnknownZone { found: name.to_owned(), near: nearest(name, &database) }),
        }
    }

    /// Returns the name that it was created with.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether its offset never changes, so that no local time is skipped or repeated.
    pub fn is_fixed(&self) -> bool {
        self.0.changes.is_empty()
    }

    /// Whether its clocks are set back, and repeat what they showed, within these epoch milliseconds.
    pub fn is_set_back_within(&self, first_ms: i128, last_ms: i128) -> bool {
        let first = i64::try_from(first_ms.div_euclid(1_000)).unwrap_or(i64::MIN);
        let stretches = std::iter::successors(self.stretch_after(first), |one| self.stretch_after(one.from));
        let mut within = stretches.take_while(|stretch| i128::from(stretch.from) * 1_000 <= last_ms);
        within.any(|stretch| stretch.offset < stretch.offset_before)
    }

    /// Returns the epoch second of the last change of its clocks at or before `second`; the smallest number if they were
    /// never changed before.
    pub(crate) fn changed_at(&self, second: i64) -> i64 {
        self.stretch_at(second).from
    }

    /// Returns how many seconds its clocks are ahead of UTC at an epoch second.
    pub fn offset_at(&self, second: i64) -> i64 {
        self.0.changes.offset_at(second)
    }

    /// Returns the epoch second at which its clocks show `local`, the earlier one of two; if they skip it, the first
    /// second after, provided that they then show less than `end`.
    ///
    /// # Errors
    ///
    /// [`TimeError::InGap`] when clocks skip everything from `local` to `end`.
    #[inline]
    pub(super) fn instant_of(&self, local: LocalTime, end: impl FnOnce() -> i64) -> Result<i64, TimeError> {
        match self.0.changes.named(local.to_seconds()) {
            Named::Instant(second) => Ok(second),
            Named::Skipped(gap) if gap.to < end() => Ok(gap.at),
            Named::Skipped(gap) => Err(self.in_gap(gap)),
        }
    }

    /// Returns the first and the last epoch millisecond of the years 1 to 9999 on its clocks.
    pub(crate) fn written_ms(&self) -> (i64, i64) {
        let years = FOUR_DIGIT_YEARS;
        (self.first_at(years.start) * 1_000, self.first_at(years.end) * 1_000 - 1)
    }

    /// Returns the first epoch second at which its clocks show `local` seconds or more.
    pub(super) fn first_at(&self, local: i64) -> i64 {
        match self.0.changes.named(local) {
            Named::Instant(second) => second,
            Named::Skipped(gap) => gap.at,
        }
    }

    pub(super) fn stretch_at(&self, second: i64) -> Stretch {
        self.0.changes.stretch_at(second)
    }

    pub(super) fn stretch_after(&self, second: i64) -> Option<Stretch> {
        self.0.changes.stretch_after(second)
    }

    fn fixed(name: &str, offset: i32) -> Self {
        Self(Arc::new(Rules { name: name.into(), changes: ClockChanges::never(offset) }))
    }

    #[cold]
    fn in_gap(&self, gap: Gap) -> TimeError {
        match (LocalTime::of_seconds(gap.from, 0), LocalTime::of_seconds(gap.to, 0)) {
            (Ok(from), Ok(to)) => TimeError::InGap { zone: self.name().into(), from, to, at: gap.at },
            (Err(error), _) | (_, Err(error)) => error,
        }
    }
}

fn fixed_offset(name: &str) -> Option<i32> {
    let mut cursor = Cursor::new(name.as_bytes());
    if !matches!(cursor.peek(), Some(b'+' | b'-')) {
        return None;
    }
    let offset = cursor.offset(OffsetStyle::Colon).ok()?;
    cursor.end().ok().map(|()| offset)
}

/// Returns the offset that is written as in `GMT+8`, `UTC+08:00` or `+0800`, as a design writes it. The zones `Etc/GMT+8`
/// and so on, which look similar, have the opposite sign.
fn offset_meant(found: &str) -> Option<String> {
    let upper = found.to_ascii_uppercase();
    let named = after_utc(&upper);
    let text = named.unwrap_or(&upper);
    let (sign, digits) = match text.split_at_checked(1)? {
        ("-", digits) => ('-', digits),
        ("+", digits) => ('+', digits),
        _ => ('+', named?),
    };
    let (hours, minutes) = match (digits.split_once(':'), digits.len()) {
        (Some(parts), _) => parts,
        (None, 1 | 2) => (digits, "00"),
        (None, len) => digits.split_at_checked(len.checked_sub(2)?)?,
    };
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let offset = format!("{sign}{hours:02}:{minutes:02}");
    fixed_offset(&offset).map(|_| offset)
}

fn after_utc(upper: &str) -> Option<&str> {
    ["GMT", "UTC", "UT"].iter().find_map(|name| upper.strip_prefix(name))
}

/// Whether a similar name would be another zone: an abbreviation, such as CST, is that of several, and an offset from
/// UTC is no name.
fn has_no_like(name: &str) -> bool {
    let is_abbreviation = name.len() <= 5 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_offset = after_utc(&name.to_ascii_uppercase())
        .is_some_and(|offset| offset.starts_with(|first: char| matches!(first, '+' | '-' | '0'..='9')));
    is_abbreviation || is_offset
}

/// No zone has so long a name, and comparing it with all would be slow.
const LONGEST: usize = 100;

/// Returns the most similar name, compared by city or as a whole, if it is similar enough to have been meant.
fn nearest(found: &str, database: &TimeZoneDatabase) -> Option<String> {
    if let Some(offset) = offset_meant(found) {
        return Some(offset);
    }
    if found.len() > LONGEST || has_no_like(found) {
        return None;
    }
    let found = found.to_lowercase().replace(' ', "_");
    // Among names that are equally close, one that is close as a whole wins.
    let distance = |name: &str| {
        let name = name.to_lowercase();
        let city = name.rsplit('/').next().unwrap_or(&name);
        let (whole, city) = (damerau_levenshtein(&found, &name), damerau_levenshtein(&found, city));
        (whole.min(city), whole)
    };
    let far = (found.chars().count() / 3).min(3);
    let names = database.available().map(|name| (distance(name.as_str()), name.as_str().to_owned()));
    names.filter(|((near, _), _)| *near <= far).min().map(|(_, name)| name)
}

impl FromStr for Zone {
    type Err = TimeError;

    fn from_str(name: &str) -> Result<Self, TimeError> {
        Self::parse(name)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({self})")
    }
}

/// Zones are equal when their names are: `Asia/Shanghai` and `Asia/Chongqing` are two.
impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Zone {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_database_is_a_zone() {
        for name in TimeZoneDatabase::bundled().available() {
            assert_eq!(Zone::parse(name.as_str()).unwrap().name(), name.as_str());
        }
    }

    fn nearest_to(name: &str) -> Option<String> {
        match Zone::parse(name) {
            Err(TimeError::UnknownZone { near, .. }) => near,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn unknown_names_get_a_near_one() {
        assert_eq!(nearest_to("asia/shanghai").as_deref(), Some("Asia/Shanghai"));
        assert_eq!(nearest_to("New York").as_deref(), Some("America/New_York"));
        assert_eq!(nearest_to("Europe/Berln").as_deref(), Some("Europe/Berlin"));
        assert_eq!(nearest_to("utc").as_deref(), Some("UTC"));
        for (found, meant) in
            [("GMT+8", "+08:00"), ("UTC-05:30", "-05:30"), ("utc8", "+08:00"), ("+0800", "+08:00")]
        {
            assert_eq!(nearest_to(found).as_deref(), Some(meant));
        }
        for name in ["CST", "GMT+99", "UTC+é", "+é"] {
            assert_eq!(nearest_to(name), None, "{name}");
        }
        assert_eq!(nearest_to("the office"), None);
        assert_eq!(nearest_to(""), None);
        assert_eq!(nearest_to("Etc/Unknown"), None);
    }

    #[test]
    fn offsets_are_zones_up_to_18_hours() {
        assert_eq!(Zone::parse("+18:00").unwrap().offset_at(i64::MIN), 64_800);
        assert!(Zone::parse("+08:00").unwrap().is_fixed());
        for name in ["+18:01", "+08:60", "+8:00", "08:00", "+0800", "+08:00 ", "+"] {
            assert!(Zone::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_zones_without_changes_are_fixed() {
        assert!(Zone::utc().is_fixed());
        assert!(Zone::parse("Etc/GMT-8").unwrap().is_fixed());
        let shanghai = Zone::parse("Asia/Shanghai").unwrap();
        assert!(!shanghai.is_fixed());
        assert_eq!([i64::MIN, i64::MAX].map(|second| shanghai.offset_at(second)), [29_143, 28_800]);
    }

    #[test]
    fn zones_are_equal_by_name_and_print_it() {
        let zone = |name: &str| Zone::parse(name).unwrap();
        assert_eq!(zone("Asia/Shanghai"), zone("Asia/Shanghai"));
        assert_ne!(zone("Asia/Shanghai"), zone("Asia/Chongqing"));
        assert_eq!(format!("{0} {0:?}", zone("+08:00")), "+08:00 Zone(+08:00)");
    }

    #[test]
    fn clocks_are_set_back_within_times_that_hold_the_change() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        // On 2024-10-27 at 01:00 UTC back, and on 2025-03-30 at 01:00 UTC forward.
        let (back, forward) = (1_729_990_800_000, 1_743_296_400_000);
        assert!(berlin.is_set_back_within(back - 1_000, back));
        assert!(berlin.is_set_back_within(0, i128::MAX));
        assert!(!berlin.is_set_back_within(back - 1_000, back - 1));
        assert!(!berlin.is_set_back_within(back, forward));
    }
}
