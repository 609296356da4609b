//! How a request says that a file is read.

use keystride::design::Charset;
use keystride_app::shell_word::quoted;
use keystride_table::input::{Format, Header, InputOptions, RequiredFields};
use serde::{Deserialize, Serialize};

use super::ApiError;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputRequest {
    /// `csv`, `json` or `parquet`; else by the file's name.
    format: Option<String>,
    /// `utf-8`, `gb18030`, `gbk` or `latin1`.
    encoding: Option<String>,
    delimiter: Option<String>,
    quote: Option<String>,
    escape: Option<String>,
    #[serde(default)]
    headerless: bool,
}

impl InputRequest {
    pub(super) fn options(&self) -> Result<InputOptions, ApiError> {
        let format = self.format.as_deref().filter(|text| !text.is_empty()).map(|name| match name {
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::JsonLines),
            "parquet" => Ok(Format::Parquet),
            other => Err(ApiError::bad_input(format!("\"{other}\" is none of csv, json and parquet"))),
        });
        let encoding = self.encoding.as_deref().filter(|text| !text.is_empty()).map(|name| {
            let unknown =
                || ApiError::bad_input(format!("\"{name}\" is none of utf-8, gb18030, gbk and latin1"));
            Charset::named(name).ok_or_else(unknown)
        });
        Ok(InputOptions {
            format: format.transpose()?,
            encoding: encoding.transpose()?,
            delimiter: parsed(self.delimiter.as_deref())?,
            quote: parsed(self.quote.as_deref())?,
            escape: parsed(self.escape.as_deref())?,
            header: if self.headerless { Header::Absent } else { Header::Present },
            required: RequiredFields::All,
            ..InputOptions::default()
        })
    }

    /// Returns the options of `keystride load` that say the same.
    pub(super) fn flags(&self) -> String {
        let named = [
            ("input", &self.format),
            ("encoding", &self.encoding),
            ("delimiter", &self.delimiter),
            ("quote", &self.quote),
            ("escape", &self.escape),
        ];
        let given = named.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let given = given.filter(|(_, value)| !value.is_empty());
        let given: Vec<String> = given.map(|(name, value)| format!(" --{name} {}", quoted(value))).collect();
        let mut flags = given.concat();
        if self.headerless {
            flags.push_str(" --headerless");
        }
        flags
    }
}

fn parsed<T: std::str::FromStr<Err: ToString>>(text: Option<&str>) -> Result<Option<T>, ApiError> {
    let parse = |text: &str| text.parse().map_err(|error: T::Err| ApiError::bad_input(error.to_string()));
    text.filter(|text| !text.is_empty()).map(parse).transpose()
}
