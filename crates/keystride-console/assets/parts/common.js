// Small parts that several pages have.
import { h, html, useEffect, useId, useRef, useState } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { Tabs } from './tabs.js';

/** A field with its label above it, and a hint below it; its child is the control. */
export function Field({ label, hint, children: control }) {
  const id = useId();
  if (!hint) return html`<label class="field"><span class="label">${label}</span>${control}</label>`;
  return html`<div class="field"><label><span class="label">${label}</span>${h(control.type, { ...control.props, 'aria-describedby': id })}</label><span class="hint" id=${id}>${hint}</span></div>`;
}

/** One of several, as radio buttons. */
export const Choices = ({ label, name, options, value, onChange }) => html`
  <fieldset>
    <legend>${label}</legend>
    <div class="choices">
      ${options.map(({ id, text, title }) => html`
        <label title=${title}><input type="radio" name=${name} value=${id} checked=${value === id} onChange=${() => onChange(id)} />${text}</label>`)}
    </div>
  </fieldset>`;

/** Words about how something is: error, warning, info, good. */
export const Note = ({ kind = 'info', word, children }) => html`
  <div class="note ${kind}" role=${kind === 'error' ? 'alert' : undefined}>
    <p><span class="word">${word ?? t(`severity.${kind}`)}</span>${children}</p>
  </div>`;

/** What went wrong, or nothing. */
export const Failure = ({ error }) => error && html`<${Note} kind="error"><span class="lines">${error.message}</span></${Note}>`;

/** Why a question has no answer, and the way to ask it again. */
export const Unanswered = ({ error, again }) => error && html`<div><${Failure} error=${error} /><p><button onClick=${again}>${t('ask-again')}</button></p></div>`;

/** A message in which code stands between backquotes. */
export const Marked = ({ text }) => text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));

/** What is wrong with a design, and what mends it. */
export const Mistake = ({ mistake: { message, help } }) => html`<${Marked} text=${translated(message)} />${help && html`<br /><span class="quiet"><${Marked} text=${translated(help)} /></span>`}`;

/** A text with a button that copies it. Where a page may not, as over plain HTTP from another machine, it selects the text. */
export function Copy({ text, label }) {
  const [copied, setCopied] = useState(false);
  const shown = useRef(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(shown.current);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return html`<div class="copy"><pre ref=${shown} aria-label=${label} tabindex="0">${text}</pre>
    <button onClick=${copy}>${copied ? t('copied') : t('copy')}</button><span class="hidden" aria-live="polite">${copied ? t('copied') : ''}</span></div>`;
}

/** Texts of which one is shown, chosen by name. */
export function Texts({ label, texts }) {
  const [chosen, choose] = useState(texts[0]?.name);
  const shown = texts.find(({ name }) => name === chosen) ?? texts[0];
  return html`<div><${Tabs} label=${label} tabs=${texts.map(({ name }) => ({ id: name, text: name }))} chosen=${shown.name} onChoose=${choose}>
    <${Copy} text=${shown.text} label=${shown.name} />
  </${Tabs}></div>`;
}

/** A bar as long as its share of the longest. */
export const Bar = ({ share, hot }) => html`
  <span class="bar ${hot ? 'hot' : ''}" aria-hidden="true"><span ref=${(bar) => bar && (bar.style.width = `${Math.min(100, 100 * (share || 0))}%`)}></span></span>`;

/** A window over the page, with its own buttons. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(null);
  useEffect(() => { dialog.current?.showModal(); }, []);
  return html`<dialog ref=${dialog} onClose=${onClose} aria-label=${title}><h2>${title}</h2>${children}</dialog>`;
}

/** Figures side by side. */
export const Figures = ({ figures }) => html`
  <div class="figures">${figures.filter(({ value }) => value !== undefined && value !== '').map(({ label, value, note }) => html`
    <div><div class="quiet">${label}</div><div class="value">${value}</div>${note && html`<div class="quiet">${note}</div>`}</div>`)}</div>`;
