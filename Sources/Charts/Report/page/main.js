// The page: its state, and what changes it.
import { decideSegments } from './decide.js';
import { Editing } from './editing.js';
import { acceptDrops, isLabelFile } from './files.js';
import { RecordingList } from './list.js';
import { followOverview, followPointers } from './pointer.js';
import { Player } from './player.js';
import { readRecording, valuesAt } from './recording.js';
import { Settings } from './settings.js';
import { Timeline } from './timeline.js';
import { View } from './view.js';
import { clock, printable } from './text.js';
import {
  fillConfiguration, fillFigures, fillSegments, fillSummary, fillWarnings, segmentsCSV, share,
} from './tables.js';

const get = (id) => document.getElementById(id);
const report = JSON.parse(get('report').textContent);
const state = {
  number: 0, recording: null, view: new View(0, 1), settings: null, steps: report.grid.steps,
  segments: { found: [], now: [] }, changed: false, cursor: 0, editor: null,
};
const timeline = new Timeline(get('timeline'), get('overview'), state);
// A comparison shows what a detector decided, whose settings it does not know.
const isComparison = Boolean(report.figures);
const settings = isComparison ? null : new Settings(get('sliders'), report);
const player = new Player({
  audio: get('audio'), button: get('play'), state: get('sound-state'), file: get('file'),
}, moveCursor);

const list = report.recordings.length > 1
  ? new RecordingList(get('recordings'), get('search'), get('matches'), report.recordings) : null;

const say = (text) => { get('live').textContent = text; };
const detected = () => (state.changed ? state.segments.now : state.segments.found);
/** What N and P step through, and the table lists: the labels that are edited, or else what was found. */
const shown = () => state.editor?.labels ?? detected();
const editing = new Editing({ state, report, timeline, player, detected, moveCursor, goTo, readOut, changed: followLabels });

/** Shows the recording with a number, from 1, and opens its sound. */
function open(number) {
  if (!report.recordings[number - 1]) return;
  show(number);
  player.open(state.recording);
  get('position').textContent = clock(state.cursor, 1);
  readOut(state.cursor);
}

function show(number) {
  const entry = report.recordings[number - 1];
  state.number = number;
  state.recording = readRecording(get(`recording-${number}`));
  state.view = new View(state.recording.start, state.recording.end);
  state.view.addEventListener('change', () => timeline.draw());
  state.cursor = state.recording.start;
  state.segments.found = state.recording.segments;
  get('name').textContent = entry.title;
  get('name').classList.toggle('unseen', report.recordings.length === 1); // the page's heading says it
  const { failure, warnings } = state.recording;
  get('recording').classList.toggle('failed', Boolean(failure));
  fillWarnings(get('warnings'), failure ? [`Not analysed: ${failure}`, ...warnings] : warnings);
  list?.mark(number);
  showPromise();
  refresh();
  editing.open();
  showTable();
}

/** The page decides as the detector does where nothing is missing, but it does not look for pauses to cut at. */
function showPromise() {
  const { posteriors, gaps } = state.recording;
  const { split_ms, channel } = report.configuration;
  const reason = gaps.length > 0 ? 'sound is missing' : split_ms ? 'segments were cut at pauses (--split)'
    : channel === 'any' ? 'channels were analysed together (--channel any)' : '';
  get('settings').hidden = isComparison || !posteriors;
  get('settings').classList.toggle('off', Boolean(reason));
  get('promise').textContent = reason ? `This page does not decide anew where ${reason}.`
    : 'Decides anew from the probabilities, as vadmon does. Muted speech stays as it was found.';
}

/** Decides anew if the settings are not those of the run, and shows what there is. */
function refresh() {
  const { recording, segments } = state;
  state.settings = settings?.values;
  if (!recording) return;
  state.changed = Boolean(settings?.isChanged && recording.posteriors);
  get('settings').classList.toggle('changed', state.changed);
  segments.now = state.changed ? decideSegments(recording, settings.onGrid) : segments.found;
  showSummary();
  timeline.draw();
  if (!settings) return;
  get('command').textContent = printable(settings.command(recording.file));
  get('reset').disabled = !state.changed;
  get('outcome').textContent = state.changed
    ? `${segments.now.length} segments instead of ${segments.found.length}, `
      + `${clock(total(segments.now), 1)} of speech instead of ${clock(total(segments.found), 1)}.`
    : 'These are the settings of the run.';
}

