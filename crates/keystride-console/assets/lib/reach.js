// Whether the console answers this browser. While it does not, it is asked again and again, and the frame says so.
import { useEffect, useState } from './preact.js';
import { t, has } from './i18n.js';
import { translated } from './messages.js';

/** How long after a failure it is asked again. */
export const AGAIN_MS = 3000;

/** The refusals that every request gets. */
const OF_ALL = ['no-session', 'unreachable'];
/** What a proxy answers whose console is gone. */
const OF_PROXIES = [502, 503, 504];

const base = new URL('../../api/v1', import.meta.url);
const watchers = new Set();
/** Why nothing is answered, if nothing is. */
let loss;
let waiting;

/** A refusal, with a word for programs and a sentence. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Asks for something below api/v1: the answer, which is a success. */
export async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(base + path, { ...options, headers: { 'x-keystride': '1', ...options.headers } });
  } catch (error) {
    throw await notHeard(error);
  }
  if (answer.ok) {
    know(undefined);
    return answer;
  }
  const refused = await refusal(answer);
  know(OF_ALL.includes(refused.code) ? refused : undefined);
  throw refused;
}

/** What is thrown instead of the browser's error for an answer that does not come, or breaks off. */
export async function notHeard(error) {
  if (error.name === 'AbortError') return error;
  const refused = new Refused('unreachable', t('error.unreachable'));
  // It may be this request alone that had no answer.
  await fetch(`${base}/session`).catch(() => know(refused));
  return refused;
}

/** What an answer that is no success says. */
async function refusal(answer) {
  const { error } = await answer.json().catch(() => ({ error: { code: OF_PROXIES.includes(answer.status) ? 'unreachable' : 'broken', message: answer.statusText } }));
  const words = `error.${error.code}`;
  const message = translated(error.message);
  return new Refused(error.code, has(words) ? t(words, { message }) : message);
}

/** Whether nothing at all is answered, for the reason that an error gives. */
export const isLoss = (error) => loss !== undefined && loss.code === error.code;

/** Asks whether the console answers by now. */
export const look = () => request('/session').catch(() => { /* It is known by now. */ });

/** Calls a function with the loss when there is one, and with nothing when the console answers again. */
export function watch(told) {
  watchers.add(told);
  return () => watchers.delete(told);
}

/** Why nothing is answered, as it changes. */
export function useLoss() {
  const [now, setNow] = useState(loss);
  useEffect(() => watch(setNow), []);
  return now;
}

function know(found) {
  clearTimeout(waiting);
  if (found) waiting = setTimeout(look, AGAIN_MS);
  if (loss?.code === found?.code) return;
  loss = found;
  watchers.forEach((told) => told(loss));
}
