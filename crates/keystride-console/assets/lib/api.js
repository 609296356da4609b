// The console's interface: everything below api/v1.
import { t, has } from './i18n.js';
import { translated } from './messages.js';

const base = new URL('../../api/v1', import.meta.url);

/** A refusal, with a word for programs and a sentence. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Asks for something; `signal` gives it up. */
export const ask = (path, signal) => send('GET', path, undefined, signal);

/** Sends a request that changes something, or is too large for an address. */
export async function send(method, path, body, signal) {
  const headers = { 'x-keystride': '1' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(base + path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused('unreachable', t('error.unreachable'));
  }
  if (answer.ok) return answer.status === 204 || answer.status === 202 ? undefined : answer.json();
  throw await refusal(answer);
}

/** What an answer that is no success says. */
async function refusal(answer) {
  const { error } = await answer.json().catch(() => ({ error: { code: 'broken', message: answer.statusText } }));
  const words = `error.${error.code}`;
  const message = translated(error.message);
  return new Refused(error.code, has(words) ? t(words, { message }) : message);
}

/** The path of a table's things. */
export const tablePath = (table, rest = '') => `/tables/${encodeURIComponent(table)}${rest}`;

/**
 * Asks for an answer of lines of JSON: `take` gets each, `shown` is called after those that came together. Giving up `signal`
 * ends the answer at the server, too.
 */
export async function stream(path, body, signal, take, shown) {
  const answer = await fetch(base + path, { method: 'POST', signal, headers: { 'x-keystride': '1', 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw await refusal(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop();
    lines.forEach((line) => take(JSON.parse(line)));
    shown();
  }
}

/** Sends a file as it is; what names it from then on. */
export async function upload(file) {
  const answer = await fetch(`${base}/uploads?name=${encodeURIComponent(file.name)}`, { method: 'POST', headers: { 'x-keystride': '1' }, body: file });
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

/** Takes events until their source ends, or the function that is returned is called. */
export function events(path, take) {
  const source = new EventSource(base + path);
  source.onmessage = (event) => take(JSON.parse(event.data));
  // An end is an error to it, and it would ask again.
  source.onerror = () => source.close();
  return () => source.close();
}

/** Takes events by their names; `lost` is told when the connection is, which the browser then tries to have again. */
export function watchEvents(path, { lost, ...takes }) {
  const source = new EventSource(base + path);
  for (const [name, take] of Object.entries(takes)) source.addEventListener(name, (event) => take(JSON.parse(event.data)));
  source.onerror = lost;
  return () => source.close();
}
