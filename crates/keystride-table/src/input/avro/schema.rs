//! Schemas of bodies.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use apache_avro::Schema;
use apache_avro::schema::{DecimalSchema, FixedSchema, InnerDecimalSchema, Name, RecordSchema, UuidSchema};

use super::leaf::{Leaf, Unit};

/// The schema of a record, as a file with the ending `.avsc` has it.
///
/// ```
/// # use keystride_table::input::AvroSchema;
/// let schema: AvroSchema = r#"{"type": "record", "name": "call", "fields": [
///     {"name": "phone", "type": "string"}, {"name": "ms", "type": ["null", "long"]}]}"#.parse()?;
/// assert_eq!(schema.names(), ["phone", "ms"]);
/// assert!(r#"{"type": "array", "items": "long"}"#.parse::<AvroSchema>().is_err());
/// # Ok::<(), keystride_table::input::AvroSchemaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvroSchema(Arc<Types>);

#[derive(Debug, PartialEq, Eq)]
struct Types {
    /// The names of the record's fields.
    names: Vec<String>,
    /// The types that have names; the first one is the record.
    named: Vec<Node>,
}

/// A type.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Node {
    Leaf(Leaf),
    Array(Box<Node>),
    Map(Box<Node>),
    Union(Vec<Node>),
    Record(Vec<Node>),
    /// A type that has a name; its place among those.
    Named(usize),
}

/// A text that is no schema of a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AvroSchemaError {
    /// It is no schema.
    #[error("no Avro schema: {0}")]
    NoSchema(#[source] Box<apache_avro::Error>),
    /// It is a schema of something else.
    #[error("a schema of other values than records: name that of a record, whose fields are the columns")]
    NoRecord,
    /// Two types have one name.
    #[error("the type {name} is defined twice: rename one of them")]
    Twice {
        /// The name.
        name: String,
    },
    /// A name is that of no type.
    #[error("there is no type {name}: define it in the same file, before it is used")]
    Unknown {
        /// The name.
        name: String,
    },
}

impl AvroSchema {
    /// Returns the names of the record's fields in their order.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }

    /// Returns the record.
    pub(super) fn record(&self) -> &Node {
        &self.0.named[0]
    }

    /// Returns the types of the record's fields.
    pub(super) fn fields(&self) -> &[Node] {
        match self.record() {
            Node::Record(fields) => fields,
            _ => &[],
        }
    }

    /// Returns a type that has a name.
    pub(super) fn named(&self, index: usize) -> &Node {
        &self.0.named[index]
    }

