// Label files that are opened in the page: what vadmon reads, by the same rules (Sources/Annotations/Formats).
import { FORMATS, MUTED_SPEAKER, SILENCE, SPEECH, recordingID } from './formats.js';
import { Found, NAMED_CHANNELS, Recording } from './found.js';
import { oneLine, tierOf, tierWithin } from './labels.js';
import { counted, seconds, shortened } from './text.js';

/** The latest time in seconds; a later one is in another unit. */
const LATEST = 1e6;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Returns the labels of a file: the name of its format, what it says of each recording, by the recording's ID or '' if the
 * format has no names, and whether letters are lost because it is not Unicode. Throws an error with one sentence. `silence` is the set of texts that mark silence; labels of
 * other channels than `channel` are left out, if there is one. `name` is that of the file.
 */
export function readLabels(bytes, silence, channel = null, name = '') {
  const text = plainText(bytes), format = formatOf(text), found = new Found(silence, channel), isDamaged = !isUnicode(bytes, text);
  if (/\.vtt$/i.test(name) && ['srt', 'audacity'].includes(format) && !isWebVTT(text))
    throw new Error('The line WEBVTT is missing: write it above the cues.');
  if (isDamaged && isJSON(text)) throw new Error('It is not UTF-8: convert it to UTF-8.');
  READERS[format](text, found);
  return { format: FORMATS.find(({ name }) => name === format) ?? null, recordings: found.recordings, isDamaged };
}

/**
 * Returns what a file says of one recording: its format, its labels as tiers, what is left out or changed of them (`lost`) and
 * what else a reader should know (`remarks`), in words, and whether saving them as they are would write the same file again. A
 * file with one recording is about it, whatever it is called there.
 */
export function labelsFor(facts, bytes, name = '') {
  const { format, recordings, isDamaged } = readLabels(bytes, facts.silence, facts.channel, name);
  const [id, found] = recordingOf(facts, recordings);
  if (found.failure && !found.hasLabels) throw new Error(`${oneLine(found.file)} was not analysed: ${found.failure}.`);
  const [labels, muted] = [found.labels, found.muted].map((tier) => tierWithin(tierOf(tier), facts.length));
  const lost = [recordings.size > 1 && `left out ${counted(recordings.size - 1, 'other recording')}`,
    ...lostOf(facts, found, (count) => labels[count] + muted[count])].filter(Boolean);
  if (lost.length && !labels.tier.length && !muted.tier.length && found.hasLabels)
    throw new Error(`It has nothing for this recording: ${lost.join('; ')}.`);
  const content = { labels: labels.tier, muted: muted.tier };
  const isSame = isEqual(new TextEncoder().encode(format?.write(content, facts)), bytes);
  return { format, content, lost, remarks: remarksOn(facts, id, found, isDamaged), isSame };
}

const isEqual = (some, others) => some.length === others.length && some.every((byte, index) => byte === others[index]);

/** Returns what is lost of a recording's entries; `sum` adds up a count of its tiers. */
function lostOf({ length }, { elsewhere, omitted }, sum) {
  const end = `the end of the recording at ${seconds(length)} s`, channels = [...elsewhere].sort((a, b) => a - b);
  return [channels.length && `left out the labels of channel${channels.length > 1 ? 's' : ''} ${channels.join(', ')}`,
    omitted && `left out ${counted(omitted, 'entry that is', 'entries that are')} not speech`,
    sum('joined') && `joined ${sum('joined')} that overlapped others`,
    sum('beyond') && `left out ${sum('beyond')} after ${end}`, sum('cut') && `cut ${sum('cut')} at ${end}`];
}

const remarksOn = (facts, id, { hasChannels, remarks }, isDamaged) => [
  ...remarks,
  isDamaged && 'the file is not UTF-8, so some of its letters are lost: convert it to UTF-8',
  id && !idsOf(facts).includes(id) && `the file calls the recording “${id}”`,
  facts.part && !hasChannels && id !== idsOf(facts)[0] && `the file names no channels: these are the labels of channel ${facts.channel} alone`,
].filter(Boolean);

/** The names that a recording has in label files. */
const idsOf = ({ file, part }) => [`${recordingID(file)}.ch${part}`, recordingID(file)];

/** Returns the name and the labels of the one recording that is meant. */
function recordingOf(facts, recordings) {
  const id = idsOf(facts).find((name) => recordings.has(name));
  if (id !== undefined) return [id, recordings.get(id)];
  if (recordings.size > 1) throw new Error(`It has ${[...recordings.keys()].slice(0, 3).join(', ')}, but not ${recordingID(facts.file)}.`);
  return [...recordings][0] ?? ['', new Recording()];
}

