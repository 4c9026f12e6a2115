import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MutedNoticePresenter, SpeakingWhileMutedGate } from "../src/index.js";
import { handDrivenClock } from "./timers.js";

// The rows that the tests of every language replay; their head says what the columns mean.
const table = readFileSync(new URL("../../../Tests/Contract/speaking-while-muted.txt", import.meta.url), "utf8");
const rows = table.split(/^row /m).slice(1).map((row) => row.split("\n").filter((line) => line && line[0] !== "#"));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

function take(gate, presenter, input, on) {
  switch (input) {
    case "speech": return on ? gate.speechBegan() : gate.speechEnded();
    case "data_flowing": return gate.setDataFlowing(on === 1);
    case "input_replaced": return gate.inputReplaced();
    case "end": return gate.end();
    case "dismiss": return presenter.dismiss(on), false;
    case "is_enabled": return (presenter.enabled = on === 1), false;
    case "is_once_per_mute": return (presenter.limit = on ? "oncePerMute" : null), false;
    case "interval_ms": return (presenter.limit = on), false;
    case "wait": return false;
    case "microphone_muted":
      if (!on) presenter.microphoneUnmuted();
      return gate.setMuted(on === 1);
  }
  return gate.setRequirement(camel(input), on === 1);
}

test("the table has the rows SM-01 to SM-19", () => {
  const ids = rows.map(([title]) => title.match(/^SM-\d+/)?.[0]).filter(Boolean);
  assert.deepEqual(ids, Array.from({ length: 19 }, (_, i) => `SM-${String(i + 1).padStart(2, "0")}`));
});

for (const [title, ...steps] of rows) {
  test(title, (t) => {
    const { moveTo } = handDrivenClock(t);
    const gate = new SpeakingWhileMutedGate(), presenter = new MutedNoticePresenter();
    assert.ok(steps.length > 0);
    for (const step of steps) {
      const [ms, input, on, ...expected] = step.split(/ +/).map((word, i) => (i === 1 ? word : Number(word)));
      if (step.startsWith("text ")) {
        presenter.update(true);
        assert.equal(presenter.notice.text, step.slice(5));
        continue;
      }
      moveTo(ms);
      const changed = take(gate, presenter, input, on);
      presenter.update(gate.value);
      const found = [changed, gate.value, gate.isDetecting, presenter.notice?.id ?? 0, presenter.isStillSpeaking];
      assert.deepEqual(found.map(Number), expected, step);
    }
  });
}
