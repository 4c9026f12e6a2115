// The colours of the theme, from style.css.

const NAMES = ['page', 'panel', 'ink', 'faint', 'grid', 'wave', 'speech', 'shade', 'new', 'muted', 'gap', 'clip',
  'echo', 'label', 'level', 'floor', 'cursor', 'low', 'mid', 'high'];

export function readColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** Returns 256 colours from low over mid to high, each as a 32-bit pixel. */
export function colourMap({ low, mid, high }) {
  const stops = [low, mid, high].map((colour) => colour.match(/[0-9a-f]{2}/gi).map((hex) => parseInt(hex, 16)));
  return Uint32Array.from({ length: 256 }, (_, index) => {
    const place = (index / 255) * 2, from = Math.min(1, Math.floor(place)), part = place - from;
    const [r, g, b] = [0, 1, 2].map((i) => Math.round(stops[from][i] * (1 - part) + stops[from + 1][i] * part));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
}
