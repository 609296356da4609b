//! Cuts a range of keys at the boundaries of buckets.

use crate::design::BucketPart;
use crate::range::{KeyRange, after_prefix};

impl BucketPart {
    /// Returns the part of `range` in each bucket, and in what else a key can hold in its place, ascending by key; the
    /// bucket must be the first part of the key. Where a bucket is too narrow for its largest numbers, keys that begin
    /// with two of them count as the longer one's; if everything after the bucket has a fixed width, they may be either's.
    ///
    /// ```
    /// # use keystride::{Design, KeyRange};
    /// let design = Design::from_toml(
    ///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
    ///      [key]\nparts = [{ bucket = 2, of = [\"id\"] }, { field = \"id\" }]",
    /// )?;
    /// let bucket = design.leading_bucket().expect("it is the first part");
    /// let cut = bucket.cut(&KeyRange::new("05", None));
    /// assert_eq!(cut, [(0, KeyRange::new("05", Some("1".into()))), (1, KeyRange::prefix(b"1"))]);
    /// # Ok::<(), keystride::design::DesignError>(())
    /// ```
    pub fn cut(&self, range: &KeyRange) -> Vec<(u32, KeyRange)> {
        let mut prefixes: Vec<(Vec<u8>, u32)> =
            self.numbers().map(|number| (self.prefix(number), number)).collect();
        prefixes.sort();
        let mut found = Vec::new();
        for (index, (prefix, bucket)) in prefixes.iter().enumerate() {
            // A bucket that is wider than the declared width begins like a shorter one; keys that begin with both are
            // read as the longer one's.
            let longer = prefixes[index + 1..].iter().map(|(other, _)| other.as_slice());
            let longer = longer.take_while(|other| other.starts_with(prefix));
            let own = without(&KeyRange::prefix(prefix), longer);
            found.extend(own.iter().filter_map(|own| Some((*bucket, own.intersect(range)?))));
        }
        found.sort_by(|left, right| left.1.cmp(&right.1));
        found
    }
}

/// Returns a range without the keys that begin with one of `prefixes`, which are ascending.
fn without<'a>(range: &KeyRange, prefixes: impl Iterator<Item = &'a [u8]>) -> Vec<KeyRange> {
    let mut rest = Vec::new();
    let mut start = range.start().to_vec();
    for prefix in prefixes {
        if prefix > start.as_slice() {
            rest.push(KeyRange::new(start.clone(), Some(prefix.to_vec())));
        }
        match after_prefix(prefix) {
            Some(after) => start = start.max(after),
            None => return rest,
        }
    }
    let last = KeyRange::new(start, range.stop().map(<[u8]>::to_vec));
    rest.extend((!last.is_empty()).then_some(last));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    #[test]
    fn buckets_that_outgrow_their_width_do_not_overlap() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                    [key]\nparts = [{ bucket = 11, width = 1, of = [\"id\"] }, { field = \"id\" }]";
        let design = Design::from_toml(toml).unwrap();
        let cut = design.leading_bucket().unwrap().cut(&KeyRange::all());
        let of = |bucket: u32| -> Vec<_> {
            cut.iter().filter(|(number, _)| *number == bucket).map(|(_, range)| range.to_string()).collect()
        };
        assert_eq!(of(1), ["[1, 10)", "[11, 2)"]);
        assert_eq!(of(10), ["[10, 11)"]);
        assert_eq!(of(9), ["[9, :)"]);
        assert!(cut.windows(2).all(|pair| pair[0].1.stop() <= Some(pair[1].1.start())));
    }
}
