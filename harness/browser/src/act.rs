//! What a user does to a page, and reads from it.

use serde_json::{Value, json};

use crate::find::{Found, Kind, Takes, Target, css};
use crate::page::text_of;
use crate::wait::Trouble;
use crate::{BrowserError, Page, keys};

/// Who cancels `dragover` says that it takes what is dragged; nobody else gets a `drop`.
const DROP: &str = "const [element, name, text] = arguments;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const send = (type) => element.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer}));
    send('dragenter');
    if (send('dragover')) return false;
    send('drop');
    return true";

impl Page {
    /// Clicks a button, a link, a tab, a box to tick or the like.
    ///
    /// # Errors
    ///
    /// It is not there, is disabled or lies behind something else, or another has the same name, until the patience ends.
    pub async fn click(&self, target: impl Into<Target<'_>>) -> Result<(), BrowserError> {
        let target = target.into();
        self.until(&format!("click {target}"), async || {
            let found = self.find(Kind::Press, target, None).await?;
            self.to_element(&found, "click", json!({})).await
        })
        .await
    }

    /// Replaces what a field holds. A file's field takes a path, a date's one `2026-11-28`.
    ///
    /// # Errors
    ///
    /// See [`click`](Self::click).
    pub async fn fill(&self, target: impl Into<Target<'_>>, text: &str) -> Result<(), BrowserError> {
        let target = target.into();
        self.until(&format!("fill {target}"), async || {
            let found = self.find(Kind::Field, target, None).await?;
            match found.takes {
                Takes::Keys => self.to_element(&found, "value", json!({"text": keys::replacing(text)})).await,
                Takes::File => self.to_element(&found, "value", json!({"text": text})).await,
                Takes::Value => self.set_value(&found, text).await,
            }
        })
        .await
    }

    /// Chooses an option of a list, or a radio button of a group, by the names of both.
    ///
    /// # Errors
    ///
    /// See [`click`](Self::click); or there is no such option.
    pub async fn choose(&self, target: impl Into<Target<'_>>, option: &str) -> Result<(), BrowserError> {
        let target = target.into();
        self.until(&format!("choose {option:?} of {target}"), async || {
            let found = self.find(Kind::Choice, target, Some(option)).await?;
            self.to_element(&found, "click", json!({})).await
        })
        .await
    }

    /// Drags a file of this text over an element and drops it there, as from a folder of the system.
    ///
    /// # Errors
    ///
    /// The element is not there or takes no files: the page did not answer the drag, until the patience ends.
    pub async fn drop_file(
        &self,
        target: impl Into<Target<'_>>,
        name: &str,
        text: &str,
    ) -> Result<(), BrowserError> {
        let target = target.into();
        self.until(&format!("drop {name:?} on {target}"), async || {
            let found = self.find(Kind::Any, target, None).await?;
            match self.run_js(DROP, &[found.argument(), json!(name), json!(text)]).await? {
                Value::Bool(true) => Ok(()),
                _ => Err(Trouble::NotYet("it takes no files".to_owned())),
            }
        })
        .await
    }

    /// Presses a key, or several together, on the focused element: `g`, `Tab`, `Alt+ArrowUp`.
    ///
    /// # Errors
    ///
    /// There is no such key.
    pub async fn press(&self, keys: &str) -> Result<(), BrowserError> {
        self.post("actions", &keys::chord(keys)?).await.map(drop)
    }

    /// Types a text into the focused element, key by key.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub async fn type_text(&self, text: &str) -> Result<(), BrowserError> {
        self.post("actions", &keys::typing(text)).await.map(drop)
    }

    /// The text of the one visible element that matches a selector, as it is shown.
    ///
    /// # Errors
    ///
    /// There is none, or there are several, until the patience ends.
    pub async fn text(&self, selector: &str) -> Result<String, BrowserError> {
        let read = "return arguments[0].innerText";
        self.read(&format!("text of {selector:?}"), Kind::Any, css(selector), read).await
    }

    /// What a field holds, or the option of a list that is chosen.
    ///
    /// # Errors
    ///
    /// See [`click`](Self::click).
    pub async fn value(&self, target: impl Into<Target<'_>>) -> Result<String, BrowserError> {
        let target = target.into();
        let read = "const e = arguments[0];
            return e.localName === 'select' ? e.selectedOptions[0]?.label ?? '' : e.value ?? e.innerText";
        self.read(&format!("value of {target}"), Kind::Field, target, read).await
    }

    /// The name of the focused element, or its tag where it has no name; nothing if none is focused.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub async fn focused(&self) -> Result<String, BrowserError> {
        let script = "const e = document.activeElement;
            if (!e || e === document.body) return '';
            return e.computedName || e.cloneNode(false).outerHTML";
        self.run_js(script, &[]).await.map(text_of)
    }

    async fn read(
        &self,
        wanted: &str,
        kind: Kind,
        target: Target<'_>,
        script: &str,
    ) -> Result<String, BrowserError> {
        self.until(wanted, async || {
            let found = self.find(kind, target, None).await?;
            Ok(text_of(self.run_js(script, &[found.argument()]).await?))
        })
        .await
    }

    /// With the events of a user's choice. A field empties itself of what it can't hold.
    async fn set_value(&self, found: &Found, text: &str) -> Result<(), Trouble> {
        let script = "const [e, text] = arguments;
            e.focus();
            e.value = text;
            for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}));
            return e.value === text";
        match self.run_js(script, &[found.argument(), json!(text)]).await? {
            Value::Bool(true) => Ok(()),
            _ => Err(Trouble::NotYet(format!("it does not hold {text:?}"))),
        }
    }

    async fn to_element(&self, found: &Found, command: &str, body: Value) -> Result<(), Trouble> {
        self.post(&format!("element/{}/{command}", found.id), &body).await?;
        Ok(())
    }
}
