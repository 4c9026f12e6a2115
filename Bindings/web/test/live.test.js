import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Detector, load } from "../src/index.js";
import { launch } from "./browser/chromium.js";
import { serve } from "./browser/server.js";
import { read, wav } from "./recordings.js";

const server = await serve();
const chromium = await launch({ microphone: wav("speech.flac") });
after(async () => {
  await chromium.close();
  server.close();
});

/** Opens an empty page of the package, in which `voice` is the package and `until` waits for a condition. */
async function open(options) {
  const page = await chromium.open(`${server.origin}/package.json`, options);
  await page.run(async () => {
    globalThis.voice = await import("/src/index.js");
    globalThis.until = async (condition, ms = 15000) => {
      for (const end = performance.now() + ms; performance.now() < end;) {
        if (condition()) return true;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`not within ${ms} ms: ${condition}`);
    };
    globalThis.log = (detector) => {
      const said = [];
      for (const type of ["speakingwhilemutedchange", "statechange", "onset", "offset", "discontinuity"])
        detector.addEventListener(type, ({ detail }) => said.push([type, detail]));
      return said;
    };
  });
  return page;
}

/** A click anywhere, without which browsers start no sound. */
const gesture = (page) => page.click(5, 5);

test("an offline context finds what the detector finds by itself", async () => {
  const { samples, sampleRate } = read("muted-talk.flac");
  const detector = new Detector(await load(), { sampleRate, preset: "notice", muted: true });
  const expected = [];
  for (let from = 0; from < samples.length; from += 128) expected.push(...detector.process(samples.subarray(from, from + 128)));
  const page = await open();
  const found = await page.run(async (text, sampleRate) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const samples = new Float32Array(bytes.buffer);
    const context = new OfflineAudioContext(1, samples.length, sampleRate);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate });
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    const detector = await voice.createDetector(source, { preset: "notice", muted: true });
    const events = [], values = [];
    for (const type of ["onset", "offset", "mutedspeechbegin", "mutedspeechend"])
      detector.addEventListener(type, ({ detail }) => events.push(detail));
    detector.addEventListener("speakingwhilemutedchange", ({ detail }) => values.push(detail));
    source.start();
    const began = performance.now();
    await context.startRendering();
    const ms = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 200)); // the messages
    return { events, values, ms, said: detector.status.hops };
  }, Buffer.from(samples.buffer).toString("base64"), sampleRate);
  assert.ok(expected.filter(({ type }) => type === "mutedSpeechBegin").length >= 2);
  assert.deepEqual(found.events, expected);
  assert.deepEqual(found.values, found.values.map((_, i) => i % 2 === 0), "only changes");
  assert.equal(found.values.length, expected.filter(({ type }) => type.startsWith("muted")).length);
  await page.close();
});

test("a reference as the second input keeps the far end out", async () => {
  const { samples, sampleRate } = read("speech.flac");
  const page = await open();
  const found = await page.run(async (text, sampleRate) => {
    const samples = new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
    const onsets = async (beside) => {
      const context = new OfflineAudioContext(1, samples.length, sampleRate);
      const buffer = new AudioBuffer({ length: samples.length, sampleRate });
      buffer.copyToChannel(samples, 0);
      const played = new AudioBufferSourceNode(context, { buffer });
      const room = new DelayNode(context, { delayTime: 0.1 }), heard = new GainNode(context, { gain: 0.3 });
      played.connect(room).connect(heard);
      const detector = await voice.createDetector(heard, { preset: "notice", ...(beside && { reference: played }) });
      let count = 0;
      detector.addEventListener("onset", () => count++);
      played.start();
      await context.startRendering();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { count, echo: detector.echo };
    };
    return { without: await onsets(false), beside: await onsets(true) };
  }, Buffer.from(samples.buffer).toString("base64"), sampleRate);
  assert.ok(found.without.count >= 3);
  assert.equal(found.without.echo, null);
  assert.equal(found.beside.count, 0);
  assert.equal(found.beside.echo.delayMs, 100);
  assert.equal(found.beside.echo.lateSamples, 0);
  await page.close();
});

