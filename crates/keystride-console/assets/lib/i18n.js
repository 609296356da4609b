// Words of the pages, in the language of the reader. The catalogues are flat: a key is the place and the thing.
import { useMessages } from './messages.js';

const LANGUAGES = ['en', 'zh-CN'];
const base = new URL('../', import.meta.url);
let language = 'en';
let words = {};

/** Loads the catalogue of a language, or of the one that was chosen before, or of the browser's. */
export async function useLanguage(asked) {
  const wanted = asked ?? stored() ?? navigator.languages.find((l) => /^(zh|en)/i.test(l)) ?? 'en';
  language = /^zh/i.test(wanted) ? 'zh-CN' : 'en';
  // The server speaks English.
  const [taken, messages] = await Promise.all([catalogue(language), language === 'en' ? {} : catalogue(`messages.${language}`)]);
  words = taken;
  useMessages(messages);
  document.documentElement.lang = language;
}

const catalogue = async (name) => (await fetch(new URL(`i18n/${name}.json`, base))).json();

export const currentLanguage = () => language;
export const otherLanguage = () => LANGUAGES.find((other) => other !== language);

export function chooseLanguage(chosen) {
  try { localStorage.setItem('keystride.language', chosen); } catch { /* Then it is not kept. */ }
}

function stored() {
  try { return localStorage.getItem('keystride.language') ?? undefined; } catch { return undefined; }
}

/** The words for a key, with `{name}` replaced by facts. `{n|one|many}` chooses by a number. */
export function t(key, facts = {}) {
  const text = words[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name, one, many) => (Number(facts[name]) === 1 ? one : many))
    .replace(/\{(\w+)\}/g, (_, name) => shown(facts[name]));
}

/** Whether there are words for a key. */
export const has = (key) => key in words;

const shown = (fact) => (typeof fact === 'number' ? number(fact) : String(fact));

/** A number with its digits grouped. */
export const number = (value) => (value == null ? '' : new Intl.NumberFormat('en').format(value));

/** A share as a percentage. */
export const percent = (share) => (share == null ? '' : `${(100 * share).toFixed(share > 0 && share < 0.09995 ? 2 : 1)} %`);

/** A ratio to the mean: 1.25×. */
export const times = (ratio) => (ratio == null ? '' : `${ratio.toFixed(2)}×`);

/** A size in bytes, in units of 1024. */
export function bytes(size) {
  if (size == null) return '';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (size >= 1024 && unit < 4) { size /= 1024; unit += 1; }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
