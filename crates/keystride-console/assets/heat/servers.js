// The servers of a map: their colours, and what each has in the last column.
import { html } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { Bar } from '../parts/common.js';
import { serverColour } from './scale.js';

export function Servers({ map: { servers, by_server: rates }, theme, unit }) {
  if (!rates || servers.length === 0) return null;
  const most = Math.max(...rates);
  return html`<ul class="heat-servers" aria-label=${t('heat.servers')}>${servers.map((name, server) => html`<li>
    <span class="swatch" ref=${(swatch) => swatch && (swatch.style.background = serverColour(theme, server))}></span> ${name} <${Bar} share=${most > 0 ? (rates[server] ?? 0) / most : 0} /> <span class="number">${unit(rates[server] ?? 0)}</span></li>`)}</ul>`;
}
