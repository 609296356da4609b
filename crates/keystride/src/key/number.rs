//! Numbers of fixed width and their big-endian bytes.

/// A number that is written big-endian, in as many bytes as its type has.
pub trait Number: Copy + private::Sealed {
    /// The bytes of the number: an array of the type's width.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + for<'a> TryFrom<&'a [u8]>;

    /// Returns the bytes of `Bytes.toBytes`: two's complement, or IEEE bits as they are.
    fn to_plain(self) -> Self::Bytes;

    /// The inverse of [`Self::to_plain`].
    fn from_plain(bytes: Self::Bytes) -> Self;

    /// Returns bytes that sort as the numbers do: the sign bit is flipped, and negative floats are complemented
    /// entirely; −0.0 sorts before 0.0, and every NaN becomes the canonical NaN, which sorts last.
    fn to_ordered(self) -> Self::Bytes;

    /// The inverse of [`Self::to_ordered`].
    fn from_ordered(bytes: Self::Bytes) -> Self;
}

/// A whole number of fixed width.
pub trait Integer: Number + TryFrom<i128> + Into<i128> {
    /// The smallest number of the type.
    const LEAST: Self;
    /// The largest number of the type.
    const GREATEST: Self;
}

/// A signed whole number, like those of Java.
pub trait SignedInteger: Integer {}

/// A floating-point number.
pub trait Float: Number {
    /// Whether the sign bit is set; it is in −0.0.
    fn has_sign(self) -> bool;

    /// Returns the number itself, or the canonical NaN for any NaN.
    #[must_use]
    fn with_canonical_nan(self) -> Self;
}

mod private {
    #[expect(unnameable_types, reason = "so that the set of numbers stays ours")]
    pub trait Sealed {}
}

macro_rules! integers {
    ($($int:ident),*) => {$(
        impl private::Sealed for $int {}

        impl Number for $int {
            type Bytes = [u8; size_of::<$int>()];

            fn to_plain(self) -> Self::Bytes {
                self.to_be_bytes()
            }

            fn from_plain(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes)
            }

            // MIN is the sign bit alone, or 0 for unsigned numbers, which already sort as they are.
            fn to_ordered(self) -> Self::Bytes {
                (self ^ Self::MIN).to_be_bytes()
            }

            fn from_ordered(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes) ^ Self::MIN
            }
        }

        impl Integer for $int {
            const LEAST: Self = Self::MIN;
            const GREATEST: Self = Self::MAX;
        }
    )*};
}

integers!(i8, i16, i32, i64, u32, u64);

impl SignedInteger for i8 {}
impl SignedInteger for i16 {}
impl SignedInteger for i32 {}
impl SignedInteger for i64 {}

macro_rules! floats {
    ($($float:ident is $bits:ident, sign $sign:literal, nan $canonical_nan:literal;)*) => {$(
        impl private::Sealed for $float {}

        impl Number for $float {
            type Bytes = [u8; size_of::<$float>()];

            fn to_plain(self) -> Self::Bytes {
                self.to_be_bytes()
            }

            fn from_plain(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes)
            }

            fn to_ordered(self) -> Self::Bytes {
                let bits = self.with_canonical_nan().to_bits();
                let ordered = if bits & $sign == 0 { bits | $sign } else { !bits };
                ordered.to_be_bytes()
            }

            fn from_ordered(bytes: Self::Bytes) -> Self {
                let ordered = $bits::from_be_bytes(bytes);
                Self::from_bits(if ordered & $sign == 0 { !ordered } else { ordered & !$sign })
            }
        }

        impl Float for $float {
            fn has_sign(self) -> bool {
                self.is_sign_negative()
            }

            fn with_canonical_nan(self) -> Self {
                if self.is_nan() { Self::from_bits($canonical_nan) } else { self }
            }
        }
    )*};
}

floats! {
    f32 is u32, sign 0x8000_0000, nan 0x7fc0_0000;
    f64 is u64, sign 0x8000_0000_0000_0000, nan 0x7ff8_0000_0000_0000;
}
