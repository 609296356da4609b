use std::collections::BTreeMap;
use std::str::FromStr;

use keystride::Design;
use keystride_store::{Family, FamilyName, NameError, StoreError};
use serde::Deserialize;

/// A family's name, and those of its settings that are not HBase's defaults, in HBase's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyWords {
    /// The name.
    pub name: String,
    /// The settings.
    pub attributes: Vec<(&'static str, String)>,
}

impl FamilyWords {
    /// Returns those of a design's families.
    pub fn of_design(design: &Design) -> Vec<Self> {
        let families = design.table().families.iter();
        let words = |family: &keystride::design::Family| Self {
            name: family.name.clone(),
            attributes: family.hbase_attributes(),
        };
        families.map(words).collect()
    }
}

impl From<&Family> for FamilyWords {
    fn from(family: &Family) -> Self {
        let usual = Family::new(family.name.clone()).attributes();
        let attributes = family.attributes().into_iter();
        Self {
            name: family.name.to_string(),
            attributes: attributes.filter(|(name, value)| usual[name] != *value).collect(),
        }
    }
}

/// A family of a table that is to be made, with settings in HBase's words: `cf`, or `cf,VERSIONS=3,TTL=86400`.
///
/// ```
/// # use keystride_app::new_table::NewFamily;
/// # use keystride_store::Family;
/// let family = Family::try_from("cf,VERSIONS=3".parse::<NewFamily>()?)?;
/// assert_eq!(family.versions, 3);
/// assert!("cf,VERSION=3".parse::<NewFamily>().and_then(Family::try_from).is_err());
/// # Ok::<(), keystride_app::new_table::FamilyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFamily {
    /// The name.
    pub name: String,
    /// Settings that are not HBase's defaults.
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
}

/// Why a family can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// Its name is not allowed.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A setting is not written as one.
    #[error("\"{found}\" is not a setting of a family; write it as NAME=VALUE, such as VERSIONS=3")]
    NotASetting {
        /// The text.
        found: String,
    },
    /// There is no such setting.
    #[error("families have no setting \"{found}\"; they have {known}")]
    UnknownSetting {
        /// The name.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// A setting has a value that it can't have.
    #[error(transparent)]
    Value(#[from] StoreError),
}

impl FromStr for NewFamily {
    type Err = FamilyError;

    fn from_str(text: &str) -> Result<Self, FamilyError> {
        let mut words = text.split(',');
        let name = words.next().unwrap_or_default().to_owned();
        let setting = |word: &str| {
            let (name, value) =
                word.split_once('=').ok_or_else(|| FamilyError::NotASetting { found: word.to_owned() })?;
            Ok((name.trim().to_ascii_uppercase(), value.trim().to_owned()))
        };
        Ok(Self { name, attributes: words.map(setting).collect::<Result<_, FamilyError>>()? })
    }
}

impl TryFrom<NewFamily> for Family {
    type Error = FamilyError;

    fn try_from(new: NewFamily) -> Result<Self, FamilyError> {
        let name = FamilyName::new(&new.name)?;
        let known = Self::new(name.clone()).attributes();
        if let Some(found) = new.attributes.keys().find(|name| !known.contains_key(name.as_str())) {
            let known = known.into_keys().collect::<Vec<_>>().join(", ");
            return Err(FamilyError::UnknownSetting { found: found.clone(), known });
        }
        let attributes = new.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Ok(Self::from_attributes(name, attributes)?)
    }
}
