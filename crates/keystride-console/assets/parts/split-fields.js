// The fields of each rule for split points, and the choice that a form makes.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Choices, Field } from './common.js';
import { TextFile } from './text-file.js';

/** The rules, in the order in which they are offered. */
export const SPLITS = ['design', 'list', 'hex', 'uniform', 'decimal', 'partition-keys', 'md5-hex', 'range', 'sample', 'none'];

const ALGORITHMS = { hex: 'HexStringSplit', uniform: 'UniformSplit', decimal: 'DecimalStringSplit' };

/** What the interface is told: see SplitChoice in docs/console.md. */
export function splitChoice(form) {
  const regions = Math.max(0, Math.trunc(Number(form.regions)) || 0);
  const given = (text) => (text === '' ? undefined : text);
  switch (form.by) {
    case 'list': return { by: 'list', form: form.pointForm, points: form.points };
    case 'partition-keys': return { by: 'partition-keys', regions, width: form.width === '' ? undefined : Number(form.width), suffix: given(form.suffix) };
    case 'range': return { by: 'range', start: form.start, end: form.end, regions };
    case 'sample': return { by: 'sample', regions };
    case 'hex': case 'uniform': case 'decimal': return { by: 'algorithm', name: ALGORITHMS[form.by], regions, first: given(form.first), last: given(form.last) };
    default: return { by: form.by };
  }
}

export function SplitFields({ form, change }) {
  const text = (id, size = 12) => html`<${Field} label=${t(`split.${id}`)}><input class="mono" size=${size} value=${form[id]} spellcheck=${false} onInput=${(event) => change({ [id]: event.target.value })} /></${Field}>`;
  const regions = html`<${Field} label=${t('create.regions')}><input type="number" min="1" max="65536" value=${form.regions} onInput=${(event) => change({ regions: event.target.value })} /></${Field}>`;
  switch (form.by) {
    case 'list': return html`<${PointsField} form=${form} change=${change} />`;
    case 'hex': case 'uniform': case 'decimal': return html`<div class="row">${regions}${text('first')}${text('last')}</div>`;
    case 'partition-keys': return html`<div class="row">${regions}${text('width', 4)}${text('suffix', 4)}</div>`;
    case 'range': return html`<div class="row">${regions}${text('start')}${text('end')}</div>`;
    case 'sample': return html`<div class="row">${regions}</div>`;
    default: return null;
  }
}

function PointsField({ form, change }) {
  return html`<div class="stack">
    <div class="row">
      <${Choices} label=${t('form')} name="point-form" value=${form.pointForm} onChange=${(pointForm) => change({ pointForm })} options=${['escaped', 'hex', 'int', 'long'].map((id) => ({ id, text: t(`form.${id}`), title: t(`form.${id}.hint`) }))} />
      <${TextFile} label=${t('split.list.open')} accept=".txt,.csv" onText=${(points) => change({ points })} />
    </div>
    <${Field} label=${t('split.list.points')} hint=${t('split.list.points.hint')}><textarea spellcheck=${false} value=${form.points} onInput=${(event) => change({ points: event.target.value })}></textarea></${Field}>
  </div>`;
}
