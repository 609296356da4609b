// The address holds what a page shows: #/t/calls/heat?from=1h. Pages read it, and change it to show something else.

/** The parts of the path, decoded, and the settings behind it. */
export function route(hash = location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { parts: path.split('/').filter(Boolean).map(decode), settings: Object.fromEntries(new URLSearchParams(query)) };
}

function decode(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

/** The address of a page. */
export function to(parts, settings = {}) {
  const query = new URLSearchParams(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''));
  return `#/${parts.map(encodeURIComponent).join('/')}${query.size ? `?${query}` : ''}`;
}

/** Changes settings of the page that is shown, without a step of the browser's history. */
export function set(changed) {
  const { parts, settings } = route();
  const next = to(parts, { ...settings, ...changed });
  // Browsers allow only so many changes in a while, and typing makes many that change nothing.
  if (next !== location.hash) history.replaceState(null, '', next);
}
