// What a table's regions are to get by its design, next to what they get.
import { useMemo, useState } from '../lib/preact.js';
import { send, tablePath } from '../lib/api.js';
import { useAnswer } from '../lib/load.js';

/** What is planned: by the design alone, or by a sample that is chosen. */
export function usePlanned(table) {
  const [sample, setSample] = useState(undefined);
  const { answer, error } = useAnswer((signal) => send('POST', tablePath(table, '/heat/planned'), sample ? { sample: { file: sample.name } } : {}, signal), [table, sample]);
  return { ...answer, error, sample, setSample };
}

/** The planned rate of each row of the map, of the region with the highest; without a rate in the design, shares of what comes. */
export function usePlannedRates(map, { bounds, planned }, seen) {
  const regions = useMemo(() => (map && planned ? regionsOf(map.bounds, bounds) : undefined), [map?.bounds, bounds, planned]);
  const rate = planned?.rows_per_s ?? seen;
  return useMemo(() => regions?.map(([first, last]) => rate * Math.max(...planned.shares.slice(first, last + 1))), [regions, planned, rate]);
}

/** For each row, the regions in which it has keys: the first and the last. Both have boundaries in hexadecimal, ascending. */
function regionsOf(rows, bounds) {
  const regions = [];
  let region = 0;
  for (let row = 0; row <= rows.length; row += 1) {
    while (region < bounds.length && row > 0 && bounds[region] <= rows[row - 1]) region += 1;
    let last = region;
    while (last < bounds.length && (row === rows.length || bounds[last] < rows[row])) last += 1;
    regions.push([region, last]);
  }
  return regions;
}
