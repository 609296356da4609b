// What a map means, in words.
import { html } from '../lib/preact.js';
import { percent, t, times } from '../lib/i18n.js';
import { clock } from './times.js';

const KINDS = { even: 'good', never_used: 'warning', hot_region: 'error', hot_in_turn: 'error', front_at_end: 'error', hot_server: 'error', moving_front: 'warning' };

const OVER_MS = 30000;

/** How bad a finding is: good, warning or error; others are notes. */
export const kindOf = ({ finding }) => KINDS[finding] ?? 'info';

/** Whether a finding is told outside of its map. That regions never were written is told from their counts, from the first row on. */
export const isProblem = (finding) => ['error', 'warning'].includes(kindOf(finding)) && finding.finding !== 'never_used';

/** What the map means, in words; each shows its place on the map. */
export function Findings({ findings, unit, servers, end, onLook }) {
  if (findings.length === 0) return null;
  return html`<ul class="heat-findings" aria-live="polite">${findings.map((finding) => html`<li><button class="finding ${kindOf(finding)}" onClick=${() => onLook(finding)}>
    <span class="word">${kindOf(finding) === 'error' ? t('heat.hot') : t(`severity.${kindOf(finding)}`)}</span> ${sentence(finding, unit, servers)}${isOver(finding, end) && html` ${t('finding.until', { at: clock(finding.area.t1_ms) })}`}</button></li>`)}</ul>`;
}

/** Whether no rows come any more to what was hot. */
const isOver = ({ finding, area }, end) => finding.startsWith('hot_') && area !== undefined && end - area.t1_ms > OVER_MS;

/** What a finding says. */
const sentence = (finding, unit, servers) => t(`finding.${finding.finding}`, facts(finding, unit, servers));

function facts(finding, unit, servers) {
  return {
    ...finding,
    imbalance: times(finding.imbalance), chance: times(finding.chance), region_imbalance: times(finding.region_imbalance), region: finding.area?.first_region,
    rate: finding.rate !== undefined && unit(finding.rate), mean_rate: finding.mean_rate !== undefined && unit(finding.mean_rate), usual_rate: finding.usual_rate !== undefined && unit(finding.usual_rate),
    before: finding.before !== undefined && unit(finding.before), after: finding.after !== undefined && unit(finding.after),
    share: percent(finding.share), share_of_columns: percent(finding.share_of_columns), at: finding.at_ms && clock(finding.at_ms), period: finding.period_ms && `${Math.round(finding.period_ms / 60000)} min`,
    server: servers[finding.server] ?? finding.server, where: t(`direction.${finding.direction ?? 'up'}`), correlation: finding.correlation?.toFixed(2),
  };
}
