//! The units of epoch times.

use std::fmt;
use std::str::FromStr;

use super::TimeError;

/// The unit in which an epoch time is counted.
///
/// ```
/// # use keystride::time::Unit;
/// assert_eq!(Unit::Ms.convert(-1, Unit::S), Some(-1)); // rounded down, never toward zero
/// assert_eq!(Unit::S.convert(1_400_657_685, Unit::Ns), Some(1_400_657_685_000_000_000));
/// assert_eq!(Unit::Ms.digits(), "1400657685457".len());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds.
    S,
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Nanoseconds.
    Ns,
}

impl Unit {
    /// All units, the longest first.
    pub const ALL: [Self; 4] = [Self::S, Self::Ms, Self::Us, Self::Ns];

    /// Returns its name in a design: `s`, `ms`, `us` or `ns`.
    pub fn name(self) -> &'static str {
        match self {
            Self::S => "s",
            Self::Ms => "ms",
            Self::Us => "us",
            Self::Ns => "ns",
        }
    }

    /// Returns the number of digits of its default text: 10, 13, 16 or 19, as for any time from 2001-09-09 to
    /// 2286-11-20.
    pub fn digits(self) -> usize {
        match self {
            Self::S => 10,
            Self::Ms => 13,
            Self::Us => 16,
            Self::Ns => 19,
        }
    }

    /// Returns its length in nanoseconds.
    pub fn nanos(self) -> i128 {
        self.nanos_i64().into()
    }

    /// Returns the whole units in `epoch_ns` nanoseconds, rounded down.
    pub fn of_nanos(self, epoch_ns: i128) -> i128 {
        // Times from 1677 to 2262 fit 64 bits, whose division is several times faster.
        match i64::try_from(epoch_ns) {
            Ok(epoch_ns) => epoch_ns.div_euclid(self.nanos_i64()).into(),
            Err(_) => epoch_ns.div_euclid(self.nanos()),
        }
    }

    /// Converts the time `epoch`, counted in this unit, to another unit: rounded down to a longer one, `None` if a
    /// shorter one exceeds 64 bits.
    pub fn convert(self, epoch: i64, to: Self) -> Option<i64> {
        let (from_ns, to_ns) = (self.nanos_i64(), to.nanos_i64());
        if from_ns >= to_ns {
            epoch.checked_mul(from_ns / to_ns)
        } else {
            Some(epoch.div_euclid(to_ns / from_ns))
        }
    }

    fn nanos_i64(self) -> i64 {
        match self {
            Self::S => 1_000_000_000,
            Self::Ms => 1_000_000,
            Self::Us => 1_000,
            Self::Ns => 1,
        }
    }
}

impl FromStr for Unit {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let unit = Self::ALL.into_iter().find(|unit| unit.name() == text);
        unit.ok_or_else(|| TimeError::UnknownUnit { found: text.to_owned() })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_unit_may_not_fit() {
        assert_eq!(Unit::S.convert(i64::MAX, Unit::Ms), None);
        assert_eq!(Unit::Ns.convert(i64::MIN, Unit::S), Some(-9_223_372_037));
    }

    #[test]
    fn nanoseconds_beyond_64_bits_round_down_too() {
        let far = i128::from(i64::MIN) * 1_000 - 1;
        assert_eq!(Unit::Us.of_nanos(far), i128::from(i64::MIN) - 1);
        assert_eq!(Unit::Us.of_nanos(-1), -1);
        assert_eq!(Unit::Us.of_nanos(1_999), 1);
    }

    #[test]
    fn names_read_back() {
        for unit in Unit::ALL {
            assert_eq!(unit.name().parse(), Ok(unit));
        }
        assert_eq!("sec".parse::<Unit>(), Err(TimeError::UnknownUnit { found: "sec".to_owned() }));
    }
}
