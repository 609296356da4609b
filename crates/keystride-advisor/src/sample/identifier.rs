//! Which columns of a sample tell who or what a row is about.

use super::{Column, Kind, is_date};

/// What an identifier looks like, from the least certain to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A whole number that its name calls an identifier.
    Named,
    /// A text without blanks, or a short number of constant length.
    Text,
    /// A long number of constant length, such as a phone's, or a UUID.
    Long,
}

/// A number of constant length with as many digits is not counted with.
const LONG_DIGITS: usize = 8;

/// Longer texts are said, and name nothing.
const LONG_TEXT: usize = 64;

/// Of so many rows, one may lack the value of a text in the key.
const ROWS_A_MISSING: usize = 20;

impl Column {
    /// Returns what the column's values are as identifiers; `None` if they are none.
    pub(super) fn rank(&self) -> Option<Rank> {
        let is_whole = self.missing_count() == 0;
        match self.kind {
            Kind::Uuid if is_whole => Some(Rank::Long),
            Kind::Digits(_) if !is_whole || self.is_written_time() => None,
            Kind::Digits(LONG_DIGITS..) => Some(Rank::Long),
            Kind::Digits(_) => Some(Rank::Text),
            Kind::Text if (is_whole || self.has_default()) && !self.has_long_texts() => {
                let has_blank = self.values.iter().any(|value| value.contains(char::is_whitespace));
                (!has_blank && !self.is_written_time()).then_some(Rank::Text)
            }
            Kind::Natural(_) if is_whole && is_named_identifier(&self.header) => Some(Rank::Named),
            _ => None,
        }
    }

    /// Whether the column has whole numbers that may be measured or counted, as far as their name tells.
    pub(super) fn is_measured(&self) -> bool {
        matches!(self.kind, Kind::Natural(_) | Kind::Int) && !is_named_identifier(&self.header)
    }

    /// Returns how many rows have no value.
    pub fn missing_count(&self) -> usize {
        self.values.iter().filter(|value| value.is_empty()).count()
    }

    /// Whether the column has a default in the key, which is `-`: it is of texts, of which only a few are missing.
    pub fn has_default(&self) -> bool {
        let missing_count = self.missing_count();
        matches!(self.kind, Kind::Text)
            && (1..=self.values.len() / ROWS_A_MISSING).contains(&missing_count)
            && self.values.iter().all(|value| value != "-")
    }

    pub(super) fn has_long_texts(&self) -> bool {
        self.values.iter().any(|value| value.len() > LONG_TEXT)
    }

    pub(super) fn is_time(&self) -> bool {
        matches!(self.kind, Kind::Epoch(_) | Kind::Pattern(_) | Kind::Iso8601 { .. })
    }

    /// Whether the values are dates or times of day, although their type says nothing of it.
    fn is_written_time(&self) -> bool {
        let is_written = |value: &String| {
            let is_of_digits = value.bytes().all(|byte| byte.is_ascii_digit() || b"/:-. ".contains(&byte));
            let is_parted = is_of_digits && value.contains(['/', ':']);
            is_parted || is_date(value, "yyyyMMdd") || is_date(value, "yyyyMMddHHmmss")
        };
        self.values.iter().filter(|value| !value.is_empty()).all(is_written)
    }
}

/// Whether a name ends as those of identifiers do.
fn is_named_identifier(name: &str) -> bool {
    const WORDS: [&str; 26] = [
        "id", "no", "nr", "num", "number", "sn", "code", "key", "uid", "imei", "imsi", "msisdn", "phone",
        "mobile", "account", "card", "user", "customer", "client", "member", "device", "sensor", "station",
        "serial", "flight", "caller",
    ];
    const ENDS: [&str; 7] = ["号", "号码", "编码", "用户", "客户", "会员", "设备"];
    // They end in "id", too.
    const NO_IDS: [&str; 5] = ["paid", "bid", "valid", "void", "grid"];
    let name = name.trim().trim_end_matches(|c: char| c.is_ascii_digit());
    let word = last_word(name).to_lowercase();
    let is_id = word.ends_with("id") && !NO_IDS.iter().any(|end| word.ends_with(end));
    is_id || WORDS.contains(&word.as_str()) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Returns the last word of a name such as `user_count`, `userCount` or `user count`.
fn last_word(name: &str) -> &str {
    let mut start = 0;
    let mut before = '_';
    for (at, c) in name.char_indices() {
        if !c.is_alphanumeric() {
            start = at + c.len_utf8();
        } else if before.is_lowercase() && c.is_uppercase() {
            start = at;
        }
        before = c;
    }
    &name[start..]
}

#[cfg(test)]
mod tests {
    use super::is_named_identifier;

    #[test]
    fn the_last_word_of_a_name_tells_an_identifier_from_a_count() {
        for name in
            ["id", "user_id", "userId", "USER_ID", "orderid", "flight", "phone2", "call no", "工号", "用户ID"]
        {
            assert!(is_named_identifier(name), "{name}");
        }
        for name in ["user_count", "userCount", "bid", "prepaid", "seconds", "时长", "用户数", "号码数", ""]
        {
            assert!(!is_named_identifier(name), "{name}");
        }
    }
}
