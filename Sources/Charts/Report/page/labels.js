// Tiers of labels as values, and the operations of an editor on them.
//
// A label is [start, end, text, isChecked], in whole milliseconds; a tier is a list of labels in order that do not
// overlap. Nothing is changed in place: an operation returns a new tier, or the same one if it cannot be done. Tiers share
// the labels that are equal in them, so that a long history takes little memory.

/** The shortest label: a hop of the detector. */
export const SHORTEST_MS = 10;
/** How many states can be undone. */
const MOST_STATES = 1000;

/** Returns a tier with the labels from `index` on, as many as `count`, replaced. */
const replaced = (tier, index, count, ...labels) => [...tier.slice(0, index), ...labels, ...tier.slice(index + count)];

/** Returns how many items a list begins with that are before a place; `isBefore` says which. */
export function countBefore(list, isBefore) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the first label that ends after a time. */
export const indexAfter = (tier, ms) => countBefore(tier, ([, end]) => end <= ms);

/** Returns the index of the label at a time, or -1. */
export function indexAt(tier, ms) {
  const index = indexAfter(tier, ms);
  return index < tier.length && tier[index][0] <= ms ? index : -1;
}

/** Adds a label from `anchor` to `other`, whichever comes first, as far as the silence about the anchor goes. */
export function addLabel(tier, anchor, other, length) {
  const [before, from, to] = silenceAbout(tier, anchor, other < anchor, length);
  const start = Math.max(from, Math.min(anchor, other)), end = Math.min(to, Math.max(anchor, other));
  const isSilent = from <= anchor && anchor <= to;
  return isSilent && end - start >= SHORTEST_MS ? replaced(tier, before, 0, [start, end, '', true]) : tier;
}

/** Returns the silence about a time, and how many labels are before it. Where labels touch, `isBefore` chooses the side. */
function silenceAbout(tier, ms, isBefore, length) {
  const before = indexAfter(tier, isBefore ? ms - 1 : ms);
  return [before, before > 0 ? tier[before - 1][1] : 0, before < tier.length ? tier[before][0] : length];
}

/** Moves the start (edge 0) or the end (edge 1) of a label as far as its neighbours and its own length allow. */
export function moveEdge(tier, index, edge, ms, length) {
  const [start, end, text] = tier[index], last = Math.max(length, end);
  const [from, to] = edge === 0 ? [tier[index - 1]?.[1] ?? 0, end - SHORTEST_MS]
    : [start + SHORTEST_MS, tier[index + 1]?.[0] ?? last];
  const place = Math.max(from, Math.min(to, ms));
  if (place === tier[index][edge] || from > to) return tier;
  return replaced(tier, index, 1, edge === 0 ? [place, end, text, true] : [start, place, text, true]);
}

/** Cuts the label at a time in two, which both have its text. */
export function splitLabel(tier, ms) {
  const index = indexAt(tier, ms);
  if (index < 0) return tier;
  const [start, end, text] = tier[index];
  if (ms - start < SHORTEST_MS || end - ms < SHORTEST_MS) return tier;
  return replaced(tier, index, 1, [start, ms, text, true], [ms, end, text, true]);
}

/** Joins a label with the next one. */
export function joinLabels(tier, index) {
  if (index + 1 >= tier.length) return tier;
  const [[start, , text], [, end, next]] = [tier[index], tier[index + 1]];
  return replaced(tier, index, 2, [start, end, joinedText(text, next), true]);
}

const joinedText = (first, second) => (first === second ? first : [first, second].filter(Boolean).join(' '));

export const removeLabel = (tier, index) => replaced(tier, index, 1);

/** Gives a label a text. Who writes one has listened. */
export function nameLabel(tier, index, text) {
  const [start, end, former] = tier[index], clean = oneLine(text);
  return clean === former ? tier : replaced(tier, index, 1, [start, end, clean, true]);
}

/** Returns a text on one line, without control characters. */
export const oneLine = (text) => text.replace(/[\p{White_Space}\p{Cc}]+/gu, ' ').replace(/^ | $/g, '');

export function checkLabel(tier, index, isChecked) {
  const [start, end, text, wasChecked] = tier[index];
  return isChecked === wasChecked ? tier : replaced(tier, index, 1, [start, end, text, isChecked]);
}

/** Returns spans, in any order, as a tier, and how many of them overlapped another, with which they are joined. */
export function tierOf(spans) {
  const tier = [];
  let joined = 0;
  for (const [start, end, text = '', isChecked = false] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = tier.at(-1);
    if (last && start < last[1]) {
      joined += 1;
      tier[tier.length - 1] = [last[0], Math.max(last[1], end), joinedText(last[2], text), last[3] && isChecked];
    } else {
      tier.push([start, end, text, isChecked]);
    }
  }
  return { tier, joined };
}

/** Returns a tier as far as a recording goes, and how many labels are beyond its end, and how many it cuts. */
export function tierWithin({ tier, joined }, length) {
  const within = tier.filter(([start]) => start < length), cut = within.filter(([, end]) => end > length).length;
  if (cut) within[within.length - 1] = within.at(-1).with(1, length);
  return { tier: within, joined, beyond: tier.length - within.length, cut };
}

/** The states that can be undone and done again. */
export class History {
  #states;
  #at = 0;

  constructor(state) { this.#states = [state]; }

  get now() { return this.#states[this.#at]; }
  get canUndo() { return this.#at > 0; }
  get canRedo() { return this.#at + 1 < this.#states.length; }

  /** Adds a state; those that were undone are gone. */
  push(state) {
    this.#states = [...this.#states.slice(0, this.#at + 1), state].slice(-MOST_STATES);
    this.#at = this.#states.length - 1;
  }

  undo() { if (this.canUndo) this.#at -= 1; }
  redo() { if (this.canRedo) this.#at += 1; }
}

/** Returns the times, in ms, at which a track of hops from `start` on crosses a threshold. */
export function crossingsOf(track, threshold, hopMs, start = 0) {
  const times = [];
  for (let hop = 1; hop < track.length; hop++)
    if ((track[hop - 1] >= threshold) !== (track[hop] >= threshold)) times.push(start + hop * hopMs);
  return times;
}

/** Returns the time to which a time snaps: the nearest crossing within `reach`, or else the nearest hop. */
export function snappedTo(ms, times, reach, hopMs) {
  const next = firstNotBefore(times, ms);
  const near = [times[next - 1], times[next]].filter((time) => time !== undefined && Math.abs(time - ms) <= reach)
    .sort((a, b) => Math.abs(a - ms) - Math.abs(b - ms));
  return near[0] ?? Math.round(ms / hopMs) * hopMs;
}

/** Returns the index of the first time that is not before another. */
export const firstNotBefore = (times, ms) => countBefore(times, (time) => time < ms);
