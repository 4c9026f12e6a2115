import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Detector, createDetector, load } from "../src/index.js";
import { names, nativeBits, read, vadmonSegments } from "./recordings.js";

const module = await load(), moduleWithEcho = await load({ reference: true });
const speech = read("speech.flac");

const bitsOf = (() => {
  const float = new Float32Array(1), bits = new Uint32Array(float.buffer);
  return (value) => {
    float[0] = value;
    return bits[0].toString(16).padStart(8, "0");
  };
})();

/** Everything a detector says about a recording in chunks of `sizes`, in turn. */
function analyse({ samples, sampleRate }, options = {}) {
  const { sizes = [samples.length], from = module, beside = false, ...settings } = options;
  const hops = [], events = [];
  const detector = new Detector(from, { sampleRate, ...settings, onHop: (hop) => hops.push(hop) });
  for (let done = 0, turn = 0; done < samples.length; turn++) {
    const chunk = samples.subarray(done, done + sizes[turn % sizes.length]);
    if (beside) detector.pushReference(chunk);
    events.push(...detector.process(chunk));
    done += chunk.length;
  }
  events.push(...detector.flush());
  return { hops, events, detector };
}

function segmentsOf(events) {
  const positions = (wanted) => events.filter(({ type }) => type === wanted).map(({ position }) => position);
  const offsets = positions("offset");
  return positions("onset").map((start, i) => ({ start, end: offsets[i] }));
}

test("the modules import nothing", () => {
  for (const each of [module, moduleWithEcho]) assert.deepEqual(WebAssembly.Module.imports(each), []);
});

for (const name of names) {
  const recording = read(name);
  const seconds = (position) => Number((position / recording.sampleRate).toFixed(3));
  const inSeconds = (parts) => parts.map(({ start, end }) => ({ start: seconds(start), end: seconds(end) }));

  test(`${name}: posteriors are those of the native core, bit for bit`, () => {
    const expected = nativeBits(recording);
    assert.equal(expected.length, Math.floor((100 * recording.samples.length) / recording.sampleRate));
    for (const from of [module, moduleWithEcho])
      assert.deepEqual(analyse(recording, { from }).hops.map(({ posterior }) => bitsOf(posterior)), expected);
  });

  test(`${name}: and so they are beside a loudspeaker that plays it`, () => {
    const referenceSampleRate = recording.sampleRate;
    const { hops } = analyse(recording, { from: moduleWithEcho, beside: true, referenceSampleRate, sizes: [480] });
    assert.deepEqual(hops.map(({ posterior }) => bitsOf(posterior)), nativeBits(recording, { beside: true }));
  });

  test(`${name}: the segments are vadmon's`, () => {
    assert.deepEqual(inSeconds(segmentsOf(analyse(recording).events)), vadmonSegments(recording));
  });

  test(`${name}: the cuts are vadmon's`, () => {
    for (const [cutRules, options] of [
      [{}, ["--min-silence", "0"]],
      [{ minSilenceMs: 300, minSpeechMs: 500, padBeforeMs: 120, padAfterMs: 120 },
        ["--min-silence", "300ms", "--min-speech", "500ms", "--pad", "120ms"]],
      [{ minSilenceMs: 1000, maxLengthMs: 1200 }, ["--min-silence", "1s", "--split", "1200ms"]],
    ]) {
      const found = [1, 2].map((turn) => {
        const cuts = [];
        analyse(recording, { cutRules, onCut: (cut) => cuts.push(cut), sizes: turn === 1 ? [997, 128] : [100_000] });
        return cuts;
      });
      assert.deepEqual(found[0], found[1], "they do not depend on chunks");
      assert.deepEqual(inSeconds(found[0]), vadmonSegments(recording, options), JSON.stringify(cutRules));
    }
  });
}

test("a stream that is begun again has cuts of its own, and gaps count", () => {
  const cuts = [], detector = new Detector(module, { sampleRate: 16000, onCut: (cut) => cuts.push(cut) });
  const run = () => {
    detector.pushGap(16000);
    detector.process(speech.samples);
    detector.flush();
    return cuts.splice(0);
  };
  const first = run();
  assert.equal(first.length, 4);
  assert.ok(first[0].start > 16000);
  detector.reset();
  assert.deepEqual(run(), first);
});

