//! A field of the records, and what becomes of its values.

use keystride::{Design, Row};

use super::cursor::Cursor;
use super::fault::AvroFault;
use super::leaf::Leaf;
use super::schema::{AvroSchema, Node};
use super::walk::branch;
use crate::input::InputError;
use crate::input::columns::Target;
use crate::input::others::Others;
use crate::input::reject::RejectReason;
use crate::input::typed::{FieldValue, IsoWriter, TypedValue, write_other};

pub(super) struct AvroColumn {
    pub(super) name: String,
    target: Target,
    null_text: bool,
    iso: IsoWriter,
    /// The text of a value that is stored in another form.
    text: String,
    scratch: String,
}

impl AvroColumn {
    /// Creates the column of a field of the records.
    pub(super) fn new(
        source: &str,
        name: &str,
        target: Target,
        (schema, node): (&AvroSchema, &Node),
        design: &Design,
    ) -> Result<Self, InputError> {
        let leaves = || node.branches().iter().filter_map(|branch| schema.leaf(branch));
        if let Target::Field { index, .. } = target {
            let field = &design.fields()[index].kind;
            if let Some(unfit) = leaves().find(|leaf| !leaf.fits(field)) {
                let (name, column) = (source.to_owned(), name.to_owned());
                let (found, expected) = (unfit.name().to_owned(), field.name());
                return Err(InputError::ColumnType { name, column, found, expected });
            }
        }
        let may_be_null = |leaf: &Leaf| {
            let kind = leaf.kind(None);
            design.input().null.iter().any(|null| kind.may_be(null))
        };
        Ok(Self {
            name: name.to_owned(),
            target,
            null_text: leaves().any(may_be_null),
            iso: IsoWriter::new(),
            text: String::new(),
            scratch: String::new(),
        })
    }

    /// Puts a value into its field or the other columns.
    pub(super) fn put(
        &mut self,
        (leaf, value): (&Leaf, TypedValue<'_>),
        design: &Design,
        row: &mut Row,
        others: &mut Others,
    ) -> Result<(), RejectReason> {
        let Self { target, null_text, iso, text, scratch, .. } = self;
        match *target {
            Target::Field { index, .. } => {
                let kind = leaf.kind(Some(&design.fields()[index].kind));
                let value = leaf.meant(value, kind, iso, text)?;
                FieldValue { design, row, index, kind, null_text: *null_text, iso, scratch }.read(value)
            }
            Target::Other(index) => {
                let kind = leaf.kind(None);
                let value = leaf.meant(value, kind, iso, text)?;
                if write_other(value, kind, design.input(), iso, scratch)? {
                    others.push(index, scratch);
                }
                Ok(())
            }
            Target::Dropped => Ok(()),
        }
    }

    /// Reads the value of `node` that is next in `body`.
    pub(super) fn next<'a>(
        &self,
        schema: &'a AvroSchema,
        node: &'a Node,
        body: &mut Cursor<'a>,
    ) -> Result<Next<'a>, AvroFault> {
        if self.target == Target::Dropped {
            return schema.pass(node, body, 0).map(|()| Next::Nothing);
        }
        let node = match node {
            Node::Union(branches) => branch(branches, body)?,
            node => node,
        };
        let Some(leaf) = schema.leaf(node) else {
            return schema.pass(node, body, 0).map(|()| Next::Nested);
        };
        Ok(leaf.read(body)?.map_or(Next::Nothing, |value| Next::Value(leaf, value)))
    }
}

/// What is next in a body.
pub(super) enum Next<'a> {
    /// Null, or what is dropped.
    Nothing,
    /// A list or an object.
    Nested,
    Value(&'a Leaf, TypedValue<'a>),
}
