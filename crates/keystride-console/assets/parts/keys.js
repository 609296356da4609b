// Keys that work on every page: single ones, and pairs such as g t.
import { html, useLayoutEffect, useRef } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Dialog } from './common.js';

const PAIR_WITHIN_MS = 1500;

/** Does what `keys` says for a key, unless one is typing. */
export function useKeys(keys) {
  // A page that is drawn anew between two keys does not forget the first one.
  const first = useRef();
  // A key may follow what is seen at once.
  useLayoutEffect(() => {
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const { key, at } = first.current ?? {};
      const pair = event.timeStamp - at < PAIR_WITHIN_MS ? `${key} ${event.key}` : undefined;
      first.current = { key: event.key, at: event.timeStamp };
      const act = keys[pair] ?? keys[event.key];
      if (act) {
        event.preventDefault();
        first.current = undefined;
        act();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}

const isTyping = (element) => element.closest?.('input:not([type="radio"]):not([type="checkbox"]), textarea, select, dialog') != null;

const KEYS = [['?', 'keys.list'], ['/', 'keys.search'], ['g t', 'keys.tables'], ['g c', 'keys.create'], ['g d', 'keys.design'], ['g j', 'keys.jobs'], ['g k', 'keys.key'], ['g h', 'keys.heat'], ['g q', 'keys.query'], ['← → ↑ ↓', 'keys.cell'], ['Shift+← → ↑ ↓', 'keys.extend'], ['w', 'keys.who'], ['+ −', 'keys.zoom'], ['[ ]', 'keys.brightness'], ['Backspace', 'keys.back'], ['r', 'keys.reset'], ['c', 'keys.copy'], ['t', 'keys.as-table'], ['Enter', 'keys.pin']];

/** The keys, in a window. */
export const KeyList = ({ onClose }) => html`
  <${Dialog} title=${t('keys.title')} onClose=${onClose}>
    <dl class="facts">${KEYS.map(([keys, words]) => html`<dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(words)}</dd>`)}</dl>
    <p></p><form method="dialog"><button>${t('close')}</button></form>
  </${Dialog}>`;
