// The operations of the label editor on tiers, against a recording as an array of milliseconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { module, random } from "./program.js";

const {
  History, SHORTEST_MS, addLabel, checkLabel, crossingsOf, indexAfter, indexAt, joinLabels, moveEdge, nameLabel, oneLine,
  removeLabel, snappedTo, splitLabel, tierOf,
} = await module("labels.js");
const { Editor, edgeNear } = await module("editor.js");

const LENGTH = 1000;
const label = (start, end, text = "", isChecked = true) => [start, end, text, isChecked];
const tier = [label(100, 200, "a"), label(200, 300, "b"), label(500, 900, "c", false)];

/** Returns which label, from 1, each millisecond has. */
function painted(labels) {
  const cells = new Array(LENGTH).fill(0);
  labels.forEach(([start, end], index) => cells.fill(index + 1, start, end));
  return cells;
}

/** Fails if labels are not in order, or too short, or overlap. */
function assertSound(labels) {
  let last = 0;
  for (const [start, end, text, isChecked] of labels) {
    assert.ok(start >= last && end - start >= SHORTEST_MS && end <= LENGTH, JSON.stringify(labels));
    assert.deepEqual([typeof text, typeof isChecked], ["string", "boolean"]);
    last = end;
  }
}

test("the label at a time is the one that has begun and not ended", () => {
  const cells = painted(tier);
  for (let ms = 0; ms < LENGTH; ms++) assert.equal(indexAt(tier, ms), cells[ms] - 1, `${ms}`);
  assert.deepEqual([indexAfter([], 5), indexAt([], 5), indexAfter(tier, 900)], [0, -1, 3]);
});

test("a new label ends where its silence does, whichever way it is drawn", () => {
  const added = (anchor, other) => addLabel(tier, anchor, other, LENGTH).filter((one) => !tier.includes(one));
  assert.deepEqual(added(350, 420), [label(350, 420)]);
  assert.deepEqual(added(420, 350), [label(350, 420)]);
  assert.deepEqual(added(350, 700), [label(350, 500)]);
  assert.deepEqual(added(350, 50), [label(300, 350)]);
  assert.deepEqual(added(300, 400), [label(300, 400)], "it may touch");
  assert.deepEqual(added(500, 400), [label(400, 500)]);
  assert.deepEqual(added(950, 5000), [label(950, LENGTH)]);
  assert.deepEqual(added(50, -5), [label(0, 50)]);
  for (const [anchor, other] of [[350, 350 + SHORTEST_MS - 1], [150, 400], [150, 20], [200, 250], [200, 150], [600, 1000]])
    assert.equal(addLabel(tier, anchor, other, LENGTH), tier, `${anchor} to ${other}`);
  assert.deepEqual(addLabel([], 0, LENGTH, LENGTH), [label(0, LENGTH)]);
});

test("an edge moves as far as the neighbour and the other edge allow, and the label counts as checked", () => {
  const moved = (index, edge, ms) => moveEdge(tier, index, edge, ms, LENGTH)[index];
  assert.deepEqual(moved(2, 0, 400), label(400, 900, "c"));
  assert.deepEqual(moved(2, 0, 0), label(300, 900, "c"));
  assert.deepEqual(moved(2, 0, 999), label(900 - SHORTEST_MS, 900, "c"));
  assert.deepEqual(moved(2, 1, 5000), label(500, LENGTH, "c"));
  assert.deepEqual(moved(1, 1, 700), label(200, 500, "b"));
  assert.deepEqual(moved(0, 0, -20), label(0, 200, "a"));
  assert.equal(moveEdge(tier, 0, 1, 250, LENGTH), tier, "the next label touches it");
  const beyond = [label(900, 1200)];
  assert.deepEqual(moveEdge(beyond, 0, 0, 950, LENGTH), [label(950, 1200)], "labels after the end stay");
});

test("split, join, remove, name and check change what they say, and nothing else", () => {
  assert.deepEqual(splitLabel(tier, 600), [tier[0], tier[1], label(500, 600, "c"), label(600, 900, "c")]);
  for (const ms of [400, 500, 509, 891, 900]) assert.equal(splitLabel(tier, ms), tier, `${ms}`);
  assert.deepEqual(joinLabels(splitLabel(tier, 600), 2)[2], label(500, 900, "c"));
  assert.deepEqual(joinLabels(tier, 1), [tier[0], label(200, 900, "b c")]);
  assert.equal(joinLabels(tier, 2), tier);
  assert.deepEqual(removeLabel(tier, 1), [tier[0], tier[2]]);
  assert.deepEqual(nameLabel(tier, 2, " two\tlines\nof \u0007text ")[2], label(500, 900, "two lines of text"));
  assert.equal(nameLabel(tier, 2, "c"), tier);
  assert.deepEqual(checkLabel(tier, 2, true)[2], label(500, 900, "c"));
  assert.equal(checkLabel(tier, 2, false), tier);
  assert.equal(oneLine("می‌خواهم"), "می‌خواهم", "joiners belong to words");
});

