//! Tables in HBase's words.

use keystride_hbase::{FamilyDescriptor, TableDescriptor};

use crate::{Family, StoreError, TableDescription};

/// What HBase keeps for itself.
const INTERNAL: &str = "hbase.";

/// A description as HBase takes it. All attributes travel, also those that only keystride reads.
pub(super) fn descriptor(table: &TableDescription) -> TableDescriptor {
    let mut descriptor = TableDescriptor::new(table.name.clone());
    apply(table, &mut descriptor);
    descriptor
}

/// Sets the attributes and families of a description, and leaves those that it does not name.
pub(super) fn apply(change: &TableDescription, descriptor: &mut TableDescriptor) {
    for (name, value) in &change.attributes {
        descriptor.attributes.insert(name.clone().into(), value.clone().into());
    }
    for family in &change.families {
        let known = descriptor.families().iter().find(|known| known.name == family.name).cloned();
        let mut of_family = known.unwrap_or_else(|| FamilyDescriptor::new(family.name.clone()));
        for (name, value) in family.attributes() {
            of_family.attributes.insert(name.into(), value.into());
        }
        descriptor.set_family(of_family);
    }
}

/// A description from HBase's.
pub(super) fn describe(descriptor: &TableDescriptor) -> Result<TableDescription, StoreError> {
    let mut families = Vec::new();
    for family in descriptor.families() {
        let texts = family.attributes.iter().filter_map(|(name, value)| as_text(name).zip(as_text(value)));
        families.push(Family::from_attributes(family.name.clone(), texts)?);
    }
    let mut description = TableDescription::new(descriptor.name.clone(), families);
    description.families.sort_by(|a, b| a.name.cmp(&b.name));
    let texts = descriptor.attributes.iter().filter_map(|(name, value)| as_text(name).zip(as_text(value)));
    for (name, value) in texts.filter(|(name, _)| !name.starts_with(INTERNAL)) {
        description.attributes.insert(name.into(), value.into());
    }
    Ok(description)
}

/// Attributes of other tools may be any bytes; those are theirs.
fn as_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
