// The processor of the audio thread in Node, quantum by quantum, against a detector that is given the same stream at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Detector, load } from "../src/index.js";
import { read } from "./recordings.js";

const QUANTUM = 128, { samples, sampleRate } = read("muted-talk.flac"), SECOND = sampleRate;
const sound = samples.subarray(0, 12 * SECOND - (12 * SECOND) % QUANTUM);
const modules = { alone: await load(), beside: await load({ reference: true }) };

let Processor;
globalThis.AudioWorkletProcessor = class { port = { postMessage: (message) => this.onMessage(message) }; };
globalThis.registerProcessor = (_, made) => { Processor = made; };
await import("../src/listen/processor.js");

/** A processor, and what it has said: its events, and the most hops that it has decided in a call. */
class Listener {
  events = [];
  most = 0;
  missing = 0;

  constructor({ beside = false, ...more } = {}) {
    const settings = { sampleRate, ...(beside && { referenceSampleRate: sampleRate }), ...more };
    this.beside = beside;
    this.processor = new Processor(
      { processorOptions: { module: beside ? modules.beside : modules.alone, settings, statusEveryMs: 0 } });
    this.processor.onMessage = ({ events, status }) => {
      this.events.push(...events);
      if (this.status) this.most = Math.max(this.most, status.hops - this.status.hops);
      this.status = status;
    };
  }

  send(data) { this.processor.port.onmessage({ data }); }

  /** Gives it samples in an array that is used again, as browsers do. */
  hear(samples) {
    const array = new Float32Array(QUANTUM), other = new Float32Array(QUANTUM);
    for (let at = 0; at < samples.length; at += QUANTUM) {
      array.set(samples.subarray(at, at + QUANTUM));
      other.set(array);
      assert.equal(this.processor.process([[array], this.beside ? [other] : []]), true);
      array.fill(1);
      other.fill(1);
    }
  }

  /** Goes on in silence until nothing waits. */
  rest(seconds = 30) {
    this.hear(new Float32Array(seconds * SECOND));
    return this;
  }
}

/** What a detector says of parts: samples, the length of a gap, or what else to do with it. */
function said(parts, { beside = false, ...more } = {}) {
  const settings = { sampleRate, ...(beside && { referenceSampleRate: sampleRate }), ...more };
  const detector = new Detector(beside ? modules.beside : modules.alone, settings), events = [];
  const hear = (samples) => {
    for (let at = 0; at < samples.length; at += QUANTUM) {
      const quantum = samples.subarray(at, at + QUANTUM);
      if (beside) detector.pushReference(quantum);
      events.push(...detector.process(quantum));
    }
  };
  for (const part of parts) {
    if (typeof part === "function") part(detector);
    else if (part instanceof Float32Array) hear(part);
    else {
      events.push(...detector.pushGap(part));
      if (beside) detector.pushReferenceSilence(part);
    }
  }
  return { events, status: detector.status };
}

const rest = new Float32Array(30 * SECOND);

for (const options of [{}, { beside: true }]) {
  test(`a gap of an hour is taken in parts, and what follows keeps its place${options.beside ? ", beside a reference too" : ""}`, () => {
    const listener = new Listener(options), gap = 3600 * SECOND;
    listener.hear(sound);
    listener.send({ gap });
    listener.hear(sound);
    listener.rest();
    const { events, status } = said([sound, gap, sound, rest], options);
    assert.ok(options.beside || events.filter(({ type }) => type === "onset").length > 3);
    assert.deepEqual([listener.events, listener.status], [events, status]);
    assert.ok(listener.most <= 600, `${listener.most} hops in a call`);
  });
}

test("a short gap is over at once", () => {
  const listener = new Listener();
  listener.hear(sound);
  listener.send({ gap: SECOND });
  listener.hear(sound.subarray(0, QUANTUM));
  assert.equal(listener.status.hops, said([sound, SECOND, sound.subarray(0, QUANTUM)]).status.hops);
});

test("of the sound that waits, what is older than 10 s becomes part of the gap", () => {
  const listener = new Listener(), gap = 9000 * SECOND;
  listener.hear(sound);
  listener.send({ gap });
  listener.hear(sound);
  listener.hear(sound);
  listener.rest();
  const { missingSamples } = listener.events.find(({ type }) => type === "discontinuity"), lost = missingSamples - gap;
  assert.ok(lost > 3 * SECOND && lost < 5 * SECOND && lost % QUANTUM === 0, `${lost / SECOND} s are lost`);
  const after = Float32Array.from([...sound, ...sound]).subarray(lost);
  const { events, status } = said([sound, missingSamples, after, rest]);
  assert.deepEqual([listener.events, listener.status], [events, status]);
});

test("a second gap takes in the sound that still waits before it", () => {
  const listener = new Listener(), gap = 1800 * SECOND, between = sound.subarray(0, 100 * QUANTUM);
  listener.hear(sound);
  listener.send({ gap });
  listener.hear(between);
  listener.send({ gap });
  listener.hear(sound);
  listener.rest();
  const { events, status } = said([sound, 2 * gap + between.length, sound, rest]);
  assert.deepEqual([listener.events, listener.status], [events, status]);
});

test("the user mutes from the sound on that then arrives, and not from what waits", () => {
  const listener = new Listener(), gap = 3600 * SECOND, cut = 400 * QUANTUM;
  listener.hear(sound);
  listener.send({ gap });
  listener.hear(sound.subarray(0, cut));
  listener.send({ muted: true });
  listener.hear(sound.subarray(cut));
  listener.rest();
  const mute = (detector) => { detector.muted = true; };
  const { events } = said([sound, gap, sound.subarray(0, cut), mute, sound.subarray(cut), rest]);
  assert.ok(events.some(({ type }) => type === "mutedSpeechBegin"));
  assert.deepEqual(listener.events, events);
  const before = new Listener();
  before.hear(sound);
  before.send({ gap });
  before.send({ muted: true });
  before.hear(sound);
  before.rest();
  assert.deepEqual(before.events, said([sound, mute, gap, sound, rest]).events, "before anything waits, at once");
});
