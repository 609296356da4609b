//! The settings of one layer: the flags, the variables or a file.

use std::env;
use std::time::Duration;

use clap::ValueEnum as _;
use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_store::{AddressError, Durability, StoreAddress};

use super::context::ContextName;
use super::error::{BadValue, SettingsError};
use super::origin::{Origin, Setting};
use super::word::Word;
use crate::durability::parse_durability;
use crate::duration::parse_duration;
use crate::format::Format;

/// The settings that a layer sets; the others are left to weaker layers.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) home: Option<Setting<Home>>,
    pub(super) format: Option<Setting<Format>>,
    pub(super) tz: Option<Setting<Zone>>,
    pub(super) lang: Option<Setting<Language>>,
    pub(super) durability: Option<Setting<Durability>>,
    pub(super) timeout: Option<Setting<Duration>>,
}

/// Where tables are stored. A store and a context are one setting, as otherwise the one from a weaker layer could
/// win over the other.
#[derive(Debug, Clone)]
pub(super) enum Home {
    Backend(StoreAddress),
    Context(ContextName),
}

impl Said {
    /// Returns what the variables set; an empty variable sets nothing.
    pub(super) fn of_variables() -> Result<Self, SettingsError> {
        let mut said = Self::default();
        for word in Word::ALL {
            let origin = Origin::Variable(word);
            match env::var(word.variable()) {
                Ok(text) if !text.is_empty() => said.say(word, &text, origin)?,
                Ok(_) | Err(env::VarError::NotPresent) => {}
                Err(env::VarError::NotUnicode(_)) => return Err(bad(origin, BadValue::NotUtf8)),
            }
        }
        Ok(said)
    }

    /// Parses a setting and stores it.
    pub(super) fn say(&mut self, word: Word, text: &str, origin: Origin) -> Result<(), SettingsError> {
        let fail = |cause| bad(origin.clone(), cause);
        match word {
            Word::Backend => {
                let backend =
                    text.parse().map_err(|cause: AddressError| fail(BadValue::Home(cause.into())))?;
                return self.say_home(Home::Backend(backend), origin);
            }
            Word::Context => {
                let name = text.parse().map_err(|cause| fail(BadValue::Context(cause)))?;
                return self.say_home(Home::Context(name), origin);
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
                let level = parse_durability(text).map_err(|cause| fail(BadValue::Home(cause)))?;
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
    pub(super) fn say_home(&mut self, home: Home, origin: Origin) -> Result<(), SettingsError> {
        match self.home.replace(Setting::new(home, origin.clone())) {
            None => Ok(()),
            Some(Setting { origin: first, .. }) => {
                Err(SettingsError::TwoHomes { first: Box::new(first), second: Box::new(origin) })
            }
        }
    }

    /// Combines two layers; where both set something, `self` has precedence.
    pub(super) fn or(self, weaker: Self) -> Self {
        Self {
            home: self.home.or(weaker.home),
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
    Format::from_str(text, false).map_err(|_| {
        let known = Format::value_variants().iter().map(|format| format.name()).collect();
        BadValue::Format { found: text.to_owned(), known }
    })
}