/** Returns the text of a file: UTF-8, or UTF-16 with a byte-order mark; with LF at the end of each line. */
function plainText(bytes) {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (text.includes('\0')) throw new Error('It has a NUL byte, so it is not text: save it as UTF-8.');
  return text.replace(/\r\n?/g, '\n');
}

const encodingOf = ([first, second]) => ({ 0xfeff: 'utf-16be', 0xfffe: 'utf-16le' })[(first << 8) | second] ?? 'utf-8';

/** Returns whether the bytes of a text are UTF-8 or, by their mark, UTF-16. */
function isUnicode(bytes, text) {
  if (!text.includes('\ufffd') || encodingOf(bytes) !== 'utf-8') return true;
  try { return Boolean(new TextDecoder('utf-8', { fatal: true }).decode(bytes)); } catch { return false; }
}

const isJSON = (text) => /^[ \t\n]*\{/.test(text);

/** Returns the name of a format, by the beginning of its text. */
function formatOf(text) {
  const lines = text.split('\n').filter((line) => line.trim()).slice(0, 2), [first = '', second = ''] = lines;
  const fields = first.trim().split(/\s+/), isTimes = (line) => /^\s*\d+:.*-->/.test(line);
  if (isJSON(text)) return isRecord(first) ? 'jsonl' : 'json';
  if (first.startsWith(';;') || RTTM_TYPES.includes(fields[0])) return 'rttm';
  if (fields[0] === 'WEBVTT' || isTimes(first) || (/^\d+$/.test(first.trim()) && isTimes(second))) return 'srt';
  if (/^(File type = )?"ooTextFile/.test(first)) return 'textgrid';
  const separator = first.includes('\t') ? '\t' : ',', names = columns(first, separator);
  if (separator === ',' && ['time', 'probability'].every((name) => names.includes(name)))
    throw new Error('It is a table of frames: open labels.');
  return ['start', 'end'].every((name) => names.includes(name)) ? (separator === '\t' ? 'tsv' : 'csv') : 'audacity';
}

/** Returns whether a line is a record of JSON Lines. The first line of a document is not. */
function isRecord(line) {
  try { return 'type' in JSON.parse(line); } catch { return false; }
}

const columns = (line, separator) => line.split(separator).map((name) => name.replaceAll(' ', '').replace(/^"(.*)"$/, '$1'));

const RTTM_TYPES = ['SPEAKER', 'SPKR-INFO', 'SEGMENT', 'NOSCORE', 'NO_RT_METADATA', 'LEXEME', 'NON-LEX', 'NON-SPEECH',
  'FILLER', 'EDIT', 'IP', 'SU', 'CB', 'A/P'];

/** Returns seconds in ms. `place` says where they stand. */
function milliseconds(word, place) {
  const value = DECIMAL.test(word ?? '') ? Number(word) : NaN;
  if (!(value >= 0 && value <= LATEST))
    throw new Error(`${place}: “${(word ?? '').slice(0, 40)}” is not a time: write seconds, like 3.25.`);
  return Math.round(value * 1000);
}

function span(start, end, place) {
  const times = [milliseconds(start, place), milliseconds(end, place)];
  if (times[1] < times[0]) throw new Error(`${place}: the end ${end} is before the start ${start}: swap them.`);
  return times;
}

/** The fields of a line, which spaces and tabs separate; none if it is blank. */
const fieldsOf = (line) => line.match(/[^ \t]+/g) ?? [];

const READERS = {
  tsv: (text, found) => readTable(text, '\t', found),
  csv: (text, found) => readTable(text, ',', found),
  textgrid: readTextGrid, audacity: readAudacity, rttm: readRTTM, srt: readCues, json: readJSON, jsonl: readJSONLines,
};

/** The columns of a table that mean something. */
const COLUMNS = ['start', 'end', 'file', 'type', 'channel', 'checked', 'label', 'text'];

function readTable(text, separator, found) {
  const [header, ...rows] = records(text, separator), names = header.map((name) => name.replaceAll(' ', ''));
  const column = (...wanted) => names.findIndex((name) => wanted.includes(name));
  const [start, end, file, type, channel, checked] = COLUMNS.map((name) => column(name));
  const words = names.includes('label') ? column('label') : column('text');
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw new Error(`Line 1: the header has ${twice} twice: keep one of them.`);
  for (const [index, row] of rows.entries()) {
    if (row.length === 1 && row[0] === '') continue;
    const place = `Line ${index + 2}`, kind = type < 0 ? 'segment' : row[type];
    if (row.length !== header.length) throw new Error(`${place}: it has ${row.length} fields and the header ${header.length}.`);
    if (!['segment', SILENCE, MUTED_SPEAKER, 'gap'].includes(kind))
      throw new Error(`${place}: the type “${kind}” is unknown: write segment, muted_speech or gap.`);
    const id = file < 0 ? '' : found.declare(row[file]);
    const channels = row[channel]?.match(/\d+/g)?.map(Number) ?? [];
    found.addTyped(id, kind, span(row[start], row[end], place), row[words] ?? '', channels, row[checked] === 'yes');
  }
}

/** Returns the records of a table (RFC 4180). */
function records(text, separator) {
  const rows = [[]], fields = new RegExp(`"((?:[^"]|"")*)"|([^${separator}\n]*)`, 'y');
  for (let at = 0; at < text.length;) {
    fields.lastIndex = at;
    const [whole, quoted, bare] = fields.exec(text);
    if (bare?.includes('"')) throw new Error(`Line ${rows.length}: a quote is missing.`);
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
  const following = () => {
    for (const [whole, string] of tokens) {
      const kind = string !== undefined ? 'string' : whole === '"' ? 'quote' : whole.startsWith('<') ? 'flag'
        : DECIMAL.test(whole) && isFinite(whole) ? 'number' : 'comment';
      if (kind !== 'comment') return [kind, kind === 'string' ? string.replaceAll('""', '"') : whole];
    }
    return [];
  };
  const next = (wanted, what) => {
    const [kind, value] = following();
    if (kind !== wanted) throw new Error(`${what} is missing: check that the file is complete.`);
    return value;
  };
  next('string', 'The type of file');
  if (next('string', 'The class') !== 'TextGrid') throw new Error('It does not hold a TextGrid: save the TextGrid itself.');
  milliseconds(next('number', 'The start') && next('number', 'The end'), 'The end');
  const recording = found.of('');
  const hasContent = next('flag', 'The flag <exists>') === '<exists>';
  const count = (what) => {
    const digits = next('number', what);
    if (!/^\+?\d+$/.test(digits)) throw new Error(`${what} is ${digits}: write a whole number.`);
    return Number(digits);
  };
  for (let tiers = hasContent ? count('The number of tiers') : 0; tiers > 0; tiers--) {
    const kind = next('string', 'The class of a tier'), isIntervals = kind === 'IntervalTier';
    if (!isIntervals && kind !== 'TextTier') throw new Error(`The class of tier “${oneLine(kind).slice(0, 40)}” is unknown: write IntervalTier or TextTier.`);
    const [, , channel] = NAMED_CHANNELS.exec(next('string', 'The name of a tier')) ?? [];
    for (const what of ['The start of a tier', 'The end of a tier']) next('number', what);
    for (let left = count('The number of intervals'); left > 0; left--) {
      const start = next('number', 'The start of an interval');
      const times = isIntervals && span(start, next('number', 'The end of an interval'), 'An interval');
      const words = next('string', 'The text of an interval');
      if (!isIntervals) recording.omitted += 1;
      else if (oneLine(words)) found.add('', times, words, channel ? [Number(channel)] : []);
    }
  }
  if (following().length) throw new Error('The text goes on behind the last tier: correct the number of its intervals or points.');
}

function readAudacity(text, found) {
  found.of('');
  for (const [index, line] of text.split('\n').entries()) {
    const [start, end, ...words] = fieldsOf(line), place = `Line ${index + 1}`;
    if (start === undefined || line.startsWith('\\')) continue;
    if (end === undefined)
      throw new Error(`${place}: “${oneLine(line).slice(0, 40)}” is not a label: write its start and end in seconds.`);
    found.add('', span(start, end, place), words.join(' '));
  }
}

/** Channel 1 may stand for all, so it is the name of a channel only where there are others. */
function readRTTM(text, found) {
  const hasChannels = /^[ \t]*SPEAKER[ \t]+\S+[ \t]+(?!1[ \t])\d/m.test(text);
  for (const [index, line] of text.split('\n').entries()) {
    const fields = fieldsOf(line), place = `Line ${index + 1}`;
    if (!fields.length || line.startsWith(';;')) continue;
    if (!RTTM_TYPES.includes(fields[0])) throw new Error(`${place}: “${fields[0].slice(0, 40)}” is not a type of RTTM line.`);
    if (fields[0] !== 'SPEAKER') continue;
    if (fields.length !== 9 && fields.length !== 10) throw new Error(`${place}: it has ${fields.length} fields instead of 9 or 10.`);
    const [, id, channel, start, length, , , speaker] = fields, from = milliseconds(start, place);
    const to = milliseconds(String((from + milliseconds(length, place)) / 1000), place);
    // The type of a line says that it is speech, whatever its speaker is called but vadmon's own.
    const tier = speaker === SILENCE ? 'omitted' : speaker === MUTED_SPEAKER ? 'muted' : 'labels';
    const words = [SPEECH, MUTED_SPEAKER].includes(speaker) ? '' : oneLine(speaker);
    found.put(id, tier, [from, to, words, false], hasChannels ? [Number(channel) || 1] : []);
  }
}

const isHeader = (line) => fieldsOf(line)[0] === 'WEBVTT';
const isWebVTT = (text) => isHeader(text.split('\n').find((line) => fieldsOf(line).length) ?? '');
const isNumber = (line) => /^[ \t]*\d+[ \t]*$/.test(line);

/** Finds cues where vadmon does (Sources/Annotations/Formats/CueReader.swift), and refuses what may be one and is not. */
function readCues(text, found) {
  const lines = text.split('\n'), recording = found.of(''), isVTT = isWebVTT(text);
  const isComment = (line) => isVTT && ['NOTE', 'STYLE', 'REGION'].includes(fieldsOf(line)[0]);
  let cue = null, block = [], hasCue = false, stray = null, map = null;
  // A mark such as <sil> looks like a tag, and other marks stand within tags.
  const meant = (words) => [words, withoutTags(words)].find((text) => !found.isSpeech(text)) ?? words;
  const endCue = () => { if (cue) found.add('', cue.times, meant(cue.words.join(' '))); cue = null; };
  const canBeRead = (line) => { try { return cueTimes(line, ''); } catch { return false; } };
  const noCue = (line) => new Error(`“${oneLine(line).slice(0, 40)}” is not a cue: write its times, 00:00:01.500 --> 00:00:02.000, below its number.`);
  const endBlock = () => {
    endCue();
    if (block.length && !hasCue && !isComment(block[0]) && !isHeader(block[0])) {
      if (block.length > 1 && isNumber(block[0])) throw noCue(block[0]);
      stray ??= block[0];
    }
    [block, hasCue] = [[], false];
  };
  const isTimes = (line) => {
    if (!hasCue && isComment(block[0] ?? line)) return canBeRead(line);
    return hasTimes(line) || (line.includes('-->') && !hasCue && block.length < 2 && (isVTT || block.every(isNumber)));
  };
  for (const [index, line] of lines.entries()) {
    if (!fieldsOf(line).length) {
      endBlock();
    } else if (isTimes(line)) {
      if (isNumber(block.at(-1))) cue?.words.pop();
      endCue();
      [cue, block, hasCue] = [{ times: cueTimes(line, `Line ${index + 1}`), words: [] }, [], true];
    } else {
      block.push(line);
      cue?.words.push(line);
      if (!isVTT || !line.startsWith('X-TIMESTAMP-MAP') || !isHeader(block[0])) continue;
      if ((map ??= line) !== line) throw new Error(`Line ${index + 1}: this X-TIMESTAMP-MAP differs from the one above: open a file for each segment.`);
    }
  }
  endBlock();
  if (stray !== null && !recording.labels.length) throw noCue(stray);
}

/** Returns the text of a cue without tags, such as <i> and <v Bob>, and with its escapes replaced. */
const withoutTags = (text) => text.replace(/<[^>]*>/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', ' ')
  .replaceAll('&amp;', '&');

/** Returns whether a line looks like times, right or wrong: an arrow beside a time, or two times to the second and no word. */
function hasTimes(line) {
  const times = (line.match(/[\d:.,]+/g) ?? []).filter((word) => /\d:\d/.test(word));
  return line.includes('-->') ? times.length > 0
    : !/[a-z]/i.test(line) && times.filter((time) => time.match(/[:.,]/g).length > 1).length > 1;
}

/** Returns the times of a cue; what follows its end is its place on the screen. */
function cueTimes(line, place) {
  const arrow = line.indexOf('-->'), [start, end] = [line.slice(0, arrow), line.slice(arrow + 3)].map(fieldsOf);
  if (arrow < 0 || start.length !== 1 || !end.length) throw new Error(`${place}: “${oneLine(line).slice(0, 40)}” is not START --> END: write both times.`);
  return span(...[start[0], end[0]].map((word) => {
    const [, hours = '0', minutes, whole] = word.match(/^(?:(\d+):)?([0-5]?\d):([0-5]?\d[.,]\d{3})$/) ?? [];
    if (whole === undefined) throw new Error(`${place}: “${word.slice(0, 40)}” is not a time: write 00:00:01.500.`);
    return String(Number(hours) * 3600 + Number(minutes) * 60 + Number(whole.replace(',', '.')));
  }), place);
}

function readJSON(text, found) { takeDocument(parsed(text, 'It'), found); }

/** The lists of a document by the types of records that JSON Lines has in their place. */
const LISTS = { segment: 'segments', [MUTED_SPEAKER]: 'muted_speech', gap: 'gaps' };

/** Reads JSON Lines as the document that has the same records. */
function readJSONLines(text, found) {
  const files = new Map(), open = new Set();
  let config;
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.trim()) continue;
    const place = `Line ${index + 1}`, record = parsed(line, place), type = typeof record?.type === 'string' ? record.type : '';
    if (type === 'config') config = record.config;
    if (type === 'config') continue;
    const list = Object.hasOwn(LISTS, type) && LISTS[type];
    if (!type) throw new Error(`${place}: it has no "type", so it is not of vadmon analyze --format jsonl.`);
    if (!list && type !== 'file' && type !== 'error') continue; // of a later version
    const file = nameOf(record), known = files.get(file) ?? { file, segments: [], muted_speech: [], gaps: [] };
    files.set(file, known);
    if (list) {
      known[list].push(record);
      open.add(file);
    } else if (type === 'error') {
      known.error = record;
    } else if (record.segment_count !== known.segments.length) {
      throw new Error(`${place}: ${file} has another number of segments than lines of them: use --format jsonl.`);
    } else {
      known.duration = record.duration;
      open.delete(file);
    }
  }
  if (open.size) throw new Error(`The last line of ${oneLine([...open][0])} is missing, that of type "file": check that the file is complete.`);
  takeDocument({ config, files: [...files.values()] }, found);
}

function nameOf(entry) {
  if (typeof entry?.file !== 'string') throw new Error('The name "file" of a recording is missing: use --format json or jsonl.');
  return entry.file;
}

function parsed(text, place) {
  try { return JSON.parse(text); } catch { throw new Error(`${place} is not JSON: check that the file is complete.`); }
}

/** Takes the JSON of vadmon analyze. */
function takeDocument({ config, files }, found) {
  if (!Array.isArray(files)) throw new Error('It is not the JSON of vadmon analyze: it has no list "files".');
  if (config?.invert === true) throw new Error('Its segments are the silence: run vadmon analyze without --invert.');
  for (const entry of files) {
    const file = nameOf(entry);
    if (!Array.isArray(entry.segments)) throw new Error(`${file} has no list "segments": use --format json.`);
    const id = found.declare(file);
    for (const [type, list] of Object.entries(LISTS))
      if (Array.isArray(entry[list])) takeSpans(id, type, entry[list], `of ${file}`, found);
    const length = entry.duration == null ? 0 : milliseconds(JSON.stringify(entry.duration), `The duration of ${file}`);
    if (entry.error != null) takeError(found.of(id), entry.error, entry.segments.length > 0 || length > 0);
  }
  if (!found.recordings.size) throw new Error('It has no recording: check that the file is complete.');
}

/** Takes why a recording was not analysed or, if there is a result of it, not to its end. */
function takeError(recording, error, hasResult) {
  const message = shortened(oneLine(typeof error.message === 'string' ? error.message : JSON.stringify(error))).replace(/\.$/, '');
  if (hasResult) recording.remarks.push(`it was not analysed to its end (${message})`);
  else recording.failure = message;
}

function takeSpans(id, type, spans, place, found) {
  for (const [index, one] of spans.entries()) {
    const { start, end, text, checked, channel, channels } = one ?? {};
    const times = span(JSON.stringify(start), JSON.stringify(end), `Entry ${index + 1} ${place}`);
    const words = typeof text === 'string' ? text : '', numbers = [channels ?? channel].flat().filter(Number.isInteger);
    found.addTyped(id, type, times, words, numbers, checked === true);
  }
}
