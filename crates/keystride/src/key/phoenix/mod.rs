//! Apache Phoenix's encoding of single values, as its row keys hold them.
//!
//! | SQL type | functions |
//! |---|---|
//! | TINYINT, SMALLINT, INTEGER, BIGINT; DATE and TIME | [`encode_int`] of `i8` to `i64` |
//! | their unsigned forms: `UNSIGNED_INT`, `UNSIGNED_LONG`, `UNSIGNED_DATE` … | [`encode_unsigned`] |
//! | FLOAT, DOUBLE; their unsigned forms | [`encode_float`], [`encode_unsigned_float`] |
//! | BOOLEAN | [`encode_boolean`] |
//! | VARCHAR, VARBINARY, CHAR(n) | [`encode_varchar`], [`encode_varbinary`], [`encode_char`] |
//!
//! DESC is every byte complemented. The separators of variable-length columns belong to the key, not to the value:
//! Phoenix writes 00 after each but the last, and FF after each DESC one, the last included. A NULL, and an empty
//! VARCHAR or VARBINARY, which Phoenix treats as NULL, has no bytes at all.

mod number;
mod text;

pub use number::{
    decode_boolean, decode_float, decode_int, decode_unsigned, decode_unsigned_float, encode_boolean,
    encode_float, encode_int, encode_unsigned, encode_unsigned_float,
};
pub use text::{
    decode_char, decode_varbinary, decode_varchar, encode_char, encode_varbinary, encode_varchar,
};
