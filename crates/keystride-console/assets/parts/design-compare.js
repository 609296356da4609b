// Two designs side by side: the one that was kept, A, and the present one, B.
import { html } from '../lib/preact.js';
import { send } from '../lib/api.js';
import { currentLanguage, number, percent, t, times } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { partName, stepsOf, toml } from '../lib/toml.js';
import { Failure, Note } from './common.js';
import { span } from './design-spread.js';

const WAIT_MS = 200;

export function Compare({ state, sample, isDesign }) {
  const { draft, change, setText } = state;
  const compared = useAnswer((signal) => (draft.kept !== undefined ? send('POST', '/design/compare', { designs: [draft.kept, draft.text], sample, language: currentLanguage() }, signal) : undefined), [JSON.stringify([draft.kept, draft.text, sample])], WAIT_MS);
  const swap = () => { const { kept, text } = draft; setText(kept); change({ kept: text }); };
  return html`<section class="stack compare">
    <div class="row"><h2>${t('design.compare')}</h2>
      <button disabled=${!isDesign} onClick=${() => change({ kept: draft.text })}>${t(draft.kept === undefined ? 'design.compare.keep' : 'design.compare.keep-again')}</button>
      ${draft.kept !== undefined && html`<button onClick=${swap}>${t('design.compare.swap')}</button><button class="plain" onClick=${() => change({ kept: undefined })}>${t('design.compare.end')}</button>`}
    </div>
    ${draft.kept === undefined && html`<p class="quiet">${t('design.compare.hint')}</p>`}
    <${Failure} error=${compared.error} />
    ${draft.kept !== undefined && compared.answer && !compared.error && html`<${Sides} compared=${compared.answer} isSame=${draft.kept === draft.text} />`}
  </section>`;
}

function Sides({ compared: { sides: [a, b], differences }, isSame }) {
  if (!a || !b) return html`<${Note}>${t('design.compare.no-design')}</${Note}>`;
  const rows = figures(a, b);
  return html`<div class="columns">
    <div class="scroll" tabindex="0" role="region" aria-label=${t('design.compare')}><table class="figures-table">
      <thead><tr><th scope="col"><span class="hidden">${t('design.compare.figure')}</span></th><th scope="col">${t('design.compare.a')}</th><th scope="col">${t('design.compare.b')}</th></tr></thead>
      <tbody>${rows.map(([label, ...values]) => html`<tr><th scope="row">${label}</th>${values.map((value) => html`<td>${value ?? '—'}</td>`)}</tr>`)}</tbody>
    </table>${a.accesses.length + b.accesses.length === 0 && html`<p class="quiet">${t('design.compare.no-access')}</p>`}</div>
    <div class="stack"><h3>${t('design.differences')}</h3>${isSame || !differences ? html`<p class="quiet">${t('design.differences.none')}</p>` : html`<${Differences} differences=${differences} />`}</div>
  </div>`;
}

function figures(a, b) {
  const both = (label, show) => [label, show(a), show(b)];
  const hot = (measure) => measure && html`${times(measure.imbalance)} <span class="quiet">${t('chance-alone', { chance: times(measure.chance) })}</span>`;
  const names = [...new Set([...a.accesses, ...b.accesses].map(({ name }) => name))];
  return [
    both(t('key'), ({ design }) => html`<code>${design.parts.map(({ name }) => name).join(' + ')}</code>`),
    both(t('design.compare.bytes'), ({ length }) => length && (length.least === length.most ? number(length.most) : `${length.least}–${length.most}`)),
    both(t('regions'), ({ spread }) => spread && number(spread.region_count)),
    both(t('design.compare.whole'), ({ spread }) => hot(spread?.whole)),
    both(t('design.compare.window'), ({ spread }) => spread?.windows && html`${hot(spread.windows)} <span class="quiet">${span(spread.windows.ms)}</span>`),
    both(t('design.spread.empty'), ({ spread }) => spread?.whole && number(spread.whole.empty_count)),
    both(t('design.compare.doubled'), ({ doubled }) => doubled != null && number(doubled)),
    both(t('rejected'), ({ rejected }) => rejected != null && number(rejected)),
    both(t('findings'), ({ findings }) => (findings.length === 0 ? html`<span class="tag good">${t('design.findings.none')}</span>` : findings.map(({ id, severity, title }) => html`<span class="tag ${severity}" title=${title}>${t(`severity.${severity}`)} ${id}</span> `))),
    ...names.map((name) => both(html`${t('design.compare.access')} <code>${name}</code>`, ({ accesses }) => read(accesses.find((access) => access.name === name)))),
  ];
}

/** What a query reads. */
function read(access) {
  if (!access) return undefined;
  const { ranges, buckets, share, is_full_scan: isFull } = access;
  return html`${isFull ? html`<span class="tag warning">${t('plan.full')}</span>` : t('plan.show-ranges', { n: ranges })}${buckets && html` · ${t('design.compare.buckets', { read: buckets[0], all: buckets[1] })}`} <span class="quiet">${t('design.compare.share', { share: share > 0 && share < 1e-4 ? '< 0.01 %' : percent(share) })}</span>`;
}

function Differences({ differences: { parts_left: left, parts_added: added, parts_moved: moved, words, stores_alike: alike } }) {
  const part = (words_) => [partName(words_), ...stepsOf(words_)].join(' · ');
  return html`
    <p>${t(alike ? 'design.differences.alike' : 'design.differences.other-rows')}</p>
    <ul class="changes">
      ${left.map((words_) => html`<li><span class="sign">A</span> <code>${part(words_)}</code></li>`)}
      ${added.map((words_) => html`<li><span class="sign">B</span> <code>${part(words_)}</code></li>`)}
      ${moved && html`<li>${t('design.differences.moved')}</li>`}
      ${words.map(({ path, ours, theirs }) => html`<li><code>${path}</code>: <span class="sign">A</span> <code>${ours === null ? '—' : toml(ours)}</code> <span class="sign">B</span> <code>${theirs === null ? '—' : toml(theirs)}</code></li>`)}
    </ul>`;
}
