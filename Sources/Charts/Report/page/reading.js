// Label files that are opened in the page: what vadmon reads, by the same rules (Sources/Annotations/Formats).
import { FORMATS, MUTED_SPEAKER, SILENCE, SPEECH, meaningOf, recordingID } from './formats.js';
import { oneLine, tierOf } from './labels.js';
import { counted } from './text.js';

/** The latest time in seconds; a later one is in another unit. */
const LATEST = 1e6;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Returns the labels of a file: the name of its format, and what it says of each recording, by the recording's ID or '' if
 * the format has no names. Throws an error with one sentence. `silence` is the set of texts that mark silence.
 */
export function readLabels(bytes, silence) {
  const text = plainText(bytes), format = formatOf(text), found = new Found(silence);
  READERS[format](text, found);
  return { format: FORMATS.find(({ name }) => name === format) ?? null, recordings: found.recordings };
}

/**
 * Returns what a file says of one recording: its format, its labels as tiers, what is left out or joined of them, in words,
 * and whether saving them as they are would write the same file again. A file with one recording is about it, whatever it is
 * called there.
 */
export function labelsFor(facts, bytes, silence) {
  const { file, part } = facts, { format, recordings } = readLabels(bytes, silence), id = recordingID(file);
  const [only = { labels: [], muted: [], omitted: 0 }] = recordings.values();
  const found = recordings.get(`${id}.ch${part}`) ?? recordings.get(id) ?? (recordings.size < 2 ? only : null);
  if (!found) throw new Error(`It has ${[...recordings.keys()].slice(0, 3).join(', ')}, but not ${id}.`);
  const [labels, muted] = [tierOf(found.labels), tierOf(found.muted)], joined = labels.joined + muted.joined;
  const lost = [recordings.size > 1 && `left out ${counted(recordings.size - 1, 'other recording')}`,
    found.omitted && `left out ${counted(found.omitted, 'entry that is', 'entries that are')} no speech`,
    joined && `joined ${joined} that overlapped others`].filter(Boolean);
  const content = { labels: labels.tier, muted: muted.tier };
  const isSame = format?.write(content, facts) === new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { format, content, lost, isSame };
}

/** Returns the text of a file: UTF-8, or UTF-16 with a byte-order mark; with LF at the end of each line. */
function plainText(bytes) {
  const [first, second] = bytes, code = { 0xfeff: 'utf-16be', 0xfffe: 'utf-16le' }[(first << 8) | second] ?? 'utf-8';
  return new TextDecoder(code).decode(bytes).replace(/\r\n?/g, '\n');
}

/** What a file says of each recording. */
class Found {
  recordings = new Map();
  #silence;

