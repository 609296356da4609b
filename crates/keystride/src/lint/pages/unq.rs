//! Uniqueness.

use super::zh::unq as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Cluster, Design, Sample};
use crate::lint::needs::Seen;

pub(crate) const UNQ01: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "two rows of the sample have one key",
 checks:
        "Keys of a sample drawn by the hash of the key are counted exactly. It must be drawn so: a sample of
1 % of the rows sees one in ten thousand of the pairs, one by key hash sees 1 % of them. The finding
shows a pair.",
    why: "HBase keeps one row a key: the later put hides the earlier cells, and no error is told. 52 keys
twice in a 1 % sample are about 5,200 lost rows a day.",
    remedy:
        "Add what tells the rows apart: a sequence, the counterpart, a finer time. `on_same_key` says what a
load does with such rows.",
 },
    chinese: zh::UNQ01,
};

pub(crate) const UNQ02: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster, Sample],
    english: Text { title: "the key is expected to repeat",
 checks: "A key of entities and a time, with the number of entities declared by `distinct` and the rate by
`rows_per_s`: the expected pairs of one entity in one unit of the time, in a year. More than one is a
warning.",
    why: "Ten calls a day of each of ten million phones, with time in seconds: 10 * 9 / 2 / 86,400 pairs a phone
and day are 5,208 pairs a day. Each pair is two calls with one key, of which one is lost. It is few
enough never to show in a test.",
    remedy: "Add the counterpart or a sequence, or a finer time. Milliseconds make it a thousand times rarer, not
impossible.",
 },
    chinese: zh::UNQ02,
};

pub(crate) const UNQ03: Page = Page {
    seen: Seen::Partly,
    needs: &[Design],
    english: Text { title: "the key is not a function of the record",
 checks:
        "A part of the key comes from the loader and not from the record: a bucket drawn at random, or a field
that by its name is a clock of the loading program or a random number. An error with at-least-once
delivery, else a warning.",
    why: "A put that times out may have been done; the client sends it again. With a key from the record the
second put meets the first. With nanoTime or a random salt in the key it becomes a second row, and
every retry and every resumed load leaves some.",
    remedy:
        "Make the key from the record alone. Then a load can be repeated, and sources that deliver at least
once are no danger.",
 },
    chinese: zh::UNQ03,
};

pub(crate) const UNQ04: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text {
        title: "a Kafka offset without its partition",
        checks:
            "The key holds a field named offset and none named partition. It is judged by the names, and the
finding says so.",
        why: "Offset 5 exists in every partition. With a key of event, day and offset, rows of different
partitions meet: 3 % of all rows are lost with 4 partitions, 10 % with 12 and 35 % with 48. A random
salt in front hides it, since it separates most of the pairs.",
        remedy: "Put the partition before the offset: `{ field = \"partition\", pad = 4 }, { field = \"offset\", pad = 19 }`.",
    },
    chinese: zh::UNQ04,
};

pub(crate) const UNQ05: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "the time is coarser than the events of an entity",
 checks:
        "Rows of each sampled entity are compared: how many have the same time in the key's unit. It takes a
sample of whole entities, all rows of some.",
    why: "A machine that writes twice a second, with a key in seconds, loses every second row. The share of
entities with two events in one unit is small in a day's test and certain in a year's data: 0.3 % of
ten million phones are thirty thousand of them.",
    remedy: "Take a finer unit, or add the counterpart, a line number or a sequence to the key.",
 },
    chinese: zh::UNQ05,
};

pub(crate) const UNQ06: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "a short hash serves as an identity",
 checks: "A field stands in the key as a truncated hash only. With n values, declared by `distinct` or bounded by
rate and retention, and b bits, n^2 / 2^(b+1) pairs are expected to meet: above one in a thousand is an
error. Where n is not known, fewer than 64 bits are a warning.",
    why: "By the birthday paradox 32 bits meet from 77,000 values on; a hundred million have 1.2 million
colliding pairs, and each pair is two entities in one: their rows are mixed, and by the key alone they
can't be told apart.",
    remedy: "Keep the field itself behind the hash: four bytes of hash to spread, then the value to be sure. As an
identity take at least 96 bits for a billion values and more.",
 },
    chinese: zh::UNQ06,
};
