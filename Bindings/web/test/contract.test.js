// Replays Tests/Contract/streams.txt, which every binding replays. This one has no levels, and the margin as an option.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Detector, load } from "../src/index.js";

const module = await load({ reference: true });
const read = (name) => readFileSync(new URL(`../../../Tests/Contract/${name}`, import.meta.url));
const bytes = read("talk.s16");
const talk = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
const FLAGS = {
  speech: "isSpeech", muted: "isMuted", muted_speech: "isMutedSpeech", missing: "isMissing", echo: "isEcho",
};
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const heard = (first, count, shift, copies = 1) =>
  Float32Array.from({ length: count * copies }, (_, n) => (talk[first + Math.floor(n / copies)] >> shift) / 32768);

function replay([, name, rate, preset], lines) {
  const options = { sampleRate: Number(rate), preset, onHop: (hop) => hops.push(hop) };
  if (name.includes("echo")) options.referenceSampleRate = Number(rate);
  const hops = [], events = [], cuts = [];
  let detector;
  const steps = {
    hear: (first, count, shift) => detector.process(heard(first, count, shift, rate / 8000)),
    echo: (first, count, late, shift) => Array.from({ length: count / 80 }, (_, n) => {
      detector.pushReference(heard(first + 80 * n, 80, 0));
      return detector.process(heard(first + 80 * n - late, 80, shift));
    }).flat(),
    mute: (muted) => { detector.muted = Boolean(muted); },
    gap: (count) => detector.pushGap(count),
    speaker: (dbfs, learnedMs) => { detector.speakerLevel = { dbfs, learnedMs }; },
    gain: (decibels) => detector.changeInputGain(decibels),
    flush: () => detector.flush(),
  };
  for (const [step, ...words] of lines) {
    if (step === "set") {
      options[camel(words[0])] = Number(words[1]);
      continue;
    }
    if (step === "rule") {
      options.cutRules = { ...options.cutRules, [camel(words[0])]: Number(words[1]) };
      options.onCut = (cut) => cuts.push(cut);
      continue;
    }
    detector ??= new Detector(module, options);
    events.push(...steps[step](...words.map(Number)) ?? []);
  }
  const runs = [];
  for (const hop of hops) {
    const flags = Object.keys(FLAGS).filter((flag) => hop[FLAGS[flag]]).join("+") || "-";
    const text = `${snake(hop.state)} ${flags}`;
    if (runs.at(-1)?.text === text) runs.at(-1).count += 1;
    else runs.push({ text, count: 1 });
  }
  return [
    ...events.map((event) =>
      `> event ${snake(event.type)} ${event.position} ${event.decidedAt} ${event.missingSamples}`),
    ...cuts.map(({ start, end, decidedAt, continues }) => `> cut ${start} ${end} ${decidedAt} ${Number(continues)}`),
    ...runs.map(({ text, count }) => `> hops ${count} ${text}`),
    `> status ${detector.status.hops} ${detector.status.missingSamples}`,
  ];
}

for (const text of read("streams.txt").toString().trim().split("\n\n").slice(1)) {
  const [head, ...lines] = text.split("\n");
  if (/^(level|margin) /m.test(text)) continue;
  test(`${head} has the answers of C`, () => {
    const said = lines.filter((line) => line.startsWith(">"));
    const steps = lines.filter((line) => !line.startsWith(">")).map((line) => line.split(" "));
    assert.deepEqual(replay(head.split(" "), steps), said);
  });
}