test("rules of cuts are checked", () => {
  const make = (options) => () => new Detector(module, { sampleRate: 16000, ...options });
  const onCut = () => {};
  assert.throws(make({ cutRules: {} }), /cutRules are for onCut/);
  assert.throws(make({ onCut: 3 }), /onCut is 3; pass a function/);
  assert.throws(make({ onCut, cutRules: { pad: 3 } }), /There is no rule pad; the rules are minSilenceMs/);
  assert.throws(make({ onCut, cutRules: { padAfterMs: -1 } }), /padAfterMs is -1; pass a whole number/);
  assert.throws(make({ onCut, cutRules: { maxLengthMs: 900 } }), { name: "VoiceActivityError", code: "duration" });
  assert.throws(make({ onCut, cutRules: { maxLengthMs: 60_001 } }), /^RangeError: maxLengthMs is 60001; pass at most 60000/);
  make({ onCut, cutRules: { maxLengthMs: 60_000 } })();
});

test("chunks of any length give the same results", () => {
  const expected = analyse(speech);
  assert.ok(expected.events.length >= 8);
  for (const sizes of [[1], [128], [0, 7, 4096, 4097], [100_000]]) {
    const { hops, events } = analyse(speech, { sizes });
    assert.deepEqual(hops, expected.hops);
    // An event is decided at the sample that completes its hop, however the stream is cut.
    assert.deepEqual(events, expected.events);
  }
});

test("memory does not grow in a million hops", () => {
  const detector = new Detector(moduleWithEcho, { sampleRate: 16000, referenceSampleRate: 16000 });
  const block = speech.samples.subarray(0, 4000);
  const run = (hops) => {
    for (let done = 0; done < hops; done += 25) {
      for (let from = 0; from < 4000; from += 1000) {
        const part = block.subarray(from, from + 1000);
        detector.pushReference(part);
        detector.process(part);
      }
    }
  };
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  run(10_000);
  const before = used();
  run(1_000_000);
  assert.ok(detector.status.hops > 1_009_990);
  assert.ok(used() - before < 1_000_000, `grew by ${used() - before} bytes`);
});

test("a detector that is saved in the middle of a word continues bit for bit", () => {
  const expected = analyse(speech);
  const first = new Detector(module, { sampleRate: 16000, muted: true });
  const hops = [], middle = 40_007;
  const start = new Detector(module, { sampleRate: 16000, onHop: (hop) => hops.push(hop) });
  const events = [...start.process(speech.samples.subarray(0, middle))];
  const saved = structuredClone(start.save());
  assert.equal(saved.reference, null);
  const rest = Detector.restore(module, saved, { onHop: (hop) => hops.push(hop) });
  events.push(...rest.process(speech.samples.subarray(middle)), ...rest.flush());
  assert.deepEqual(hops, expected.hops);
  assert.deepEqual(events, expected.events);
  assert.ok(Detector.restore(module, first.save()).muted);
});

test("a restored detector has the configuration of the one that was saved", () => {
  const detector = new Detector(module, { sampleRate: 44100, preset: "notice", hangoverMs: 500 });
  const restored = Detector.restore(module, detector.save());
  assert.equal(restored.configuration.sampleRate, 44100);
  assert.deepEqual(restored.configuration, detector.configuration);
  restored.reset();
  assert.deepEqual(restored.configuration, detector.configuration);
});

