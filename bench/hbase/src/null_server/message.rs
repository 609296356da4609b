//! Messages of Protocol Buffers, as far as they are needed.

/// The fields of a message, as they come; what can't be read ends it.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    left: &'a [u8],
}

/// What is in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Self {
        Self { left: message }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = take_varint(&mut self.left)?;
        let value = match key & 7 {
            0 => Value::Number(take_varint(&mut self.left)?),
            2 => Value::Bytes(take_delimited(&mut self.left)),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

/// Takes bytes with their length in front; none where there are not as many.
pub(super) fn take_delimited<'a>(left: &mut &'a [u8]) -> &'a [u8] {
    let len = take_varint(left).and_then(|len| usize::try_from(len).ok());
    let Some((taken, rest)) = len.and_then(|len| left.split_at_checked(len)) else { return &[] };
    *left = rest;
    taken
}

fn take_varint(left: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = left.split_first()?;
        *left = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while let Some(low) = u8::try_from(number & 0x7f).ok().filter(|_| number >= 0x80) {
        out.push(low | 0x80);
        number >>= 7;
    }
    out.extend(u8::try_from(number));
}

pub(super) fn put_number(out: &mut Vec<u8>, field: u64, number: u64) {
    put_varint(out, field << 3);
    put_varint(out, number);
}

pub(super) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_varint(out, field << 3 | 2);
    put_varint(out, bytes.len() as u64);
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_are_written() {
        let mut message = Vec::new();
        put_number(&mut message, 1, 300);
        put_bytes(&mut message, 16, b"row");
        assert_eq!(message, b"\x08\xac\x02\x82\x01\x03row");
        let fields: Vec<_> = Fields::of(&message).collect();
        assert_eq!(fields, [(1, Value::Number(300)), (16, Value::Bytes(b"row"))]);
    }
}
