//! Every word of the code is on the page, and every word of the page's tables is one of the code.

use std::collections::BTreeSet;

use keystride::Design;
use keystride::design::Problem;

use crate::page::{code_words, codes, rows, section};
use crate::written::Written;

/// No word of the code: asking for it brings out all there are.
const UNKNOWN: &str = "qqqqqqqqqqqq";

/// For each heading of the page, places of a design file at which a word or a name may stand.
const PLACES: [(&str, &[&str]); 15] = [
    (
        "## `[table]`",
        &[
            "`[table]` `name = \"t\"` `families = [\"f\"]` `? = 1`",
            "`[table]` `name = \"t\"` `families.f = { ? = 1 }`",
            "`[table]` `name = \"t\"` `families = [\"f\"]` `on_same_key = \"?\"`",
            "`[table]` `name = \"t\"` `families.f = { compression = \"?\" }`",
            "`[table]` `name = \"t\"` `families.f = { bloom = \"?\" }`",
            "`[table]` `name = \"t\"` `families.f = { encoding = \"?\" }`",
        ],
    ),
    (
        "## `[fields]`",
        &[
            "`v = { type = \"?\" }`",
            "`v = { type = \"string\", ? = 1 }`",
            "`v = { type = \"digits\", len = 1, ? = 1 }`",
            "`v = { type = \"int\", ? = 1 }`",
            "`v = { type = \"i32\", ? = 1 }`",
            "`v = { type = \"bool\", ? = 1 }`",
            "`v = { type = \"bytes\", ? = 1 }`",
            "`v = { type = \"uuid\", ? = 1 }`",
            "`v = { type = \"time\", unit = \"ms\", ? = 1 }`",
            "`v = { type = \"time\", unit = \"?\" }`",
            "`v = { type = \"string\", charset = \"?\" }`",
            "`v = { type = \"bytes\", input = \"?\" }`",
            "`w = { from = \"lower(v)\", ? = 1 }`",
        ],
    ),
    ("## Functions", &["`w = { from = \"?(v)\" }`"]),
    ("### Text parts", &["`v = { type = \"string\" }` with `{ text = \"_\", ? = 1 }`"]),
    (
        "### Field parts",
        &[
            "`v = { type = \"string\" }` with `{ field = \"v\", ? = 1 }`",
            "`v = { type = \"string\" }` with `{ field = \"v\", as = \"?\" }`",
            "`v = { type = \"string\" }` with `{ field = \"v\", desc = \"?\" }`",
            "`v = { type = \"string\" }` with `{ field = \"v\", hash = { ? = 1 } }`",
            "`v = { type = \"string\" }` with `{ field = \"v\", hash = { name = \"?\", hex = 1 } }`",
        ],
    ),
    (
        "### Buckets",
        &[
            "`v = { type = \"string\" }` with `{ bucket = 4, of = [\"v\"], ? = 1 }`",
            "`v = { type = \"string\" }` with `{ bucket = 4, of = [\"v\"], hash = \"?\" }`",
        ],
    ),
    (
        "### `spread`",
        &[
            "`v = { type = \"string\" }` with `{ bucket = 4, of = [\"v\"], spread = { by = [\"v\"], values = { a = 2 }, ? = 1 } }`",
        ],
    ),
    (
        "## `[columns]`",
        &[
            "`w = { type = \"string\" }` `[columns]` `w = { ? = 1 }`",
            "`w = { type = \"string\" }` `[columns]` `w = { as = \"?\" }`",
        ],
    ),
    ("## `[input]`", &["`[input]` `? = 1`", "`[input]` `delivery = \"?\"`", "`[input]` `order = \"?\"`"]),
    (
        "## `[split]`",
        &[
            "`[split]` `by = \"?\"`",
            "`v = { type = \"int\" }` with `{ bucket = 4, of = [\"v\"] }` `[split]` `by = \"bucket\"` `? = 1`",
            "`[split]` `by = \"list\"` `points = [\"a\"]` `? = 1`",
            "`[split]` `by = \"file\"` `path = \"p\"` `? = 1`",
            "`[split]` `by = \"HexStringSplit\"` `regions = 4` `? = 1`",
            "`[split]` `by = \"UniformSplit\"` `regions = 4` `? = 1`",
            "`[split]` `by = \"partition-keys\"` `regions = 4` `? = 1`",
            "`[split]` `by = \"range\"` `start = \"a\"` `end = \"b\"` `regions = 4` `? = 1`",
            "`[split]` `by = \"sample\"` `path = \"p\"` `regions = 4` `? = 1`",
        ],
    ),
    ("## `[access.NAME]`", &["`[access.a]` `? = 1`", "`[access.a]` `order = \"?\"`"]),
    ("## `[workload]`", &["`[workload]` `? = 1`", "`[workload]` `peak = { rows_per_s = 1, ? = 1 }`"]),
    ("## `[cluster]`", &["`[cluster]` `servers = 1` `? = 1`"]),
    ("## `[lint]`", &["`[lint]` `? = 1`"]),
    ("## The file", &["`[?]`"]),
];

/// The words that may stand at a place.
fn known(place: &str) -> BTreeSet<String> {
    let cell = place.replace('?', UNKNOWN);
    let toml = Written::read(&cell).toml();
    let error = Design::from_toml(&toml).expect_err(&toml);
    let mut lists = error.complaints.iter().filter_map(|complaint| match &complaint.problem {
        Problem::UnknownWord { word, known, .. } if word == UNKNOWN => {
            Some(known.iter().map(|word| (*word).to_owned()).collect())
        }
        Problem::UnknownName { found, known, .. } if found == UNKNOWN => {
            Some(known.iter().cloned().collect())
        }
        _ => None,
    });
    lists.next_back().unwrap_or_else(|| panic!("{toml}\n{error}"))
}

#[test]
fn every_word_of_the_code_is_in_its_section() {
    let mut count = 0;
    for (heading, places) in PLACES {
        let on_page: BTreeSet<&str> = code_words(section(heading)).collect();
        for place in places {
            // `desc` lists an example of a bound as well.
            for word in known(place).iter().filter(|word| !word.contains(' ')) {
                assert!(on_page.contains(word.as_str()), "{word:?} of {place} is not under {heading}");
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count} words are looked for");
}

#[test]
fn every_word_of_the_page_s_tables_is_one_of_the_code() {
    let heads = [
        "| Word | Type | Default | Says |",
        "| Word | Type | Default | HBase's attribute |",
        "| Word | Type | Says |",
        "| Word | Says |",
        "| Word of a field | Type | Default | Says |",
        "| `by` | Its words | Points |",
        "| `type` | Its own words | Takes | In a key, without `as` |",
        "| `hash` | Buckets | From | Use it |",
    ];
    let mut count = 0;
    for (heading, places) in PLACES {
        let of_code: BTreeSet<String> = places.iter().flat_map(|place| known(place)).collect();
        for row in heads.iter().flat_map(|head| rows(section(heading), head)) {
            for word in codes(row[0]).map(|code| code.trim_matches('"')) {
                assert!(of_code.contains(word), "{word:?} of {heading} is no word there");
                count += 1;
            }
        }
    }
    assert!(count > 80, "{count} words are looked for");
}
