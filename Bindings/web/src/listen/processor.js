import { Detector } from "../core/detector.js";

/** Runs a detector on the audio thread. Input 0 is the microphone, input 1 what loudspeakers play. */
class VoiceActivityProcessor extends AudioWorkletProcessor {
  #detector;
  #hasReference;
  #statusEvery; // samples
  #untilStatus = 0;
  #gap = 0;
  #hasBegun = false;
  #closed = false;

  constructor({ processorOptions: { module, settings, statusEveryMs } }) {
    super();
    this.#detector = new Detector(module, settings);
    this.#hasReference = settings.referenceSampleRate !== undefined;
    this.#statusEvery = (settings.sampleRate * statusEveryMs) / 1000;
    this.port.onmessage = ({ data }) => {
      if ("muted" in data) this.#detector.muted = data.muted;
      if ("gap" in data) this.#gap += data.gap;
      if ("close" in data) this.#closed = true;
    };
  }

  /** Without a connection, or while its source is inactive, an input has no channel. */
  process([heard, reference]) {
    const microphone = mean(heard);
    if (this.#closed) return false;
    this.#hasBegun ||= microphone !== undefined;
    if (!this.#hasBegun) return true; // the stream begins with its first sound
    const count = microphone?.length ?? reference[0]?.length ?? 128;
    const events = [...this.#takeGap(), ...this.#takeQuantum(microphone, reference, count)];
    this.#untilStatus -= count;
    if (events.length > 0 || this.#untilStatus <= 0) this.#report(events);
    return true;
  }

  /** What was not heard while the context was suspended. Nothing was played then, either. */
  #takeGap() {
    const gap = this.#gap;
    if (gap === 0) return [];
    this.#gap = 0;
    const events = this.#detector.pushGap(gap);
    if (this.#hasReference) this.#detector.pushReferenceSilence(gap);
    return events;
  }

  #takeQuantum(microphone, reference, count) {
    if (this.#hasReference) {
      if (reference.length > 0) this.#detector.pushReference(...reference);
      else this.#detector.pushReferenceSilence(count);
    }
    return microphone ? this.#detector.process(microphone) : this.#detector.pushGap(count);
  }

  #report(events) {
    this.#untilStatus = this.#statusEvery;
    const { status, echo, speakerLevel } = this.#detector;
    this.port.postMessage({ events, status, echo, speakerLevel });
  }
}

/** An input beside a stereo one may be stereo too. */
function mean([left, right]) {
  return right ? left.map((sample, i) => (sample + right[i]) / 2) : left;
}

registerProcessor("voice-activity", VoiceActivityProcessor);
