//! The settings of one layer: the flags, the variables or a file.

use std::env;
use std::time::Duration;

use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_store::{AddressError, Durability, StoreAddress};

use super::context::ContextName;
use super::error::{BadValue, SettingsError};
use super::format::Format;
use super::origin::{Origin, Setting};
use super::word::Word;
use crate::durability::parse_durability;
use crate::duration::parse_duration;

/// The settings that a layer sets; the others are left to weaker layers.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// Where tables are stored.
    pub store: Option<Setting<StoreChoice>>,
    /// How results are printed.
    pub format: Option<Setting<Format>>,
    /// The zone for showing and reading times.
    pub tz: Option<Setting<Zone>>,
    /// The language of findings.
    pub lang: Option<Setting<Language>>,
    /// When a write to a folder is acknowledged.
    pub durability: Option<Setting<Durability>>,
    /// The time limit of a command.
    pub timeout: Option<Setting<Duration>>,
}

/// Where tables are stored. A store and a context are one setting, as otherwise the one from a weaker layer could
/// win over the other.
#[derive(Debug, Clone)]
pub enum StoreChoice {
    /// A store.
    Backend(StoreAddress),
    /// A context, which names one.
    Context(ContextName),
}

impl Layer {
    /// Returns what the variables set; an empty variable sets nothing.
    pub(super) fn of_variables() -> Result<Self, SettingsError> {
        let mut layer = Self::default();
        for word in Word::ALL {
            let origin = Origin::Variable(word);
            match env::var(word.variable()) {
                Ok(text) if !text.is_empty() => layer.set(word, &text, origin)?,
                Ok(_) | Err(env::VarError::NotPresent) => {}
                Err(env::VarError::NotUnicode(_)) => return Err(bad(origin, BadValue::NotUtf8)),
            }
        }
        Ok(layer)
    }

    /// Parses a setting and stores it.
    pub(super) fn set(&mut self, word: Word, text: &str, origin: Origin) -> Result<(), SettingsError> {
        let fail = |cause| bad(origin.clone(), cause);
        match word {
            Word::Backend => {
                let backend = text.parse().map_err(|cause: AddressError| fail(BadValue::Address(cause)))?;
                return self.set_store(StoreChoice::Backend(backend), origin);
            }
            Word::Context => {
                let name = text.parse().map_err(|cause| fail(BadValue::Context(cause)))?;
                return self.set_store(StoreChoice::Context(name), origin);
            }
            Word::Format => {
                let format = parse_format(text).map_err(fail)?;
                self.format = Some(Setting::new(format, origin));
            }
            Word::Tz => {
                let zone = Zone::parse(text).map_err(|cause| fail(BadValue::Zone(cause)))?;
                self.tz = Some(Setting::new(zone, origin));
            }
            Word::Lang => {
                let language = text.parse().map_err(|cause| fail(BadValue::Language(cause)))?;
                self.lang = Some(Setting::new(language, origin));
            }
            Word::Durability => {
                let level = parse_durability(text).map_err(|cause| fail(BadValue::Durability(cause)))?;
                self.durability = Some(Setting::new(level, origin));
            }
            Word::Timeout => {
                let timeout = parse_duration(text).map_err(|cause| fail(BadValue::Timeout(cause)))?;
                self.timeout = Some(Setting::new(timeout, origin));
            }
        }
        Ok(())
    }

    /// Stores where tables are stored, which may be set only once.
    ///
    /// # Errors
    ///
    /// [`SettingsError::TwoStores`] if it is set already.
    pub fn set_store(&mut self, store: StoreChoice, origin: Origin) -> Result<(), SettingsError> {
        match self.store.replace(Setting::new(store, origin.clone())) {
            None => Ok(()),
            Some(Setting { origin: first, .. }) => {
                Err(SettingsError::TwoStores { first: Box::new(first), second: Box::new(origin) })
            }
        }
    }

    /// Combines two layers; where both set something, `self` has precedence.
    pub(super) fn or(self, weaker: Self) -> Self {
        Self {
            store: self.store.or(weaker.store),
            format: self.format.or(weaker.format),
            tz: self.tz.or(weaker.tz),
            lang: self.lang.or(weaker.lang),
            durability: self.durability.or(weaker.durability),
            timeout: self.timeout.or(weaker.timeout),
        }
    }
}

fn bad(origin: Origin, cause: BadValue) -> SettingsError {
    SettingsError::Value { origin, cause: Box::new(cause) }
}

fn parse_format(text: &str) -> Result<Format, BadValue> {
    let found = Format::ALL.into_iter().find(|format| format.name() == text);
    let known = || Format::ALL.map(Format::name).to_vec();
    found.ok_or_else(|| BadValue::Format { found: text.to_owned(), known: known() })
}