test("a callable cannot use the stream in the middle of a call, and the call goes on", () => {
  const expected = analyse(speech).hops.map(({ position }) => position);
  const samples = new Float32Array(160);
  for (const [use, argument] of [["process", samples], ["pushGap", 160], ["flush"], ["reset"], ["save"],
    ["pushReference", samples], ["pushReferenceSilence", 160]]) {
    const positions = [];
    let refused = 0;
    const detector = new Detector(moduleWithEcho, {
      sampleRate: 16000, referenceSampleRate: 16000,
      onHop({ position }) {
        positions.push(position);
        assert.throws(() => detector[use](argument), { name: "VoiceActivityError", message: /within onHop or onCut/ });
        refused++;
      },
    });
    detector.process(speech.samples);
    detector.flush();
    assert.deepEqual(positions, expected, use);
    assert.equal(refused, expected.length);
  }
});

test("a callable that throws ends its call, and a reset begins a stream as ever", () => {
  const found = [];
  let failsAt = 3;
  const detector = new Detector(module, {
    sampleRate: 16000,
    onHop(hop) {
      if (--failsAt === 0) throw new Error("mine");
      found.push(hop);
    },
  });
  assert.throws(() => detector.process(speech.samples), /mine/);
  detector.reset();
  found.length = 0;
  detector.process(speech.samples);
  detector.flush();
  assert.deepEqual(found, analyse(speech).hops);
});

test("samples that a callable transfers or shrinks are not left out silently", () => {
  const detector = new Detector(module, {
    sampleRate: 16000,
    onHop: () => {
      if (samples.length > 0) structuredClone(samples.buffer, { transfer: [samples.buffer] });
    },
  });
  const samples = speech.samples.slice(0, 48000);
  assert.throws(() => detector.process(samples), { name: "TypeError", message: /transferred or resized/ });
});

test("a reference that reaches too far is taken as a whole or not at all", () => {
  for (const [length, channels] of [[48000, 1], [9600, 2], [6000, 8], [5761, 1]]) {
    const make = () => new Detector(moduleWithEcho, { sampleRate: 48000, referenceSampleRate: 48000 });
    const refused = make(), samples = Float32Array.from({ length }, (_, i) => Math.sin(i / 7));
    refused.pushReferenceSilence(11);
    assert.throws(() => refused.pushReference(...Array(channels).fill(samples)), { code: "referenceEarly" });
    const untouched = make();
    untouched.pushReferenceSilence(11);
    assert.deepEqual(refused.save(), untouched.save(), `${length} samples of ${channels} channels`);
  }
  const whole = new Detector(moduleWithEcho, { sampleRate: 48000, referenceSampleRate: 48000 });
  whole.pushReference(new Float32Array(4800), new Float32Array(4800)); // 100 ms, in more than one chunk
  assert.throws(() => whole.pushReference(new Float32Array(961)), { code: "referenceEarly" });
});

test("a gap keeps its place and its length", () => {
  const detector = new Detector(module, { sampleRate: 16000 });
  detector.process(speech.samples.subarray(0, 16000));
  const events = [...detector.pushGap(1_600_000), ...detector.process(speech.samples.subarray(16000))];
  const gaps = events.filter(({ type }) => type === "discontinuity");
  assert.deepEqual(gaps.map(({ position, missingSamples }) => [position, missingSamples]), [[16000, 1_600_000]]);
  assert.equal(detector.status.missingSamples, 1_600_000);
});

test("speech while muted is muted speech, until the user unmutes", () => {
  const detector = new Detector(module, { sampleRate: 16000, preset: "notice", muted: true });
  const types = detector.process(speech.samples).map(({ type }) => type);
  assert.ok(types.includes("mutedSpeechBegin"));
  detector.muted = false;
  assert.equal(detector.status.isMutedSpeech, false);
  assert.equal(detector.muted, false);
  assert.ok(!analyse(speech, { preset: "notice" }).events.some(({ type }) => type.startsWith("muted")));
});

