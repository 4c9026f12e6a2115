// Measures what a hop of 10 ms takes in Node, beside the native core on the same sound in the same run:
//
//     make -C Bindings/web benchmark
//
// Prints the fastest of many passes in µs, since other work on the machine only ever adds, and the ratio to the native
// core with its portable body, which has no reference. Exits with 1 if a hop without a reference takes more than
// MOST_US.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Detector, load } from "../src/index.js";
import { BUILD, read, resampled } from "../test/recordings.js";

const PASSES = 100, MOST_US = 5;
const speech = read("speech.flac");

/** Returns the µs a hop of the fastest pass, in chunks of `size` samples. */
function measure(module, { samples, sampleRate }, size, options) {
  const detector = new Detector(module, { sampleRate, ...options });
  const hops = (100 * samples.length) / sampleRate;
  let fastest = Infinity;
  for (let pass = 0; pass < PASSES; pass++) {
    const start = process.hrtime.bigint();
    for (let from = 0; from < samples.length; from += size) {
      const chunk = samples.subarray(from, from + size);
      if (options) detector.pushReference(chunk);
      detector.process(chunk);
    }
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - start) / 1000 / hops);
  }
  return fastest;
}

function native({ samples, sampleRate }, body) {
  const path = join(BUILD, "cost.s16");
  writeFileSync(path, Buffer.from(Int16Array.from(samples, (sample) => Math.round(32767 * sample)).buffer));
  const printed = execFileSync(join(BUILD, `cost-${sampleRate}`), [String(PASSES), path], { env: { VA_CPU: body } });
  const [hops, , seconds, , used] = printed.toString().split(/\s+/);
  return { us: (1e6 * Number(seconds)) / Number(hops), body: used };
}

const module = await load(), moduleWithEcho = await load({ reference: true });
const rows = [];
for (const sampleRate of [8000, 16000, 44100, 48000]) {
  const recording = resampled(speech, sampleRate), hop = sampleRate / 100;
  rows.push([recording, hop, measure(module, recording, hop)], [recording, 128, measure(module, recording, 128)]);
}
for (const referenceSampleRate of [44100, 48000]) {
  const recording = resampled(speech, referenceSampleRate);
  rows.push([recording, 128, measure(moduleWithEcho, recording, 128, { referenceSampleRate }), "with a reference"]);
}

let worst = 0;
console.log(`Node ${process.version}, fastest of ${PASSES} passes`);
for (const [recording, size, us, note = ""] of rows) {
  const portable = native(recording, "portable"), best = native(recording, "");
  if (!note) worst = Math.max(worst, us);
  const what = `${String(recording.sampleRate).padStart(6)} Hz, chunks of ${String(size).padStart(3)}`;
  console.log(`${what}: ${us.toFixed(2)} µs a hop, ` +
    `${(us / portable.us).toFixed(2)} × native portable (${portable.us.toFixed(2)}), ` +
    `${(us / best.us).toFixed(2)} × ${best.body} (${best.us.toFixed(2)}) ${note}`);
}
if (worst > MOST_US) {
  console.error(`A hop takes ${worst.toFixed(2)} µs, more than ${MOST_US}`);
  process.exitCode = 1;
}
