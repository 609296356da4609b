//! Write heat.

use super::zh::hot as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Cluster, Design, Queries, Sample, Table};
use crate::lint::needs::Seen;

pub(crate) const HOT01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "the key begins with the clock",
 checks:
        "The first part of the key that varies is a time whose bytes rise or fall with it, a time cut to the
hour or day, or the leading digits of a date. An error when the declared rate is above what one server
takes, information when it is far below, else a warning.",
    why: "All rows of the moment have neighbouring keys, so they all go to the region at the end, and one
server does the work of all. Falling order does not help: with Long.MAX_VALUE - t the hot region is
the first instead of the last, under every split, and every quantile of the past is behind the front.",
    remedy:
        "Lead with a bucket over the entity, or with the entity itself. Where the rate is below one server's,
time first is right: the newest rows lie together.",
 },
    chinese: zh::HOT01,
};

pub(crate) const HOT02: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster, Sample],
    english: Text { title: "too few values lead the key",
 checks: "The number of values of the fields before the first time in the key, from their domains or their
declared `distinct`, taken together. Fewer than servers is an error.",
    why:
        "Each value in front of a time makes one growing end. Three values on eight servers are three ends, so
at most three servers work: 37 % of the cluster. A second field behind the first counts too: two
values followed by a well-spread field, in a table that is cut, are fine.",
    remedy: "Put a field with many values before the time, or a bucket in front.",
 },
    chinese: zh::HOT02,
};

pub(crate) const HOT03: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster, Sample],
    english: Text { title: "one value takes more than a server's share, and nothing behind it spreads",
 checks: "The declared `max_share` of the field that leads, against 0.25 / (S - 1), when the next part is a time
or there is none.",
    why: "A tenant with 42 % of the rows, followed by a time, has one growing end that takes 42 % of all writes.
On 8 servers its server has more than three times the mean, and no split can divide it, since all new
rows of the tenant come at one place.",
    remedy: "Let a field that spreads the value follow it, the document or the device, or give the hot value
several buckets with `spread`.",
 },
    chinese: zh::HOT03,
};

pub(crate) const HOT04: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "an id that grows leads the key",
 checks:
        "Split points from the first quarter of a sample, by arrival, are tried on the rest, for a leading
field that is no time. Only a sample shows that new ids are larger than old ones.",
    why:
        "Sequential ids are a clock without its name: new users are the active ones, and the new users are at
the end. With points from the first quarter, the last region took 99.6 % of a window, while the
correlation of id and time was a harmless 0.60.",
    remedy: "Reverse the id (`pad` first), hash its first bytes in front of it, or lead with a bucket over it.",
 },
    chinese: zh::HOT04,
};

pub(crate) const HOT05: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "the first bytes of the key never vary",
 checks:
        "The bytes that the smallest and the largest key share, with times taken from 2001 to 2286, when the
table is cut by one of HBase's algorithms.",
    why:
        "The algorithms cut the whole space of their alphabet evenly from the first byte. Keys that all begin
with \"http://\", with 92233 or with the 1 of a mobile number lie in one slice of it: one region of
16 is used, and the rest stay empty.",
    remedy: "Drop the constant from the key, put what varies first, or cut at the quantiles of a sample.",
 },
    chinese: zh::HOT05,
};

pub(crate) const HOT06: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "rows arrive sorted by key",
 checks: "`[input] order = \"sorted\"` for a table of several regions. A sample in arrival order shows it too.",
    why:
        "A file that is sorted as the table is fills the first region first, then the second: at every moment
one server works and the others wait. With sixteen regions the load takes sixteen times as long as it
could, and the balance over the whole file still looks perfect.",
    remedy:
        "Read the input at many places at once, or shuffle within large batches, so that each batch meets all
regions.",
 },
    chinese: zh::HOT06,
};

pub(crate) const HOT07: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "time leads, rows expire, and empty regions stay behind",
 checks: "The key begins with a time, and a family has a time to live or the workload a retention.",
    why: "The front moves on and the rows behind it expire, but a region does not: it stays, empty, with a place
on a server and in the balancer's count. A region a day leaves 365 of them after a year, and the
balancer deals them as if they were work.",
    remedy: "Let the entity lead, so that regions keep a mixture of old and new; or merge and drop regions by
period as part of running the table.",
 },
    chinese: zh::HOT07,
};

pub(crate) const HOT08: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "one row takes a large part of all changes",
 checks:
        "Changes of one row in a window of a minute, counted in cells and increments. It takes a sample of
what is written, in order.",
    why: "A counter or a status row that everything updates is one row, and a region can't be split inside a
row. 6 % of all puts on one key are 6 % of the load in one place, and its row lock makes them wait for
each other.",
    remedy: "Shard the row, counter 0 to 15, and add up when reading.",
 },
    chinese: zh::HOT08,
};

pub(crate) const HOT09: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "after splits, the growing ends meet on servers by chance",
 checks: "Keys are a bucket and then a time, so B regions take all writes. When they have split a few times, the
balancer, which counts regions and not writes, puts the ends anywhere: with ten regions a bucket, as many
on each server, the expected number of ends on the busiest server is computed.",
    why: "At creation 16 buckets on 16 servers lie one on each. After some splits there are 160 regions, of which
16 are written, and chance puts 2.9 of those on the busiest server: the cluster does a third of what it
did on the first day. HBase's write weight is 5 against 500 for the region count.",
    remedy: "Move the ends apart by hand when they meet, create the regions of coming periods beforehand, or let the
entity lead.",
 },
    chinese: zh::HOT09,
};

pub(crate) const HOT10: Page = Page {
    seen: Seen::Not,
    needs: &[Table],
    english: Text { title: "an index table begins with the clock",
 checks: "A second table that serves as an index, led by a time, beside a table that spreads well. A design file
describes one table; lint the index's own design file, where it is HOT01.",
    why: "An index on create_time takes a write for each row of the table and puts all of them at its end: the
table is spread over all servers, and the index brings them back to one. TiDB's and Spanner's guides
warn of exactly this.",
    remedy: "Put a bucket in front of the index too, and read it bucket by bucket.",
 },
    chinese: zh::HOT10,
};

pub(crate) const HOT11: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "an identifier that hides the clock leads the key",
 checks: "The key begins with a UUID declared as version 1, 6 or 7, or with a text field named after a kind of
id that begins with the time: ULID, ObjectId, snowflake. The names are a guess, and the finding says
so.",
    why: "A version 7 UUID begins with 48 bits of milliseconds: 018f4c2e 9a00 and so on, rising with every row.
Keys by it are keys by time. Version 1 begins with the fast-moving part of a clock, and sweeps through
the table every seven minutes. Only version 4 is random from the first byte.",
    remedy: "Lead with a hash of it, `hash = { name = \"xxh3\", bytes = 2 }` in front, or with a bucket; or reverse
its bytes.",
 },
    chinese: zh::HOT11,
};

pub(crate) const HOT12: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries, Cluster],
    english: Text { title: "reads of the newest rows meet in few regions",
 checks: "Accesses with a declared `recent` share and `rate`, where the newest rows of all entities lie in fewer
regions than there are servers.",
    why: "Write heat is not the only heat. With the time in front, a dashboard that asks for the last minute
asks one region for all of it, and its server answers beside taking all writes. With 4 buckets before
the time the newest rows lie on at most 4 servers.",
    remedy: "Let the entity lead, which spreads its newest rows like everything else, or take a bucket count of at
least the number of servers.",
 },
    chinese: zh::HOT12,
};