  constructor(silence) { this.#silence = silence; }

  of(id) {
    if (!this.recordings.has(id)) this.recordings.set(id, { labels: [], muted: [], omitted: 0 });
    return this.recordings.get(id);
  }

  /** Adds a label whose text says what it is. */
  add(id, start, end, words, isChecked = false) {
    const { isMuted, text } = meaningOf(words);
    const isSilence = this.#silence.has(text.toLowerCase()) || text.startsWith(`${SILENCE} (channel`);
    if (start === end || isSilence) this.of(id).omitted += 1;
    else this.of(id)[isMuted ? 'muted' : 'labels'].push([start, end, text, isChecked]);
  }

  /** Adds a label of a format that has another word for what it is: `type` is that of a table. */
  addTyped(id, type, start, end, words, isChecked) {
    if (type === 'gap' || type === SILENCE) this.of(id).omitted += 1;
    else if (type === MUTED_SPEAKER) this.of(id).muted.push([start, end, meaningOf(words).text, isChecked]);
    else this.add(id, start, end, words, isChecked);
  }
}

/** Returns the name of a format, by the beginning of its text. */
function formatOf(text) {
  const lines = text.split('\n').filter((line) => line.trim()).slice(0, 2), [first = '', second = ''] = lines;
  const fields = first.trim().split(/\s+/), isTimes = (line) => /^\s*\d+:.*-->/.test(line);
  if (first.startsWith('{')) return 'json';
  if (first.startsWith(';;') || RTTM_TYPES.includes(fields[0])) return 'rttm';
  if (fields[0] === 'WEBVTT' || isTimes(first) || (/^\d+$/.test(first.trim()) && isTimes(second))) return 'srt';
  if (first.startsWith('File type = "ooTextFile')) return 'textgrid';
  const separator = first.includes('\t') ? '\t' : ',', names = columns(first, separator);
  if (separator === ',' && ['time', 'probability'].every((name) => names.includes(name)))
    throw new Error('It is a table of frames: open labels.');
  return ['start', 'end'].every((name) => names.includes(name)) ? (separator === '\t' ? 'tsv' : 'csv') : 'audacity';
}

const columns = (line, separator) => line.split(separator).map((name) => name.replaceAll(' ', '').replace(/^"(.*)"$/, '$1'));

const RTTM_TYPES = ['SPEAKER', 'SPKR-INFO', 'SEGMENT', 'NOSCORE', 'NO_RT_METADATA', 'LEXEME', 'NON-LEX', 'NON-SPEECH',
  'FILLER', 'EDIT', 'IP', 'SU', 'CB', 'A/P'];

/** Returns seconds in ms. `place` says where they stand. */
function milliseconds(word, place) {
  const value = DECIMAL.test(word ?? '') ? Number(word) : NaN;
  if (!(value >= 0 && value <= LATEST))
    throw new Error(`${place}: “${(word ?? '').slice(0, 40)}” is no time: write seconds, like 3.25.`);
  return Math.round(value * 1000);
}

function span(start, end, place) {
  const times = [milliseconds(start, place), milliseconds(end, place)];
  if (times[1] < times[0]) throw new Error(`${place}: the end ${end} is before the start ${start}: swap them.`);
  return times;
}

const READERS = {
  tsv: (text, found) => readTable(text, '\t', found),
  csv: (text, found) => readTable(text, ',', found),
  textgrid: readTextGrid, audacity: readAudacity, rttm: readRTTM, srt: readCues, json: readJSON,
};

function readTable(text, separator, found) {
  const [header, ...rows] = records(text, separator), names = header.map((name) => name.replaceAll(' ', ''));
  const column = (...wanted) => names.findIndex((name) => wanted.includes(name));
  const [start, end, file, type, checked] = ['start', 'end', 'file', 'type', 'checked'].map((name) => column(name));
  const words = names.includes('label') ? column('label') : column('text');
  for (const [index, row] of rows.entries()) {
    if (row.length === 1 && row[0] === '') continue;
    const place = `Line ${index + 2}`, kind = type < 0 ? 'segment' : row[type];
    if (row.length !== header.length) throw new Error(`${place}: it has ${row.length} fields and the header ${header.length}.`);
    if (!['segment', SILENCE, MUTED_SPEAKER, 'gap'].includes(kind))
      throw new Error(`${place}: the type “${kind}” is unknown: write segment, muted_speech or gap.`);
    const id = file < 0 ? '' : recordingID(row[file]);
    found.addTyped(id, kind, ...span(row[start], row[end], place), row[words] ?? '', row[checked] === 'yes');
  }
}

/** Returns the records of a table (RFC 4180). */
function records(text, separator) {
  const rows = [[]], fields = new RegExp(`"((?:[^"]|"")*)"|([^${separator}\n]*)`, 'y');
  for (let at = 0; at < text.length;) {
    fields.lastIndex = at;
    const [whole, quoted, bare] = fields.exec(text);
    rows.at(-1).push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    at += whole.length;
    const next = text[at];
    if (at < text.length && next !== separator && next !== '\n') throw new Error(`Line ${rows.length}: a quote is missing.`);
    at += 1;
    if (next === '\n' && at < text.length) rows.push([]);
    if (next === separator && at === text.length) rows.at(-1).push('');
  }
  return rows;
}

/** Reads a TextGrid, long or short: strings, numbers and flags that stand alone; all else is a comment. */
function readTextGrid(text, found) {
  const tokens = text.matchAll(/"((?:[^"]|"")*)"|![^\n]*|[^\s"]+|"/g);
  const next = (wanted, what) => {
    for (const [whole, string] of tokens) {
      const kind = string !== undefined ? 'string' : whole === '"' ? 'quote' : whole.startsWith('<') ? 'flag'
        : DECIMAL.test(whole) ? 'number' : 'comment';
      if (kind === wanted) return kind === 'string' ? string.replaceAll('""', '"') : whole;
      if (kind !== 'comment') break;
    }
    throw new Error(`${what} is missing: check that the file is complete.`);
  };
  next('string', 'The type of file');
  if (next('string', 'The class') !== 'TextGrid') throw new Error('It holds no TextGrid: save the TextGrid itself.');
  for (const what of ['The start', 'The end']) next('number', what);
  const recording = found.of('');
  if (next('flag', 'The flag <exists>') !== '<exists>') return;
  for (let tiers = Number(next('number', 'The number of tiers')); tiers > 0; tiers--) {
    const isIntervals = next('string', 'The class of a tier') === 'IntervalTier';
    next('string', 'The name of a tier');
    for (const what of ['The start of a tier', 'The end of a tier']) next('number', what);
    for (let left = Number(next('number', 'The number of intervals')); left > 0; left--) {
      const start = next('number', 'The start of an interval'), end = isIntervals ? next('number', 'The end of an interval') : start;
      const words = next('string', 'The text of an interval');
      if (!isIntervals) recording.omitted += 1;
      else if (words.trim()) found.add('', ...span(start, end, 'An interval'), words);
    }
  }
}

