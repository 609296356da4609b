//! Numbers subtracted from a bound before they are written, so that the largest sorts first: `Long.MAX_VALUE - t`, and
//! the same with a bound of your own. Both transformations are their own inverse.

use super::EncodeError;

/// Returns 2^63 − 1 − `value`: `desc = "long-max"` of a design.
///
/// Where Java's `long` would wrap (a negative `value`), the number is rejected. As text, the result has 19 digits, with
/// zeros on the left; Java's unpadded text is shorter, and out of order, from 8,223,372,036,854,775,808 on.
///
/// ```
/// # use keystride::key::descending;
/// assert_eq!(descending::from_long_max(1_400_657_685_457_i64)?, 0x7fff_feb9_e24b_d42e);
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// [`EncodeError::OutOfRange`] below 0 and above 2^63 − 1.
pub fn from_long_max(value: impl Into<i128>) -> Result<i64, EncodeError> {
    let value = value.into();
    match i64::try_from(value) {
        Ok(number @ 0..) => Ok(i64::MAX - number),
        _ => Err(EncodeError::OutOfRange { value, min: 0, max: i64::MAX.into() }),
    }
}

/// Returns `bound` − `value`: `desc = 9999999999999` of a design. As text, the result has as many digits as the bound.
///
/// ```
/// # use keystride::key::descending;
/// assert_eq!(descending::from_bound(1_586_131_200, 9_999_999_999)?, 8_413_868_799);
/// # Ok::<(), keystride::key::EncodeError>(())
/// ```
///
/// # Errors
///
/// [`EncodeError::OutOfRange`] below 0 and above `bound`.
pub fn from_bound(value: impl Into<i128>, bound: u64) -> Result<u64, EncodeError> {
    let value = value.into();
    let refused = EncodeError::OutOfRange { value, min: 0, max: bound.into() };
    let number = u64::try_from(value).map_err(|_| refused)?;
    bound.checked_sub(number).ok_or(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_number_is_refused_rather_than_wrapped() {
        let refused = EncodeError::OutOfRange { value: -1, min: 0, max: i128::from(i64::MAX) };
        assert_eq!(from_long_max(-1), Err(refused));
        assert_eq!(from_long_max(0), Ok(i64::MAX));
        assert_eq!(from_long_max(i64::MAX), Ok(0));
        assert!(from_long_max(1_u64 << 63).is_err());
    }

    #[test]
    fn a_number_up_to_the_bound_is_taken() {
        assert_eq!(from_bound(99, 99), Ok(0));
        assert_eq!(from_bound(0, u64::MAX), Ok(u64::MAX));
        assert_eq!(from_bound(100, 99), Err(EncodeError::OutOfRange { value: 100, min: 0, max: 99 }));
        assert!(from_bound(-1, 99).is_err());
    }

    #[test]
    fn turning_twice_gives_the_number_back() {
        let turned = from_long_max(1_586_131_200_000_i64).unwrap();
        assert_eq!(from_long_max(turned), Ok(1_586_131_200_000));
        assert_eq!(from_bound(from_bound(12, 999).unwrap(), 999), Ok(12));
    }
}
