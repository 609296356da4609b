// Values as a design file writes them.

/** A value in TOML. Texts with a backslash are bytes in HBase's escaped form, and stand in single quotes. */
export function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (value !== null && typeof value === 'object') return `{ ${Object.entries(value).map(([word, inner]) => `${word} = ${toml(inner)}`).join(', ')} }`;
  if (typeof value !== 'string') return String(value);
  return value.includes('\\') && !/['\n]/.test(value) ? `'${value}'` : JSON.stringify(value);
}

/** The words of a part of the key, for people: its own first word is left out. */
export const stepsOf = (part) => Object.entries(part).filter(([word]) => !['field', 'text', 'bucket'].includes(word)).map(([word, value]) => `${word} = ${toml(value)}`);

/** How a part is called: a field's name, a text in quotes, bucket. */
export const partName = (part) => part.field ?? (part.text !== undefined ? `"${part.text}"` : `bucket ${part.bucket}`);
