// A table of rows that can be sorted by a column. Long ones show their first rows, and more when asked.
import { html, useState } from '../lib/preact.js';
import { t, number } from '../lib/i18n.js';

const STEP = 500;

/**
 * `columns`: { id, label, kind: 'number' | 'mono' | 'text', value: row => what is sorted by, show: row => what is shown }.
 */
export function DataTable({ label, columns, rows, empty, sortable = true }) {
  const [sort, setSort] = useState(undefined);
  const [most, setMost] = useState(STEP);
  if (rows.length === 0) return html`<p class="quiet">${empty}</p>`;
  const sorted = sort ? [...rows].sort(order(columns.find(({ id }) => id === sort.id), sort.down)) : rows;
  const turn = (column) => setSort(sort?.id === column.id && sort.down ? undefined : { id: column.id, down: sort?.id === column.id || column.kind === 'number' && sort?.id !== column.id });
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table>
    <caption class="hidden">${label}</caption>
    <thead><tr>${columns.map((column) => html`
      <th scope="col" class=${column.kind} aria-sort=${sort?.id === column.id ? (sort.down ? 'descending' : 'ascending') : undefined}>
        ${sortable && column.value ? html`<button onClick=${() => turn(column)}>${column.label}${sort?.id === column.id ? (sort.down ? ' ↓' : ' ↑') : ''}</button>` : column.label}
      </th>`)}</tr></thead>
    <tbody>${sorted.slice(0, most).map((row) => html`
      <tr>${columns.map((column) => html`<td class=${column.kind}>${column.show ? column.show(row) : shown(column.value(row), column.kind)}</td>`)}</tr>`)}
    </tbody></table></div>
    ${rows.length > most && html`<p><button onClick=${() => setMost(most + STEP)}>${t('table.more', { shown: most, all: rows.length })}</button></p>`}`;
}

const shown = (value, kind) => (kind === 'number' ? number(value) : value);

function order({ value }, down) {
  const sign = down ? -1 : 1;
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a == null || b == null) return (a == null) - (b == null);
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  };
}
