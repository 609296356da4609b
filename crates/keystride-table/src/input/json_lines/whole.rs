//! Whole numbers in JSON, however they are written.

/// The most digits of a whole number in plain notation; larger ones are out of every range.
const MOST_DIGITS: usize = 38;

/// Writes a whole number that has a fraction or an exponent, such as `517.0` or `1e3`, in plain digits into `plain`.
/// Its decimal text decides, as a float would round it: `1.9999999999999999` is not whole. Returns `None` for a
/// number that is not whole, is in plain digits already, or has more than 38 of them.
pub(super) fn plain_whole<'a>(number: &str, plain: &'a mut String) -> Option<&'a str> {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |number| ("-", number));
    let at = number.find(['.', 'e', 'E'])?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let fraction = mantissa.get(at + 1..).unwrap_or_default();
    let significant = || number[..at].bytes().chain(fraction.bytes());
    plain.clear();
    let Some(first) = significant().position(|digit| digit != b'0') else {
        plain.push('0');
        return Some(plain);
    };
    let end = at + fraction.trim_end_matches('0').len();
    let end = if end > at { end } else { number[..at].trim_end_matches('0').len() };
    // Where the point is, counted in digits from the first.
    let point = saturating(exponent).saturating_add(i64::try_from(at).ok()?);
    let point = usize::try_from(point).ok()?;
    if end > point || point - first > MOST_DIGITS {
        return None;
    }
    plain.push_str(sign);
    plain.extend(significant().take(end).skip(first).map(char::from));
    plain.extend(std::iter::repeat_n('0', point - end));
    Some(plain)
}

/// Returns an exponent, or the nearest number of 64 bits.
fn saturating(exponent: &str) -> i64 {
    let beyond = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    exponent.parse().unwrap_or(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decimal_text_says_whether_a_number_is_whole() {
        for (number, plain) in [
            ("517.0", Some("517")),
            ("-1e3", Some("-1000")),
            ("1E+3", Some("1000")),
            ("10.00e2", Some("1000")),
            ("0.0015e4", Some("15")),
            ("120e-1", Some("12")),
            ("-0.0", Some("0")),
            ("0e999999999999999999999", Some("0")),
            ("9223372036854775807.0", Some("9223372036854775807")),
            ("1.8446744073709551615e19", Some("18446744073709551615")),
            ("1e37", Some("10000000000000000000000000000000000000")),
            ("1.9999999999999999", None),
            ("1234567890123456.9", None),
            ("12e-1", None),
            ("1e38", None),
            ("1e999999999", None),
            ("1e999999999999999999999", None),
            ("1e-999999999999999999999", None),
            ("517", None),
        ] {
            assert_eq!(plain_whole(number, &mut String::new()), plain, "{number}");
        }
    }
}
