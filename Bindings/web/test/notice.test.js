import assert from "node:assert/strict";
import { test } from "node:test";
import { MutedNoticePresenter } from "../src/index.js";
import { handDrivenClock } from "./timers.js";

// muted-table.test.js has when a notice appears, and how long it lasts by default.

/** A presenter whose time the test moves, and the spans in ms in which it showed something. */
function timed(t, options) {
  const { now, moveTo } = handDrivenClock(t);
  const presenter = new MutedNoticePresenter(options), spans = [];
  let shown = null;
  presenter.addEventListener("change", ({ detail }) => {
    assert.equal(detail, presenter.notice);
    if (detail && detail !== shown) spans.push([now()]);
    if (!detail && shown) spans.at(-1).push(now());
    shown = detail;
  });
  return { presenter, spans, moveTo };
}

test("a notice lasts as long as its durationMs", (t) => {
  const { presenter, spans, moveTo } = timed(t, { durationMs: 500 });
  for (const rise of [0, 600]) {
    moveTo(rise);
    presenter.update(true);
    moveTo(rise + 5);
    presenter.update(false);
  }
  moveTo(20000);
  assert.deepEqual(spans.map(([from, to]) => [from, Math.round((to - from) / 10) * 10]), [[0, 500], [600, 500]]);
});

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
