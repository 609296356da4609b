//! Splits and buckets.

use super::zh::spl as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Cluster, Code, Design, Sample};
use crate::lint::needs::Seen;

pub(crate) const SPL01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "buckets and regions do not match",
 checks:
        "Every bucket b owns the keys from its prefix up to the next prefix. These intervals are laid over the
regions: a region that gets more buckets than an even deal would give it, or one between others that
gets none, is an error. It is proved by the bytes; no sample is needed.",
    why:
        "With 11 buckets of one digit, bucket 10 is written \"10_\", which sorts between the points \"0|\" and
\"1|\": region 1 gets buckets 1 and 10 and twice the load, region 10 never receives a key. The same
happens at 101 and 1001 buckets, and at no other number.",
    remedy:
        "Let keystride cut at the buckets: `[split] by = \"bucket\"`, with a bucket width that holds the last
bucket's digits.",
 },
    chinese: zh::SPL01,
};

pub(crate) const SPL02: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the bucket's width is too small for its number",
 checks: "The declared `width` of a bucket, or the width of a `partition-keys` split, is smaller than the digits
of the last bucket's number.",
    why: "Formatters pad, they do not cut: bucket 10 in width 1 is \"10\". Then prefixes have different lengths
and do not sort by number, and without a text behind it the first digits of the next part can't be told
from the bucket's: \"1\" + \"05\" is \"10\" + \"5\".",
    remedy: "Leave `width` out, which takes the digits of count - 1, or set it to them.",
 },
    chinese: zh::SPL02,
};

pub(crate) const SPL03: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "a split point's suffix sorts before the key's separator",
 checks: "Split points are bucket prefixes with a suffix, meant as the end of each bucket's region. The suffix is
compared with what follows the prefix in a key.",
    why: "The points \"0|\", \"1|\" work for keys \"0_…\", since '_' (5F) sorts before '|' (7C). For keys
\"0|…\" or \"0~…\" the point \"0|\" is not behind bucket 0 but before it: every bucket moves one
region up, region 0 stays empty and the last region gets two buckets.",
    remedy: "Split at the bare prefixes of buckets 1 to B - 1 (`by = \"bucket\"` without `suffix`): a bare prefix
sorts before every key that begins with it, whatever follows.",
 },
    chinese: zh::SPL03,
};

pub(crate) const SPL04: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "regions that no key can reach",
 checks: "For every region the smallest key that is not below its start is computed from the fields' types,
ranges and alphabets. If that key lies behind the region, no row can ever be in it. That is a proof,
and it can't be wrong by chance as a sample could.",
    why: "HBase's guide has the example: hex keys and ten regions cut evenly between the bytes of '0…' and
'f…'. Four of the ten can be reached, one of them by a single key. The others cost memory and balance:
the balancer counts regions, so a server with empty ones looks as busy as any.",
    remedy: "Cut with an algorithm that suits the keys (DecimalStringSplit for digits, HexStringSplit for lower-case
hex, UniformSplit for binary), at the buckets, or at the quantiles of a sample.",
 },
    chinese: zh::SPL04,
};

pub(crate) const SPL05: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the first region can never receive a key",
 checks:
        "The first split point is not above the smallest key, so nothing sorts before it. When the last region
is empty as well, one finding tells both.",
    why: "A table for the 16 first hex digits of an MD5 was cut at 000, 001 … 016: 17 points make 18 regions.
No key sorts before \"000\", and none at or after \"016\", so regions 0 and 17 stay empty for ever,
and a query written region by region has two branches that can't return a row.",
    remedy:
        "Drop the points that no key lies beyond, or use `by = \"bucket\"`, which makes n - 1 points for n
buckets. The fix does the one or the other.",
 },
    chinese: zh::SPL05,
};

pub(crate) const SPL06: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the last region can never receive a key",
 checks:
        "The last split point is above the largest key, so nothing sorts at or after it. It is told as SPL05
when the first region is empty too.",
    why:
        "\"Six partitions\" with the six points \"0|\" to \"5|\" are seven regions: the keys of bucket 5 begin
\"5_\" and sort before \"5|\", so the seventh region never gets one. n regions need n - 1 points. An
empty region is dealt to a server like any other, and the balance is off by one from the first day.",
    remedy: "Drop the last point, or use `by = \"bucket\"`.",
 },
    chinese: zh::SPL06,
};

pub(crate) const SPL07: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the split algorithm does not suit the keys",
 checks:
        "The table is cut by one of HBase's algorithms, and the keys' language shows regions that can't be
reached, or, where every field that leads has a declared range, one that gets more than twice its share.",
    why: "Each algorithm assumes an alphabet. UniformSplit cuts eight bytes from 00 to FF: all decimal text
begins with 30 to 39 and falls into one region of 16. HexStringSplit for 8-digit decimals uses 10 of
16 regions; for a big-endian int from 1 to 100,000 it uses one.",
    remedy:
        "HexStringSplit for lower-case hex text, DecimalStringSplit for digits that vary from the first on,
UniformSplit for hashed bytes; for buckets `by = \"bucket\"`; for anything else the quantiles of a sample.",
 },
    chinese: zh::SPL07,
};

pub(crate) const SPL08: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "split points that repeat, are empty or out of order",
 checks: "The points as they are given. A point given twice or an empty one is an error; points in another order
than that of their bytes are a warning, because HBase's client and keystride sort them.",
    why: "HBase refuses to create a table with a point twice, and an empty point is the start of the table
already. Points in another order than their bytes mean that somebody expected another order: \"10|\"
sorts before \"1|\" and \"2|\" after \"10|\", so a region is not the one that was meant.",
    remedy: "Write each point once, in byte order; numbers as `ints` or `longs`, which are compared as numbers.",
 },
    chinese: zh::SPL08,
};

