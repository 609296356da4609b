//! Finding the one element that a user means.

use std::fmt;

use serde_json::{Value, json};

use crate::Page;
use crate::page::text_of;
use crate::wait::Trouble;

const SCRIPT: &str = include_str!("find.js");
/// Under which an answer of a `WebDriver` has an element's id.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Which element is meant: by the name that users see or hear, or by a CSS selector.
///
/// A text is a name. It has to be the whole name, and of one element: where others have the same name, [`within`] or
/// [`css`] say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target<'a> {
    /// Its accessible name: the text of a button, the label of a field, the legend of a group.
    Named(&'a str),
    /// The one visible element that matches a selector.
    Css(&'a str),
    /// The one of that name in the one visible element that matches a selector.
    Within(&'a str, &'a str),
}

/// The one visible element that matches a selector.
///
/// ```
/// use keystride_browser_harness::{Target, css};
///
/// assert_eq!(css("#name"), Target::Css("#name"));
/// assert_eq!(Target::from("Name"), Target::Named("Name"));
/// ```
pub fn css(selector: &str) -> Target<'_> {
    Target::Css(selector)
}

/// The one of that name in the one visible element that matches a selector, such as `within("main", "Create table")`.
pub fn within<'a>(selector: &'a str, name: &'a str) -> Target<'a> {
    Target::Within(selector, name)
}

impl<'a> From<&'a str> for Target<'a> {
    fn from(name: &'a str) -> Self {
        Self::Named(name)
    }
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(out, "{name:?}"),
            Self::Css(selector) => write!(out, "css {selector:?}"),
            Self::Within(selector, name) => write!(out, "{name:?} within css {selector:?}"),
        }
    }
}

/// What the element is looked for to do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Buttons, links, tabs, boxes to tick.
    Press,
    /// Fields with a value.
    Field,
    /// Lists and groups, of which an option is chosen.
    Choice,
    /// Any element.
    Any,
}

/// How an element takes what a user gives it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    /// Key by key.
    Keys,
    /// As the path of a file.
    File,
    /// As a whole, such as a date: its keys are different in each language.
    Value,
}

/// An element of the page as it was when it was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) id: String,
    pub(crate) takes: Takes,
}

impl Found {
    /// As an argument of a script.
    pub(crate) fn argument(&self) -> Value {
        json!({ELEMENT: self.id})
    }
}

impl Page {
    /// The element, or that of its options, that is there, visible and enabled now.
    pub(crate) async fn find(
        &self,
        kind: Kind,
        target: Target<'_>,
        option: Option<&str>,
    ) -> Result<Found, Trouble> {
        let kind = match kind {
            Kind::Press => "press",
            Kind::Field => "field",
            Kind::Choice => "choice",
            Kind::Any => "any",
        };
        let (name, selector) = match target {
            Target::Named(name) => (Some(name), None),
            Target::Css(selector) => (None, Some(selector)),
            Target::Within(selector, name) => (Some(name), Some(selector)),
        };
        let arguments = [json!(kind), json!(name), json!(selector), json!(option)];
        let mut answer = self.run_js(SCRIPT, &arguments).await?;
        let takes = match answer["takes"].as_str() {
            Some("file") => Takes::File,
            Some("value") => Takes::Value,
            _ => Takes::Keys,
        };
        match answer["element"][ELEMENT].as_str() {
            Some(id) => Ok(Found { id: id.to_owned(), takes }),
            None => Err(Trouble::NotYet(text_of(answer["problem"].take()))),
        }
    }
}
