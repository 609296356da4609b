//! A day in digits, such as `20240612`, that is given for a time which counts seconds or less.

use super::{Design, Encoding, Part};
use crate::value::ValueError;

impl Design {
    /// Refuses a number that is given for a time if it is a day in eight digits, unless the time
    /// takes any number: as an epoch, it would be an hour of 1970.
    ///
    /// # Errors
    ///
    /// [`ValueError::Time`], which says how a day is given.
    pub fn check_number(&self, field: usize, number: i128) -> Result<(), ValueError> {
        const DAYS: std::ops::RangeInclusive<i128> = 19_000_101..=21_991_231;
        if DAYS.contains(&number) { self.check_day(field, &number.to_string()) } else { Ok(()) }
    }

    /// As [`check_number`](Self::check_number), of a number as text.
    pub(crate) fn check_day(&self, field: usize, text: &str) -> Result<(), ValueError> {
        let Some(time) = self.fields[field].time() else { return Ok(()) };
        match time.check_day(text) {
            Err(cause) if !self.takes_any_number(field) => {
                Err(ValueError::Time { found: text.to_owned(), cause })
            }
            _ => Ok(()),
        }
    }

    /// Whether a time is written with `desc`, `pad` or `as`, by the key or, if that does not have it, by its column. In the
    /// default text an epoch has its usual digits.
    pub(crate) fn takes_any_number(&self, field: usize) -> bool {
        let is_text = |encoding| matches!(encoding, Encoding::Plain | Encoding::Text);
        let parts = self.parts.iter().filter_map(|part| match part {
            Part::Field(part) if self.source_of(part.field) == field => Some(&part.steps),
            _ => None,
        });
        let mut parts = parts.peekable();
        if parts.peek().is_some() {
            return parts
                .any(|steps| steps.desc.is_some() || steps.pad.is_some() || !is_text(steps.encoding));
        }
        self.columns.cells.iter().any(|column| column.field == field && !is_text(column.encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Predicate, Row};

    fn design(field: &str, key: &str, column: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n\
             ts = {{ type = \"time\", {field} }}\n[key]\nparts = [{key}]\n[columns]\n{column}"
        );
        Design::from_toml(&toml).unwrap_or_else(|error| panic!("{toml}: {error:?}"))
    }

    const IN_KEY: &str = "{ field = \"ts\" }";
    const NOT_IN_KEY: &str = "{ field = \"id\" }";

    #[test]
    fn a_day_in_digits_is_no_epoch_in_its_default_text() {
        for (field, key, column) in [
            ("unit = \"ms\"", IN_KEY, ""),
            ("unit = \"s\"", NOT_IN_KEY, ""),
            ("unit = \"ms\", input = \"epoch-s\"", IN_KEY, ""),
            ("format = \"yyyyMMdd\", input = \"epoch-ms\"", IN_KEY, ""),
            ("unit = \"ms\"", IN_KEY, "ts = { as = \"be\", keep = true }"),
        ] {
            let design = design(field, key, column);
            let refused = design.read_value(&mut Row::new(2), 1, "20200406").unwrap_err();
            let how = "and a date is written as 2013-03-08: a field whose source has such dates needs input = \"yyyyMMdd\"";
            assert!(refused.to_string().ends_with(how), "{refused}");
            assert_eq!(design.check_number(1, 20_200_406), Err(refused));
            for other in ["20200431", "2020040", "202004061", "18991231", "-2020040"] {
                assert_eq!(design.read_value(&mut Row::new(2), 1, other), Ok(()), "{other}");
            }
        }
    }

    #[test]
    fn a_time_with_desc_or_as_takes_any_number() {
        for (field, key, column) in [
            ("unit = \"ms\"", "{ field = \"ts\", desc = \"long-max\" }", ""),
            ("unit = \"ms\"", "{ field = \"ts\", as = \"be\" }", ""),
            ("unit = \"ns\"", "{ field = \"ts\", pad = 19 }", ""),
            ("unit = \"ms\"", NOT_IN_KEY, "ts = { as = \"be\" }"),
        ] {
            let design = design(field, key, column);
            assert_eq!(design.read_value(&mut Row::new(2), 1, "20200406"), Ok(()));
            assert_eq!(design.check_number(1, 20_200_406), Ok(()));
            assert!(Predicate::parse("ts = 20200406", &design).is_ok());
        }
    }

    #[test]
    fn a_day_in_the_pattern_of_the_source_is_that_day() {
        let design = design("unit = \"ms\", input = \"yyyyMMdd\"", IN_KEY, "");
        let mut row = Row::new(2);
        assert_eq!(design.read_value(&mut row, 1, "20200406"), Ok(()));
        assert_eq!(row.get(1), Some(crate::Value::Int(1_586_131_200_000)));
    }
}
