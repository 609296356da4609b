// Command lines that people copy into a POSIX shell.

/** A word as it is: nothing within single quotes means anything to a shell. */
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** A command line, as in command`keystride stats ${table}`: texts are quoted, numbers are not. */
export const command = ([first, ...rest], ...words) => rest.reduce((line, text, at) => line + shown(words[at]) + text, first);

const shown = (word) => (typeof word === 'number' ? String(word) : quoted(word));
