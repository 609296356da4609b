// Families of a table without a design, with their settings in HBase's words.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Field } from './common.js';

const SETTINGS = [
  { id: 'VERSIONS', usual: '1' }, { id: 'MIN_VERSIONS', usual: '0' }, { id: 'TTL', usual: '', hint: 'families.ttl' },
  { id: 'COMPRESSION', of: ['NONE', 'SNAPPY', 'LZ4', 'ZSTD', 'GZ', 'LZO'] }, { id: 'BLOOMFILTER', of: ['ROW', 'ROWCOL', 'NONE'] },
  { id: 'DATA_BLOCK_ENCODING', of: ['NONE', 'FAST_DIFF', 'DIFF', 'PREFIX', 'ROW_INDEX_V1'] }, { id: 'BLOCKSIZE', usual: '65536' },
  { id: 'IN_MEMORY', of: ['false', 'true'] }, { id: 'KEEP_DELETED_CELLS', of: ['FALSE', 'TRUE', 'TTL'] },
];

export function FamiliesField({ families, onChange }) {
  const put = (index, changed) => onChange(families.map((family, at) => (at === index ? { ...family, ...changed } : family)));
  return html`<div class="stack">
    ${families.map((family, index) => html`<div class="stack">
      <div class="row">
        <${Field} label=${t('family')}><input class="mono" size="12" value=${family.name} spellcheck=${false} onInput=${(event) => put(index, { name: event.target.value })} /></${Field}>
        ${SETTINGS.slice(0, 4).filter(({ id }) => id !== 'MIN_VERSIONS').map((setting) => html`<${Setting} setting=${setting} family=${family} onChange=${(attributes) => put(index, { attributes })} />`)}
        ${families.length > 1 && html`<button type="button" onClick=${() => onChange(families.filter((_, at) => at !== index))} aria-label=${t('families.remove', { family: family.name })}>−</button>`}
      </div>
      <details><summary>${t('families.more')}</summary><div class="row">
        ${SETTINGS.filter(({ id }) => !['VERSIONS', 'TTL', 'COMPRESSION'].includes(id)).map((setting) => html`<${Setting} setting=${setting} family=${family} onChange=${(attributes) => put(index, { attributes })} />`)}
      </div></details>
    </div>`)}
    <button type="button" onClick=${() => onChange([...families, { name: '', attributes: {} }])}>${t('families.add')}</button>
  </div>`;
}

function Setting({ setting: { id, of, usual, hint }, family, onChange }) {
  const value = family.attributes[id] ?? (of ? of[0] : usual);
  const put = (chosen) => {
    const { [id]: _, ...others } = family.attributes;
    onChange(chosen === (of ? of[0] : usual) ? others : { ...others, [id]: chosen });
  };
  return html`<${Field} label=${id}>${of
    ? html`<select value=${value} onChange=${(event) => put(event.target.value)}>${of.map((word) => html`<option selected=${word === value}>${word}</option>`)}</select>`
    : html`<input class="mono" size="8" inputmode="numeric" placeholder=${hint ? t(hint) : ''} value=${value} onInput=${(event) => put(event.target.value.trim())} />`}</${Field}>`;
}
