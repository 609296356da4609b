// The console's interface: everything below api/v1.
import { AGAIN_MS, notHeard, request } from './reach.js';

/** Asks for something; `signal` gives it up. */
export const ask = (path, signal) => send('GET', path, undefined, signal);

/** Sends a request that changes something, or is too large for an address. */
export async function send(method, path, body, signal) {
  const answer = await request(path, { method, signal, ...json(body) });
  return answer.status === 204 || answer.status === 202 ? undefined : answer.json();
}

const json = (body) => (body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The path of a table's things. */
export const tablePath = (table, rest = '') => `/tables/${encodeURIComponent(table)}${rest}`;

/**
 * Asks for an answer of lines of JSON: `take` gets each, `shown` is called after those that came together. Giving up `signal`
 * ends the answer at the server, too.
 */
export async function stream(path, body, signal, take, shown) {
  const answer = await request(path, { method: 'POST', signal, ...json(body) });
  await takeLines(answer, (lines) => {
    lines.forEach((line) => take(JSON.parse(line)));
    shown();
  });
}

/** Takes the lines of an answer, all that came together at once. */
async function takeLines(answer, take) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await next(reader); !read.done; read = await next(reader)) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop();
    take(lines);
  }
}

const next = (reader) => reader.read().catch(async (error) => { throw await notHeard(error); });

/** Sends a file as it is; what names it from then on. */
export async function upload(file) {
  return (await request(`/uploads?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file })).json();
}

/**
 * Takes events by their names until the function that is returned is called. When they end or break off they are asked for
 * again: `lost` is told so, with the refusal if there is one.
 */
export function watchEvents(path, { lost, ...takes }) {
  const given = new AbortController();
  const watch = async () => {
    while (!given.signal.aborted) {
      const error = await takeEvents(path, given.signal, takes).catch((refused) => refused);
      if (given.signal.aborted) return;
      lost(error);
      await new Promise((done) => { setTimeout(done, AGAIN_MS); });
    }
  };
  watch();
  return () => given.abort();
}

/** Takes server-sent events. An `EventSource` would not tell why there are none, and would not ask again after a refusal. */
async function takeEvents(path, signal, takes) {
  let name = '';
  await takeLines(await request(path, { signal }), (lines) => lines.forEach((line) => {
    const [, field, value] = /^(event|data): (.*)$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data' && !signal.aborted) takes[name]?.(JSON.parse(value));
  }));
}
