//! Contexts: named stores.

use std::fmt;
use std::str::FromStr;

use keystride::design::nearest;
use keystride_store::StoreAddress;

use super::origin::{Origin, Setting};

/// The name of a context: letters, digits, `-`, `_` and `.`, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextName(String);

/// A text that is not the name of a context.
#[derive(Debug, Clone, thiserror::Error)]
#[error("\"{found}\" is not a name of a context; it takes letters, digits, \"-\", \"_\" and \".\"")]
pub struct BadContextName {
    found: String,
}

/// The contexts of the user file, in its order.
#[derive(Debug, Clone, Default)]
pub struct Contexts {
    pub(super) all: Vec<(ContextName, Setting<StoreAddress>)>,
}

/// A context that is not in the user file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}there is no context \"{name}\"; {}", self.place(), self.would_do())]
pub struct UnknownContext {
    name: ContextName,
    /// Where it is named, if not in the command itself.
    origin: Option<Origin>,
    known: Vec<String>,
}

impl FromStr for ContextName {
    type Err = BadContextName;

    fn from_str(text: &str) -> Result<Self, BadContextName> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if text.is_empty() || !text.chars().all(fits) {
            return Err(BadContextName { found: text.to_owned() });
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ContextName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ContextName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Contexts {
    /// Returns the contexts with their stores.
    pub fn iter(&self) -> impl Iterator<Item = &(ContextName, Setting<StoreAddress>)> {
        self.all.iter()
    }

    /// Returns the store of the context that `origin` names.
    pub(super) fn find(
        &self,
        name: &ContextName,
        origin: &Origin,
    ) -> Result<Setting<StoreAddress>, UnknownContext> {
        let found = self.all.iter().find(|(known, _)| known == name);
        found.map(|(_, backend)| backend.clone()).ok_or_else(|| {
            let known = self.all.iter().map(|(name, _)| name.to_string()).collect();
            UnknownContext { name: name.clone(), origin: Some(origin.clone()), known }
        })
    }
}

impl UnknownContext {
    /// Creates the error for a context that a command was given.
    pub(super) fn of_command(name: &ContextName, known: Vec<String>) -> Self {
        Self { name: name.clone(), origin: None, known }
    }

    fn place(&self) -> String {
        self.origin.as_ref().map(|origin| format!("{origin}: ")).unwrap_or_default()
    }

    fn would_do(&self) -> String {
        let known = self.known.iter().map(String::as_str);
        match (nearest(self.name.as_str(), known), self.known.as_slice()) {
            (Some(near), _) => format!("did you mean \"{near}\"?"),
            (None, []) => format!("make it with `keystride ctx add {} --backend …`", self.name),
            (None, known) => format!("there are {}", known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_letters_digits_and_three_signs() {
        for name in ["prod", "eu-1.test_2", "生产", "7"] {
            assert_eq!(name.parse::<ContextName>().unwrap().as_str(), name);
        }
        for name in ["", "a b", "a/b", "a=b", "\"", "a\n"] {
            assert!(name.parse::<ContextName>().is_err(), "{name}");
        }
    }
}
