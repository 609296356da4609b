// Command lines that people copy into a POSIX shell.

/** What a shell changes within double quotes; the last one only where somebody types. */
const NOT_PLAIN = /["$`\\!]/;

/** A word as it is, in single quotes; in double ones if it has single quotes, as predicates do, and they change nothing. */
const quoted = (word) => (word.includes("'") && !NOT_PLAIN.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`);

/** A command line, as in command`keystride stats ${table}`: texts are quoted, numbers are not. */
export const command = ([first, ...rest], ...words) => rest.reduce((line, text, at) => line + shown(words[at]) + text, first);

const shown = (word) => (typeof word === 'number' ? String(word) : quoted(word));
