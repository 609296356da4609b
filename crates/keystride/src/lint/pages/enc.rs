//! Encoding and order.

use super::zh::enc as zh;
use super::{Page, Text};
use crate::lint::needs::Need::{Code, Design, Queries, Sample};
use crate::lint::needs::Seen;

pub(crate) const ENC01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "a number in text without leading zeros does not sort by size",
 checks:
        "A field of whole numbers stands in the key as shortest decimal text, so its values have different
lengths. It is an error when an access ranges over the field, else a warning; nothing is said of the
key's last part unless it is ranged.",
    why: "Bytes are compared from the left, and a digit at the left is not worth the same in 2 and in 10: the
key 31 30 (10) sorts before 32 (2). A scan from user 2 to user 15 has a start that sorts after its
stop and returns nothing; of two thousand users, one hundred and eleven lie between \"1_\" and \"2_\".",
    remedy:
        "Pad to the digits of the largest value (`pad = 7` writes 0000002), or use `as = \"ordered\"`, eight
bytes or four that sort by size whatever the sign. Declare `max`, so that the width is known.",
 },
    chinese: zh::ENC01,
};

pub(crate) const ENC02: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "nothing tells where a value of varying length ends",
 checks:
        "A field of varying width is followed by another part of varying width, with no text between them and
no end mark of its own. The finding shows two rows that make the same key, or says that none was
found among those tried.",
    why: "Event \"1\" on 20201106 at offset 5 and event \"12\" on 0201106 at offset 5 are both 1202011065.
One row overwrites the other, and no program can tell which of the two a stored key is: the key can't
be read back, and a scan for one event returns rows of others.",
    remedy:
        "Give the field an end: a text part that its values never hold, `escape = true` (00 becomes 00 FF and
the value ends with 00 01), a fixed width by `pad`, or a binary form.",
 },
    chinese: zh::ENC02,
};

pub(crate) const ENC03: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "the separator sorts after characters of the value before it",
 checks:
        "A value of varying length is ended by a text whose first byte is not below every byte that the value
can hold. An error when the field is ranged, else a warning: the key can be read back, but values do
not sort as they should.",
    why: "'_' is 5F and digits are 30 to 39, so \"10_\" sorts before \"1_\": at the place where one value
ends, the other goes on with a byte that is smaller than the separator. Users come in the order 100,
10, 11, 1, 20, 2, and a range over users takes in some that lie outside it.",
    remedy:
        "Use a separator below the alphabet: '!' (21), '#', ',', '-' or '.' sort below digits and letters, 00
below everything. Where values can hold any byte, use `escape = true`.",
 },
    chinese: zh::ENC03,
};

pub(crate) const ENC04: Page = Page {
    seen: Seen::Not,
    needs: &[Design, Sample],
    english: Text { title: "the separator occurs inside values",
 checks:
        "Sampled values of a field that a text part ends are searched for that text. The design alone tells
where it is possible; how many rows have it is known from a sample. The finding shows one such row.",
    why: "With '_' as the end of a name, the name \"a_b\" followed by \"c\" has the key a_b_c, and so has the
name \"a\" followed by \"b_c\". keystride rejects such a row when it is loaded, since its key could not
be read back; other loaders write it, and two rows become one.",
    remedy: "Use `escape = true`, which takes any value, or a separator that the values can't hold. An
`alphabet` on the field says what they can hold, and then the question is settled without a sample.",
 },
    chinese: zh::ENC04,
};

pub(crate) const ENC05: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text { title: "negative numbers sort after positive ones",
 checks: "A signed number stands in the key in two's complement, `as = \"be\"`, and its declared range holds
negative values. An error when an access ranges over it, a warning otherwise; for a time whose range
is not declared, a piece of information.",
    why: "`Bytes.toBytes(-1)` is FF FF FF FF and `Bytes.toBytes(2147483647)` is 7F FF FF FF, so -1 sorts after
the largest number of all. A scan from -5 to 5 has a start behind its stop. With split points 1, 10
and 15, all negative ids land in the last region.",
    remedy: "Use `as = \"ordered\"`, which turns the sign bit round: -1 becomes 7F FF FF FF, 0 becomes 80 00 00 00.
If the field is never negative, declare `min = 0`, and the finding goes.",
 },
    chinese: zh::ENC05,
};

