// The console's interface: everything below api/v1.
import { t, has } from './i18n.js';

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
  const { error } = await answer.json().catch(() => ({ error: { code: 'broken', message: answer.statusText } }));
  const words = `error.${error.code}`;
  throw new Refused(error.code, has(words) ? t(words, { message: error.message }) : error.message);
}

/** The path of a table's things. */
export const tablePath = (table, rest = '') => `/tables/${encodeURIComponent(table)}${rest}`;