/** Fills the table of segments. */
function showTable() {
  clearTimeout(state.waiting);
  get('segments-title').textContent = state.editor ? 'Labels' : isComparison ? 'Detections and differences' : 'Segments';
  fillSegments(get('segments'), tableRows(), link);
  get('segments').ariaBusy = 'false';
}

/** Follows the labels; `isNew` says whether they have changed, or only which is selected. */
function followLabels(isNew = true) {
  timeline.draw();
  if (isNew) followTable();
}

function follow() {
  refresh();
  followTable();
}

/** Thousands of rows take longer than a slider or a key waits, so the table follows when it rests. */
function followTable() {
  get('segments').ariaBusy = 'true';
  clearTimeout(state.waiting);
  state.waiting = setTimeout(showTable, 150);
}

const total = (spans) => spans.reduce((sum, [start, end]) => sum + end - start, 0) / 1000;
const link = (time) => `#${report.recordings.length > 1 ? `r=${state.number}&` : ''}t=${time.toFixed(3)}`;

function tableRows() {
  const { recording, editor } = state, rows = [];
  const add = (spans, what) => spans?.forEach(([start, end]) => rows.push({ start, end, what }));
  const addLabels = (labels, what) => labels.forEach(([start, end, text, isChecked]) =>
    rows.push({ start, end, what: `${text || what}${isChecked ? ', checked' : ''}` }));
  if (editor) addLabels(editor.labelsOf('labels'), 'speech');
  else add(shown(), isComparison ? 'detected' : 'speech');
  if (editor) addLabels(editor.labelsOf('muted'), 'speaking while muted');
  else add(recording.muted, 'speaking while muted');
  add(recording.gaps, 'missing');
  add(recording.missed, 'missed');
  add(recording.falseAlarms, 'false alarm');
  return rows.sort((a, b) => a.start - b.start || a.end - b.end);
}

function showSummary() {
  const { recording, segments } = state, speech = total(detected());
  const entries = [['Length', clock(recording.length, 1)]];
  const spans = (term, list) => list?.length && entries.push([term, clock(total(list), 1), `${list.length} ×`]);
  spans('Labelled', recording.labels);
  entries.push([isComparison ? 'Detected' : 'Speech', clock(speech, 1), share(speech, recording.length)],
    ['Segments', String(detected().length), state.changed ? `were ${segments.found.length}` : '']);
  spans('While muted', recording.muted);
  spans('Missing', recording.gaps);
  spans('Missed', recording.missed);
  spans('False alarms', recording.falseAlarms);
  if (recording.clipped?.length)
    entries.push(['Clipped', `${recording.clippedSamples} samples`, `${recording.clipped.length} ×`]);
  if (recording.f1) entries.push(['F1', recording.f1]);
  fillSummary(get('summary'), entries);
  const alternative = entries.map(([term, value, remark]) => `${term} ${value} ${remark ?? ''}`.trim()).join('; ');
  get('timeline').setAttribute('aria-label', `Timeline of ${printable(recording.file)}. ${alternative}. The table lists all segments.`);
}

function moveCursor(time, follows) {
  state.cursor = time;
  get('position').textContent = clock(time, 1);
  readOut(time);
  if (follows && (time > state.view.end || time < state.view.start)) state.view.show(time, time + state.view.length);
  timeline.draw();
}

/** Writes what was measured at a time. */
function readOut(time) {
  const values = valuesAt(state.recording, time, state.steps);
  get('readout').textContent = `${clock(time, 2)}: ${values.length ? values.join(', ') : 'nothing was measured'}`;
}

/** Goes to a place, and plays if there is sound or it already plays. A click in a tier selects a label instead. */
function listen(time, y) {
  if (editing.click(time, y)) return;
  moveCursor(time, false);
  player.playFrom(time);
}

/** Where N and P stop: at segments or, in a comparison, at differences. */
const stopName = isComparison ? 'Difference' : 'Segment';
const stops = () => (isComparison
  ? [...state.recording.missed, ...state.recording.falseAlarms].sort(([a], [b]) => a - b) : shown());

