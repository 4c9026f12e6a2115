// Text to numbers, and numbers to text.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128);
[...ALPHABET].forEach((character, value) => { VALUES[character.charCodeAt(0)] = value; });

/** Returns the bytes of base64. */
export function bytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text), found = new Uint8Array(characters.length);
  for (let i = 0; i < found.length; i++) found[i] = characters.charCodeAt(i);
  return found;
}

/** Returns 16-bit numbers, which are little endian, as every machine with a browser is. */
export const words = (text) => new Uint16Array(bytes(text).buffer);

/** Returns a value, 0 … 63, for each character of base64's alphabet. */
export function characters(text) {
  const values = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) values[i] = VALUES[text.charCodeAt(i)];
  return values;
}

/** Returns the values of runs, each of which is a value and its length less one. */
export function runs(text) {
  const pairs = characters(text), values = new Uint8Array(pairs.reduce((sum, value, at) => sum + (at % 2 ? value + 1 : 0), 0));
  let end = 0;
  for (let at = 0; at < pairs.length; at += 2) values.fill(pairs[at], end, end += pairs[at + 1] + 1);
  return values;
}

/** Returns seconds as vadmon shows them: 1:01.042, with hours only if there are any. */
export function clock(seconds, places = 3) {
  const units = 10 ** places, total = Math.round(Math.max(0, seconds) * units);
  const whole = Math.floor(total / units), pad = (number, width) => String(number).padStart(width, '0');
  const tail = places ? `.${pad(total % units, places)}` : '';
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${pad(minutes, 2)}` : minutes}:${pad(whole % 60, 2)}${tail}`;
}

/** Returns milliseconds as seconds with three decimals, exactly. */
export const seconds = (ms) => `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;

/** Returns a number with its noun. */
export const counted = (count, word, words = `${word}s`) => `${count} ${count === 1 ? word : words}`;

/** Returns a text that may be long as one for a sentence. */
export const shortened = (text) => (text.length > 80 ? `${[...text].slice(0, 79).join('').trimEnd()}…` : text);

/** Returns a text as vadmon shows names: with what acts on a line, like a change of direction, escaped as `\u{202E}`. */
export const printable = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) =>
  ({ '\0': '\\0', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character]
    ?? `\\u{${character.charCodeAt(0).toString(16).toUpperCase().padStart(character < '\x80' ? 2 : 4, '0')}}`);

/** Returns a word as a shell takes it. */
export const shellWord = (word) => (/^[\w./:=,+%@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Returns the length of what all names have in common, up to a slash. */
export function commonFolder(names) {
  const [first = ''] = names;
  let length = 0;
  for (let at = first.indexOf('/') + 1; at > 0 && names.every((name) => name.startsWith(first.slice(0, at)));
    at = first.indexOf('/', at) + 1) length = at;
  return length;
}

/** Returns a field of CSV (RFC 4180). */
export const csvField = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : String(text));
