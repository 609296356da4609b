//! Floats that are to be whole numbers.

use std::fmt::{self, Display};

#[cfg(feature = "parquet")]
use arrow_array::types::{ArrowPrimitiveType, Float16Type};

use super::super::reject::RejectReason;

/// The type that floats were stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::input) enum Precision {
    #[cfg(feature = "parquet")]
    Half,
    Single,
    Double,
}

impl Precision {
    /// Number of bits of the largest whole numbers of which none is left out.
    fn bits(self) -> u8 {
        match self {
            #[cfg(feature = "parquet")]
            Self::Half => 11,
            Self::Single => 24,
            Self::Double => 53,
        }
    }

    /// Returns the value of a float that is a whole number, such as `517.0` or `1e3`. Many writers represent integers
    /// this way if a column has missing values.
    pub(in crate::input) fn whole(self, float: f64) -> Result<i64, RejectReason> {
        self.check(float)?;
        if float.fract() != 0.0 || !float.is_finite() {
            return Err(RejectReason::NotWhole { found: self.text(float).to_string() });
        }
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        Ok(float as i64)
    }

    /// Rejects floats so large that they may stand for several whole numbers.
    pub(in crate::input) fn check(self, float: f64) -> Result<(), RejectReason> {
        let bits = self.bits();
        if float.is_finite() && float.abs() >= f64::from(bits).exp2() {
            return Err(RejectReason::Inexact { found: self.text(float).to_string(), bits });
        }
        Ok(())
    }

    /// Returns the shortest decimal that reads back as the same float of this precision.
    pub(in crate::input) fn text(self, float: f64) -> impl Display {
        fmt::from_fn(move |f| match self {
            Self::Double => write!(f, "{float}"),
            #[expect(clippy::cast_possible_truncation, reason = "it was a shorter float before")]
            Self::Single => write!(f, "{}", float as f32),
            #[cfg(feature = "parquet")]
            Self::Half => write!(f, "{}", <Float16Type as ArrowPrimitiveType>::Native::from_f64(float)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Precision::{Double, Single};

    #[test]
    fn floats_are_whole_numbers_below_the_first_that_stands_for_two() {
        let exact = 2_f64.powi(53);
        for (precision, float, whole) in [
            (Double, 517.0, 517),
            (Double, -1e3, -1000),
            (Double, -0.0, 0),
            (Double, exact - 1.0, (1 << 53) - 1),
            (Single, 16_777_215.0, 16_777_215),
        ] {
            assert_eq!(precision.whole(float).unwrap(), whole);
        }
        for (precision, float) in [
            (Double, 0.5),
            (Double, exact),
            (Double, -1e300),
            (Double, f64::NAN),
            (Double, f64::INFINITY),
            (Single, 16_777_216.0),
        ] {
            assert!(precision.whole(float).is_err(), "{float}");
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn halves_are_whole_below_2048() {
        let half = super::Precision::Half;
        assert_eq!(half.whole(-2047.0).unwrap(), -2047);
        assert!(half.whole(-2048.0).is_err());
    }
}