pub(crate) const ENC06: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "Long.MAX_VALUE minus a time, as text",
 checks:
        "A time is written as 2^63 - 1 - t in decimal text. It is information that the leading digits never
change; it is a warning when the declared range holds times that this text can't write as Java does:
negative ones, or numbers above 8,223,372,036,854,775,807.",
    why:
        "For milliseconds the text begins with 92233 from 1970 to 2286: five of nineteen bytes say nothing, in
every cell of every row. Java does not pad: t = -1 gives -9223372036854775808, 20 characters that
sort first, and a very large t gives 18 digits that sort in the wrong place.",
    remedy:
        "`desc = 9999999999999` writes 13 digits for milliseconds, `desc = 9999999999` 10 for seconds; with
`as = \"be\"` long-max takes 8 bytes. keystride pads to 19 digits and rejects negative times.",
 },
    chinese: zh::ENC06,
};

pub(crate) const ENC07: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "times of different units in one field",
 checks:
        "Sampled values of a time are sorted into bands by size: 1.4 billion is a second of 2014, 1.4 trillion
a millisecond of the same year, and so on for micro- and nanoseconds. More than one band in a field is
an error.",
    why: "1400657685 read as milliseconds is the 17th of January 1970. Rows of one source that writes seconds
then sort before every other row, no range of dates finds them, and a retention by time deletes them.
Nothing fails: the numbers are valid, only the years are not.",
    remedy:
        "Declare the unit that the key is to have and the `input` that the source writes, and convert the odd
source when it is loaded. `min` and `max` on the field reject values of another unit from then on.",
 },
    chinese: zh::ENC07,
};

pub(crate) const ENC08: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "a declared value does not fit its width",
 checks:
        "The range declared by `min` and `max` is compared with what the steps can write: `pad`, `width`, a
`desc` bound, unsigned binary forms. Where a whole number's range is not declared, the finding is
information only. A sample shows how many rows are concerned.",
    why: "`pad = 4` holds 0000 to 9999. Java's formatters write 10000 in full, five characters, which sorts
between 1000 and 1001 and shifts every byte behind it. keystride rejects the row instead: nothing is
stored in the wrong place, but the row is missing from the table.",
    remedy:
        "Widen the step while the table is empty; afterwards it means a new table and a copy. If the values
never come that far, declare the true `max`.",
 },
    chinese: zh::ENC08,
};

pub(crate) const ENC09: Page = Page {
    seen: Seen::Not,
    needs: &[Code, Sample],
    english: Text { title: "text formatting that depends on the machine's language",
 checks: "A sample of stored keys is searched for digits that are not 30 to 39, and for text in other
encodings than UTF-8: the marks of a program that formatted with its machine's locale or default
character set.",
    why:
        "Java's DecimalFormat and String.format use the default locale: under ar-EG, fa-IR or hi-IN the number
7 in two digits takes four to six bytes, none of them 30 or 37. `getBytes()` without a charset gives
other bytes on another machine, so the same row hashes into another bucket.",
    remedy:
        "In foreign code give the locale (`Locale.ROOT`) and the charset (`UTF_8`) every time. keystride's own
formatting is ASCII digits and UTF-8 on every machine.",
 },
    chinese: zh::ENC09,
};

pub(crate) const ENC10: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "hex keys and split points differ in letter case",
 checks: "The key begins with hex digits of one letter case, by its alphabet or its hash, and the split points
hold hex letters of the other case. The finding tells how many regions can be reached and what the
hottest gets.",
    why: "HexStringSplit writes lower-case points. 'A' to 'F' are 41 to 46, which sort after '9' (39) and before
'a' (61): of 16 regions for upper-case MD5 keys ten are used, and the one from 9 to a holds every key
that begins with 9 or with a letter, 7 of 16, seven times its share.",
    remedy: "Write keys in lower case, as HBase and keystride do. Where keys are upper-case for good, write the
