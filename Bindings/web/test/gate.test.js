import assert from "node:assert/strict";
import { test } from "node:test";
import { SpeakingWhileMutedGate } from "../src/listen/gate.js";

// muted-table.test.js has what a gate decides.

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
