/// Remainders by a fixed divisor, with two multiplications instead of a division (Lemire, Kaser and Kurz, "Faster
/// remainder by direct computation", 2019); exact for 32-bit numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remainder {
    by: u32,
    /// 2^64 ÷ `by`, rounded up, in 64 bits.
    inverse: u64,
}

impl Remainder {
    /// Prepares division by a number of at least 1.
    pub(super) fn new(by: u32) -> Self {
        Self { by, inverse: (u64::MAX / u64::from(by.max(1))).wrapping_add(1) }
    }

    #[inline]
    pub(super) fn of(self, number: u32) -> u32 {
        let fraction = self.inverse.wrapping_mul(number.into());
        // Less than `by`, which has 32 bits.
        let remainder = (u128::from(fraction) * u128::from(self.by)) >> 64;
        u32::try_from(remainder).unwrap_or(0)
    }

    /// Returns the remainder of `Math.abs` of a Java hash; `None` for the smallest `i32`, which `Math.abs` leaves
    /// negative, so that its remainder may not be a bucket.
    #[inline]
    pub(super) fn of_java(self, hash: i32) -> Option<u32> {
        hash.checked_abs().map(|hash| self.of(hash.unsigned_abs()))
    }

    /// Returns the remainder of a 64-bit number; most numbers that are drawn or counted fit 32 bits.
    #[inline]
    pub(super) fn of_wide(self, number: u64) -> u32 {
        match u32::try_from(number) {
            Ok(number) => self.of(number),
            Err(_) => u32::try_from(number % u64::from(self.by)).unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_those_of_a_division() {
        for by in [1, 2, 3, 6, 7, 10, 16, 100, 127, 4_096, 4_097, 65_535, 65_536] {
            let remainder = Remainder::new(by);
            let near = (0..5).flat_map(|n| [by * n, (by * n).wrapping_sub(1), by * n + 1]);
            for number in near.chain([i32::MAX.unsigned_abs(), u32::MAX - 1, u32::MAX]) {
                assert_eq!(remainder.of(number), number % by, "{number} by {by}");
            }
            let wide = u64::MAX - 5;
            assert_eq!(u64::from(remainder.of_wide(wide)), wide % u64::from(by));
        }
    }
}
