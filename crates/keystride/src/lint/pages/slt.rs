//! Hash and salt.

use super::zh::slt as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Cluster, Code, Design, Queries, Sample, Table};
use crate::lint::needs::Seen;

pub(crate) const SLT01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the absolute value of a hash can be negative",
 checks:
        "The buckets java-string, java-xor and hbasewd take `Math.abs` of a signed hash before the remainder.
It is an error when the fields can give the hash -2^31: not for a count that divides it, not for short
digit texts, whose hashes are positive, and not where all inputs were tried and none does.",
    why: "`Math.abs(-2147483648)` is -2147483648, and its remainder by 6 is -2: the key begins \"-2_\", sorts
before every bucket, and no scan over the buckets finds it. The phone 15483910690 with 202004 is such a
row, the phone 16759099747 alone another. One key in 4.3 billion, but a lost one.",
    remedy: "Use `hash = \"xxh3\"`, which is unsigned. keystride rejects a row that would get such a prefix.",
 },
    chinese: zh::SLT01,
};

pub(crate) const SLT02: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "the hash fills its buckets unevenly",
 checks: "Where the hashed fields have at most a million values, all are hashed and the fullest bucket is
compared with the mean and with what chance alone explains, 1 + sqrt(3 ln(B / 0.01) B / n). Where they
have more, a 31-hash of digits with B a multiple of 30, 31 or 32 is told, with the figure for a block.",
    why: "Java's hash is a sum of digits times powers of 31. Modulo 30, 31 is 1, and the bucket is the sum of
the digits; modulo 32 it is -1, and the bucket is their alternating sum; modulo 31 only the last digit
counts. For four digits and 32 buckets the fullest has 2.14 times the mean, where chance gives 1.12.",
    remedy: "A real 64-bit hash (`xxh3`, `murmur3`), or another number of buckets where old keys must be kept.",
 },
    chinese: zh::SLT02,
};

pub(crate) const SLT03: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "too few different values for so many buckets",
 checks: "How many values the hashed fields have, from their declared `distinct` or the size of their domain,
against the buckets: 1 + sqrt(2 ln B * B / m) above 1.25 is a warning. A sample tells the number that
counts, 1 / sum of squared shares.",
    why: "A perfect hash deals values, not rows. 10,000 values in 1,000 buckets are ten each on average, and the
fullest bucket has eighteen: 1.8 times the mean, whatever the hash. Four digits of a phone look like
plenty until they are dealt into hundreds of buckets.",
    remedy: "Add a field to `of`, or use fewer buckets.",
 },
    chinese: zh::SLT03,
};

pub(crate) const SLT04: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "the bucket is not a function of the row",
 checks: "A bucket drawn at random or counted round. An error with gets, updates, deletes or at-least-once
delivery; a warning where rows arrive once and are only read by ranges.",
    why: "With two random digits a row can be in any of 100 buckets: to get one row is 100 gets, and a delete
can't find what it is to delete. A row that arrives twice gets two keys: 1 % of redelivery in 200,000
rows left 1,963 rows twice in the table, and nothing told.",
    remedy:
        "Hash what identifies the row, or better the entity that is asked for: the spread is the same, the
bucket can be computed, and a repeated row meets itself.",
 },
    chinese: zh::SLT04,
};

pub(crate) const SLT05: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "a query does not give what the bucket is computed from",
 checks:
        "Every access with equal fields is planned. Where the planner must read every bucket, because `of`
holds fields that the access does not give, the finding tells how many ranges it makes.",
    why:
        "A bucket over (phone, time) spreads one phone's rows over all 64 buckets, so that a week of one phone
is 64 ranges instead of one: 64 seeks, and a latency that is the worst of 64. A bucket over the phone
alone spreads the load of many phones just as well.",
    remedy: "Compute the bucket from the fields that the queries give. Only where one value has more than its
server can bear, spread that value (`spread`), not all.",
 },
    chinese: zh::SLT05,
};

pub(crate) const SLT06: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster, Sample],
    english: Text { title: "one value is too frequent for its bucket",
 checks:
        "The declared `max_share` of the field that the bucket is computed from, against 0.25 / (S - 1): above
it, the server that holds the value's bucket has more than 1.25 times the mean. A `spread` over the hot
values answers it.",
    why:
        "A hash keeps equal values together. A ticker with 12 % of all trades, on 8 servers, gives its server
8 * 0.12 plus its part of the rest: about twice the mean. More buckets do not help, because the value
stays in one of them: of 64 or of 256, it fills its own.",
    remedy:
        "Give the hot values k buckets: `spread = { by = [\"seq\"], values = { \"…\" = 3 } }`. Queries for
them touch k buckets, for every other value still one.",
 },
    chinese: zh::SLT06,
};

