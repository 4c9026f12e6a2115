import assert from "node:assert/strict";
import { test } from "node:test";
import { MutedNoticePresenter } from "../src/index.js";
import { handDrivenClock } from "./timers.js";

/** A presenter whose time the test moves, and the spans in ms in which it showed something. */
function timed(t, options) {
  const { now, moveTo } = handDrivenClock(t);
  const presenter = new MutedNoticePresenter(options), spans = [], ids = new Set();
  let shown = null;
  presenter.addEventListener("change", ({ detail }) => {
    assert.equal(detail, presenter.notice);
    if (detail && detail !== shown) spans.push([now()]), ids.add(detail.id);
    if (!detail && shown) spans.at(-1).push(now());
    shown = detail;
  });
  return { presenter, spans, ids, moveTo };
}

/** What is shown if muted speech begins at each of these times, and lasts 5 ms. */
function play(t, rises, options = {}, unmutedAt = []) {
  const { presenter, spans, ids, moveTo } = timed(t, options);
  const unmutes = [...unmutedAt];
  for (const rise of rises) {
    moveTo(rise);
    while (unmutes[0] <= rise) presenter.microphoneUnmuted(unmutes.shift());
    presenter.update(true);
    moveTo(rise + 5);
    presenter.update(false);
  }
  moveTo(20000);
  assert.equal(ids.size, spans.length);
  return spans.map(([from, to]) => [from, Math.round((to - from) / 10) * 10]);
}

for (const [rises, expected, options, unmutedAt] of [
  [[0], [[0, 2000]]],
  [[0, 500], [[0, 2000]]],
  [[0, 2100], [[0, 2000], [2100, 2000]]],
  [[0, 500, 1900, 2100], [[0, 2000], [2100, 2000]]],
  [[0, 600], [[0, 500], [600, 500]], { durationMs: 500 }],
  [[0, 3000, 6000], [[0, 2000]], { limit: "oncePerMute" }],
  [[0, 3000, 6000], [[0, 2000], [6000, 2000]], { limit: "oncePerMute" }, [4000]],
  [[0, 3000, 6000], [[0, 2000], [6000, 2000]], { limit: 5000 }],
]) {
  test(`speech at ${rises} ms shows ${expected.length} notices (${JSON.stringify(options ?? {})})`, (t) => {
    assert.deepEqual(play(t, rises, options, unmutedAt), expected);
  });
}

test("speech that goes on after the notice is still speaking", (t) => {
  const { presenter, moveTo } = timed(t);
  const said = [];
  presenter.addEventListener("change", () => said.push([presenter.notice !== null, presenter.isStillSpeaking]));
  presenter.update(true);
  moveTo(2500);
  presenter.update(false);
  assert.deepEqual(said, [[true, false], [false, true], [false, false]]);
});

test("what is not a boolean counts by its truth", (t) => {
  const { presenter, spans } = timed(t);
  for (const value of [1, {}, 0, null, undefined]) presenter.update(value);
  assert.deepEqual([spans.length, presenter.isStillSpeaking], [1, false]);
});

test("a dismissal ends only its own notice", (t) => {
  const { presenter, spans, moveTo } = timed(t, { text: "Mikrofon stumm" });
  presenter.update(true);
  const first = presenter.notice;
  assert.equal(first.text, "Mikrofon stumm");
  moveTo(100);
  presenter.dismiss(first.id);
  presenter.update(false);
  presenter.update(true);
  moveTo(300);
  presenter.dismiss(first.id);
  assert.notEqual(presenter.notice.id, first.id);
  moveTo(9000);
  assert.deepEqual(spans.map(([from, to]) => Math.round((to - from) / 10) * 10), [100, 2000]);
});

test("it follows a detector", () => {
  const detector = Object.assign(new EventTarget(), { isSpeakingWhileMuted: true });
  const presenter = new MutedNoticePresenter({ durationMs: 0, limit: "oncePerMute" }).follow(detector);
  const send = (type, detail) => detector.dispatchEvent(Object.assign(new Event(type), { detail }));
  const { id } = presenter.notice;
  presenter.dismiss(id);
  for (const value of [false, true]) send("speakingwhilemutedchange", value);
  assert.deepEqual([presenter.notice, presenter.isStillSpeaking], [null, true]);
  for (const muted of [false, true]) send("mutedchange", muted);
  for (const value of [false, true]) send("speakingwhilemutedchange", value);
  assert.equal(presenter.notice.id, id + 1);
  presenter.dismiss(id + 1);
});

test("wrong settings are refused", () => {
  for (const options of [{ durationMs: -1 }, { durationMs: NaN }, { limit: "often" }, { limit: -1 }])
    assert.throws(() => new MutedNoticePresenter(options), /^RangeError: (durationMs|limit) is/);
  assert.throws(() => new MutedNoticePresenter({ duration: 5 }),
    /^TypeError: There is no option duration; the options are text, durationMs, limit/);
});
