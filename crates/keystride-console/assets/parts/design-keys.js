// The keys of a sample's rows as they are now: text, bytes and values, each in the colour and under the name of its part.
import { html } from '../lib/preact.js';
import { escaped, spaced } from '../lib/bytes.js';
import { number, t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { toml } from '../lib/toml.js';
import { Note } from './common.js';

const SHOWN = 50;
const LISTED = 20;

export function Keys({ preview: { words, design, tried, unfit, unnamed }, hasSample, from, onFrom, edit }) {
  if (!hasSample) return html`<section><h2>${t('design.keys')}</h2><p class="quiet">${t('design.keys.no-sample')}</p></section>`;
  if (unfit && unnamed.length > 0) return html`<section class="stack"><h2>${t('design.keys')}</h2><${Unnamed} fields=${unnamed} edit=${edit} /></section>`;
  if (unfit) return html`<section class="stack"><h2>${t('design.keys')}</h2><${Note} kind="error"><span class="lines">${translated(unfit)}</span></${Note}></section>`;
  if (!tried || !design) return null;
  const parts = design.parts.map((part) => ({ name: part.kind === 'bucket' ? t('design.kind.bucket') : part.name }));
  const step = (to) => onFrom(Math.max(0, Math.min(to, Math.max(0, tried.rows - 1))));
  const typed = (event) => { const row = Math.trunc(Number(event.target.value)); if (row >= 1) step(row - 1); };
  return html`<section class="stack">
    <div class="between"><h2>${t('design.keys')}</h2>
      <div class="field"><span class="label">${t('design.keys.from', { all: tried.rows })}</span><span class="steps-field"><button aria-label=${t('design.keys.before')} disabled=${from === 0} onClick=${() => step(from - SHOWN)}>‹</button><input type="number" min="1" max=${tried.rows} aria-label=${t('design.keys.from', { all: tried.rows })} value=${from + 1} onChange=${typed} /><button aria-label=${t('design.keys.after')} disabled=${from + SHOWN >= tried.rows} onClick=${() => step(from + SHOWN)}>›</button></span></div></div>
    ${tried.rejected > 0 && html`<${Note} kind="warning" word=${t('rejected')}>${t('design.keys.rejected', { n: tried.rejected, all: tried.rows })}${tried.rejects.map(([reason, count]) => html`<br />${number(count)} × ${translated(reason)}`)}</${Note}>`}
    ${tried.doubled > 0 && html`<${Note} kind=${words?.table?.on_same_key === 'replace' ? undefined : 'warning'}>${t('design.keys.doubled', { n: tried.doubled, all: tried.rows })}</${Note}>`}
    <p class="legend" aria-label=${t('design.parts')}>${parts.map(({ name }, index) => html`<span class="chip p${index % 8}"><b>${index + 1}</b> ${name}</span> `)}</p>
    <div class="scroll keys" tabindex="0" role="region" aria-label=${t('design.keys')}><table>
      <caption class="hidden">${t('design.keys')}</caption>
      <tbody>${tried.keys.map((key, index) => html`<tr><th scope="row" class="number">${from + index + 1}</th><td>${key.hex ? html`<${Key} key_=${key} parts=${parts} />` : html`<span class="tag warning">${t('rejected')}</span> ${translated(key.reason)}`}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** What makes a design suit columns that it does not name. */
const Unnamed = ({ fields, edit }) => html`<${Note} kind="error">${t('design.keys.unnamed', { n: fields.length, columns: listed(fields.map(({ field }) => field)) })}</${Note}><div class="row buttons">
  <button onClick=${() => edit(fields.map(({ field, declaration }) => ({ path: ['fields', field], set: declaration })))}>${t('design.keys.add-fields', { n: fields.length })}</button>
  <button onClick=${() => edit([{ path: ['columns', 'other'], set: toml('drop') }])}>${t('design.keys.drop-columns', { n: fields.length })}</button>
  <span class="quiet">${t('design.keys.mend')}</span>
</div>`;

/** Names in a row, as many as anyone reads. */
const listed = (names) => [...names.slice(0, LISTED), ...(names.length > LISTED ? ['…'] : [])].join(', ');

function Key({ key_: { hex, text, parts: spans, reason }, parts }) {
  if (spans.length === 0) return html`<code>${text}</code><br /><code class="quiet">${spaced(hex)}</code><br /><span class="quiet">${t('design.keys.one-piece')} ${translated(reason)}</span>`;
  const title = (index) => `${index + 1} ${parts[index].name}`;
  const piece = (index, shown) => html`<span class="piece p${index % 8}" title=${title(index)}>${shown}</span>`;
  const bytes = ({ from, to }) => hex.slice(2 * from, 2 * to);
  const values = spans.map(({ value }, index) => [index, value]).filter(([, value]) => value != null);
  return html`<div class="mono key-text">${spans.map((span, index) => piece(index, escaped(bytes(span))))}<span class="quiet"> ${t('design.bytes', { n: hex.length / 2 })}</span></div>
    <div class="mono key-hex">${spans.map((span, index) => piece(index, spaced(bytes(span))))}</div>
    <div class="key-values">${values.map(([index, value]) => html`<span class="value p${index % 8}" title=${title(index)}><b>${index + 1}</b> ${parts[index].name} <code>${value}</code></span> `)}</div>`;
}
