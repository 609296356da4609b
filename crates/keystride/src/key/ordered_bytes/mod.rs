//! HBase's `OrderedBytes`: each value follows a header byte that denotes its type, in ascending or descending order.
//!
//! | Value | header | functions |
//! |---|---|---|
//! | null | 05 | [`encode_null`] |
//! | number of any size: [`Numeric`], a [`Decimal`] of 31 digits | 07 to 23, 26 | [`encode_numeric`] |
//! | int8, int16, int32, int64, float32, float64 | 29 to 2C, 30, 31 | [`encode_fixed`] |
//! | string | 34 | [`encode_string`] |
//! | bytes that nothing follows: `encodeBlobCopy` | 38 | [`encode_blob_copy`] |
//!
//! Header values are those of the code of HBase 2.6; its class comment lists others. Descending order complements every
//! byte, the header included. Every value except an ascending blob-copy marks its own end, so values can follow one
//! another, as in HBase's `Struct`. Not implemented is blob-var (37), whose bytes do not sort as its values do.

mod blob;
mod decimal;
mod fixed;
mod header;
mod numeric;
mod string;
mod varint;

pub use blob::{decode_blob_copy, encode_blob_copy};
pub use decimal::Decimal;
pub use fixed::{Fixed, decode_fixed, decode_null, encode_fixed, encode_null};
pub(crate) use header::{BLOB_COPY, TEXT};
pub use numeric::{Numeric, decode_numeric, encode_numeric};
pub use string::{decode_string, encode_string};
