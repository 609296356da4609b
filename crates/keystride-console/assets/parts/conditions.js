// Conditions on fields, from which a predicate is made.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';

const OPERATORS = ['=', '>=', '<', '>', '<=', '!=', 'between', 'in', 'like'];

/** `zones` are those of the fields that are times. */
export function Conditions({ fields, zones, conditions, onChange }) {
  const put = (index, changed) => onChange(conditions.map((condition, at) => (at === index ? { ...condition, ...changed } : condition)));
  return html`<fieldset class="conditions"><legend>${t('conditions')}</legend>
    ${conditions.map(({ field, operator, value, until }, index) => html`<div class="row">
      <select aria-label=${t('design.kind.field')} value=${field} onChange=${(event) => put(index, { field: event.target.value })}>${fields.map((name) => html`<option selected=${name === field}>${name}</option>`)}</select>
      <select aria-label=${t('conditions.operator')} value=${operator} onChange=${(event) => put(index, { operator: event.target.value })}>${OPERATORS.map((name) => html`<option selected=${name === operator}>${name}</option>`)}</select>
      <input class="mono" aria-label=${t('conditions.value')} value=${value} spellcheck=${false} onInput=${(event) => put(index, { value: event.target.value })} />
      ${operator === 'between' && html`<input class="mono" aria-label=${t('conditions.until')} value=${until} spellcheck=${false} onInput=${(event) => put(index, { until: event.target.value })} />`}
      ${zones[field] && html`<p class="quiet">${zones[field]}</p>`}
      <button type="button" aria-label=${t('conditions.remove')} onClick=${() => onChange(conditions.filter((_, at) => at !== index))}>−</button>
    </div>`)}
    <button type="button" onClick=${() => onChange([...conditions, { field: fields.find((name) => conditions.every(({ field }) => field !== name)) ?? fields[0], operator: '=', value: '', until: '' }])}>${t('conditions.add')}</button>
  </fieldset>`;
}

/** The predicate of conditions, all of which hold. One without a value is left out. */
export function predicateOf(conditions) {
  return conditions.filter(({ value }) => value !== '').map(({ field, operator, value, until }) => {
    switch (operator) {
      case 'between': return `${field} between ${literal(value)} and ${literal(until)}`;
      case 'in': return `${field} in (${value.split(',').map((word) => literal(word.trim())).join(', ')})`;
      default: return `${field} ${operator} ${literal(value)}`;
    }
  }).join(' and ');
}

const literal = (text) => `'${text.replaceAll("'", "''")}'`;
