import assert from "node:assert/strict";
import { test } from "node:test";
import { SpeakingWhileMutedGate } from "../src/listen/gate.js";

function muted() {
  const gate = new SpeakingWhileMutedGate();
  assert.equal(gate.setMuted(true), false);
  return gate;
}

test("speech while muted makes it true, its end false, and each is a change once", () => {
  const gate = muted();
  assert.deepEqual([gate.speechBegan(), gate.value, gate.speechBegan()], [true, true, false]);
  assert.deepEqual([gate.speechEnded(), gate.value, gate.speechEnded()], [true, false, false]);
});

test("speech while unmuted counts neither then nor later", () => {
  const gate = new SpeakingWhileMutedGate();
  assert.equal(gate.speechBegan(), false);
  assert.equal(gate.setMuted(true), false);
  assert.equal(gate.value, false);
});

for (const [name, interrupt, resume] of [
  ["an unmute", (gate) => gate.setMuted(false), (gate) => gate.setMuted(true)],
  ["sound that stops", (gate) => gate.setDataFlowing(false), (gate) => gate.setDataFlowing(true)],
  ["switching it off", (gate) => gate.setRequirement("enabled", false), (gate) => gate.setRequirement("enabled", true)],
]) {
  test(`${name} makes it false at once, until speech begins again`, () => {
    const gate = muted();
    gate.speechBegan();
    assert.deepEqual([interrupt(gate), gate.value, gate.isDetecting], [true, false, false]);
    assert.equal(gate.speechBegan(), false);
    assert.deepEqual([resume(gate), gate.value, gate.isDetecting], [false, false, true]);
    assert.equal(gate.speechBegan(), true);
  });
}

test("what is not a boolean counts by its truth, as with `muted`", () => {
  const gate = new SpeakingWhileMutedGate();
  for (const value of ["joined", {}, 2 ** 32, 0.5]) {
    gate.setRequirement("sessionActive", value);
    gate.setMuted(value);
    assert.deepEqual([gate.isMet("sessionActive"), gate.isMet("microphoneMuted")], [true, true], String(value));
  }
  for (const value of ["", null, undefined, 0]) {
    gate.setRequirement("sessionActive", value);
    assert.equal(gate.isMet("sessionActive"), false, String(value));
  }
});

test("the end is for good", () => {
  const gate = muted();
  gate.speechBegan();
  assert.equal(gate.end(), true);
  gate.setMuted(false);
  gate.setMuted(true);
  assert.equal(gate.speechBegan(), false);
});
