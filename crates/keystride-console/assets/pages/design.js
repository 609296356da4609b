// The designer: a sample, a design that is made from it, and what its keys are while it changes.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { ask, send, tablePath } from '../lib/api.js';
import { currentLanguage, t } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { set } from '../lib/route.js';
import { Failure } from '../parts/common.js';
import { Compare } from '../parts/design-compare.js';
import { DesignFiles } from '../parts/design-files.js';
import { Findings } from '../parts/design-findings.js';
import { DesignFrame } from '../parts/design-frame.js';
import { Keys } from '../parts/design-keys.js';
import { Parts } from '../parts/design-parts.js';
import { Sample } from '../parts/design-sample.js';
import { Spread } from '../parts/design-spread.js';
import { sampleOf, useDraft } from '../parts/design-state.js';
import { DesignText } from '../parts/design-text.js';
import { Tabs } from '../parts/tabs.js';

/** Nothing is asked while someone types. */
const WAIT_MS = 100;

const TABS = ['parts', 'text'];

export function Design({ session, settings }) {
  const state = useDraft(settings);
  const { draft, edit } = state;
  // The address may lead here with the table whose design is meant.
  useEffect(() => {
    if (!settings.table) return;
    set({ table: undefined });
    ask(tablePath(settings.table)).then(({ design }) => state.setText(design ?? ''), state.fail);
  }, [settings.table]);
  const [tab, setTab] = useState(TABS.includes(settings.tab) ? settings.tab : 'parts');
  const [from, setFrom] = useState(0);
  const [place, setPlace] = useState(undefined);
  const [broken, setBroken] = useState(undefined);
  const chosen = sampleOf(draft);
  const sample = JSON.stringify(chosen) === broken ? undefined : chosen;
  const about = JSON.stringify([draft.text, sample]);
  const preview = useAnswer((signal) => (draft.text ? send('POST', '/design/preview', { design: draft.text, sample, from }, signal) : undefined), [about, from], WAIT_MS);
  const found = useAnswer((signal) => (draft.text ? send('POST', '/design/findings', { design: draft.text, sample, language: currentLanguage() }, signal) : undefined), [about], WAIT_MS);
  const choose = (id) => { setTab(id); set({ tab: id }); };
  const goTo = (line) => { choose('text'); setPlace(line); };
  // What was known last stays while an answer fails.
  const last = useRef(undefined);
  if (preview.answer) last.current = preview.answer;
  const shown = draft.text ? last.current : undefined;
  return html`<div class="stack designer">
    <div class="between"><h1>${t('page.design')}</h1><${DesignFiles} session=${session} state=${state} preview=${shown} /></div>
    <${Sample} session=${session} state=${state} preview=${shown} onBroken=${setBroken} />
    <${Failure} error=${state.error ?? preview.error} />
    ${shown && html`<div class="columns">
      <div class="stack">
        <${Tabs} label=${t('design')} tabs=${TABS.map((id) => ({ id, text: t(`design.tab.${id}`) }))} chosen=${tab} onChoose=${choose}>
          ${tab === 'parts'
            ? html`<div class="stack"><${Parts} preview=${shown} findings=${found.answer?.findings ?? []} edit=${edit} onText=${() => choose('text')} />
              <${DesignFrame} words=${shown.words} sample=${draft.sample} edit=${edit} /></div>`
            : html`<${DesignText} text=${draft.text} mistakes=${shown.mistakes} place=${place} onText=${(text) => state.setText(text, true)} />`}
        </${Tabs}>
      </div>
      <div class="stack">
        <${Findings} found=${found} mistakes=${shown.mistakes} words=${shown.words} edit=${edit} onPlace=${goTo} />
        <${Keys} preview=${shown} hasSample=${sample !== undefined} from=${from} onFrom=${setFrom} edit=${edit} />
        <${Spread} preview=${shown} />
      </div>
    </div>
    <${Compare} state=${state} sample=${sample} isDesign=${shown.design != null} />`}
  </div>`;
}
