// Loads and extracts: how far they are, what they rejected, how they ended.
import { html, useState } from '../lib/preact.js';
import { ask, send } from '../lib/api.js';
import { useAnswer, useEvery } from '../lib/load.js';
import { useLoss } from '../lib/reach.js';
import { bytes, t, times } from '../lib/i18n.js';
import { clock } from '../heat/times.js';
import { command } from '../lib/command.js';
import { translated } from '../lib/messages.js';
import { to } from '../lib/route.js';
import { Bar, Copy, Failure, Note } from '../parts/common.js';

/** So many times the mean is hot, as in findings of the heat. */
const HOT = 3;

/** All jobs are asked for at once: those that others began are among them, and a browser has only so many connections for events. */
const [WHILE_ONE_RUNS_MS, OTHERWISE_MS] = [500, 3000];

export function Jobs({ session }) {
  const { pending, last, error, again } = useAnswer((signal) => ask('/jobs', signal), []);
  const loss = useLoss();
  const jobs = last?.jobs;
  useEvery(jobs?.some(({ end }) => end === null) ? WHILE_ONE_RUNS_MS : OTHERWISE_MS, () => { if (!pending && !loss) again(); });
  return html`<div class="stack"><h1>${t('page.jobs')}</h1><${Failure} error=${error} />
    ${jobs?.length === 0 && html`<${Note}>${t('jobs.none')} <a href=${to([])}>${t('page.overview')}</a></${Note}>`}
    ${jobs?.map((job) => html`<${Job} key=${`${job.id} ${job.begun_ms}`} session=${session} job=${job} isKnown=${!loss && !error} onAgain=${again} />`)}</div>`;
}

/** `isKnown`: whether the console tells how the job is now. */
function Job({ session, job, isKnown, onAgain }) {
  const [log, setLog] = useState(undefined);
  const [error, setError] = useState(undefined);
  const showLog = async () => {
    try { setLog((await ask(`/jobs/${job.id}`)).log.map(translated)); } catch (refused) { setError(refused); }
  };
  const resume = async () => {
    try { await send('POST', job.resume.path, job.resume.body); onAgain(); } catch (refused) { setError(refused); }
  };
  const isOver = job.end !== null;
  return html`<article class="job">
    <div class="between">
      <h2>${t(`job.${job.kind}`, { what: job.what })} <a href=${to(['t', job.table])}>${job.table}</a></h2>
      <div class="row">${job.kind === 'load' && html`<a href=${to(['t', job.table, 'heat'])}>${t('section.heat')}</a>`}<span class="tag ${isOver || isKnown ? tagOf(job) : 'warning'}">${isOver || isKnown ? t(`job.end.${endOf(job)}`) : t('job.unknown')}</span>
        ${!isOver && isKnown && html`<button onClick=${() => send('POST', `/jobs/${job.id}/cancel`).catch(setError)}>${t('cancel')}</button>`}
        ${isOver && job.resume && endOf(job) !== 'done' && html`<button onClick=${resume}>${t('job.resume')}</button>`}
        <button class="plain" onClick=${showLog}>${t('job.log')}</button></div>
    </div>
    ${Number.isFinite(shareOf(job)) && html`<${Bar} share=${shareOf(job)} />`}
    <p class="figures-line" aria-live=${isOver ? 'polite' : 'off'}>${t('job.begun', { at: clock(job.begun_ms) })} · ${job.kind === 'load' ? html`<${LoadFigures} progress=${job.progress} left=${isKnown ? leftOf(job) : undefined} />` : html`<${ExtractFigures} progress=${job.progress} end=${job.end} />`}</p>
    ${job.end?.message && html`<${Failure} error=${{ message: translated(job.end.message) }} />`}
    <${Failure} error=${error} />
    ${log && html`<pre class="log" tabindex="0">${log.length ? log.join('\n') : t('job.log.none')}</pre>`}
    <details><summary>${t('as-command')}</summary><${Copy} label=${t('as-command')} text=${job.command + command` --backend ${session.store}`} /></details>
  </article>`;
}

const endOf = ({ end }) => (end === null ? 'running' : end.end === 'loaded' ? (end.report.ending === 'complete' ? 'done' : 'stopped') : end.end === 'extracted' ? 'done' : end.end);
const tagOf = (job) => ({ running: '', done: job.progress.rejected > 0 ? 'warning' : 'good', stopped: 'warning', cancelled: 'warning', failed: 'error' }[endOf(job)]);

function shareOf({ kind, progress, end }) {
  if (end && endOf({ end }) === 'done') return 1;
  return kind === 'load' ? progress.bytes_read / (progress.byte_count ?? NaN) : progress.parts_done / (progress.part_count || Infinity);
}

/** The time that is left at the rate so far, as minutes and seconds; nothing when that says little. */
function leftOf(job) {
  const [share, seconds] = [shareOf(job), job.progress.elapsed_ms / 1000];
  if (job.end || !(share > 0.01) || seconds < 2) return undefined;
  const left = Math.round((seconds * (1 - share)) / share);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

function LoadFigures({ progress, left }) {
  const seconds = progress.elapsed_ms / 1000;
  const rate = seconds > 0 ? Math.round(progress.records / seconds) : 0;
  return html`${t('rows', { n: progress.rows })} · ${t('job.rate', { n: rate })} · ${bytes(progress.bytes_read)}${progress.byte_count ? ` / ${bytes(progress.byte_count)}` : ''} · ${seconds.toFixed(1)} s${left && ` · ${t('job.left', { left })}`}
    ${progress.hot != null && html` · <span class=${progress.hot > HOT ? 'tag error' : ''}>${t('job.hot', { hot: times(progress.hot), chance: times(progress.chance) })}</span>`}
    ${progress.retries > 0 && html` · ${t('job.retries', { n: progress.retries })}`}
    ${progress.rejected > 0 && html` · <span class="tag warning">${t('job.rejected', { n: progress.rejected })}</span>`}`;
}

const ExtractFigures = ({ progress, end }) => html`${t('rows', { n: progress.rows })} · ${bytes(progress.bytes)} · ${t('job.parts', { done: progress.parts_done, all: progress.part_count })}
  ${end?.report && html` · ${end.report.partitions.map(({ partition, rows }) => `${[end.report.folder, partition].filter(Boolean).join('/')}: ${t('rows', { n: rows })}`).join(', ')}`}`;