test("whatever is done, in any order, tiers stay in order, and undo leads back through every state", () => {
  const next = random(46), whole = (most) => Math.floor(next() * most);
  for (let round = 0; round < 40; round++) {
    const history = new History([]), states = [history.now];
    for (let step = 0; step < 60; step++) {
      const now = history.now, index = whole(now.length || 1), ms = whole(LENGTH + 1);
      const before = JSON.stringify(now);
      const operations = [() => addLabel(now, ms, whole(LENGTH + 1), LENGTH), () => splitLabel(now, ms),
        ...(now.length ? [() => moveEdge(now, index, whole(2), ms, LENGTH), () => joinLabels(now, index),
          () => removeLabel(now, index), () => nameLabel(now, index, `${whole(9)}`), () => checkLabel(now, index, next() < 0.5)] : [])];
      const changed = operations[whole(operations.length)]();
      assert.equal(JSON.stringify(now), before, "a tier is not changed in place");
      assertSound(changed);
      if (changed === now) continue;
      history.push(changed);
      states.push(changed);
    }
    for (let at = states.length - 1; at > 0; at--) {
      assert.equal(history.now, states[at]);
      history.undo();
    }
    assert.deepEqual([history.now, history.canUndo], [states[0], false]);
    for (let at = 1; at < states.length; at++) {
      history.redo();
      assert.equal(history.now, states[at]);
    }
    assert.equal(history.canRedo, false);
  }
});

test("a change after undo drops what was undone", () => {
  const history = new History("a");
  for (const state of ["b", "c"]) history.push(state);
  history.undo();
  history.push("d");
  assert.deepEqual([history.now, history.canRedo], ["d", false]);
  history.undo();
  assert.equal(history.now, "b");
});

test("spans in any order become a tier; what overlaps is joined and counted", () => {
  const { tier: made, joined } = tierOf([[500, 600, "c"], [0, 100, "a", true], [90, 95, "b"], [100, 200], [550, 700, "c", true]]);
  assert.deepEqual(made, [label(0, 100, "a b", false), label(100, 200, "", false), label(500, 700, "c", false)]);
  assert.equal(joined, 2);
  assert.deepEqual(tierOf([]), { tier: [], joined: 0 });
});

test("a time snaps to the nearest crossing within reach, or else to the nearest hop", () => {
  const track = [0, 0, 9, 9, 9, 0, 0, 5, 4, 5], times = crossingsOf(track, 5, 10);
  assert.deepEqual(times, [20, 50, 70, 80, 90]);
  assert.deepEqual(crossingsOf(track, 5, 10, 1730), [1750, 1780, 1800, 1810, 1820]);
  for (let ms = 0; ms <= 120; ms++) {
    for (const reach of [0, 4, 15]) {
      const near = times.filter((time) => Math.abs(time - ms) <= reach);
      const nearest = Math.min(...near.map((time) => Math.abs(time - ms)));
      const found = snappedTo(ms, times, reach, 10);
      if (near.length) assert.equal(Math.abs(found - ms), nearest, `${ms}, ${reach}`);
      else assert.ok(found % 10 === 0 && Math.abs(found - ms) <= 5, `${ms}, ${reach}`);
    }
  }
  assert.equal(snappedTo(44, [], 100, 10), 40);
});

test("the label nearest to a time is selected, and the edge nearest to a pointer held", () => {
  const editor = new Editor({ labels: tier, muted: [] }, LENGTH, () => []);
  for (let ms = 0; ms < LENGTH; ms++) {
    editor.selectNear(ms);
    const far = ([start, end]) => Math.max(start - ms, ms - end, 0), least = Math.min(...tier.map(far));
    assert.equal(far(tier[editor.selected]), least, `${ms}`);
    const edges = tier.flatMap(([start, end]) => [start, end]).map((edge) => Math.abs(edge - ms)), held = edgeNear(tier, ms, 40, -1);
    if (Math.min(...edges) > 40) assert.equal(held, null, `${ms}`);
    else assert.equal(Math.abs(tier[held[0]][held[1]] - ms), Math.min(...edges), `${ms}`);
  }
  assert.deepEqual([edgeNear(tier, 200, 40, 0), edgeNear(tier, 200, 40, 1)], [[0, 1], [1, 0]], "of two that touch, the selected one's");
  const empty = new Editor({ labels: [], muted: [] }, LENGTH, () => []);
  assert.equal(empty.selectNear(5), "No label is selected");
});