test("speech into a muted microphone is announced, and no longer once the user unmutes", async () => {
  const page = await open();
  await gesture(page);
  const said = await page.run(async () => {
    const detector = await voice.createDetector(undefined, { preset: "notice", muted: true });
    const said = log(detector);
    await until(() => detector.isSpeakingWhileMuted);
    detector.muted = false;
    const atOnce = detector.isSpeakingWhileMuted;
    await until(() => said.some(([type]) => type === "onset"));
    const speaking = await until(() => detector.isSpeech && detector.speakerLevel?.dbfs > -40);
    detector.close();
    return { said, atOnce, speaking, state: detector.state, status: detector.status };
  });
  assert.equal(said.atOnce, false);
  assert.deepEqual(said.said.filter(([type]) => type === "speakingwhilemutedchange").map(([, value]) => value), [true, false]);
  assert.equal(said.state, "closed");
  assert.equal(said.status.nonFiniteSamples, 0);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("a host that disables its own track is still heard, and its track stays its own", async () => {
  const page = await open();
  await gesture(page);
  const found = await page.run(async () => {
    const stream = await voice.openMicrophone(), [track] = stream.getAudioTracks();
    track.enabled = false;
    const detector = await voice.createDetector(stream, { muted: true });
    await until(() => detector.isSpeakingWhileMuted);
    detector.enabled = false;
    const value = detector.isSpeakingWhileMuted;
    detector.close();
    return { value, enabled: track.enabled, state: track.readyState };
  });
  assert.deepEqual(found, { value: false, enabled: false, state: "live" });
  await page.close();
});

test("a context that is suspended counts as a gap, and reports nothing meanwhile", async () => {
  const page = await open();
  await gesture(page);
  const { said, rate, state } = await page.run(async () => {
    const context = new AudioContext();
    const detector = await voice.createDetector(undefined, { audioContext: context, muted: true });
    const said = log(detector);
    await until(() => detector.isSpeakingWhileMuted);
    await context.suspend();
    await until(() => detector.state === "suspended");
    const state = { value: detector.isSpeakingWhileMuted, speech: detector.isSpeech };
    await new Promise((resolve) => setTimeout(resolve, 500));
    await detector.resume();
    await until(() => said.some(([type]) => type === "discontinuity"));
    detector.close();
    detector.close(); // has no effect any more
    const shared = context.state; // the host's own stays open
    await context.close();
    return { said, rate: context.sampleRate, state: { ...state, shared } };
  });
  assert.deepEqual(state, { value: false, speech: false, shared: "running" });
  assert.deepEqual(said.filter(([type]) => type === "statechange").map(([, value]) => value), ["suspended", "running", "closed"]);
  const gap = said.find(([type]) => type === "discontinuity")[1];
  assert.ok(gap.missingSamples / rate > 0.4 && gap.missingSamples / rate < 5, `${gap.missingSamples / rate} s`);
  await page.close();
});

test("a context from before any click starts with the next one", async () => {
  const page = await open();
  const before = await page.run(async () => {
    globalThis.detector = await voice.createDetector(new OscillatorNode(new AudioContext()));
    return detector.state;
  });
  assert.equal(before, "suspended");
  await gesture(page);
  assert.equal(await page.run(() => until(() => detector.state === "running")), true);
  await page.close();
});

test("a host may disconnect its own node before it closes the detector", async () => {
  const page = await open();
  await gesture(page);
  assert.equal(await page.run(async () => {
    const context = new AudioContext(), node = new OscillatorNode(context);
    const detector = await voice.createDetector(node);
    node.disconnect();
    detector.close();
    return detector.state;
  }), "closed");
  await page.close();
});

test("a processor that fails says so, and reports nothing", async () => {
  const page = await open();
  await gesture(page);
  const failing = `registerProcessor("voice-activity", class extends AudioWorkletProcessor { process() { throw new Error("broken"); } });`;
  assert.equal(await page.run(async (failing) => {
    const processorUrl = URL.createObjectURL(new Blob([failing], { type: "text/javascript" }));
    const detector = await voice.createDetector(undefined, { processorUrl });
    await until(() => detector.state === "failed");
    await detector.resume();
    return detector.state;
  }, failing), "failed");
  await page.close();
});

test("a microphone that is taken away ends the detector's state", async () => {
  const page = await open();
  await gesture(page);
  const found = await page.run(async () => {
    const stream = await voice.openMicrophone();
    const detector = await voice.createDetector(stream);
    detector.addEventListener("statechange", ({ detail }) => { globalThis.state = detail; });
    await until(() => detector.status);
    return detector.state;
  });
  assert.equal(found, "running");
  await chromium.send("Browser.setPermission", { permission: { name: "microphone" }, setting: "denied", origin: server.origin });
  assert.equal(await page.run(() => until(() => globalThis.state === "ended")), true);
  await page.close();
});

test("what cannot be listened to is refused with the remedy", async () => {
  const page = await open({ permission: "denied" });
  const refusals = await page.run(async () => {
    const refusal = (promise) => promise.then(() => "none", ({ name, code, message }) => [name, code, message].join(" "));
    const context = new OfflineAudioContext(1, 128, 16000), node = new ConstantSourceNode(context);
    const found = {
      denied: await refusal(voice.createDetector()),
      type: await refusal(voice.createDetector("microphone", { audioContext: context })),
      empty: await refusal(voice.createDetector(new MediaStream(), { audioContext: context })),
      preset: await refusal(voice.createDetector(node, { preset: "call" })),
      threshold: await refusal(voice.createDetector(node, { onsetThreshold: 2 })),
      option: await refusal(voice.createDetector(node, { mutes: true })),
      reference: await refusal(voice.createDetector(node, { reference: 1 })),
      processor: await refusal(voice.createDetector(node, { processorUrl: "/none.js" })),
    };
    Object.defineProperty(navigator, "mediaDevices", { value: undefined });
    found.insecure = await refusal(voice.openMicrophone());
    return found;
  });
  for (const [name, expected] of Object.entries({
    denied: /^MicrophoneError permissionDenied .*allow it in the browser's settings/,
    type: /^TypeError  source is "microphone"; pass a MediaStream/,
    empty: /^TypeError  source is a MediaStream without an audio track; pass/,
    preset: /^RangeError  preset is "call"; the presets are/,
    threshold: /^VoiceActivityError threshold .*onsetThreshold 2: the thresholds/,
    option: /^TypeError  There is no option mutes; the options are/,
    processor: /^Error  \/none.js cannot be loaded; serve dist\/processor.js/,
    reference: /^TypeError  reference is 1; pass a MediaStream/,
    insecure: /^MicrophoneError insecureContext .*https, or from localhost/,
  })) assert.match(refusals[name], expected);
  await page.close();
});
