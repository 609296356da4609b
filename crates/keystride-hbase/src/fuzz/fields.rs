//! Protobuf messages as trees, to change a nested field and keep the lengths around it correct.

use fastrand::Rng;
use prost::encoding::{decode_varint, encode_varint};

#[derive(Debug, Clone, PartialEq)]
struct Field {
    key: u64,
    held: Value,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(u64),
    /// 4 or 8 bytes.
    Fixed(Vec<u8>),
    Bytes(Vec<u8>),
    /// Bytes that parse as a message, though they may not be one.
    Message(Vec<Field>),
}

/// Changes bytes that are not a message.
pub(super) type ChangeBytes<'a> = dyn FnMut(&mut Rng, &mut Vec<u8>) + 'a;

/// Changes one field somewhere in a message. `None` if the bytes are not a message.
pub(super) fn change(
    random: &mut Rng,
    message: &[u8],
    number: &mut dyn FnMut(&mut Rng) -> u64,
    bytes: &mut ChangeBytes<'_>,
) -> Option<Vec<u8>> {
    let mut fields = read(message).filter(|fields| !fields.is_empty())?;
    change_one(random, &mut fields, number, bytes);
    Some(write(&fields))
}

fn change_one(
    random: &mut Rng,
    fields: &mut Vec<Field>,
    number: &mut dyn FnMut(&mut Rng) -> u64,
    bytes: &mut ChangeBytes<'_>,
) {
    let at = random.usize(..fields.len());
    match random.u8(..16) {
        0 => drop(fields.remove(at)),
        1 => fields.insert(at, fields[at].clone()),
        2 => fields.swap(at, 0),
        _ => match &mut fields[at].held {
            Value::Number(held) => *held = number(random),
            Value::Message(inner) if !inner.is_empty() => change_one(random, inner, number, bytes),
            Value::Message(_) => {}
            Value::Fixed(held) => held.fill(random.u8(..)),
            Value::Bytes(held) => bytes(random, held),
        },
    }
}

fn read(mut bytes: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = decode_varint(&mut bytes).ok().filter(|key| (8..8 << 10).contains(key))?;
        let held = match key & 7 {
            0 => Value::Number(decode_varint(&mut bytes).ok()?),
            1 => Value::Fixed(bytes.split_off(..8)?.to_vec()),
            5 => Value::Fixed(bytes.split_off(..4)?.to_vec()),
            2 => {
                let len = usize::try_from(decode_varint(&mut bytes).ok()?).ok()?;
                let held = bytes.split_off(..len)?;
                read(held).map_or_else(|| Value::Bytes(held.to_vec()), Value::Message)
            }
            _ => return None,
        };
        fields.push(Field { key, held });
    }
    Some(fields)
}

fn write(fields: &[Field]) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields {
        encode_varint(field.key, &mut out);
        match &field.held {
            Value::Number(number) => encode_varint(*number, &mut out),
            Value::Fixed(bytes) => out.extend_from_slice(bytes),
            Value::Bytes(bytes) => write_bytes(bytes, &mut out),
            Value::Message(fields) => write_bytes(&write(fields), &mut out),
        }
    }
    out
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    encode_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

#[test]
fn a_decoded_message_is_encoded_unchanged() {
    let message = b"\x08\x96\x01\x12\x07\x0a\x05hello\x1d\x01\x02\x03\x04\x1a\x02\xff\xff";
    let fields = read(message).unwrap();
    assert_eq!(fields.len(), 4);
    assert!(matches!(&fields[1].held, Value::Message(inner) if inner.len() == 1));
    assert_eq!(write(&fields), message);
}
