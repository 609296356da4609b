// What mends a mistake in a design in one step, where there is such a thing.
import { t } from '../lib/i18n.js';

/** The edits that mend a mistake, each with its words. `words` are those of the design file, if it is TOML. */
export function mends({ component }, words) {
  const parts = words?.key?.parts;
  if (!Array.isArray(parts)) return [];
  const bucket = parts.findIndex((part) => part.bucket !== undefined);
  const first = { text: t('design.mend.bucket-first'), edits: [{ path: ['key', 'parts', bucket], move_to: 0 }] };
  if (component === 'split.by' && words.split?.by === 'bucket' && bucket !== 0) {
    return [bucket > 0 && first, { text: t('design.mend.no-split'), edits: [{ path: ['split'], remove: true }] }].filter(Boolean);
  }
  // It is made of the bytes behind it.
  const isOfRest = [parts[bucket]?.of].flat().includes('rest');
  return isOfRest && bucket > 0 && bucket === parts.length - 1 && component.startsWith(`key.parts[${bucket}]`) ? [first] : [];
}
