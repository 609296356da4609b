// Sentences that come from the server, in the language of the reader. A catalogue has the English ones as its keys, with
// {0}, {1} … where values stand. A value that is a sentence itself is translated, too; one word only where a translation
// says `{word 0}`, as it may be somebody's own.

const HOLE = /\{\d+\}/;
/** What is longer is no sentence, and would take long. */
const LONGEST = 4000;
/** A template of so few letters is of few words, too: in a sentence of HBase's servers it would translate a word alone. */
const [FEW_LETTERS, FEW_WORDS] = [6, 3];

let catalogue = {};
let templates = [];
/** What was found for the parts of the message that is translated. */
const known = new Map();

/** Takes a catalogue; by an empty one, all messages stay as they are. */
export function useMessages(taken) {
  catalogue = taken;
  templates = Object.entries(taken).map(([english, translation]) => templateOf(english, translation));
}

function templateOf(english, translation) {
  const texts = english.split(HOLE);
  const pattern = new RegExp(`^${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('(.*?)')}$`);
  const isQuoted = texts.slice(1).map((text, index) => /["']$/.test(texts[index]) && /^["']/.test(text));
  // Most templates are ruled out by a text that the sentence lacks, which is faster than matching.
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most));
  // A list of sentences, as what each server said, ends with the last of them; a value that is elsewhere in Chinese does not.
  const isMoved = texts.at(-1) === '' && !translation.endsWith(english.slice(english.lastIndexOf('{')));
  return { pattern, isOpen: texts[0] === '', isMoved, isQuoted, longest, weight: texts.join('').length, translation };
}

/** A message of the server in the language of the reader; what the catalogue does not have stays as it is. */
export function translated(message) {
  known.clear();
  return message.split('\n').map((line) => (line.length > LONGEST ? line : best(line).text)).join('\n');
}

/** The translation in which most characters of a text are those of templates, which is its `weight`. */
function best(text) {
  if (!text.includes(' ')) return { text, weight: 0 };
  if (!known.has(text)) known.set(text, [...wholes(text), ...pieces(text)].reduce((most, next) => (next.weight > most.weight ? next : most), { text, weight: 0 }));
  return known.get(text);
}

/** The text as one sentence. */
function* wholes(text) {
  for (const { pattern, isOpen, isMoved, isQuoted, longest, weight, translation } of templates) {
    const values = text.includes(longest) && pattern.exec(text)?.slice(1);
    // What stands before a colon is a place or another sentence, and no value of this one.
    if (!values || (isOpen && values[0].includes(': ')) || (isMoved && values.at(-1).includes('; '))) continue;
    if (weight <= FEW_LETTERS && values.some((value) => value.split(' ').length > FEW_WORDS)) continue;
    const shown = values.map((value, at) => (isQuoted[at] ? { text: value, weight: 0 } : best(value)));
    const filled = translation.split(/(\{(?:word )?\d+\})/).map((piece, index) => {
      const [, word, at] = index % 2 === 1 ? /^\{(word )?(\d+)\}$/.exec(piece) : [];
      return at === undefined ? piece : word ? catalogue[values[at]] ?? values[at] : shown[at].text;
    });
    yield { text: filled.reduce(spaced), weight: shown.reduce((sum, part) => sum + part.weight, weight) };
  }
}

const HAN = /\p{Script=Han}/u;
const LATIN = /[\w"'[\]{}=]/;

/** Two texts, with a space between Chinese and other letters, and none within Chinese. */
function spaced(before, after) {
  const [left, right] = [before.trimEnd(), after.trimStart()];
  const between = [left.at(-1) ?? '', right.at(0) ?? ''];
  if (between.every((letter) => HAN.test(letter))) return left + right;
  const isMixed = between.some((letter) => HAN.test(letter)) && between.some((letter) => LATIN.test(letter));
  return isMixed ? `${left} ${right}` : before + after;
}

/** What joins sentences, in English and in Chinese: a sentence and its cause, a sentence and another, a list. */
const JOINTS = [[/: /, '\uff1a'], [/; /, '\uff1b'], [/, (?=\w+ ")/, '\u3001'], [/ \u2014 /, ' \u2014 ']];

/** The text as two sentences: the first one, and the rest. */
function* pieces(text) {
  for (const [joint, between] of JOINTS) {
    const { index, 0: found } = joint.exec(text) ?? [];
    if (found === undefined) continue;
    const [first, second] = [best(text.slice(0, index)), best(text.slice(index + found.length))];
    // The name of a place, as `calls.csv:3`, keeps its own colon, also in a list.
    const place = best(text.slice(0, index).split('; ').at(-1));
    const isPlace = place.weight === 0 && !/["']$/.test(place.text);
    yield { text: `${first.text}${isPlace ? found : between}${second.text}`, weight: first.weight + second.weight };
  }
  const [, before, hint] = /^(.+) \((.+)\)$/.exec(text) ?? [];
  if (hint) yield { text: best(hint).weight > 0 ? `${best(before).text}\uff08${best(hint).text}\uff09` : `${best(before).text} (${hint})`, weight: best(before).weight + best(hint).weight };
}
