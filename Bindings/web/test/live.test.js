import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "./browser/chromium.js";
import { serve } from "./browser/server.js";
import { read, wav } from "./recordings.js";

const server = await serve();
const chromium = await launch({ microphone: wav("speech.flac") });
after(async () => {
  await chromium.close();
  server.close();
});

/** Opens an empty page of the package, in which `voice` is the package and `log` collects events. */
async function open(options) {
  const page = await chromium.open(`${server.origin}/package.json`, options);
  await page.run(async () => {
    globalThis.voice = await import("/src/index.js");
    globalThis.log = (detector) => {
      const said = [];
      for (const type of ["speakingwhilemutedchange", "statechange", "onset", "offset", "discontinuity"])
        detector.addEventListener(type, ({ detail }) => said.push([type, detail]));
      return said;
    };
  });
  return page;
}

/** The values of all events of a type, of what log() has collected. */
const valuesOf = (said, wanted) => said.filter(([type]) => type === wanted).map(([, value]) => value);

/** A click anywhere, without which browsers start no sound. */
const gesture = (page) => page.click(5, 5);

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
  assert.deepEqual(valuesOf(said.said, "speakingwhilemutedchange"), [true, false]);
  assert.equal(said.state, "closed");
  assert.equal(said.status.nonFiniteSamples, 0);
  assert.deepEqual(page.said, []);
  await page.close();
});

/** Speech of 4.4 s that stops four times for so long, and 2 s of silence. */
function phrase(pauseSeconds) {
  const { samples, sampleRate } = read("speech.flac"), at = (second) => Math.round(second * sampleRate);
  const pieces = [[3.91, 4.5], [4.5, 5.34], [6.6, 7.3], [7.3, 8.1], [8.1, 8.97]];
  const pause = Array(at(pauseSeconds)).fill(0);
  const spoken = pieces.flatMap(([from, to]) => [...samples.subarray(at(from), at(to)), ...pause]);
  return [sampleRate, [...spoken, ...Array(at(2)).fill(0)].map((value) => Math.round(value * 1e4) / 1e4)];
}

for (const [pauseSeconds, most] of [[0, 1], [0.1, 1], [0.3, 1], [0.5, 3]]) {
  test(`a phrase with pauses of ${pauseSeconds} s shows no more than ${most} of the notice`, async () => {
    const page = await open();
    await gesture(page);
    const { rises, notices, spans, stillSpeaking } = await page.run(async (sampleRate, samples) => {
      const context = new AudioContext({ sampleRate }), buffer = context.createBuffer(1, samples.length, sampleRate);
      buffer.copyToChannel(Float32Array.from(samples), 0);
      const source = new AudioBufferSourceNode(context, { buffer });
      const detector = await voice.createDetector(source, { preset: "notice", muted: true });
      const presenter = new voice.MutedNoticePresenter().follow(detector);
      const said = log(detector), notices = new Set(), spans = [];
      let isOver = false, stillSpeaking = false;
      source.onended = () => { isOver = true; };
      presenter.addEventListener("change", ({ detail }) => {
        stillSpeaking ||= presenter.isStillSpeaking;
        if (detail && !notices.has(detail.id)) spans.push([performance.now()]);
        else if (!detail && spans.at(-1)?.length === 1) spans.at(-1).push(performance.now());
        if (detail) notices.add(detail.id);
      });
      source.start();
      await until(() => isOver && !presenter.notice && !detector.isSpeakingWhileMuted, 60000);
      detector.close();
      await context.close();
      const rises = said.filter(([type, value]) => type === "speakingwhilemutedchange" && value).length;
      return { rises, notices: notices.size, spans: spans.map(([from, to]) => to - from), stillSpeaking };
    }, ...phrase(pauseSeconds));
    assert.ok(notices >= 1 && notices <= most && notices <= rises, `${notices} notices of ${rises} rises`);
    assert.ok(spans.every((ms) => ms >= 1990), spans.join()); // a timer's clock is coarser
    assert.equal(stillSpeaking || most > 1, true);
    if (most > 1) assert.ok(rises > notices, `${rises} rises`);
    assert.deepEqual(page.said, []);
    await page.close();
  });
}

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
  assert.deepEqual(valuesOf(said, "statechange"), ["suspended", "running", "closed"]);
  const [gap] = valuesOf(said, "discontinuity");
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
  const failing = `registerProcessor("voice-activity", class extends AudioWorkletProcessor {
    process() { throw new Error("broken"); }
  });`;
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
  await chromium.permit(server.origin, "denied");
  assert.equal(await page.run(() => until(() => globalThis.state === "ended")), true);
  await page.close();
});

test("a page and a worker load the module from an address that is relative to their own", async () => {
  const page = await open();
  const found = await page.run(async () => {
    const addresses = ["/dist/voice_activity.wasm", "dist/voice_activity.wasm", new URL("/dist/voice_activity.wasm", location)];
    const loaded = await Promise.all(addresses.map((source) => voice.load({ source })));
    const worker = new Worker("/test/browser/relative.js", { type: "module" });
    const said = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
    return [...loaded.map((module) => module instanceof WebAssembly.Module), said];
  });
  assert.deepEqual(found, [true, true, true, true]);
  assert.deepEqual(page.said, []);
  await page.close();
});

test("what cannot be listened to is refused with the remedy", async () => {
  const page = await open({ permission: "denied" });
  const refusals = await page.run(async () => {
    const refusal = (promise) =>
      promise.then(() => "none", ({ name, code, message }) => [name, code, message].join(" "));
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
