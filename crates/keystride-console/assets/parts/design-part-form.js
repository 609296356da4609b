// The settings of one part of a key: those words of the design file that suit it.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Field } from './common.js';

const INTS = ['int', 'i32', 'i64', 'u32', 'u64'];
const NUMBERS = [...INTS, 'time'];
const FLOATS = ['f32', 'f64'];

/** Encodings that suit a type, beside the plain one. */
const ENCODINGS = {
  string: ['phoenix', 'ordered-bytes'], bytes: ['phoenix', 'ordered-bytes'], digits: [], uuid: ['text'], bool: ['be', 'phoenix'],
  u32: ['be', 'ordered', 'phoenix'], u64: ['be', 'ordered', 'phoenix'],
};
const NUMERIC = ['be', 'ordered', 'phoenix', 'ordered-bytes'];
const HASHES = ['xxh3', 'murmur3', 'md5', 'crc32', 'md5-hex1', 'java-string', 'java-xor', 'phoenix', 'hbasewd', 'opentsdb', 'mod', 'random', 'round-robin'];
const DIGESTS = ['md5', 'murmur3', 'xxh3', 'crc32'];
const PERIODS = ['1m', '10m', '1h', '1d', '7d', '1mo', '1y'];

/** `put` gets changes: { word, value }, where a value that is undefined removes the word. */
export function PartForm({ part, words, put }) {
  const fields = Object.keys(words.fields ?? {});
  if (part.text !== undefined) {
    return html`<div class="part-form row"><${Text} label=${t('design.text.bytes')} hint=${t('design.text.hint')} value=${part.text} onChange=${(text) => text && put([{ word: 'text', value: text }])} /></div>`;
  }
  return part.bucket === undefined ? html`<${FieldForm} part=${part} words=${words} fields=${fields} put=${put} />` : html`<${BucketForm} part=${part} fields=${fields} put=${put} />`;
}

function FieldForm({ part, words, fields, put }) {
  const type = words.fields?.[part.field]?.type;
  const isAny = type === undefined;
  const suits = (...types) => isAny || types.includes(type);
  const encodings = ENCODINGS[type] ?? (isAny ? ['text', ...NUMERIC] : NUMERIC);
  const one = (word) => (value) => put([{ word, value: value === '' ? undefined : value }]);
  const isBinary = part.as === 'be' || part.as === 'ordered';
  return html`<div class="part-form row">
    <${Select} label=${t('design.kind.field')} value=${part.field} options=${fields} onChange=${one('field')} />
    ${suits('time') && html`<${Select} label="floor" value=${part.floor ?? ''} options=${['', ...PERIODS]} onChange=${one('floor')} hint=${t('design.step.floor')} />`}
    <${Desc} part=${part} isNumber=${suits(...NUMBERS)} put=${put} />
    ${encodings.length > 0 && html`<${Select} label="as" value=${part.as ?? ''} options=${FLOATS.includes(type) ? encodings : ['', ...encodings]} onChange=${one('as')} hint=${t('design.step.as')} />`}
    ${isBinary && suits(...NUMBERS) && html`<${Select} label="width" value=${String(part.width ?? '')} options=${['', '4', '8']} onChange=${(value) => one('width')(value && Number(value))} hint=${t('design.step.width')} />`}
    ${suits(...NUMBERS) && !part.as && html`<${Whole} label="pad" value=${part.pad} onChange=${one('pad')} hint=${t('design.step.pad')} />`}
    ${part.as !== 'ordered-bytes' && html`<${Check} label="reverse" is=${part.reverse === true} onChange=${(is) => put([{ word: 'reverse', value: is || undefined }])} hint=${t('design.step.reverse')} />`}
    ${suits('string', 'bytes') && part.as !== 'ordered-bytes' && html`<${Check} label="escape" is=${part.escape === true} onChange=${(is) => put([{ word: 'escape', value: is || undefined }])} hint=${t('design.step.escape')} />`}
    <${Select} label="hash" value=${part.hash?.name ?? ''} options=${['', ...DIGESTS]} onChange=${(name) => put([{ word: 'hash', value: name ? { name, ...(part.hash?.hex ? { hex: part.hash.hex } : { bytes: Math.min(part.hash?.bytes ?? 4, 4) }) } : undefined }])} hint=${t('design.step.hash')} />
    ${part.hash?.name && html`<${Whole} label=${part.hash.hex ? 'hex' : 'bytes'} value=${part.hash.hex ?? part.hash.bytes} onChange=${(n) => n && put([{ word: `hash.${part.hash.hex ? 'hex' : 'bytes'}`, value: n }])} />`}
  </div>`;
}