function step(direction) {
  if (state.editor && !isComparison) return editing.step(direction);
  const spans = stops(), at = state.cursor * 1000;
  const index = direction > 0 ? spans.findIndex(([start]) => start > at + 1) : spans.findLastIndex(([start]) => start < at - 1);
  if (index < 0) return say(`No ${direction > 0 ? 'further' : 'earlier'} ${stopName.toLowerCase()}`);
  const [start, end] = spans[index].map((ms) => ms / 1000);
  goTo(start, end);
  if (state.editor) editing.selectNear(start);
  return say(`${stopName} ${index + 1} of ${spans.length}, from ${clock(start, 1)} to ${clock(end, 1)}`);
}

function goTo(start, end = start) {
  state.view.reveal(start, end);
  moveCursor(start, false);
  if (player.isPlaying) player.playFrom(start);
}

/** Follows #r=2&t=12.34. */
function followAddress() {
  const address = new URLSearchParams(location.hash.slice(1)), number = Number(address.get('r') ?? (state.number || 1));
  if (number !== state.number) open(number);
  if (!address.has('t') || !state.recording) return;
  const time = Number(address.get('t'));
  if (!(time >= 0)) return;
  const span = shown().find(([start, end]) => time * 1000 >= start - 1 && time * 1000 < end);
  goTo(state.view.within(time), span && span[1] / 1000);
  if (state.editor) editing.selectNear(time);
}

const actions = {
  ' ': () => player.toggle(state.cursor),
  ArrowLeft: () => state.view.pan(-state.view.length / 8),
  ArrowRight: () => state.view.pan(state.view.length / 8),
  '+': () => state.view.zoom(1 / 1.6, centre()),
  '=': () => state.view.zoom(1 / 1.6, centre()),
  '-': () => state.view.zoom(1.6, centre()),
  f: () => state.view.fit(),
  Home: () => goTo(state.recording.start),
  End: () => goTo(state.recording.end),
  n: () => step(1),
  p: () => step(-1),
  e: () => editing.toggle(),
};

/** Zooms about the cursor while it is in view. */
function centre() {
  const { start, end } = state.view;
  return state.cursor >= start && state.cursor <= end ? state.cursor : (start + end) / 2;
}

function pressed(event) {
  const { target, ctrlKey, metaKey, altKey, shiftKey } = event, isAltGr = event.getModifierState('AltGraph');
  const isControl = (ctrlKey && !isAltGr) || metaKey;
  const key = event.key.length > 1 ? event.key : isControl && shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
  // Keyboards write signs like [ with AltGr or Option. Alt with a letter or a digit is the browser's.
  const isAlt = altKey && !isAltGr && (isControl || !/^[^a-z0-9 ]$/i.test(key));
  if (isAlt || isOwnKey(target, key, isControl)) return;
  const action = isControl ? null : actions[key];
  if (!editing.press(key, isControl)) {
    if (!action) return;
    action();
  }
  event.preventDefault();
}

/** Whether an element that has the focus uses a key itself. */
function isOwnKey(target, key, isControl) {
  if (target.matches?.('[type=search], [type=text], [type=number], select')) return !(isControl && key === 's');
  const moves = ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key);
  return (moves && target.closest('input[type=range], .scroll')) || (key === ' ' && target.closest('button, summary, a, input, .scroll'));
}

async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page from a disk may lack the permission
    const area = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  button.textContent = 'Copied';
  say('Copied');
  setTimeout(() => { button.textContent = label; }, 1500);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  get('theme').textContent = theme === 'dark' ? 'Light theme' : 'Dark theme';
  timeline.drawNow();
}

/** Keeps a theme that is not the system's, for all reports. The browser decides which pages share a storage. */
function chooseTheme(theme) {
  setTheme(theme);
  try {
    if (theme === systemTheme()) localStorage.removeItem('vadmon-theme');
    else localStorage.setItem('vadmon-theme', theme);
  } catch { /* without a storage, it lasts as long as the page */ }
}

/** Paper is light, shows what can be folded up, and has all recordings in the list. */
function preparePaper() {
  const { theme } = document.documentElement.dataset, closed = [...document.querySelectorAll('details:not([open])')];
  setTheme('light');
  for (const details of closed) details.open = true;
  if (state.recording) printRecordings();
  addEventListener('afterprint', () => {
    get('paper').replaceChildren();
    get('recording').hidden = !state.recording;
    setTheme(theme);
    for (const details of closed) details.open = false;
  }, { once: true });
}

