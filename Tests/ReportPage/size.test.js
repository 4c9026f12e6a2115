// Two hours: how large the page is, and how soon there is something to see.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "../../Bindings/web/test/browser/chromium.js";
import { SAMPLES, folder, sample, vadmon } from "./program.js";

const chromium = await launch();
after(() => chromium.close());

test("two hours take at most 8 MB", async (context) => {
  const recording = join(folder(), "two-hours.wav"), page = join(folder(), "two-hours.html");
  const samples = SAMPLES.filter((name) => name.startsWith("speech")).map(sample);
  execFileSync("sox", [...samples, recording, "rate", "16000", "channels", "1", "repeat", "-", "trim", "0", "7200"]);
  vadmon(["analyze", recording, "--report", page, "--quiet"]);
  const { size } = statSync(page);
  const opened = await chromium.open(pathToFileURL(page), { permission: null });
  await opened.run(() => until(() => document.getElementById("segments").tBodies[0].rows.length > 100));
  // An animation frame after the script has run shows the recording.
  const times = await opened.run(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { paint: paint?.startTime, drawn: performance.getEntriesByName("drawn")[0]?.startTime };
  });
  // From an event to the frame after the one that shows it: a slider that is dragged, and labels that are changed.
  const followed = (moves) => opened.run(async (moves) => {
    const times = [];
    for (const { value, key } of moves) {
      const begin = performance.now(), slider = document.querySelector("#sliders [name=onset]");
      if (key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      else Object.assign(slider, { value }).dispatchEvent(new Event("input"));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      times.push(performance.now() - begin);
    }
    return Math.round(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]);
  }, moves);
  const values = [0.7, 0.6, 0.5, 0.4, 0.3].map((value) => ({ value })), keys = [..."nccjcjc"].map((key) => ({ key }));
  context.diagnostic(`a slider is followed after ${await followed(values)} ms`);
  await followed([{ key: "e" }]);
  context.diagnostic(`with the label editor, after ${await followed(values)} ms, and a changed label after ${await followed(keys)} ms`);
  const state = await opened.run(() => Promise.resolve(document.getElementById("labels-state").textContent));
  assert.match(state, /^\d{3,} labels, .* 4 checked/);
  context.diagnostic(`${size} bytes; first paint after ${Math.round(times.paint)} ms, recording drawn after ${Math.round(times.drawn)} ms`);
  assert.ok(size <= 8e6, `${size} bytes`);
  assert.ok(times.drawn > 0);
  assert.deepEqual(opened.said, []);
  await opened.close();
});