/** How a field descends: by a bound, or with all its bytes inverted. */
function Desc({ part, isNumber, put }) {
  const isBound = typeof part.desc === 'number';
  const chosen = isBound ? 'bound' : (part.desc ?? '');
  const options = ['', ...(isNumber ? ['long-max', 'bound'] : []), 'invert'];
  const choose = (way) => put([{ word: 'desc', value: way === '' ? undefined : way === 'bound' ? 9999999999999 : way }]);
  return html`<${Select} label="desc" value=${chosen} options=${options} onChange=${choose} hint=${t('design.step.desc')} words=${{ bound: t('design.desc.bound') }} />
    ${isBound && html`<${Whole} label=${t('design.desc.bound')} value=${part.desc} wide onChange=${(bound) => bound !== '' && put([{ word: 'desc', value: bound }])} />`}`;
}

function BucketForm({ part, fields, put }) {
  const one = (word) => (value) => put([{ word, value: value === '' ? undefined : value }]);
  const isDrawn = /^(random|round-robin)$/.test(part.hash ?? '');
  const of = Array.isArray(part.of) ? part.of.join(', ') : (part.of ?? '');
  const chooseHash = (hash) => put([
    { word: 'hash', value: hash === 'xxh3' ? undefined : hash },
    ...(hash === 'md5-hex1' ? [{ word: 'bucket', value: 16 }] : []),
    ...(/^(random|round-robin)$/.test(hash) ? [{ word: 'of', value: undefined }] : part.of === undefined ? [{ word: 'of', value: fields.slice(0, 1) }] : []),
    ...(/^(phoenix|hbasewd|opentsdb)$/.test(hash) ? [{ word: 'base', value: 'byte' }, { word: 'width', value: undefined }] : part.base === 'byte' ? [{ word: 'base', value: undefined }] : []),
  ]);
  const items = (text) => (text.trim() === 'rest' ? 'rest' : text.split(/,(?![^(]*\))/).map((item) => item.trim()).filter(Boolean));
  return html`<div class="part-form row">
    <${Whole} label=${t('design.bucket.count')} value=${part.bucket} onChange=${(count) => count && put([{ word: 'bucket', value: count }])} />
    <${Select} label="hash" value=${part.hash ?? 'xxh3'} options=${HASHES} onChange=${chooseHash} hint=${t('design.bucket.hash')} />
    ${!isDrawn && html`<${Text} label="of" value=${of} list=${[...fields, 'rest']} onChange=${(text) => text.trim() && put([{ word: 'of', value: items(text) }])} hint=${t('design.bucket.of')} />`}
    <${Whole} label="width" value=${part.width} onChange=${one('width')} hint=${t('design.bucket.width')} />
    <${Select} label="base" value=${String(part.base ?? 10)} options=${['10', '16', 'byte']} onChange=${(base) => put([{ word: 'base', value: base === '10' ? undefined : base === '16' ? 16 : base }])} hint=${t('design.bucket.base')} />
  </div>`;
}

export const Select = ({ label, value, options, onChange, hint, words = {} }) => html`<${Field} label=${label}><select title=${hint} value=${value} onChange=${(event) => onChange(event.target.value)}>${(options.includes(value) ? options : [value, ...options]).map((option) => html`<option value=${option} selected=${option === value}>${words[option] ?? (option || '—')}</option>`)}</select></${Field}>`;

export const Whole = ({ label, value, onChange, hint, wide }) => html`<${Field} label=${label}><input class=${wide ? 'mono' : ''} type=${wide ? 'text' : 'number'} inputmode="numeric" size=${wide ? 20 : undefined} min="0" title=${hint} value=${value ?? ''} onChange=${(event) => onChange(whole(event.target.value))} /></${Field}>`;

/** A number of up to 64 bits: beyond those of JavaScript it stays a text of digits, which TOML takes as it is. */
const whole = (text) => (text.trim() === '' || !/^-?\d+$/.test(text.trim()) ? '' : Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text.trim()));

export const Text = ({ label, value, onChange, hint, list }) => html`<${Field} label=${label}><input class="mono" size="16" title=${hint} list=${list ? 'items' : undefined} value=${value} spellcheck=${false} onChange=${(event) => onChange(event.target.value)} />${list && html`<datalist id="items">${list.map((item) => html`<option value=${item}></option>`)}</datalist>`}</${Field}>`;

const Check = ({ label, is, onChange, hint }) => html`<label class="check" title=${hint}><input type="checkbox" checked=${is} onChange=${(event) => onChange(event.target.checked)} />${label}</label>`;
