// What of a design stands around its key: the table, its split, and the types of its fields.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { toml } from '../lib/toml.js';
import { Select, Text, Whole } from './design-part-form.js';

export function DesignFrame({ words, sample, edit }) {
  if (!words?.table || !words?.fields) return null;
  const set = (path, value) => ({ path, ...(value === undefined ? { remove: true } : { set: toml(value) }) });
  const { name, families } = words.table;
  return html`<section class="stack">
    <div class="row">
      <${Text} label=${t('create.name')} value=${name ?? ''} onChange=${(text) => edit([set(['table', 'name'], text.trim())])} />
      ${Array.isArray(families)
        ? html`<${Text} label=${t('families')} value=${families.join(', ')} onChange=${(text) => edit([set(['table', 'families'], text.split(',').map((family) => family.trim()).filter(Boolean))])} />`
        : Object.keys(families ?? {}).length === 1
          ? html`<${Text} label=${t('families')} value=${Object.keys(families)[0]} onChange=${(text) => edit(renamed(families, text.trim()))} />`
          : html`<div class="field"><span class="label">${t('families')}</span><span class="fixed mono">${Object.keys(families ?? {}).join(', ')}</span></div>`}
    </div>
    <${Split} split=${words.split} hasBucket=${words.key?.parts?.[0]?.bucket !== undefined} sample=${sample} edit=${edit} set=${set} />
    <details><summary>${t('design.fields', { n: Object.keys(words.fields).length })}</summary>
      <div class="fields">${Object.entries(words.fields).map(([field, about]) => html`<${FieldRow} key=${field} name=${field} about=${about} edit=${edit} set=${set} />`)}</div>
    </details>
  </section>`;
}

/** The edits by which the only family gets another name, and keeps its settings. */
function renamed(families, name) {
  const [[former, settings]] = Object.entries(families);
  if (!name || name === former) return [];
  return [{ path: ['table', 'families', former], remove: true }, { path: ['table', 'families', name], set: toml(settings) }];
}

const ALGORITHMS = ['HexStringSplit', 'DecimalStringSplit', 'UniformSplit'];
const RULES = ['', 'bucket', 'sample', 'partition-keys', ...ALGORITHMS];

/** Rules that need no more than a few words; others are changed in the text. */
function Split({ split, hasBucket, sample, edit, set }) {
  const by = split?.by ?? '';
  const others = Object.keys(split ?? {}).filter((word) => word !== 'by');
  const choose = (rule) => {
    if (rule === '') { edit([set(['split'], undefined)]); return; }
    const needed = rule === 'bucket' ? {} : rule === 'sample' ? { regions: split?.regions ?? 16, path: sample?.shown ?? 'sample.csv' } : { regions: split?.regions ?? 16 };
    edit([...others.filter((word) => !(word in needed)).map((word) => set(['split', word], undefined)), set(['split', 'by'], rule), ...Object.entries(needed).map(([word, value]) => set(['split', word], value))]);
  };
  const one = (word) => (value) => edit([set(['split', word], value === '' ? undefined : value)]);
  return html`<div class="row">
    <${Select} label=${t('design.split')} value=${by} options=${RULES.filter((rule) => rule !== 'bucket' || hasBucket || by === 'bucket')} onChange=${choose} words=${{ '': t('split.none'), bucket: t('design.split.bucket'), sample: t('split.sample'), 'partition-keys': t('split.partition-keys') }} />
    ${by !== '' && split.points === undefined && by !== 'file' && html`<${Whole} label=${t('create.regions')} value=${split.regions} onChange=${one('regions')} />`}
    ${(by === 'bucket' || by === 'partition-keys') && html`<${Text} label=${t('split.suffix')} value=${split.suffix ?? ''} onChange=${one('suffix')} />`}
    ${Array.isArray(split?.points ?? split?.ints ?? split?.longs) && html`<div class="field"><span class="label">${t('split.list.points')}</span><span class="fixed mono">${(split.points ?? split.ints ?? split.longs).slice(0, 8).join(', ')}${(split.points ?? split.ints ?? split.longs).length > 8 ? ' …' : ''}</span></div>`}
  </div>`;
}

/** The words of each type that a form has, each with the value that it begins with. */
const TYPES = {
  string: { max_len: 0, alphabet: '' }, digits: { len: 8 }, int: { min: 0, max: 0 }, i32: { min: 0, max: 0 }, i64: { min: 0, max: 0 }, u32: { min: 0, max: 0 }, u64: { min: 0, max: 0 },
  f32: {}, f64: {}, bool: {}, bytes: { len: 0, input: '' }, uuid: { version: 0 }, time: { unit: 'ms', format: '', zone: '', input: '' },
};
const NEEDED = { digits: { len: 8 }, time: { unit: 'ms' }, bytes: {}, uuid: {} };
/** Words that suit every type. */
const COMMON = ['default', 'distinct', 'max_share', 'updated', 'column', 'charset'];
const UNITS = ['', 's', 'ms', 'us', 'ns'];

function FieldRow({ name, about, edit, set }) {
  const path = (word) => ['fields', name, word];
  if (about?.type === undefined) {
    return html`<div class="field-row"><code>${name}</code><code class="quiet">${about?.from ?? ''}</code></div>`;
  }
  const chooseType = (type) => {
    const known = TYPES[type] ?? {};
    const gone = Object.keys(about).filter((word) => word !== 'type' && !(word in known) && !COMMON.includes(word));
    const needed = Object.entries(NEEDED[type] ?? {}).filter(([word]) => about[word] === undefined && !(word === 'unit' && about.format !== undefined));
    edit([set(path('type'), type), ...gone.map((word) => set(path(word), undefined)), ...needed.map(([word, value]) => set(path(word), value))]);
  };
  const one = (word) => (value) => edit([set(path(word), value === '' ? undefined : value)]);
  // A time is counted in a unit or written in a pattern.
  const time = (word) => (value) => edit(word === 'unit' ? [set(path('format'), undefined), set(path('unit'), value || 'ms')] : value ? [set(path('unit'), undefined), set(path('input'), undefined), set(path('format'), value)] : [set(path('format'), undefined), set(path('unit'), 'ms')]);
  const control = (word, usual) => {
    if (word === 'unit') return html`<${Select} label="unit" value=${about.unit ?? ''} options=${UNITS} onChange=${time('unit')} />`;
    if (word === 'format') return html`<${Text} label="format" value=${about.format ?? ''} onChange=${time('format')} />`;
    if (word === 'input' && about.format !== undefined) return null;
    return typeof usual === 'number' ? html`<${Whole} label=${word} value=${about[word]} onChange=${one(word)} />` : html`<${Text} label=${word} value=${about[word] ?? ''} onChange=${one(word)} />`;
  };
  return html`<div class="field-row">
    <code title=${about.column ?? name}>${name}</code>
    <div class="row"><${Select} label=${html`<span class="hidden">${t('design.column.type')}</span>`} value=${about.type} options=${Object.keys(TYPES)} onChange=${chooseType} />
      ${Object.entries(TYPES[about.type] ?? {}).map(([word, usual]) => control(word, usual))}
      <${Text} label="default" value=${about.default ?? ''} onChange=${one('default')} /></div>
  </div>`;
}