function readAudacity(text, found) {
  found.of('');
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.trim() || line.startsWith('\\')) continue;
    const [start, end, ...words] = line.trim().split(/[ \t]+/), place = `Line ${index + 1}`;
    if (end === undefined)
      throw new Error(`${place}: “${oneLine(line).slice(0, 40)}” is no label: write its start and end in seconds.`);
    found.add('', ...span(start, end, place), words.join(' '));
  }
}

function readRTTM(text, found) {
  for (const [index, line] of text.split('\n').entries()) {
    const fields = line.trim().split(/[ \t]+/), place = `Line ${index + 1}`;
    if (!line.trim() || line.startsWith(';;')) continue;
    if (!RTTM_TYPES.includes(fields[0])) throw new Error(`${place}: “${fields[0].slice(0, 40)}” is no type of RTTM line.`);
    if (fields[0] !== 'SPEAKER') continue;
    if (fields.length < 9) throw new Error(`${place}: it has ${fields.length} fields instead of 9 or 10.`);
    const [, id, , start, length, , , speaker] = fields, from = milliseconds(start, place);
    // The type of a line says that it is speech, whatever its speaker is called but vadmon's own.
    if (speaker === SILENCE) {
      found.of(id).omitted += 1;
      continue;
    }
    const tier = found.of(id)[speaker === MUTED_SPEAKER ? 'muted' : 'labels'];
    tier.push([from, from + milliseconds(length, place), [SPEECH, MUTED_SPEAKER].includes(speaker) ? '' : speaker, false]);
  }
}

function readCues(text, found) {
  let cue = null;
  const end = () => {
    if (cue) found.add('', ...cue.times, cue.words.join(' '));
    cue = null;
  };
  found.of('');
  for (const [index, line] of text.split('\n').entries()) {
    if (/\d:\d.*-->|-->.*\d:\d/.test(line)) {
      if (/^\s*\d+\s*$/.test(cue?.words.at(-1))) cue.words.pop(); // the number of this cue
      end();
      cue = { times: cueTimes(line, `Line ${index + 1}`), words: [] };
    } else if (line.trim()) {
      cue?.words.push(line);
    } else {
      end();
    }
  }
  end();
}

/** Returns the times of a cue; what follows its end is its place on the screen. */
function cueTimes(line, place) {
  const [start, end] = line.split('-->').map((part) => part.trim().split(/\s/)[0]).map((words) => {
    const [, hours = '0', minutes, whole] = words.match(/^(?:(\d+):)?(\d+):(\d+[.,]\d{3})$/) ?? [];
    if (whole === undefined) throw new Error(`${place}: “${words.slice(0, 40)}” is no time: write 00:00:01.500.`);
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole.replace(',', '.'));
  });
  return span(String(start), String(end), place);
}

function readJSON(text, found) {
  let document;
  try { document = JSON.parse(text); } catch { throw new Error('It is not JSON: check that the file is complete.'); }
  if (!Array.isArray(document.files)) throw new Error('It is not the JSON of vadmon analyze: it has no list "files".');
  if (document.config?.invert === true) throw new Error('Its segments are the silence: run vadmon analyze without --invert.');
  for (const { file, segments, muted_speech: muted = [], gaps = [] } of document.files) {
    const id = recordingID(String(file)), place = `${file}`;
    if (!Array.isArray(segments)) continue;
    found.of(id).omitted += gaps.length;
    for (const [tier, list] of [['labels', segments], ['muted', muted]])
      for (const { start, end, text: words = '', checked = false } of list)
        found.of(id)[tier].push([...span(String(start), String(end), place), oneLine(String(words)), checked === true]);
  }
}