points in upper case as a list.",
 },
    chinese: zh::ENC10,
};

pub(crate) const ENC11: Page = Page {
    seen: Seen::Not,
    needs: &[Sample],
    english: Text { title: "a reversed value begins with digits that hardly vary",
 checks:
        "For a part with `reverse = true` the last characters of sampled values are counted, since they become
the first of the key. Where they are the same in nearly all rows, the reversal spreads nothing.",
    why:
        "A reversed number spreads rows only if its last digits vary. Milliseconds of a source that knows only
seconds end in 000, so every key begins with 000 and all rows go to one region. Telephone extensions,
amounts and ids with a check digit have the like.",
    remedy:
        "Reverse the digits that carry information only (a field `from = \"left(id,9)\"`), or lead with a hash
or a bucket, which spreads whatever the digits are.",
 },
    chinese: zh::ENC11,
};

pub(crate) const ENC12: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design, Queries],
    english: Text {
        title: "a reversed id of varying length",
        checks:
            "A part with `reverse = true` has values of different lengths and no end of its own: neither `pad`
nor a separator nor `escape`.",
        why: "Reversed, user 1 is \"1\", user 21 is \"12\" and user 31 is \"13\": the prefix of user 1 is the
beginning of the keys of every user whose number ends in 1. Of 27,748 rows that prefix scans returned
in one trial, 25,686 belonged to other users.",
        remedy:
            "Pad first, then reverse: `pad = 10, reverse = true` makes 1000000000 of 1 and 1200000000 of 21,
which share no prefix as a whole. Text of varying length takes a separator or `escape = true`.",
    },
    chinese: zh::ENC12,
};

pub(crate) const ENC13: Page = Page {
    seen: Seen::Partly,
    needs: &[Design, Sample],
    english: Text { title: "long keys",
 checks: "The longest key that the declared lengths allow. More than 100 bytes is a warning; a key that can
never be short enough for HBase, 32,767 bytes, is an error. Fields without a declared length are not
counted.",
    why: "HBase's limit is Short.MAX_VALUE, 32,767 bytes, not the 64 KB that is often told; Bigtable's is 4,096.
Long before that, the key costs: it is stored with every cell. A key of 200 bytes in a row of 24 cells
is 4,800 bytes before the first value.",
    remedy: "Keep long text out of the key, or keep the first bytes of its hash there and the text in a column.
Declare `max_len` where texts are short, so that the lint knows.",
 },
    chinese: zh::ENC13,
};

pub(crate) const ENC14: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "local time in a zone that turns its clocks back",
 checks: "A time stands in the key as formatted text, without an offset, in a zone whose clocks change. An
epoch, or a descending number, is not concerned.",
    why: "On the 2nd of November 2014 the text 20141102013000 occurred twice in New York, an hour apart: two
instants with one key text, the later of which overwrites the earlier or sorts as if it were the same.
keystride reads the earlier offset in an overlap, and the order of the repeated hour is lost.",
    remedy: "Use UTC in keys (`zone` left out) and show local time when reading, or an epoch: `unit = \"ms\"`.",
 },
    chinese: zh::ENC14,
};

pub(crate) const ENC15: Page = Page {
    seen: Seen::Not,
    needs: &[Code],
    english: Text { title: "fixed-width text padded on the wrong side",
 checks:
        "Numbers padded on the right, or strings padded on the left. A design file can't say either: `pad`
puts zeros to the left of numbers, and takes no strings. The lint has a name so that foreign key
builders can be judged by it.",
    why:
        "Padded on the right, 1, 10 and 100 all become 1000: three values with one key. Strings padded on the
left with blanks sort by length first, so \"b\" comes before \"aa\", and a scan by prefix finds
nothing, because the prefix stands behind the blanks.",
    remedy:
        "Left for numbers, right for text. In a design file: `pad` for numbers, a separator or `escape` for
strings, `digits` for text of a fixed number of digits.",
 },
    chinese: zh::ENC15,
};
