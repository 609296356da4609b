// The name of a table, and the ways to its pages.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { to } from '../lib/route.js';

const SECTIONS = ['', 'heat', 'query', 'load'];

export const TableHead = ({ table, section = '', children }) => html`
  <div class="between"><h1>${table}</h1>${children}</div>
  <nav class="tabs" aria-label=${t('table.pages')}>${SECTIONS.map((name) => html`<a href=${to(['t', table, name].filter(Boolean))} aria-current=${name === section ? 'page' : undefined}>${t(`section.${name || 'regions'}`)}</a>`)}</nav>`;