/** Copies the section of each recording to the paper. The recording on the screen keeps its view. */
function printRecordings() {
  const { number: current, view, cursor } = state, numbers = list?.numbers ?? [current];
  const sections = numbers.map((number) => {
    show(number);
    if (number === current) state.view = view;
    state.cursor = -1; // paper has none
    const section = get('recording').cloneNode(true);
    const controls = '#viewer .bar, #overview, #readout, #keys, #labels, #sound, form, #promise';
    for (const part of section.querySelectorAll(controls)) part.remove();
    // The pictures of all recordings are in memory together.
    timeline.drawOn(section.querySelector('#timeline'), 720, numbers.length > 50 ? 1 : 2);
    return section;
  });
  show(current);
  state.view = view;
  moveCursor(cursor, false);
  get('recording').hidden = true;
  get('paper').replaceChildren(...sections);
}

function beginComparison() {
  get('figures').hidden = false;
  fillFigures(get('figures').querySelector('table'), report.figures);
  const shown = report.figures.filter(([name]) => ['F1', 'precision', 'recall', 'false alarm rate'].includes(name));
  get('figures-title').textContent = `Figures and curves: ${shown.map(([name, value]) => `${name} ${value}`).join(', ')}`;
  get('note').textContent = report.note;
  get('curves').src = `data:image/svg+xml,${encodeURIComponent(report.curves)}`;
  for (const [id, word] of [['previous', 'Previous'], ['next', 'Next']]) {
    const button = get(id);
    button.ariaLabel = `${word} difference`;
    button.title = `${word} difference (${button.ariaKeyShortcuts})`;
    button.querySelector('.stop').textContent = stopName;
  }
  for (const word of document.querySelectorAll('#keys .stop')) word.textContent = stopName.toLowerCase();
}

/** Takes files that were dropped: one of labels, or one of sound. */
function take([dropped, ...others]) {
  if (state.recording?.failure) return;
  if (!dropped || others.length)
    get(editing.isOn ? 'labels-said' : 'sound-state').textContent = 'Drop one file at a time: of labels, or of sound';
  else if (isLabelFile(dropped.file)) editing.openFile(dropped.file, dropped.handle);
  else player.choose(dropped.file);
}

function begin() {
  for (const [id, key] of [['play', ' '], ['previous', 'p'], ['next', 'n'], ['out', '-'], ['in', '+'], ['fit', 'f'], ['edit', 'e']])
    get(id).addEventListener('click', actions[key]);
  get('theme').addEventListener('click', () =>
    chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  darkSystem.addEventListener('change', () => setTheme(readTheme()));
  get('copy-table').addEventListener('click', ({ target }) => copy(segmentsCSV(state.recording.file, tableRows()), target));
  get('copy-command').addEventListener('click', ({ target }) => copy(settings.command(state.recording.file), target));
  get('reset').addEventListener('click', () => settings.reset());
  get('sliders').addEventListener('submit', (event) => event.preventDefault());
  settings?.addEventListener('change', follow);
  followPointers(get('timeline'), timeline, () => state.view, {
    onClick: listen, onHover: (time) => readOut(time ?? state.cursor), grab: (...place) => editing.grab(...place),
  });
  acceptDrops(document.documentElement, get('viewer'), take);
  followOverview(get('overview'), timeline, () => state.view);
  addEventListener('keydown', pressed);
  addEventListener('hashchange', followAddress);
  addEventListener('beforeprint', preparePaper);
  fillConfiguration(get('configuration').querySelector('table'), report.configuration);
  if (isComparison) beginComparison();
  get('index').hidden = !list;
  setTheme(document.documentElement.dataset.theme);
  if (report.editing) editing.toggle(); // before there is a recording, whose table is then filled once
  followAddress();
  if (!state.recording) {
    get('recording').hidden = report.recordings.length === 0;
    if (report.recordings.length === 0) get('index').hidden = false;
    else open(1);
  }
  requestAnimationFrame(() => performance.mark('drawn'));
}

begin();
