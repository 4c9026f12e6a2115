// The label editor of the page: what its buttons, fields, keys and pointers do.
import { HOP_MS, millisecondsOf } from './decide.js';
import { Editor, TIERS, edgeNear } from './editor.js';
import { saveText } from './files.js';
import { FORMATS, isSilence, labelFile, labelNames, meaningOf } from './formats.js';
import { addLabel, crossingsOf, indexAt, moveEdge, oneLine, tierOf } from './labels.js';
import { labelsFor } from './reading.js';
import { KeptLabels } from './storage.js';
import { clock, counted, printable, seconds, shortened } from './text.js';

/** How far from an edge, in pixels, a pointer holds it, and a time snaps to a crossing. */
const REACH = { mouse: 8, pen: 8, touch: 22 }, SNAP = 6;
/** How much is heard on each side of an edge, in seconds. */
const AROUND = 0.5;

const part = (id) => document.getElementById(id);
const endOf = ({ samples: [, end], rate }) => millisecondsOf(end, rate);
const contentOf = (labels, muted = []) => ({ labels: tierOf(labels).tier, muted: tierOf(muted).tier });

export class Editing {
  #host;
  #silence;
  #names;
  /** What belongs to each recording that was edited: its editor, the state that was saved, and where. */
  #entries = new Map();
  #entry = null;
  isOn = false;