    /// Returns the leaf that a type is, itself or by its name; `None` for lists and objects.
    pub(super) fn leaf<'s>(&'s self, node: &'s Node) -> Option<&'s Leaf> {
        match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Named(index) => match self.named(*index) {
                Node::Leaf(leaf) => Some(leaf),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Node {
    /// Returns the types that a value may have: the branches of a union, or this one. A union has no name of its own.
    pub(super) fn branches(&self) -> &[Self] {
        match self {
            Self::Union(branches) => branches,
            other => std::slice::from_ref(other),
        }
    }
}

impl FromStr for AvroSchema {
    type Err = AvroSchemaError;

    fn from_str(json: &str) -> Result<Self, AvroSchemaError> {
        let schema = Schema::parse_str(json).map_err(|error| AvroSchemaError::NoSchema(Box::new(error)))?;
        let Schema::Record(record) = &schema else { return Err(AvroSchemaError::NoRecord) };
        let mut reader = TypesReader::default();
        reader.read(&schema)?;
        let names = record.fields.iter().map(|field| field.name.clone()).collect();
        Ok(Self(Arc::new(Types { names, named: reader.named })))
    }
}

#[derive(Default)]
struct TypesReader {
    named: Vec<Node>,
    places: HashMap<String, usize>,
}

impl TypesReader {
    fn read(&mut self, schema: &Schema) -> Result<Node, AvroSchemaError> {
        Ok(Node::Leaf(match schema {
            Schema::Record(record) => return self.read_record(record),
            Schema::Array(array) => return Ok(Node::Array(Box::new(self.read(&array.items)?))),
            Schema::Map(map) => return Ok(Node::Map(Box::new(self.read(&map.types)?))),
            Schema::Union(union) => {
                let branches = union.variants().iter().map(|branch| self.read(branch));
                return Ok(Node::Union(branches.collect::<Result<_, _>>()?));
            }
            Schema::Ref { name } => return self.find(name),
            Schema::Enum(kind) => return self.define(&kind.name, Leaf::Enum(kind.symbols.clone())),
            Schema::Fixed(fixed) | Schema::Duration(fixed) => return self.define_fixed(fixed, Leaf::Fixed),
            Schema::Uuid(UuidSchema::Fixed(fixed)) => return self.define_fixed(fixed, |_| Leaf::Uuid),
            Schema::Decimal(DecimalSchema { inner: InnerDecimalSchema::Fixed(fixed), scale, .. }) => {
                return self.define_fixed(fixed, |len| Leaf::Decimal { len: Some(len), scale: *scale });
            }
            Schema::Decimal(DecimalSchema { scale, .. }) => Leaf::Decimal { len: None, scale: *scale },
            Schema::BigDecimal => Leaf::BigDecimal,
            Schema::Null => Leaf::Null,
            Schema::Boolean => Leaf::Bool,
            Schema::Int => Leaf::Int,
            Schema::Long => Leaf::Long,
            Schema::Float => Leaf::Float,
            Schema::Double => Leaf::Double,
            Schema::Bytes | Schema::Uuid(UuidSchema::Bytes) => Leaf::Bytes,
            Schema::String | Schema::Uuid(UuidSchema::String) => Leaf::Text,
            Schema::Date => Leaf::Date,
            Schema::TimeMillis => Leaf::TimeOfDay(Unit::Ms),
            Schema::TimeMicros => Leaf::TimeOfDay(Unit::Us),
            Schema::TimestampMillis => Leaf::Instant(Unit::Ms),
            Schema::TimestampMicros => Leaf::Instant(Unit::Us),
            Schema::TimestampNanos => Leaf::Instant(Unit::Ns),
            Schema::LocalTimestampMillis => Leaf::LocalTime(Unit::Ms),
            Schema::LocalTimestampMicros => Leaf::LocalTime(Unit::Us),
            Schema::LocalTimestampNanos => Leaf::LocalTime(Unit::Ns),
        }))
    }

    fn read_record(&mut self, record: &RecordSchema) -> Result<Node, AvroSchemaError> {
        // Its fields may be of its own type.
        let node = self.define(&record.name, Leaf::Null)?;
        let fields = record.fields.iter().map(|field| self.read(&field.schema));
        let fields = Node::Record(fields.collect::<Result<_, _>>()?);
        if let Node::Named(place) = node {
            self.named[place] = fields;
        }
        Ok(node)
    }

    fn define_fixed(
        &mut self,
        fixed: &FixedSchema,
        leaf: impl FnOnce(usize) -> Leaf,
    ) -> Result<Node, AvroSchemaError> {
        self.define(&fixed.name, leaf(fixed.size))
    }

    fn define(&mut self, name: &Name, leaf: Leaf) -> Result<Node, AvroSchemaError> {
        let (name, place) = (name.fullname(None), self.named.len());
        if self.places.insert(name.clone(), place).is_some() {
            return Err(AvroSchemaError::Twice { name });
        }
        self.named.push(Node::Leaf(leaf));
        Ok(Node::Named(place))
    }

    fn find(&self, name: &Name) -> Result<Node, AvroSchemaError> {
        let name = name.fullname(None);
        let place = self.places.get(&name).copied();
        place.map(Node::Named).ok_or(AvroSchemaError::Unknown { name })
    }
}
