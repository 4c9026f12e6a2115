// What the tests render in an OfflineAudioContext. These functions run in the page, so they use nothing from here.

/** Returns what a detector that is muted says about a recording. `text` is its samples, 32-bit floats, in base64. */
export async function renderMuted(text, sampleRate) {
  const { createDetector } = await import("/src/index.js");
  const samples = new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
  const context = new OfflineAudioContext(1, samples.length, sampleRate);
  const buffer = new AudioBuffer({ length: samples.length, sampleRate });
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  const detector = await createDetector(source, { preset: "notice", muted: true });
  const events = [], values = [];
  for (const type of ["onset", "offset", "mutedspeechbegin", "mutedspeechend"])
    detector.addEventListener(type, ({ detail }) => events.push(detail));
  detector.addEventListener("speakingwhilemutedchange", ({ detail }) => values.push(detail));
  source.start();
  await context.startRendering();
  for (let hops = -1; hops !== detector.status?.hops;) { // until no more messages come
    hops = detector.status?.hops;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return { events, values };
}

/**
 * Returns how many onsets a microphone has that hears only a loudspeaker, without and with it as the reference, and with
 * a second loudspeaker in opposite phase.
 */
export async function renderFarEnd(text, sampleRate) {
  const { createDetector } = await import("/src/index.js");
  const samples = new Float32Array(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
  const render = async (beside, numberOfChannels = 1) => {
    const context = new OfflineAudioContext(1, samples.length, sampleRate);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate, numberOfChannels });
    buffer.copyToChannel(samples, 0);
    if (numberOfChannels === 2) buffer.copyToChannel(samples.map((sample) => -sample), 1);
    const played = new AudioBufferSourceNode(context, { buffer });
    const room = new DelayNode(context, { delayTime: 0.1 }), heard = new GainNode(context, { gain: 0.3 });
    played.connect(new ChannelSplitterNode(context)).connect(room).connect(heard);
    const detector = await createDetector(heard, { preset: "notice", ...(beside && { reference: played }) });
    let onsets = 0;
    detector.addEventListener("onset", () => onsets++);
    played.start();
    await context.startRendering();
    for (let hops = -1; hops !== detector.status?.hops;) {
      hops = detector.status?.hops;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return { onsets, echo: detector.echo };
  };
  return { without: await render(false), beside: await render(true), opposite: await render(true, 2) };
}
