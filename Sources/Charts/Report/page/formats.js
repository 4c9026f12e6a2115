// Labels as files that vadmon reads. `recording` has the name of its file, its channel, its length in ms, and the set of texts
// that mark silence; `tiers` has labels and muted, which are tiers of labels.js.
import { oneLine } from './labels.js';
import { commonFolder, seconds } from './text.js';

/** The texts that mark a label in formats that have no other word for it, as vadmon writes and reads them. */
export const SPEECH = 'speech', SILENCE = 'silence', MUTED = 'speaking while muted', MUTED_SPEAKER = 'muted_speech';

/** Returns the name that label files have for a recording: without folders, extension and white space. */
export function recordingID(file) {
  const name = file === '-' ? 'stdin' : file.split('/').findLast(Boolean) ?? file, dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return stem.replace(/[\p{White_Space}\0-\x1f\x7f]/gu, '_').replace(/^;+/, '') || '_';
}

/** Returns a name of which browsers change nothing when they save a file, as RecordingName.saved of vadmon does. */
const savedName = (name) => recordingID(`${name}.`).replace(/[:?*<>"|\\%\p{Cc}\p{Cf}]/gu, '_').replace(/^[.~]+/, '_');

/**
 * Returns what label files of each recording are called, so that vadmon knows them again: its ID or, where another recording has
 * it too, its folders before it or its extension as well, or at last its number.
 */
export function labelNames(files) {
  const names = [...new Set(files)], common = commonFolder(names), found = new Map(), taken = new Set();
  const path = (file, base) => [...file.slice(common).split('/').filter((part) => !/^\.*$/.test(part)).slice(0, -1), base].join('_');
  const kinds = [recordingID, (file) => path(file, recordingID(file)), (file) => path(file, file.split('/').at(-1)),
    (file) => `${recordingID(file)}-${names.indexOf(file) + 1}`];
  for (const kind of kinds) {
    const owners = new Map(); // Some file systems take names that differ in case for one.
    for (const file of names.filter((file) => !found.has(file))) {
      const name = savedName(kind(file)), key = name.toLowerCase();
      owners.set(key, owners.has(key) || taken.has(key) ? null : { file, name });
    }
    for (const [key, owner] of owners) {
      if (!owner) continue;
      found.set(owner.file, owner.name);
      taken.add(key);
    }
  }
  return found;
}

/** Returns the name of a file for a recording's labels, as vadmon names what it makes of one channel of several. */
export const labelFile = ({ file, name = savedName(recordingID(file)), part }, { extension }) =>
  `${name}${part ? `.ch${part}` : ''}.${extension}`;

/** Returns the labels of both tiers in order, with the texts that tell them apart. */
const cuesOf = ({ labels, muted }) => [
  ...labels.map(([start, end, text]) => ({ start, end, text: text || SPEECH })),
  ...muted.map(([start, end, text]) => ({ start, end, text: mutedText(text) })),
].sort((a, b) => a.start - b.start || a.end - b.end);

const mutedText = (text) => (text ? `${MUTED}: ${text}` : MUTED);

function table({ labels, muted }, { file, channel }) {
  const quoted = (field) => (/["\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  const line = (fields) => `${fields.map((field) => quoted(String(field))).join('\t')}\n`;
  const lines = (type, tier) => tier.map(([start, end, text, isChecked]) =>
    [start, [type, file, channel ?? '', seconds(start), seconds(end), text, isChecked ? 'yes' : 'no']]);
  const rows = [...lines('segment', labels), ...lines(MUTED_SPEAKER, muted)].sort(([a], [b]) => a - b);
  return [['type', 'file', 'channel', 'start', 'end', 'text', 'checked'], ...rows.map(([, row]) => row)].map(line).join('');
}

function textGrid({ labels, muted }, { length }) {
  const end = seconds(Math.max(length, 1, ...[labels, muted].map((tier) => tier.at(-1)?.[1] ?? 0)));
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const tiers = [[SPEECH, labels, (text) => text || SPEECH], ...(muted.length ? [[MUTED, muted, mutedText]] : [])];
  const item = ([name, tier, text], index) => {
    const intervals = intervalsOf(tier, text, end);
    return [`    item [${index + 1}]:`, '        class = "IntervalTier"', `        name = ${quoted(name)}`,
      '        xmin = 0', `        xmax = ${end}`, `        intervals: size = ${intervals.length}`,
      ...intervals.flatMap(([from, to, words], number) => [`        intervals [${number + 1}]:`,
        `            xmin = ${from}`, `            xmax = ${to}`, `            text = ${quoted(words)}`])];
  };
  return [...['File type = "ooTextFile"', 'Object class = "TextGrid"', '', 'xmin = 0', `xmax = ${end}`, 'tiers? <exists>',
    `size = ${tiers.length}`, 'item []:'], ...tiers.flatMap(item), ''].join('\n');
}

/** Returns a tier with the silence between its labels, up to the end. */
function intervalsOf(tier, text, end) {
  const intervals = [];
  let at = '0.000';
  for (const [from, to, words] of tier) {
    const [start, stop] = [from, to].map(seconds);
    if (start !== at) intervals.push([at, start, '']);
    intervals.push([start, stop, text(words)]);
    at = stop;
  }
  if (at !== end) intervals.push([at, end, '']);
  return intervals;
}

const audacity = (tiers) => cuesOf(tiers).map(({ start, end, text }) => `${seconds(start)}\t${seconds(end)}\t${text}\n`).join('');

function rttm({ labels, muted }, { file, channel, silence = new Set() }) {
  const cues = [...labels.map(([start, end, text]) => [start, end, speakerOf(text, silence)]),
    ...muted.map(([start, end]) => [start, end, MUTED_SPEAKER])].sort((a, b) => a[0] - b[0]);
  return cues.map(([start, end, speaker]) => `SPEAKER ${recordingID(file)} ${channel ?? 1} ${seconds(start)} `
    + `${seconds(end - start)} <NA> <NA> ${speaker} <NA> <NA>\n`).join('');
}

/** Returns a speaker that vadmon counts where it counts a label of this text. */
function speakerOf(text, silence) {
  if (isSilence(text, silence)) return SILENCE;
  if (meaningOf(text).isMuted) return MUTED_SPEAKER;
  const word = (text || SPEECH).replace(/\s+/g, '_');
  return word === MUTED_SPEAKER ? SPEECH : word;
}

function subRip(tiers) {
  const time = (ms) => [3600000, 60000, 1000].map((unit, index) =>
    String(index ? Math.floor(ms / unit) % 60 : Math.floor(ms / unit)).padStart(2, '0')).join(':') + `,${seconds(ms).slice(-3)}`;
  return cuesOf(tiers).map(({ start, end, text }, index) =>
    `${index + 1}\n${time(start)} --> ${time(end)}\n${cueText(text)}\n\n`).join('');
}

/** Returns a text that no reader takes for the times of a cue. */
function cueText(text) {
  const words = text.replaceAll('-->', '->');
  return /\d:\d/.test(words) && !/\p{L}/u.test(words) ? `${SPEECH} ${words}` : words;
}

function json({ labels, muted }, { file, channel, length }) {
  const spans = (tier) => tier.map(([start, end, text, checked]) =>
    `        {"channel": ${channel ?? null}, "start": ${seconds(start)}, "end": ${seconds(end)}, `
    + `"text": ${JSON.stringify(text)}, "checked": ${checked}}`);
  const list = (name, tier) => `      "${name}": [${tier.length ? `\n${spans(tier).join(',\n')}\n      ` : ''}]`;
  return `{\n  "files": [\n    {\n      "file": ${JSON.stringify(file)},\n      "duration": ${seconds(length)},\n`
    + `${list('segments', labels)},\n${list(MUTED_SPEAKER, muted)}\n    }\n  ]\n}\n`;
}

/** The formats; `lacks` says what of the labels has no place in one. */
export const FORMATS = [
  { name: 'tsv', title: 'Table (TSV)', extension: 'tsv', write: table },
  { name: 'textgrid', title: 'Praat (TextGrid)', extension: 'TextGrid', write: textGrid, lacks: 'what was checked' },
  { name: 'audacity', title: 'Audacity', extension: 'txt', write: audacity, lacks: 'what was checked' },
  { name: 'rttm', title: 'RTTM', extension: 'rttm', write: rttm, lacks: 'what was checked, texts of muted speech, spaces in others, and other words for silence' },
  { name: 'srt', title: 'Subtitles (SRT)', extension: 'srt', write: subRip, lacks: 'what was checked, and texts that look like times' },
  { name: 'json', title: 'JSON', extension: 'json', write: json },
];

/** Returns whether a text, on one line, stands for silence; `marks` are the texts that do. */
export const isSilence = (text, marks) => marks.has(text.toLowerCase()) || text.toLowerCase().startsWith(`${SILENCE} (channel`);

/** Splits what a label says from the mark of muted speech; `isMuted` says whether it has that mark. */
export function meaningOf(words) {
  const text = oneLine(words), isMuted = text.toLowerCase().startsWith(MUTED);
  const rest = isMuted ? text.slice(MUTED.length).replace(/^:?\s*/, '') : text;
  return { isMuted, text: rest === SPEECH ? '' : rest };
}