test("the far end in the loudspeaker is not the user", () => {
  const delay = 1600;
  const heard = new Float32Array(speech.samples.length);
  for (let i = delay; i < heard.length; i++) heard[i] = 0.3 * speech.samples[i - delay];
  const onsets = (options, push) => {
    const detector = new Detector(moduleWithEcho, { sampleRate: 16000, preset: "notice", ...options });
    let count = 0;
    for (let from = 0; from < heard.length; from += 160) {
      push?.(detector, speech.samples.subarray(from, from + 160));
      count += detector.process(heard.subarray(from, from + 160)).filter(({ type }) => type === "onset").length;
    }
    return { count, detector };
  };
  assert.ok(onsets({}).count >= 3);
  const beside = onsets({ referenceSampleRate: 16000 }, (detector, played) => detector.pushReference(played));
  assert.equal(beside.count, 0);
  assert.equal(beside.detector.echo.delayMs, 100);
  assert.equal(beside.detector.echo.lateSamples, 0);
  const opposite = onsets({ referenceSampleRate: 16000 },
    (detector, played) => detector.pushReference(played, played.map((sample) => -sample)));
  assert.equal(opposite.count, 0);
  assert.equal(opposite.detector.echo.delayMs, 100);
  assert.equal(onsets({}).detector.echo, null);
  const copy = Detector.restore(moduleWithEcho, beside.detector.save());
  assert.deepEqual(copy.echo, beside.detector.echo);
});

test("the user's own level is learned, kept and forgotten", () => {
  const { detector } = analyse(speech);
  const { dbfs, learnedMs } = detector.speakerLevel;
  assert.ok(dbfs > -30 && dbfs < -15 && learnedMs > 3000);
  const next = new Detector(module, { sampleRate: 48000 });
  assert.equal(next.speakerLevel, null);
  const given = new Detector(module, { sampleRate: 48000, speakerLevel: { dbfs, learnedMs } });
  assert.deepEqual(given.speakerLevel, { dbfs, learnedMs });
  next.speakerLevel = { dbfs: -30, learnedMs: 5000 };
  next.changeInputGain(6);
  assert.ok(Math.abs(next.speakerLevel.dbfs - -24) < 0.01);
  for (const [learnedMs, kept] of [[30_001, 30_000], [2 ** 32, 30_000], [Infinity, 30_000], [2 ** 32 + 5000, 30_000], [10, 10]]) {
    next.speakerLevel = { dbfs: -30, learnedMs };
    assert.equal(next.speakerLevel.learnedMs, kept);
  }
  for (const learnedMs of [-1, 1.5, NaN, "5000", undefined]) {
    assert.throws(() => (next.speakerLevel = { dbfs: -20, learnedMs }), /learnedMs is .*; pass a/, String(learnedMs));
    assert.equal(next.speakerLevel.learnedMs, 10, "what was learned stays");
  }
  next.speakerLevel = null;
  assert.equal(next.speakerLevel, null);
});

test("a reset begins a stream as a new detector does", () => {
  const detector = new Detector(module, { sampleRate: 16000 });
  detector.process(speech.samples);
  detector.flush();
  detector.reset();
  assert.deepEqual([...detector.process(speech.samples), ...detector.flush()], analyse(speech).events);
});

test("settings come from the preset, and can be changed one by one", () => {
  const { configuration } = new Detector(module, { sampleRate: 44100, preset: "notice", hangoverMs: 500 });
  assert.equal(configuration.sampleRate, 44100);
  assert.equal(configuration.onsetDebounceMs, 60);
  assert.equal(configuration.hangoverMs, 500);
  assert.ok(Math.abs(configuration.onsetThreshold - 0.9) < 1e-6);
});

test("an onset threshold alone moves the offset threshold, but not below a third", () => {
  const thresholds = (options) => {
    const { onsetThreshold, offsetThreshold } = new Detector(module, { sampleRate: 16000, ...options }).configuration;
    return [onsetThreshold, offsetThreshold];
  };
  for (const [preset, onsetThreshold, offset] of [
    ["conversation", 0.3, 0.1], ["conversation", 0.66, 0.24], ["notice", 0.75, 0.55], ["transcription", 0.5, 0.4],
  ])
    assert.deepEqual(thresholds({ preset, onsetThreshold }), [onsetThreshold, offset].map(Math.fround));
  assert.deepEqual(thresholds({ onsetThreshold: 0.5, offsetThreshold: 0.45 }), [0.5, 0.45].map(Math.fround));
});

