import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Detector, load } from "../src/index.js";
import * as chromium from "./browser/chromium.js";
import * as firefox from "./browser/firefox.js";
import { renderFarEnd, renderMuted } from "./browser/rendering.js";
import { serve } from "./browser/server.js";
import * as webkit from "./browser/webkit.js";
import { read } from "./recordings.js";

const server = await serve();
after(() => server.close());
const base64 = (samples) => Buffer.from(samples.buffer).toString("base64");

for (const [name, { launch }] of Object.entries({ Chromium: chromium, Firefox: firefox, WebKit: webkit })) {
  test(`an offline context in ${name}`, async (t) => {
    const browser = await launch();
    t.after(() => browser.close());
    const page = await browser.open(`${server.origin}/demo/`);

    await t.test("finds what the detector finds by itself", async () => {
      const { samples, sampleRate } = read("muted-talk.flac");
      const detector = new Detector(await load(), { sampleRate, preset: "notice", muted: true });
      const expected = [...detector.process(samples)];
      const { events, values } = await page.run(renderMuted, base64(samples), sampleRate);
      assert.ok(expected.filter(({ type }) => type === "mutedSpeechBegin").length >= 2);
      assert.deepEqual(events, expected);
      assert.deepEqual(values, values.map((_, i) => i % 2 === 0), "only changes");
      assert.equal(values.length, expected.filter(({ type }) => type.startsWith("muted")).length);
    });

    await t.test("keeps the far end out with a reference as the second input", async () => {
      const { samples, sampleRate } = read("speech.flac");
      const { without, beside, opposite } = await page.run(renderFarEnd, base64(samples), sampleRate);
      assert.ok(without.onsets >= 3);
      assert.equal(without.echo, null);
      for (const { onsets, echo } of [beside, opposite]) {
        assert.equal(onsets, 0);
        assert.equal(echo.delayMs, 100);
        assert.equal(echo.lateSamples, 0);
      }
    });
  });
}
