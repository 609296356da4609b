use keystride::Design;
use serde::Serialize;
use serde_json::Value;

/// What one design says otherwise than another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differences {
    /// Parts of the key that only the first has, in the words of the design file.
    parts_left: Vec<Value>,
    /// Parts that only the second has.
    parts_added: Vec<Value>,
    /// Whether the parts that both have stand in another order.
    parts_moved: bool,
    /// All other words.
    words: Vec<WordDifference>,
    /// Whether every row has the same key and the same cells by both.
    stores_alike: bool,
}

/// A word that is not the same in both.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct WordDifference {
    /// The word, with the tables it is in.
    path: String,
    /// Its value in the first; `None` where it is left out.
    ours: Option<Value>,
    /// Its value in the second.
    theirs: Option<Value>,
}

impl Differences {
    /// Compares two designs word by word; defaults that are written out make no difference.
    pub fn between(ours: &Design, theirs: &Design) -> Self {
        let [our_words, their_words] = [ours, theirs].map(|design| design.to_json(None));
        let [our_parts, their_parts] = [&our_words, &their_words].map(parts);
        let only = |some: &[Value], others: &[Value]| -> Vec<Value> {
            some.iter().filter(|part| !others.contains(part)).cloned().collect()
        };
        let common = |some: &[Value], others: &[Value]| -> Vec<Value> {
            some.iter().filter(|part| others.contains(part)).cloned().collect()
        };
        let mut words = Vec::new();
        compare("", Some(&our_words), Some(&their_words), &mut words);
        Self {
            parts_left: only(&our_parts, &their_parts),
            parts_added: only(&their_parts, &our_parts),
            parts_moved: common(&our_parts, &their_parts) != common(&their_parts, &our_parts),
            words,
            stores_alike: ours.stores_alike(theirs),
        }
    }
}

fn parts(words: &Value) -> Vec<Value> {
    words["key"]["parts"].as_array().cloned().unwrap_or_default()
}

/// Adds the words below a path that differ. The parts of the key are compared as a list, elsewhere.
fn compare(path: &str, ours: Option<&Value>, theirs: Option<&Value>, words: &mut Vec<WordDifference>) {
    if ours == theirs || path == "key.parts" {
        return;
    }
    let none = serde_json::Map::new();
    let table = |value: Option<&'_ Value>| value.map_or(Some(&none), Value::as_object).cloned();
    let has_table = ours.or(theirs).is_some_and(Value::is_object);
    let (Some(our_table), Some(their_table), true) = (table(ours), table(theirs), has_table) else {
        words.push(WordDifference { path: path.to_owned(), ours: ours.cloned(), theirs: theirs.cloned() });
        return;
    };
    let added = their_table.keys().filter(|word| !our_table.contains_key(*word));
    for word in our_table.keys().chain(added) {
        let path = if path.is_empty() { word.clone() } else { format!("{path}.{word}") };
        compare(&path, our_table.get(word), their_table.get(word), words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(fields: &str, parts: &str, more: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n{more}"
        );
        Design::from_toml(&toml).unwrap()
    }

    #[test]
    fn parts_are_compared_as_a_list_and_all_else_by_word() {
        let fields = "a = { type = \"digits\", len = 2 }\nb = { type = \"digits\", len = 3 }";
        let ours = design(fields, "{ field = \"a\" }, { field = \"b\" }", "");
        let theirs = design(
            &fields.replace('3', "4"),
            "{ bucket = 4, of = [\"a\"] }, { field = \"b\" }, { field = \"a\" }",
            "[split]\nby = \"bucket\"\n",
        );
        let found = Differences::between(&ours, &theirs);
        assert_eq!((found.parts_left.len(), found.parts_added.len(), found.parts_moved), (0, 1, true));
        let paths: Vec<&str> = found.words.iter().map(|word| word.path.as_str()).collect();
        assert_eq!(paths, ["fields.b.len", "split.by"]);
        assert!(!found.stores_alike);
        let same = Differences::between(&ours, &ours);
        assert_eq!((same.words.len(), same.stores_alike), (0, true));
    }
}
