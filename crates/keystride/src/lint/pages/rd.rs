//! Reads.

use super::zh::rd as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Cluster, Code, Design, Queries, Sample};
use crate::lint::needs::Seen;

pub(crate) const RD01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries, Cluster],
    english: Text { title: "a query reads the whole table",
 checks: "Every access is planned. Where its ranges take in all keys and a filter must find the rows, no part
at the beginning of the key serves it. An error when its rate times a scan of all rows kept is more than
10 % of the cluster, else a warning.",
    why: "A key of bucket, phone and time answers \"this phone\" with one range, and \"this day\" with the whole
table: the day stands behind the phone, so its rows are everywhere. With a year of data 365 rows are
read for each one returned.",
    remedy: "A second table in the order the query wants, or another order here if this query is the heavier. A
filter on the server saves the network, not the reading.",
 },
    chinese: zh::RD01,
};

pub(crate) const RD02: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "the latest rows are not the first of their range",
 checks: "An access with `order = \"newest\"` or \"oldest\" where the time stands the other way round in the key:
information, since HBase scans backwards since 0.98. A warning where the time does not follow the given
fields, so that all their rows must be read and sorted.",
    why: "\"The last 20 of a user\" with the time behind another free field reads the user's whole history, and
so does a store that can't scan backwards when the time ascends. Ten years of rows for twenty.",
    remedy: "Put the time right behind the fields that are given, descending (`desc = 9999999999999` for ms).",
 },
    chinese: zh::RD02,
};

pub(crate) const RD03: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "a limit is read once for every bucket",
 checks: "An access with a `limit` and an order whose plan has several ranges, one a bucket.",
    why: "The latest 20 rows over 16 buckets can be in any of them: a client asks each for 20 and throws 300 of
320 away. Merging the streams costs nothing; the reading does, and the first batch of each scanner is
read before the merge begins.",
    remedy: "keystride merges lazily and asks for small first batches. A bucket over what the query gives makes one
range of it.",
 },
    chinese: zh::RD03,
};

pub(crate) const RD04: Page = Page {
    seen: Seen::Not,
    needs: &[Code],
    english: Text { title: "an exclusive stop row loses the first instant of a descending time",
 checks:
        "Start and stop rows written by hand for a range over MAX - t. The planner's own ranges include what
is asked for, so a design file can't make the mistake.",
    why:
        "Descending, the earliest instant has the largest bytes and becomes the stop row, which a scan leaves
out: of the rows at 2 to 8 seconds, 3 to 8 come back. Seven were asked for and six returned, and the
missing one is the one at the boundary, every time.",
    remedy:
        "Stop at the successor: the prefix with MAX - start, plus one byte 00, or one added to its last byte.
Or let keystride plan: `ts >= 2 and ts <= 8`.",
 },
    chinese: zh::RD04,
};

pub(crate) const RD05: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "the end of a value is not told, so its prefix is that of others",
 checks:
        "An access gives a field by equality whose values have different lengths and no end of their own, only
a distance from the key's end.",
    why: "Keys of reversed user and 19 digits of time can be read back from behind. But a scan for user 1 has
only the prefix \"1\", which also begins the keys of users 21, 31 and 407332291. keystride filters
them out, having read them; a scan written by hand returns them.",
    remedy: "Give the value an end: a separator below its characters, `pad`, `escape = true` or a binary form.",
 },
    chinese: zh::RD05,
};

pub(crate) const RD06: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Queries, Sample],
    english: Text {
        title: "the ranged field stands behind one that is not given",
        checks:
            "An access ranges over a field behind a part that it leaves open, unless that part has at most ten
values. How many rows are read for one returned is known from a sample.",
        why: "A key of metric, host and time answers \"this metric on all hosts in this hour\" by reading the
metric's whole history, since each host's rows of the hour lie apart: 24 rows and more for each one
that is returned.",
        remedy: "Put the ranged field before the open one, or keep a second table in that order.",
    },
    chinese: zh::RD06,
};

pub(crate) const RD07: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "a row can only be found by one who knows what nobody knows",
 checks:
        "An access gives every field of the key but one that is made when the row is written: a clock of the
loader, a random number. Such fields are told by their names, and the finding says so.",
    why:
        "A key of user, time and `System.nanoTime()` makes every row different, and no client can ever say the
key of a row it knows: nanoTime is the machine's uptime, different on every machine and after every
start. A get becomes a scan, an update a search.",
    remedy: "Take what is different from the record: a sequence number, the source's id, a hash of its content.",
 },
    chinese: zh::RD07,
};

pub(crate) const RD08: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "the bucket depends on the field that is ranged",
 checks: "A bucket is computed from a function of the field that an access ranges over, such as its month.",
    why: "A bucket over phone and month keeps a phone's month together and spreads its years. A range over k
months is then k buckets, one for each. That is often what is wanted; it is said so that it is known.",
    remedy: "Nothing, where ranges are short. The planner lists the months of a range and reads only their
buckets; a coarser function makes fewer of them.",
 },
    chinese: zh::RD08,
};

pub(crate) const RD09: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries, Cluster],
    english: Text { title: "the first rows of a range are mostly deleted ones",
 checks: "An access that wants the newest or oldest rows with a limit, in a table of which a tenth of the rows or
more is deleted one by one.",
    why: "A delete is a marker that stays until a major compaction. A queue that takes its oldest rows and
deletes them leaves its markers just where the next reader begins: it skips a thousand of them to
return one row, and gets slower all day.",
    remedy: "Drop by time to live or by period instead of one by one, or begin the scan at a remembered place.",
 },
    chinese: zh::RD09,
};
