// Rates as colours. A level is ln(1 + v/f) ÷ ln(1 + m/(f·b)): f is the floor below which nothing is shown, m the 99.9th
// percentile of what is seen, b the brightness.

/** The rate of a code: q = 2048 · ln(1 + v), as the interface sends it. */
export const rateOf = (code) => Math.expm1(code / 2048);

const STOPS = {
  dark: ['#0b0d12', '#1b0c41', '#4a0c6b', '#781c6d', '#a52c60', '#cf4446', '#ed6925', '#fb9b06', '#f7d13d', '#fcffa4'],
  light: ['#f3f5f7', '#fdeec2', '#fbcf79', '#f6a03f', '#e5672c', '#c23a3a', '#8e1f55', '#571452', '#2b0a3d'],
};
const LEVELS = 256;

/** The colours of all levels, from cold to hot, as ABGR numbers. */
export function palette(theme) {
  const stops = STOPS[theme].map(channels);
  return Uint32Array.from({ length: LEVELS }, (_, level) => {
    const at = (level / (LEVELS - 1)) * (stops.length - 1);
    const [one, other] = [stops[Math.floor(at)], stops[Math.min(Math.floor(at) + 1, stops.length - 1)]];
    return abgr(one.map((channel, index) => channel + (other[index] - channel) * (at % 1)));
  });
}

/** The colours of servers: hue by server, lightness by level; `levels` of each. */
export function serverPalette(theme, servers, levels = LEVELS) {
  const colours = new Uint32Array(Math.max(1, servers) * levels);
  for (let server = 0; server < servers; server += 1) {
    const hue = (server * 137.5) % 360;
    for (let level = 0; level < levels; level += 1) {
      const share = level / (levels - 1);
      colours[server * levels + level] = abgr(hsl(hue, 0.65, theme === 'dark' ? 0.06 + 0.6 * share : 0.96 - 0.6 * share));
    }
  }
  return colours;
}

/** The colour of a server's busy regions, for its name beside the map. */
export const serverColour = (theme, server) => `hsl(${(server * 137.5) % 360} 65% ${theme === 'dark' ? 60 : 40}%)`;

/** The level of each code, for a scale { floor, max } and a brightness. */
export function levels({ floor, max }, brightness) {
  const f = Math.max(floor, 1e-9);
  const whole = Math.log1p(Math.max(max, f) / (f * brightness));
  return Uint8Array.from({ length: 65536 }, (_, code) => {
    const rate = rateOf(code);
    return rate < f ? 0 : Math.min(LEVELS - 1, Math.max(1, Math.round(((LEVELS - 1) * Math.log1p(rate / f)) / whole)));
  });
}

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

const abgr = ([r, g, b]) => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

function hsl(hue, saturation, lightness) {
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
}