test("bad input is refused in a sentence that names it and the remedy", () => {
  const make = (options) => () => new Detector(module, options);
  const good = { sampleRate: 16000 };
  const detector = new Detector(module, good);
  const foreign = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  for (const [attempt, expected] of [
    [() => new Detector({}, good), /module is a Object; pass what load\(\) resolves to/],
    [() => new Detector(foreign, good), /module is not this package's; pass what load\(\) resolves to/],
    [make(undefined), /options are undefined; pass an object/],
    [make({}), /sampleRate is missing/],
    [make({ sampleRate: "16000" }), /sampleRate is "16000"; pass a number/],
    [make({ sampleRate: 4000 }), /sampleRate 4000: the sample rate is not between 8000 and 192000 Hz/],
    [make({ sampleRate: NaN }), /sampleRate is NaN; pass a whole number/],
    [make({ ...good, preset: "call" }), /preset is "call"; the presets are conversation, notice/],
    [make({ ...good, preset: null }), /^TypeError: preset is null; the presets are conversation, notice/],
    [make({ ...good, hangover: 3 }), /no option hangover; the options are .*hangoverMs/],
    [make({ ...good, hangoverMs: -1 }), /hangoverMs is -1; pass a whole number/],
    [make({ ...good, hangoverMs: 1e7 }), /hangoverMs 10000000: a duration is longer than one hour/],
    [make({ ...good, onsetThreshold: 1 }), /onsetThreshold 1: the thresholds are not 0 < offset/],
    [make({ ...good, onsetThreshold: NaN }), /thresholds are not/],
    [make({ ...good, referenceSampleRate: 16000 }),
      /module has no echo stage; for a reference use await load\(\{ reference: true \}\)/],
    [() => new Detector(moduleWithEcho, { ...good, referenceSampleRate: 1 }),
      /referenceSampleRate 1: the sample rate is not between/],
    [make({ ...good, speakerMarginDb: 41 }), /speakerMarginDb 41, which is 0 to 40 or Infinity/],
    [make({ ...good, speakerMarginDb: "5" }), /speakerMarginDb is "5"; pass a number/],
    [make({ ...good, speakerLevel: { dbfs: "", learnedMs: 1 } }), /speakerLevel.dbfs is ""; pass a number/],
    [make({ ...good, onCut() {}, cutRules: null }), /^TypeError: The rules are null; pass an object/],
    [make({ ...good, onHop: 1 }), /onHop is 1; pass a function/],
    [() => detector.process([0.5]), /samples is a Array; pass one channel as a Float32Array/],
    [() => detector.process(null), /samples is null; pass one channel/],
    [() => detector.process(new Int16Array(160)), /samples is a Int16Array/],
    [() => detector.process(transferred()), /samples has lost its memory, which was transferred.*; transfer a copy/],
    [() => detector.pushGap(-1), /count is -1; pass a number of samples/],
    [() => detector.pushGap(2 ** 41), /pushGap\(2199023255552\)/],
    [() => detector.pushReference(new Float32Array(1)), /no reference; create it with referenceSampleRate/],
    [() => (detector.speakerLevel = { dbfs: 13, learnedMs: 1 }), /speakerLevel.dbfs is 13 and must be -127 to 12/],
    [() => (detector.speakerLevel = { dbfs: NaN, learnedMs: 1 }), /speakerLevel.dbfs is NaN and must be -127 to 12/],
    [() => detector.pushGap(1n), /^TypeError: count is 1n; pass a number/],
    [() => detector.changeInputGain("5"), /^TypeError: decibels is "5"; pass a number/],
    [() => detector.changeInputGain(null), /^TypeError: decibels is null; pass a number/],
    [() => detector.changeInputGain(61), /changeInputGain\(61\), which takes -60 to 60 dB/],
    [() => Detector.restore(module, detector.save(), { onCut() {} }), /no option onCut; the option is onHop/],
    [() => Detector.restore(module, detector.save(), { onHop: 5 }), /^TypeError: onHop is 5; pass a function that takes a hop/],
    [() => Detector.restore(module, detector.save(), null), /^TypeError: The options are null; pass an object/],
    [() => Detector.restore(module, null), /saved is null; pass what save\(\) returned/],
    [() => Detector.restore(module, { stream: new Uint8Array(99) }), /saved.stream: the bytes are not a saved stream/],
    [() => Detector.restore(module, { stream: new Uint8Array(99999) }), /saved.stream: the bytes are not a saved/],
  ]) assert.throws(attempt, expected);
  detector.flush();
  assert.throws(() => detector.process(new Float32Array(160)), /process\(\) after flush\(\), which ended the stream/);
  const beside = new Detector(moduleWithEcho, { ...good, referenceSampleRate: 16000 });
  for (const channels of [[], Array(9).fill(new Float32Array(1)), [new Float32Array(1), new Float32Array(2)]])
    assert.throws(() => beside.pushReference(...channels), /channels; pass 1 to 8, all of the same length/);
  assert.throws(() => beside.pushReference(transferred()), /^TypeError: reference has lost its memory/);
  beside.pushReference(new Float32Array());
  assert.throws(() => beside.pushReference(new Float32Array(1), null), /reference is null; pass one channel/);
  beside.pushReference(new Float32Array(1600));
  assert.throws(() => beside.pushReference(new Float32Array(1600)),
    { code: "referenceEarly", message: /100 ms ahead of the microphone/ });
});

function transferred() {
  const samples = new Float32Array(160);
  structuredClone(samples, { transfer: [samples.buffer] });
  return samples;
}

test("arrays of another realm count as one's own", () => {
  const [samples, stream] = runInNewContext("[new Float32Array(16000), bytes => Uint8Array.from(bytes)]");
  const detector = new Detector(module, { sampleRate: 16000 });
  detector.process(samples);
  assert.equal(Detector.restore(module, { stream: stream(detector.save().stream), reference: null }).status.hops, detector.status.hops);
  assert.ok(detector.status.hops > 90);
});

test("no samples at all are none, in whatever memory", () => {
  const detector = new Detector(module, { sampleRate: 16000 });
  for (const none of [new Float32Array(), new Float32Array(4).subarray(4), new Float32Array(new SharedArrayBuffer(0))])
    assert.deepEqual(detector.process(none), []);
});

test("what only a browser has is refused in a sentence elsewhere, and so are options that do not exist", async () => {
  await assert.rejects(createDetector(), { name: "MicrophoneError", message: /only in browsers; .* a Detector/ });
  const attempts = [{ onHop() {} }, { sampleRate: 16000 }, { referenceSampleRate: 16000 }, { cutRules: {} }];
  for (const options of attempts) {
    const expected = /no option \w+; the options are audioContext, reference, (?!.*(onHop|ampleRate|cutRules)).*hangoverMs/;
    await assert.rejects(createDetector(undefined, options), { name: "TypeError", message: expected });
  }
  await assert.rejects(createDetector(undefined, null), /^TypeError: The options are null; pass an object/);
  for (const [statusEveryMs, name] of [["abc", "TypeError"], [{}, "TypeError"], [null, "TypeError"], [-5, "RangeError"], [NaN, "RangeError"]])
    await assert.rejects(createDetector(undefined, { statusEveryMs }), { name, message: /^statusEveryMs is .*; pass a/ });
  await assert.rejects(load({ source: "/static/x.wasm" }), { name: "TypeError", message: /"\/static\/x\.wasm", which is no address here; pass a URL/ });
  await assert.rejects(async () => load({ refrence: true }), /no option refrence; the options are reference, source/);
});

test("samples that are not numbers count as silence and are counted", () => {
  const detector = new Detector(module, { sampleRate: 16000 });
  detector.process(Float32Array.from({ length: 1600 }, (_, i) => [NaN, Infinity, 2, 0][i % 4]));
  const { nonFiniteSamples, clippedSamples, posterior } = detector.status;
  assert.deepEqual([nonFiniteSamples, clippedSamples], [800, 400]);
  assert.ok(posterior >= 0 && posterior <= 1);
});
