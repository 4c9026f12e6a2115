// What a detector that listens sends, beside a context and a processor that the test moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveDetector } from "../src/index.js";

const TYPES = ["speakingwhilemutedchange", "mutedchange", "statechange", "status", "onset", "offset", "mutedspeechbegin",
  "mutedspeechend", "discontinuity"];

/** A detector that listens while muted, and the types of its events with what is no object of their details. */
function listening({ muted = true } = {}) {
  const context = Object.assign(new EventTarget(), { state: "running", sampleRate: 48000, resume: async () => enter("running") });
  const enter = (state) => {
    context.state = state;
    context.dispatchEvent(new Event("statechange"));
  };
  const port = { postMessage() {} }, node = { port, disconnect() {} };
  const detector = new LiveDetector({ context, node, tracks: [], muted, release() {} }), said = [];
  for (const type of TYPES)
    detector.addEventListener(type, ({ detail }) => said.push(typeof detail === "object" ? type : `${type} ${detail}`));
  const take = (...types) =>
    port.onmessage?.({ data: { events: types.map((type) => ({ type })), status: {}, echo: null, speakerLevel: null } });
  return { detector, said, enter, take, fail: () => node.onprocessorerror() };
}

test("`muted` counts by its truth, from the beginning", () => {
  assert.equal(listening({ muted: "no" }).detector.muted, true);
});

for (const [name, attempt] of [
  ["resume()", ({ detector }) => detector.resume()],
  ["a change of the context", ({ enter }) => enter("suspended")],
  ["a failure of the processor", ({ fail }) => fail()],
  ["results", ({ take }) => take("mutedSpeechBegin")],
  ["another mute", ({ detector }) => { detector.muted = false; }],
  ["another close()", ({ detector }) => detector.close()],
]) {
  test(`${name} after close() changes and says nothing`, async () => {
    const live = listening();
    live.detector.close();
    await attempt(live);
    assert.deepEqual([live.detector.state, live.said], ["closed", ["statechange closed"]]);
  });
}

test("close() while resume() waits is final", async () => {
  const { detector, said, enter } = listening();
  enter("suspended");
  const resumed = detector.resume();
  detector.close();
  await resumed;
  assert.equal(detector.state, "closed");
  assert.equal(said.at(-1), "statechange closed");
});

for (const type of ["mutedspeechbegin", "speakingwhilemutedchange"]) {
  test(`nothing follows a close() in a listener of ${type}`, () => {
    const { detector, said, take } = listening();
    detector.addEventListener(type, () => detector.close());
    take("mutedSpeechBegin", "offset", "mutedSpeechEnd");
    assert.equal(detector.state, "closed");
    assert.deepEqual(said.slice(-2), ["speakingwhilemutedchange false", "statechange closed"]);
    assert.equal(said.filter((each) => each === "statechange closed").length, 1);
  });
}

test("a listener that closes it as the context is suspended has the last word", () => {
  const { detector, said, enter, take } = listening();
  take("mutedSpeechBegin");
  detector.addEventListener("speakingwhilemutedchange", () => detector.close());
  enter("suspended");
  assert.deepEqual([detector.state, said.at(-1)], ["closed", "statechange closed"]);
});