pub(crate) const SLT07: Page = Page {
    seen: Seen::Not,
    needs: &[Table],
    english: Text { title: "the table was made with other buckets",
 checks:
        "The design is compared with the one that is stored with a live table: bucket count, hash, its input,
width and base.",
    why: "Bucket = hash mod 16 and bucket = hash mod 32 differ for half of all rows: after the change, those
rows are still in the table, but a get looks for them elsewhere and finds nothing. Every load writes
new copies beside the old rows. OpenTSDB warns of the same for its salt settings.",
    remedy: "A new table and a copy. The count, the hash and the fields of a salt can't be changed in place.",
 },
    chinese: zh::SLT07,
};

pub(crate) const SLT08: Page = Page {
    seen: Seen::Not,
    needs: &[Code],
    english: Text { title: "a query lists other buckets than the design has",
 checks:
        "The list of buckets in a query written by hand against those of the design: a missing bucket is an
error, one too many a warning.",
    why: "The daily query of one recipe unites 17 scans, for 000 to 016, where the key has 16 hex digits: the
last can't return a row. The other way round is worse: a bucket left out of the list is a sixteenth of
the day that is missing in every report, and nothing fails.",
    remedy:
        "Let the planner expand the buckets: one statement with a condition on the time, and keystride makes
the ranges.",
 },
    chinese: zh::SLT08,
};

pub(crate) const SLT09: Page = Page {
    seen: Seen::Not,
    needs: &[Code],
    english: Text { title: "the hash is not pinned",
 checks:
        "A salt of a foreign program whose hash depends on the machine, the version or the run: an object's
identity, a seeded hash of a standard library, text in the platform's charset. A design file names each
hash, and its bytes are fixed by test vectors.",
    why: "If the same row can hash to another number tomorrow, a get looks into another bucket. `getBytes()`
without a charset does that for all text beyond ASCII: \"é\" is C3 A9 in one machine's UTF-8 and E9 in
another's Latin-1, two inputs and two buckets.",
    remedy: "Name the hash, its seed and its input bytes, and keep some pairs of key and bucket as a test.",
 },
    chinese: zh::SLT09,
};

pub(crate) const SLT10: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Cluster, Sample],
    english: Text { title: "a salt that nothing calls for",
 checks: "The declared rate of writes, and of reads, is below 30 % of what one server takes, and the key begins
with several buckets. A sample can also show that the keys spread without the salt.",
    why: "At fifty rows a second one server is idle most of the time, time in front or not. Sixteen buckets then
make every scan over all devices sixteen ranges instead of one, for nothing: in one comparison the
salted design cost two to six times the work.",
    remedy: "Drop the bucket while the table is new. A small table that is read hard is well without one only if it
is cut over the servers.",
 },
    chinese: zh::SLT10,
};

pub(crate) const SLT11: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries, Cluster],
    english: Text { title: "more buckets than the reads can afford",
 checks: "Ranges that each access makes for its buckets, times its rate, times half a millisecond a seek,
against 20 % of all servers.",
    why: "A scan over all devices with 256 buckets is 256 seeks. Twenty of them a second are 5,120 seeks, 2.6
servers' worth of work before the first row is read, and its slowest range decides the answer: for 99 %
of answers in time, 99.996 % of the ranges must be.",
    remedy: "Fewer buckets: the smallest multiple of the servers that spreads the writes; or a bucket over what the
queries give, which makes one range of each.",
 },
    chinese: zh::SLT11,
};

pub(crate) const SLT12: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "a hash of the key has destroyed the order a query wants",
 checks: "The key leads with a digest of a field that an access does not give, while the access wants a range, a
prefix or the latest rows.",
    why: "A hash as the whole key spreads perfectly and finds one row perfectly. But neighbours in time are
strewn over the whole table: the extract of one day reads every row of every day, and no number of
servers makes that a range.",
    remedy: "A bucket in front and the fields in order behind it: the spread of a hash, and one range a bucket.",
 },
    chinese: zh::SLT12,
};

pub(crate) const SLT13: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "the bucket is written wider than it needs",
 checks: "The bucket's `width` is greater than the digits of its last number.",
    why: "Three digits for 16 buckets are two bytes more than one byte that holds 256. The key is stored with
every cell: at 24 columns and a hundred million rows a day, two bytes are 4.8 GB a day before
compression.",
    remedy: "Leave `width` out, or write the bucket as one byte: `base = \"byte\"`. In a table that exists it stays,
as the prefix is part of every key.",
 },
    chinese: zh::SLT13,
};

pub(crate) const SLT14: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "a remainder of numbers that step",
 checks:
        "A bucket by `mod` of a number. Where the design shows the step, a time of whole seconds written in
milliseconds or cut to the hour, the buckets that can be reached are counted: fewer than all is an error.
Otherwise it is a warning when the count shares a factor with 2 or 10.",
    why:
        "Ids that step by 10 fall into every second bucket of 16 and into one of 10. Milliseconds of a source
of whole seconds are multiples of 1000: modulo 16 they are 0 or 8, two buckets of sixteen. Reversed
digits have the same weakness: what steps by 10 ends in 0, and so begins with it.",
    remedy: "Hash first: `hash = \"xxh3\"` of the same field takes any step.",
 },
    chinese: zh::SLT14,
};
