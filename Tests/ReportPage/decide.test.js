// The page's decisions against the program's, for many settings.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { SAMPLES, folder, module, random, read, sample, segments, vadmon } from "./program.js";

const { decideSegments, hopStart, millisecondsOf, samplesOf } = await module("decide.js");
const { words } = await module("text.js");
const HERE = folder(), next = random(21);
const between = (least, most, step) => least + Math.floor(next() * ((most - least) / step + 1)) * step;

/** Random settings on the page's grid, and the options that stand for them. */
function settings() {
  const offset = between(1, 90, 1), onset = between(offset, 95, 1);
  const lengths = {
    debounceMs: between(0, 200, 10), hangoverMs: between(0, 600, 10), padMs: next() < 0.5 ? 0 : between(0, 300, 5),
    minSpeechMs: next() < 0.5 ? 0 : between(0, 400, 5), minSilenceMs: between(0, 500, 5),
  };
  const options = [
    "--onset-threshold", `${onset / 100}`, "--offset-threshold", `${offset / 100}`,
    "--onset-debounce", `${lengths.debounceMs}ms`, "--hangover", `${lengths.hangoverMs}ms`, "--pad", `${lengths.padMs}ms`,
    "--min-speech", `${lengths.minSpeechMs}ms`, "--min-silence", `${lengths.minSilenceMs}ms`,
  ];
  return { values: { ...lengths, onset: onset * 600, offset: offset * 600 }, options };
}

for (const name of SAMPLES) {
  test(`${name}: the page decides as vadmon does`, () => {
    const page = join(HERE, `${name}.html`);
    vadmon(["analyze", sample(name), "--channel", "each", "--report", page, "--quiet"]);
    const { report, ...recordings } = read(page);
    assert.equal(report.grid.steps, 60000);
    for (let round = 0; round < 12; round++) {
      const { values, options } = settings();
      Object.values(recordings).forEach((recording, index) => {
        const channel = ["--channel", `${index + 1}`];
        const [wanted] = segments([sample(name), ...channel, ...options]);
        const posteriors = words(recording.hops.posterior);
        assert.deepEqual(decideSegments({ ...recording, posteriors }, values), wanted, options.join(" "));
      });
    }
  });
}

test("thresholds between the points of the grid decide as in vadmon", () => {
  for (const [onset, offset] of [["0.123457", "0.123456"], ["0.9876543", "0.3333333"], ["0.5", "0.4999999"]]) {
    const page = join(HERE, "between.html"), options = ["--onset-threshold", onset, "--offset-threshold", offset];
    vadmon(["analyze", sample("speech-fan-0db.flac"), ...options, "--hangover", "50ms", "--report", page, "--quiet"]);
    const { report: { grid }, "recording-1": recording } = read(page);
    for (const hangoverMs of [10, 50, 300]) {
      const [wanted] = segments([sample("speech-fan-0db.flac"), ...options, "--hangover", `${hangoverMs}ms`]);
      const values = { onset: grid.onset, offset: grid.offset, debounceMs: 10, hangoverMs, padMs: 0, minSpeechMs: 0, minSilenceMs: 200 };
      assert.deepEqual(decideSegments({ ...recording, posteriors: words(recording.hops.posterior) }, values), wanted);
    }
  }
});

test("times are rounded as in vadmon at rates that are not multiples of 100", () => {
  for (const rate of [8000, 11025, 22050, 44100, 48000]) {
    for (const hop of [0, 1, 2, 3, 99, 100, 12345, 720001]) {
      const exact = (BigInt(hop) * BigInt(rate) + 99n) / 100n; // rounded up
      assert.equal(hopStart(rate, hop), Number(exact));
      const ms = (exact * 2000n + BigInt(rate)) / (2n * BigInt(rate)); // halves up
      assert.equal(millisecondsOf(Number(exact), rate), Number(ms));
      assert.equal(samplesOf(hop * 7, rate), Number((BigInt(hop * 7) * BigInt(rate) + 500n) / 1000n));
    }
  }
});
