//! Size.

use super::zh::siz as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Design, Sample};
use crate::lint::needs::Seen;

pub(crate) const SIZ01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text {
        title: "long names of families and qualifiers",
        checks: "Family names of more than two characters, and qualifiers that are longer than eight on average.",
        why: "HBase stores the family and the qualifier with every cell of every row. \"info\" and
\"departure_delay\" are 19 bytes beside a value of perhaps three; a hundred million rows of 24 such
cells are 45 GB of names before compression.",
        remedy: "One or two letters for a family, short words for qualifiers:
`dep_delay = { qualifier = \"dd\" }`. The design file keeps the long names for people.",
    },
    chinese: zh::SIZ01,
};

pub(crate) const SIZ02: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "neither block encoding nor compression",
 checks: "A family with neither `encoding` nor `compression`, which is HBase's default. The finding tells the raw
bytes of a row and how many of them repeat the key.",
    why: "Every cell holds the whole row key, its family, its qualifier and a timestamp. A row of 24 cells with a
key of 40 bytes is 1,850 bytes raw, of which 920 repeat the key; FAST_DIFF leaves repeated prefixes out
and stores about 351.",
    remedy: "`families.f = { encoding = \"fast-diff\", compression = \"zstd\" }` when the table is created. It can be
changed later, but old files keep their form until they are compacted.",
 },
    chinese: zh::SIZ02,
};

pub(crate) const SIZ03: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "keys of varying length under FAST_DIFF",
 checks: "A family with `encoding = \"fast-diff\"` and a key whose length varies. A sample tells how many
neighbours differ in length.",
    why:
        "FAST_DIFF leaves out the prefix that a row shares with the one before it, but only if both keys have
the same length: where they differ, the whole key is written again. In one trial rows took 0.74 of
their raw size with keys of varying length, and 0.60 with fixed ones.",
    remedy: "Fixed widths where it costs nothing: `pad`, binary numbers. It is no reason to pad long text.",
 },
    chinese: zh::SIZ03,
};

pub(crate) const SIZ04: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "more than three families",
 checks: "The number of column families of the table.",
    why: "A region's families flush together: when one memstore is full, all are written, and four small families
become four small files each time. Compactions then read and write them again and again, and a scan
opens a file for each.",
    remedy: "One family, or two where a large one is rarely read. HBase's own guide advises the same.",
 },
    chinese: zh::SIZ04,
};

pub(crate) const SIZ05: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "fields stand in the key and in columns",
 checks: "Fields that can be read back from the key and are kept as columns too.",
    why: "The value is in the key of every cell of the row already, and once more as a cell of its own, with the
whole key, a name and a timestamp: about 60 bytes for something that is known. It is right where other
programs read the column; then accept it.",
    remedy: "Leave `keep` out: keystride reads the field from the key wherever it is asked for.",
 },
    chinese: zh::SIZ05,
};

pub(crate) const SIZ06: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "a row or an entity grows without end",
 checks: "Rows and bytes of the largest entities in a sample of whole entities, projected over the time that
rows are kept.",
    why: "A row can't be split, and an entity that is one run of keys is read as one. 4 GB of one entity after a
year is a region by itself, and a scan of it holds everything up. Cassandra's rule is 100 MB and
100,000 values a partition.",
    remedy: "Put a period into the key, the month before the time, so that an entity's run ends; or let old rows
expire.",
 },
    chinese: zh::SIZ06,
};
