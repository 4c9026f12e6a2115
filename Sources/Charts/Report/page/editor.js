// The state of the label editor for one recording: its tiers and what can be undone, the tier that is edited, and the label
// that is selected. What it does returns a sentence for the reader.
import { HOP_MS } from './decide.js';
import {
  History, addLabel, checkLabel, firstNotBefore, indexAfter, indexAt, joinLabels, moveEdge, nameLabel, removeLabel, snappedTo, splitLabel,
} from './labels.js';
import { clock, counted, shortened } from './text.js';

const time = (ms) => clock(ms / 1000, 3);

/** The tiers that can be edited, with their names. */
export const TIERS = { labels: 'Labels', muted: 'Muted speech' };

export class Editor extends EventTarget {
  #history;
  #preview = null;
  tier = 'labels';
  /** The index of the label that is selected, or -1. */
  selected = -1;
  /** Where a label begins that is being added, in ms. */
  anchor = null;
  snaps = true;

  /** `length` is that of the recording in ms; `crossings` returns the times to which edges snap. */
  constructor(content, length, crossings) {
    super();
    [this.#history, this.length, this.crossings] = [new History(content), length, crossings];
  }

  get content() { return this.#history.now; }
  get canUndo() { return this.#history.canUndo; }
  get canRedo() { return this.#history.canRedo; }
  get labels() { return this.labelsOf(this.tier); }
  get label() { return this.labels[this.selected]; }

  /** The labels of a tier, with the change that a drag shows. */
  labelsOf(tier) { return tier === this.tier && this.#preview || this.content[tier]; }

  /** The tiers that are shown: that of muted speech if it has any, or is edited. */
  get tiers() { return Object.keys(TIERS).filter((tier) => tier !== 'muted' || tier === this.tier || this.content.muted.length); }

  snap(ms, reach = 0) { return this.snaps ? snappedTo(ms, this.crossings(), reach, HOP_MS) : Math.round(ms); }

  /** Returns the crossing or hop that comes before or after a time. */
  crossing(ms, direction) {
    const times = this.crossings();
    return times[direction > 0 ? firstNotBefore(times, ms + 1) : firstNotBefore(times, ms) - 1];
  }

  describe(index = this.selected) {
    const [start, end, text, isChecked] = this.labels[index];
    return `Label ${index + 1} of ${this.labels.length}, from ${time(start)} to ${time(end)}${text && `, “${shortened(text)}”`}, `
      + `${isChecked ? 'checked' : 'not checked'}`;
  }

  select(index) {
    this.selected = index;
    this.#tell();
    return index < 0 ? 'No label is selected' : this.describe();
  }

  selectAt(ms) { return this.select(indexAt(this.labels, ms)); }

  /** Selects the label that is nearest to a time. */
  selectNear(ms) {
    const { labels } = this, next = indexAfter(labels, ms);
    const isBefore = next > 0 && !(labels[next]?.[0] - ms < ms - labels[next - 1][1]);
    return this.select(isBefore ? next - 1 : Math.min(next, labels.length - 1));
  }

  /** Selects the label that begins after, or before, a time. */
  step(ms, direction) {
    const index = direction > 0 ? this.labels.findIndex(([start]) => start > ms)
      : this.labels.findLastIndex(([start]) => start < ms);
    return index < 0 ? `No ${direction > 0 ? 'further' : 'earlier'} label` : this.select(index);
  }

  setTier(tier) {
    this.cancel();
    this.tier = tier;
    return `${TIERS[tier]}: ${this.select(-1)}`;
  }

  /** Begins a label at a time, or ends the one that was begun. */
  add(ms) {
    if (this.anchor === null) {
      if (indexAt(this.labels, ms) >= 0) return 'There is a label here: begin where there is none';
      this.anchor = ms;
      this.#tell();
      return `A label begins at ${time(ms)}: go to its end, and add again`;
    }
    const { labels, anchor } = this, added = addLabel(labels, anchor, ms, this.length);
    this.cancel();
    if (added === labels) return 'A label needs at least 10 ms: nothing was added';
    return `Added. ${this.#commit(added, indexAt(added, Math.min(anchor, ms) < anchor ? anchor - 1 : anchor))}`;
  }

  split(ms) {
    const parts = splitLabel(this.labels, ms);
    if (parts === this.labels) return 'Split needs a place inside a label, at least 10 ms from its ends';
    return `Split. ${this.#commit(parts, indexAt(parts, ms))}`;
  }

  join() {
    const joined = this.selected < 0 ? this.labels : joinLabels(this.labels, this.selected);
    return joined === this.labels ? 'Join needs a selected label, and one after it' : `Joined. ${this.#commit(joined, this.selected)}`;
  }

  remove() {
    if (this.selected < 0) return 'Delete needs a selected label';
    const labels = removeLabel(this.labels, this.selected);
    this.#commit(labels, Math.min(this.selected, labels.length - 1));
    return `Deleted. ${this.selected < 0 ? 'No label is left' : this.describe()}`;
  }

  /** Moves the start (0) or the end (1) of the selected label. */
  moveEdge(edge, ms) {
    if (this.selected < 0) return 'Select a label first';
    const moved = moveEdge(this.labels, this.selected, edge, ms, this.length);
    return moved === this.labels ? `The ${edge ? 'end' : 'start'} cannot move there` : this.#commit(moved, this.selected);
  }

  rename(text) {
    const named = nameLabel(this.labels, this.selected, text);
    return named === this.labels ? '' : this.#commit(named, this.selected);
  }

  check(isChecked) { return this.#commit(checkLabel(this.labels, this.selected, isChecked), this.selected); }

  /** Marks the selected label as checked, and selects the next that is not. */
  checkOn() {
    if (this.selected < 0) return 'Select a label first';
    this.check(true);
    const next = this.labels.findIndex(([, , , isChecked], index) => index > this.selected && !isChecked);
    return next < 0 ? 'Checked. No further label is left to check' : `Checked. ${this.select(next)}`;
  }

  /** Replaces both tiers. */
  replace(content, what) {
    this.cancel();
    this.#history.push(content);
    this.select(-1);
    return `${what}: ${counted(content.labels.length, 'label')}`;
  }

  undo() { return this.#travel('undo', 'Undone'); }
  redo() { return this.#travel('redo', 'Redone'); }

  /** Shows what a drag would do. */
  preview(labels, selected) {
    [this.#preview, this.selected] = [labels, selected];
    this.#tell();
  }

  /** Makes what a drag shows a change. */
  keep() {
    const labels = this.#preview;
    this.#preview = null;
    if (labels && labels !== this.labels) return this.#commit(labels, this.selected);
    this.#tell();
    return this.selected < 0 ? '' : this.describe();
  }

  /** Drops what was begun: a drag, or a label. */
  cancel() {
    const isBegun = this.anchor !== null || this.#preview !== null;
    [this.anchor, this.#preview] = [null, null];
    if (this.selected >= this.labels.length) this.selected = -1;
    if (isBegun) this.#tell();
    return isBegun;
  }

  #commit(labels, selected) {
    this.anchor = null;
    if (labels !== this.labels) this.#history.push({ ...this.content, [this.tier]: labels });
    return this.select(selected);
  }

  #travel(direction, word) {
    const before = this.content;
    this.cancel();
    this.#history[direction]();
    if (before === this.content) return `Nothing to ${direction}`;
    if (before[this.tier] === this.content[this.tier]) this.tier = this.tier === 'labels' ? 'muted' : 'labels';
    // The first label that differs, or the one before it.
    const { labels } = this, place = labels.findIndex((label, index) => label !== before[this.tier][index]);
    this.select(place < 0 ? labels.length - 1 : place);
    return `${word}. ${this.selected < 0 ? 'There is no label' : this.describe()}`;
  }

  #tell() { this.dispatchEvent(new Event('change')); }
}

/** Returns the edge that is nearest to a time and within reach, as [index, edge]; that of the selected label comes first. */
export function edgeNear(labels, ms, reach, selected) {
  const first = Math.max(0, indexAfter(labels, ms - reach - 1) - 1), found = [];
  for (let index = first; index < labels.length && labels[index][0] <= ms + reach; index++)
    for (const edge of [0, 1]) found.push([index, edge, Math.abs(labels[index][edge] - ms) - (index === selected ? 0.5 : 0)]);
  const [nearest] = found.filter(([, , far]) => far <= reach).sort((a, b) => a[2] - b[2]);
  return nearest?.slice(0, 2) ?? null;
}
