//! The properties of an `hbase-site.xml`.

use std::fs;
use std::path::Path;

use crate::HarnessError;

/// Properties as `hbase-site.xml` has them: the last value given for a name holds.
///
/// ```
/// use keystride_hbase_harness::Site;
///
/// let site = Site::new().with("hbase.master.port", 16000).with("hbase.master.port", 16010);
/// assert!(site.to_xml().contains("<property><name>hbase.master.port</name><value>16010</value></property>"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Site {
    properties: Vec<(String, String)>,
}

impl Site {
    /// Without any property: HBase's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one property more, or with another value for it.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "numbers and texts alike, without a sign of borrowing")]
    pub fn with(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        let name = name.into();
        self.properties.retain(|(known, _)| *known != name);
        self.properties.push((name, value.to_string()));
        self
    }

    /// With all properties of another site, which win over these.
    #[must_use]
    pub fn with_all(self, other: &Self) -> Self {
        other.properties.iter().fold(self, |site, (name, value)| site.with(name, value))
    }

    /// The text of the file.
    pub fn to_xml(&self) -> String {
        let mut xml = String::from("<configuration>\n");
        for (name, value) in &self.properties {
            let (name, value) = (escape(name), escape(value));
            xml.push_str(&format!("<property><name>{name}</name><value>{value}</value></property>\n"));
        }
        xml + "</configuration>\n"
    }

    /// Writes a folder for a class path: `hbase-site.xml` and the settings of the log.
    pub(crate) fn write_to(&self, folder: &Path, log: LogLevel) -> Result<(), HarnessError> {
        fs::create_dir_all(folder).map_err(HarnessError::file(folder))?;
        for (name, text) in [("hbase-site.xml", self.to_xml()), ("log4j.properties", log.settings())] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(HarnessError::file(path))?;
        }
        Ok(())
    }
}

/// How much HBase's own classes say on standard error; all others only warn.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LogLevel {
    Info,
    Warn,
}

impl LogLevel {
    fn settings(self) -> String {
        let level = match self {
            Self::Info => "INFO",
            Self::Warn => "WARN",
        };
        format!(
            "log4j.rootLogger=WARN,err\n\
             log4j.logger.org.apache.hadoop.hbase={level}\n\
             log4j.appender.err=org.apache.log4j.ConsoleAppender\n\
             log4j.appender.err.target=System.err\n\
             log4j.appender.err.layout=org.apache.log4j.PatternLayout\n\
             log4j.appender.err.layout.ConversionPattern=%d{{ISO8601}} %-5p [%t] %c{{2}}: %m%n\n"
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
