//! Going through a body without using its values.

use super::cursor::Cursor;
use super::fault::AvroFault;
use super::schema::{AvroSchema, Node};

/// How deep values are nested at most; types may contain themselves.
const MOST_DEEP: usize = 500;

impl AvroSchema {
    /// Checks that `body` is one record and nothing else. On failure, returns the byte at fault as well.
    pub(super) fn check(&self, body: &[u8]) -> Result<(), (AvroFault, usize)> {
        let mut cursor = Cursor::new(body);
        self.pass(self.record(), &mut cursor, 0).map_err(|fault| (fault, cursor.at()))?;
        if cursor.left() > 0 { Err((AvroFault::GoesOn, cursor.at())) } else { Ok(()) }
    }

    /// Passes over a value that is `depth` deep within others.
    pub(super) fn pass<'a>(
        &'a self,
        node: &'a Node,
        body: &mut Cursor<'a>,
        depth: usize,
    ) -> Result<(), AvroFault> {
        if depth > MOST_DEEP {
            return Err(AvroFault::TooDeep { most: MOST_DEEP });
        }
        let depth = depth + 1;
        match node {
            Node::Leaf(leaf) => leaf.read(body).map(drop),
            Node::Named(index) => self.pass(self.named(*index), body, depth),
            Node::Union(branches) => self.pass(branch(branches, body)?, body, depth),
            Node::Record(fields) => fields.iter().try_for_each(|field| self.pass(field, body, depth)),
            Node::Array(item) => pass_items(body, |body| self.pass(item, body, depth)),
            Node::Map(value) => pass_items(body, |body| {
                body.bytes()?;
                self.pass(value, body, depth)
            }),
        }
    }
}

/// Reads which branch of a union a value has.
pub(super) fn branch<'s>(branches: &'s [Node], body: &mut Cursor<'_>) -> Result<&'s Node, AvroFault> {
    let count = branches.len();
    Ok(&branches[body.index(count, |found| AvroFault::Branch { found, count })?])
}

/// Passes over the items of a list or an object, which are in blocks; an empty one ends them.
fn pass_items<'a>(
    body: &mut Cursor<'a>,
    mut pass: impl FnMut(&mut Cursor<'a>) -> Result<(), AvroFault>,
) -> Result<(), AvroFault> {
    loop {
        let count = body.long()?;
        if count == 0 {
            return Ok(());
        }
        if count < 0 {
            // The size of the block in bytes.
            body.long()?;
        }
        for _ in 0..count.unsigned_abs() {
            let before = body.at();
            pass(body)?;
            if body.at() == before {
                // Items such as nulls take no bytes, whatever their number.
                break;
            }
        }
    }
}