pub(crate) const SPL09: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "the number of buckets does not suit the number of servers",
 checks: "B buckets on S servers use B / (S * ceil(B / S)) of them. Below 0.9 today is a warning; below 0.9 with
one server more or fewer is information.",
    why: "10 buckets on 8 servers give two servers two buckets each and six servers one: the two are full when
the others are half idle, and the ceiling is 62 % of the cluster. No hash and no balancer can mend it,
as a bucket that grows at its end is one region at a time.",
    remedy: "Take a count with many divisors: 12, 24, 48, 60, 120, 240. 0.9 for every S is certain from 9 (S - 1)
buckets on; more buckets make scans wider (SLT11), so take the least that serves.",
 },
    chinese: zh::SPL09,
};

pub(crate) const SPL10: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Cluster],
    english: Text { title: "growing buckets are cut below the bucket",
 checks: "Keys are a bucket and then a time, every bucket is cut into the same number g of regions, and g and
the number of servers have a common divisor.",
    why: "In each bucket only the region at the front receives rows. HBase deals a new table's regions to servers
in key order, so the fronts are g servers apart: with g = 4 on 8 servers, all of them lie on 8 / 4 = 2
servers, and the other six do nothing.",
    remedy: "Create one region a bucket (`by = \"bucket\"`), and let the table split as it grows. The tails of a
few hot entities can meet on one server in the same way.",
 },
    chinese: zh::SPL10,
};

pub(crate) const SPL11: Page = Page {
    seen: Seen::Not,
    needs: &[Sample, Cluster],
    english: Text { title: "split points from the past do not fit the future",
 checks: "The first quarter of a sample, by arrival, is cut into regions; the rest is dealt to them. A region
that takes more than twice its share of the future, in a table whose imbalance is above the tolerance,
is an error.",
    why: "A correlation test finds \"sequential user ids, the newest most active\" not monotone, at r = 0.60; the
last region nevertheless took 99.6 % of a window of 5,000 rows. Quantiles of yesterday say nothing of
keys that did not exist yesterday.",
    remedy: "Lead with something that does not grow: a bucket over the entity, a reversed or hashed id. Then points
from the past keep their meaning.",
 },
    chinese: zh::SPL11,
};

pub(crate) const SPL12: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "too few sampled rows for the regions asked for",
 checks:
        "Rows of the sample per region, against the number that keeps every region within 20 % of its share
with 95 % certainty: ln(R / 0.05) / (0.2 - ln 1.2).",
    why: "A quantile from 12 rows a region is mostly chance: the share of such a region varies by a third
either way, and the largest of 64 is nearly twice the mean before a row is loaded. 64 regions within
20 % need 26,000 rows, 405 a region, drawn independently: the first rows of a file are the worst.",
    remedy: "Sample more rows, spread over the whole input, or ask for fewer regions.",
 },
    chinese: zh::SPL12,
};

pub(crate) const SPL13: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster],
    english: Text { title: "too many regions for the servers",
 checks:
        "Regions of the split over servers, against `regions_per_server`. Whether the memory of a server bears
its actively written regions needs its heap and flush size, which a design file does not hold.",
    why:
        "Every region has a memstore a family and a share of the heap. With 16 GB, a flush size of 128 MB and
one family, 51 regions can be written at a time before flushes come early and small, and compactions
read and write the same data again and again.",
    remedy:
        "Fewer regions: about as many as the data needs at 10 GB each, a multiple of the buckets, and no more
than some tens of actively written ones on a server.",
 },
    chinese: zh::SPL13,
};

pub(crate) const SPL14: Page = Page {
    seen: Seen::Not,
    needs: &[Code],
    english: Text { title: "a split policy's prefix is no longer than the bucket",
 checks: "The table option that forbids splits inside a prefix (KeyPrefixRegionSplitPolicy) with a prefix as wide
as the bucket, or narrower. A design file does not say table options of this kind, so it takes a live
table's or a script's.",
    why: "A policy that keeps rows with the same first three bytes together, on keys that begin with a bucket
of three digits, keeps each bucket together: the region of bucket 007 can never be split, however
large it grows, and its compactions grow with it.",
    remedy: "Take a prefix that reaches to the end of the entity, or none.",
 },
    chinese: zh::SPL14,
};

pub(crate) const SPL15: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "n points make n + 1 regions",
 checks: "A list of points that has as many as the key has buckets, or one more: it looks as if regions had been
counted where points are.",
    why: "Six points for six buckets are seven regions; the seventh is empty, or one bucket is cut in two. The
mistake is common since shells and guides speak of \"splits\" for both: HBase's `SPLITS` are points and
its `NUMREGIONS` are regions, and 17 points are 18 regions.",
    remedy: "One point less than regions. `by = \"bucket\"` counts by itself.",
 },
    chinese: zh::SPL15,
};

pub(crate) const SPL16: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "binary split points written as hex text",
 checks:
        "The key begins with a binary number, and every split point is text of hex digits, two for each of the
number's bytes.",
    why: "'0000000a' is eight bytes, 30 30 30 30 30 30 30 61. The int 10 in a key is four, 00 00 00 0A, and
every positive int below 808,464,432 sorts before 30 30 30 30: such points cut nothing that the keys
reach. `Bytes.toHex` gives this form, `Bytes.toStringBinary` the one that is wanted.",
    remedy: "Write the numbers as `ints = [10]` or `longs = [10]`, or the bytes in single quotes:
'\\x00\\x00\\x00\\x0A'.",
 },
    chinese: zh::SPL16,
};
