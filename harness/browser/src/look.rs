//! How a page appears to its user.

use serde_json::{Value, json};

/// What a user's browser says of its user, and the size of its window.
///
/// ```
/// use keystride_browser_harness::{Look, Theme};
///
/// let look = Look { language: "zh-CN", theme: Theme::Dark, ..Look::default() };
/// assert_eq!((look.width, look.height), (1280, 800));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look<'a> {
    /// The preferred language, such as `zh-CN`; the page's requests and scripts see it, and numbers and dates follow it.
    pub language: &'a str,
    /// Which colors are preferred.
    pub theme: Theme,
    /// The page's width in pixels.
    pub width: u32,
    /// The page's height in pixels.
    pub height: u32,
}

/// Which colors a user prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Default for Look<'_> {
    fn default() -> Self {
        Self { language: "en-US", theme: Theme::Light, width: 1280, height: 800 }
    }
}

impl Look<'_> {
    /// What a new session of chromedriver is asked for.
    pub(crate) fn capabilities(self) -> Value {
        let arguments = [
            "--headless=new",
            // Root has no sandbox, nor do many containers; the pages are the tests' own.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-extensions",
            "--no-proxy-server",
            // Elements know their role and name for assistive technology: what pages are driven by.
            "--enable-blink-features=ComputedAccessibilityInfo",
            &format!("--accept-lang={}", self.languages()),
        ];
        json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "timeouts": {"pageLoad": 30_000, "script": 30_000},
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments},
        }}})
    }

    /// The commands of Chrome's `DevTools` that make a new page look so.
    pub(crate) fn commands(self) -> [(&'static str, Value); 3] {
        let theme = match self.theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        [
            ("Emulation.setLocaleOverride", json!({"locale": self.language})),
            (
                "Emulation.setEmulatedMedia",
                json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
            ),
            size(self.width, self.height),
        ]
    }

    /// As browsers are set up: `zh-CN,zh`.
    fn languages(self) -> String {
        match self.language.split_once('-') {
            Some((general, _)) => format!("{},{general}", self.language),
            None => self.language.to_owned(),
        }
    }
}

/// The command that gives a page a size.
pub(crate) fn size(width: u32, height: u32) -> (&'static str, Value) {
    let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    ("Emulation.setDeviceMetricsOverride", metrics)
}
