// What is wrong with the design, or will be: each finding with what mends it, and its page when it is asked for.
import { html, useState } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Failure, Marked, Mistake } from './common.js';
import { mends } from './design-mends.js';
import { LintPage } from './lint-page.js';

const ORDER = ['error', 'warning', 'info'];

/** `onPlace` goes to a line and a column of the design file. */
export function Findings({ found: { answer, error, pending }, mistakes, words, edit, onPlace }) {
  if (mistakes.length > 0) return html`<${Mistakes} mistakes=${mistakes} words=${words} edit=${edit} onPlace=${onPlace} />`;
  const findings = answer?.findings ?? [];
  const counts = ORDER.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length]).filter(([, count]) => count > 0);
  return html`<section class="stack">
    <div class="between"><h2>${t('findings')}</h2><span aria-live="polite">${counts.length === 0 ? !pending && answer && html`<span class="tag good">${t('design.findings.none')}</span>` : counts.map(([severity, count]) => html`<span class="tag ${severity}">${count} ${t(`design.severity.${severity}`, { n: count })}</span> `)}${answer?.silenced > 0 && html`<span class="quiet">${t('design.findings.silenced', { n: answer.silenced })}</span>`}</span></div>
    <${Failure} error=${error} />
    <ul class="design-findings">${findings.map((finding) => html`<${Finding} key=${`${finding.id}${finding.component}`} finding=${finding} edit=${edit} />`)}</ul>
  </section>`;
}

/** Why the text is no design. */
const Mistakes = ({ mistakes, words, edit, onPlace }) => html`<section class="stack">
  <div class="between"><h2>${t('design.mistakes')}</h2><span class="tag error">${t('design.mistakes.count', { n: mistakes.length })}</span></div>
  <ul class="design-findings" aria-live="polite">${mistakes.map((mistake) => [mistake, mistake.line ?? 1, mistake.column ?? 1]).map(([mistake, line, column]) => html`<li class="design-finding error">
    <p><button class="plain" onClick=${() => onPlace({ line, column })}>${t('design.line', { line, column })}</button> <${Mistake} mistake=${mistake} /></p>
    <${Mends} mends=${mends(mistake, words)} edit=${edit} /></li>`)}</ul>
  <p class="quiet">${t('design.mistakes.hint')}</p>
</section>`;

const Mends = ({ mends: found, edit }) => found.length > 0 && html`<div class="row buttons">${found.map(({ text, edits }) => html`<button onClick=${() => edit(edits)}>${text}</button>`)}</div>`;

function Finding({ finding: { id, severity, component, line, message, notes, help, fix, fix_changes_rows: changesRows, edits }, edit }) {
  const [open, setOpen] = useState(false);
  return html`<li class="design-finding ${severity}">
    <p><span class="tag ${severity}">${t(`severity.${severity}`)} ${id}</span> <${Marked} text=${message} /> <code class="quiet">${component}${line ? `:${line}` : ''}</code></p>
    ${notes.map((note) => html`<p class="quiet"><${Marked} text=${note} /></p>`)}
    ${help && html`<p class="quiet"><${Marked} text=${help} /></p>`}
    <div class="row">
      ${fix && html`<button onClick=${() => edit(edits)}>${fix}</button><span class="quiet">${t(changesRows ? 'design.fix.changes-rows' : 'design.fix.keeps-rows')}</span>`}
      <button class="plain" aria-expanded=${open} onClick=${() => setOpen(!open)}>${t('design.explain', { id })}</button>
    </div>
    ${open && html`<${LintPage} id=${id} />`}
  </li>`;
}