  /** `host` has state, timeline, player, detected, moveCursor, goTo, readOut, changed and report. */
  constructor(host) {
    const { silence, recordings } = host.report;
    [this.#host, this.#silence, this.#names] = [host, new Set(silence), labelNames(recordings.map(({ file }) => file))];
    part('format').replaceChildren(...FORMATS.map(({ name, title }) => new Option(title, name)));
    part('tier').replaceChildren(...Object.entries(TIERS).map(([tier, title]) => new Option(title, tier)));
    for (const [id, key] of Object.entries(BUTTONS)) part(id).addEventListener('click', () => this.act(key));
    this.#followFields();
    addEventListener('storage', (event) => this.#followTabs(event));
    addEventListener('beforeunload', (event) => { if (this.#wouldLose) event.preventDefault(); });
  }

  /** Says what was done, to the eye and to a screen reader. */
  #say(text) { part('labels-said').textContent = printable(text); }

  get #editor() { return this.#entry.editor; }
  get #cursor() { return Math.round(this.#host.state.cursor * 1000); }
  get #wouldLose() { return [...this.#entries.values()].some(({ editor, saved, isKept }) => editor.content !== saved && !isKept); }

  /** Begins to edit, or shows the report alone. */
  toggle() {
    this.isOn = !this.isOn;
    part('edit').ariaPressed = String(this.isOn);
    part('labels').hidden = !this.isOn;
    part('timeline').setAttribute('role', this.isOn ? 'application' : 'img');
    part('timeline').setAttribute('aria-describedby', this.isOn ? 'label-keys keys' : 'keys');
    this.open();
    this.#host.changed();
  }

  /** Takes up the recording that is shown. */
  open() {
    const { state } = this.#host;
    this.#entry = this.isOn && state.recording && !state.recording.failure ? this.#entryOf(state) : null;
    state.editor = this.#entry?.editor ?? null;
    if (this.#entry) this.#show();
  }

  #entryOf({ number, recording, settings, steps }) {
    if (this.#entries.has(number)) return this.#entries.get(number);
    const store = new KeptLabels(recording), kept = store.read();
    const content = kept ?? contentOf(recording.labels ?? this.#host.detected(), recording.muted);
    let times = null, threshold = null;
    const crossings = () => {
      const now = Math.round((this.#host.state.settings?.onset ?? 0.5) * steps);
      if (now !== threshold) {
        const start = millisecondsOf(recording.samples[0], recording.rate);
        [threshold, times] = [now, crossingsOf(recording.posteriors ?? [], now, HOP_MS, start)];
      }
      return times;
    };
    const editor = new Editor(content, endOf(recording), crossings);
    const entry = { editor, recording, store, saved: content, isKept: Boolean(kept), last: content, target: null };
    if (store.damaged)
      this.#say(`What this browser kept of these labels is damaged: it is put aside as “${store.damaged}”, and they begin anew`);
    editor.addEventListener('change', () => this.#follow(entry));
    this.#entries.set(number, entry);
    return entry;
  }

  /** Shows a change, and keeps it for another visit. */
  #follow(entry) {
    const { content } = entry.editor, isNew = content !== entry.last;
    if (isNew) entry.isKept = entry.store.write(content);
    entry.last = content;
    this.#show();
    this.#host.changed(isNew);
  }

  /** Learns that another tab of the page has kept labels. */
  #followTabs(event) {
    for (const entry of this.#entries.values()) {
      if (!entry.store.follow(event)) continue;
      entry.isKept &&= !entry.store.isOvertaken;
      if (entry === this.#entry) this.#show();
    }
  }

  /** Carries out what a key or its button stands for. */
  act(key) {
    const said = ACTIONS[key].call(this, this.#editor, this.#editor.snap(this.#cursor));
    if (typeof said === 'string') this.#say(said);
    if (REVEALING.has(key)) this.#reveal();
  }

  /** Returns whether there was something to do for a key. */
  press(key, isControl) {
    const name = isControl ? `Control ${key}` : key;
    if (!this.#entry || !Object.hasOwn(ACTIONS, name)) return false;
    this.act(name);
    return true;
  }

  /** Selects the label before or after the cursor. */
  step(direction) {
    this.#say(this.#editor.step(this.#cursor, direction));
    this.#reveal();
  }

  /** Selects the label that is nearest to a time in seconds. */
  selectNear(time) { this.#editor.selectNear(Math.round(time * 1000)); }

  #reveal() {
    const { label } = this.#editor;
    if (label) this.#host.goTo(label[0] / 1000, label[1] / 1000);
  }

  /** Plays about an edge, or the whole label. */
  hear(from, to) {
    if (!this.#editor.label) return 'Select a label first';
    this.#host.player.playFrom(Math.max(0, from), to);
    return '';
  }

  /** Moves the cursor, and says where it is. */
  moveTo(ms) {
    if (ms === undefined) return 'No further crossing of the threshold';
    this.#host.moveCursor(Math.max(0, Math.min(this.#editor.length, ms)) / 1000);
    return clock(this.#cursor / 1000, 3);
  }

  /** Replaces the labels by what the detector has found. */
  takeDetected() {
    return this.#editor.replace(contentOf(this.#host.detected(), this.#entry.recording.muted), 'As detected');
  }

  // Pointers

  /** Returns what a press at a time and a height drags: an edge, or a new label; null if it drags nothing. */
  grab(time, y, type) {
    if (!this.#entry) return null;
    this.#finishField();
    const { timeline } = this.#host, reach = (REACH[type] ?? REACH.mouse) * timeline.perPixel * 1000, ms = time * 1000;
    const tier = timeline.tierAt(y), { selected } = this.#editor;
    if (tier && tier !== this.#editor.tier) this.#editor.setTier(tier);
    const { labels, label } = this.#editor;
    if (!tier) {
      const edge = label && edgeNear([label], ms, reach, 0);
      return edge && this.#dragEdge(selected, edge[1], ms);
    }
    const near = edgeNear(labels, ms, reach, this.#editor.selected);
    if (near) return this.#dragEdge(...near, ms);
    return indexAt(labels, ms) < 0 ? this.#dragNew(ms) : null;
  }

  #snapped(ms) { return this.#editor.snap(ms, SNAP * this.#host.timeline.perPixel * 1000); }

  #dragEdge(index, edge, grabbed) {
    const editor = this.#editor, { labels, length } = editor, shift = labels[index][edge] - grabbed;
    editor.select(index);
    return this.#drag((ms) => {
      // Of two labels that touch, the one moves that makes room.
      const isNext = edge === 1 && ms + shift > labels[index][1] && labels[index + 1]?.[0] === labels[index][1];
      const [moving, side] = isNext ? [index + 1, 0] : [index, edge];
      editor.preview(moveEdge(labels, moving, side, this.#snapped(ms + shift), length), moving);
      return editor.label[side];
    });
  }

  #dragNew(grabbed) {
    const editor = this.#editor, { labels, length } = editor, anchor = this.#snapped(grabbed);
    return this.#drag((ms) => {
      const to = this.#snapped(ms), added = addLabel(labels, anchor, to, length);
      editor.preview(added, added === labels ? -1 : indexAt(added, to < anchor ? anchor - 1 : anchor));
      return to;
    });
  }

  #drag(move) {
    return {
      move: (time) => this.#host.readOut(move(time * 1000) / 1000),
      end: (counts) => (counts ? this.#say(this.#editor.keep()) : this.#editor.cancel()),
    };
  }

  /** Selects the label under a click in a tier. Returns whether the click was in one. */
  click(time, y) {
    const tier = this.#entry && this.#host.timeline.tierAt(y);
    if (!tier) return false;
    if (tier !== this.#editor.tier) this.#editor.setTier(tier);
    this.#host.moveCursor(this.#snapped(time * 1000) / 1000);
    this.#say(this.#editor.selectAt(time * 1000));
    return true;
  }

  // Fields

  #followFields() {
    const on = (id, act) => part(id).addEventListener('change', ({ target }) => {
      const said = act(target);
      if (said) this.#say(said);
      this.#show();
    });
    // A field that was emptied gets its time back.
    const mover = (edge) => ({ value }) => value && this.#editor.moveEdge(edge, Math.round(Number(value) * 1000));
    on('tier', ({ value }) => this.#editor.setTier(value));
    on('snap', ({ checked }) => { this.#editor.snaps = checked; });
    on('label-start', mover(0));
    on('label-end', mover(1));
    on('label-checked', ({ checked }) => this.#editor.check(checked));
    on('label-text', ({ value }) => this.#rename(value));
    on('labels-file', (field) => {
      if (field.files[0]) this.openFile(field.files[0]);
      field.value = '';
    });
    part('label-text').addEventListener('keydown', ({ key, target }) => {
      if (key === 'Escape') this.#show();
      if (key === 'Enter' || key === 'Escape') part('timeline').focus();
      if (key === 'Enter') target.blur();
    });
  }

  #rename(text) {
    const said = this.#editor.rename(text), meant = isSilence(oneLine(text), this.#silence) ? 'silence'
      : meaningOf(text).isMuted ? 'muted speech' : '';
    return meant ? `“${shortened(oneLine(text))}” stands for ${meant}: vadmon compare does not count this label` : said;
  }

  #show() {
    const { editor } = this.#entry, { label, labels, selected } = editor;
    part('tier').value = editor.tier;
    part('snap').checked = editor.snaps;
    part('label').disabled = !label;
    part('label-title').textContent = label ? `Label ${selected + 1} of ${labels.length}` : 'No label is selected';
    [part('label-start').value, part('label-end').value] = label ? [seconds(label[0]), seconds(label[1])] : ['', ''];
    part('label-text').value = label?.[2] ?? '';
    part('label-checked').checked = Boolean(label?.[3]);
    part('add').textContent = editor.anchor === null ? 'Add' : 'End label';
    part('join').disabled = selected < 0 || selected + 1 >= labels.length;
    part('delete').disabled = !label;
    part('undo').disabled = !editor.canUndo;
    part('redo').disabled = !editor.canRedo;
    part('labels-state').textContent = this.#stateOf(this.#entry);
  }

  /** Returns what there is, and where it is kept. */
  #stateOf({ editor: { content, canUndo }, store, saved, isKept, target }) {
    const { labels, muted } = content;
    const checked = labels.filter(([, , , isChecked]) => isChecked).length;
    const speech = labels.reduce((sum, [start, end]) => sum + end - start, 0);
    const what = `${counted(labels.length, 'label')}, ${clock(speech / 1000, 1)}, ${checked} checked`
      + (muted.length ? `; muted speech ${muted.length} ×` : '');
    const place = target && content === saved ? `Saved as ${printable(target.name)}.`
      : store.isOvertaken ? 'Another tab has kept other labels of this recording: save these, or reload the page to take those.'
      : isKept ? 'This browser keeps them for this page; save them for vadmon compare.'
        : canUndo ? 'This browser keeps nothing for this page: save before you leave.' : 'Nothing was changed.';
    return `${what}. ${place}`;
  }

  // Files

  #facts(recording) {
    const { file, channel } = recording, { configuration, recordings } = this.#host.report;
    const isPart = configuration.channel === 'each' || recordings.filter((other) => other.file === file).length > 1;
    return { file, name: this.#names.get(file), channel, part: isPart ? channel : null, length: endOf(recording),
      silence: this.#silence };
  }

  async save() {
    this.#finishField();
    const entry = this.#entry, { content } = entry.editor, format = FORMATS.find(({ name }) => name === part('format').value);
    const facts = this.#facts(entry.recording), isSame = entry.target?.format === format;
    const saved = await saveText(format.write(content, facts), isSame ? entry.target.name : labelFile(facts, format),
      isSame ? entry.target.handle : null);
    if (!saved) return this.#say('Not saved');
    [entry.saved, entry.target] = [content, { ...saved, format }];
    this.#show();
    const lacks = format.lacks ? `, which has no place for ${format.lacks}` : '';
    return this.#say(`${saved.handle ? 'Saved as' : 'Downloaded as'} ${saved.name}${lacks}`);
  }

  /** Takes what stands in a field that is being written. */
  #finishField() {
    const field = document.activeElement;
    if (!part('label').contains(field)) return;
    field.blur();
    field.focus();
  }

  async openFile(file, handle = null) {
    if (!this.isOn) this.toggle();
    this.#finishField();
    const entry = this.#entry;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { format, content, lost, remarks, isSame } = labelsFor(this.#facts(entry.recording), bytes, file.name);
      const said = entry.editor.replace(content, `Opened ${file.name}`);
      // A file that has more than these labels, or has them in another form, is not written again.
      entry.target = isSame ? { name: file.name, format, handle: await handle?.catch(() => null) } : null;
      if (!lost.length) entry.saved = content;
      if (format) part('format').value = format.name;
      this.#show();
      this.#say([said, ...remarks, ...lost].join('; '));
    } catch (error) {
      this.#say(`${file.name} was not opened. ${error instanceof DOMException ? 'The browser cannot read it.' : error.message}`);
    }
  }
}

/** What keys do; each gets the editor and the cursor's time, snapped, and returns a sentence. */
const ACTIONS = {
  a: (editor, ms) => editor.add(ms),
  s: (editor, ms) => editor.split(ms),
  j: (editor) => editor.join(),
  Delete: (editor) => editor.remove(),
  Backspace: (editor) => editor.remove(),
  '[': (editor, ms) => editor.moveEdge(0, ms),
  ']': (editor, ms) => editor.moveEdge(1, ms),
  c: (editor) => editor.checkOn(),
  t() { part('label-text').focus(); },
  m: (editor) => editor.setTier(editor.tier === 'labels' ? 'muted' : 'labels'),
  Escape: (editor) => (editor.cancel() ? 'Dropped' : editor.select(-1)),
  'Control z': (editor) => editor.undo(),
  'Control Z': (editor) => editor.redo(),
  'Control y': (editor) => editor.redo(),
  'Control s'() { this.save(); },
  ',': function (editor, ms) { return this.moveTo(ms - 10); },
  '.': function (editor, ms) { return this.moveTo(ms + 10); },
  '<': function (editor, ms) { return this.moveTo(ms - 100); },
  '>': function (editor, ms) { return this.moveTo(ms + 100); },
  k: function (editor, ms) { return this.moveTo(editor.crossing(ms, -1)); },
  l: function (editor, ms) { return this.moveTo(editor.crossing(ms, 1)); },
  1: function ({ label }) { return this.hear(label?.[0] / 1000 - AROUND, label?.[0] / 1000 + AROUND); },
  2: function ({ label }) { return this.hear(label?.[1] / 1000 - AROUND, label?.[1] / 1000 + AROUND); },
  3: function ({ label }) { return this.hear(label?.[0] / 1000, label?.[1] / 1000); },
  detected() { return this.takeDetected(); },
  clear: (editor) => editor.replace({ ...editor.content, [editor.tier]: [] }, 'Deleted all'),
};

/** After these, the selected label comes into view. */
const REVEALING = new Set(['c', 'Control z', 'Control Z', 'Control y', 'Delete', 'Backspace']);

const BUTTONS = {
  add: 'a', split: 's', join: 'j', delete: 'Delete', undo: 'Control z', redo: 'Control Z', save: 'Control s',
  'hear-start': '1', 'hear-end': '2', 'hear-label': '3', detected: 'detected', clear: 'clear',
};
