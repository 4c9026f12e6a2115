import { Detector } from "../core/detector.js";

// A context may be suspended for hours. To take a second of that gap takes 40 µs, and a quantum has 2.7 ms for everything.
const GAP_SECONDS = 5; // of a gap, in one quantum
const WAITING_SECONDS = 10; // of sound that waits for the gap before it; what is older becomes part of the gap
const WAITING_QUANTA = 16; // of the sound that waits, in one quantum

/**
 * Runs a detector on the audio thread. Input 0 is the microphone, input 1 what loudspeakers play. What arrives is analysed
 * at once or, behind a long gap, after it and in order.
 */
class VoiceActivityProcessor extends AudioWorkletProcessor {
  #detector;
  #hasReference;
  #statusEvery; // samples
  #untilStatus = 0;
  #sampleRate;
  #muted;
  #gap = 0; // samples, before what waits
  #waiting = [];
  #hasBegun = false;
  #closed = false;

  constructor({ processorOptions: { module, settings, statusEveryMs } }) {
    super();
    this.#detector = new Detector(module, settings);
    this.#hasReference = settings.referenceSampleRate !== undefined;
    this.#sampleRate = settings.sampleRate;
    this.#statusEvery = (settings.sampleRate * statusEveryMs) / 1000;
    this.#muted = this.#detector.muted;
    this.port.onmessage = ({ data }) => {
      if ("muted" in data) this.#muted = data.muted; // of what arrives from now on
      if ("gap" in data) this.#addGap(data.gap);
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
    const quantum = { microphone, reference, count, muted: this.#muted };
    const isBehind = this.#gap > 0 || this.#waiting.length > 0;
    const events = isBehind ? this.#catchUp(quantum) : this.#takeQuantum(quantum);
    this.#untilStatus -= count;
    if (events.length > 0 || this.#untilStatus <= 0) this.#report(events);
    return true;
  }

  /** Adds what was not heard while the context was suspended. Sound that still waits becomes part of it. */
  #addGap(gap) {
    this.#gap += this.#waiting.splice(0).reduce((sum, { count }) => sum + count, gap);
  }

  /** Takes a part of the gap, or of what waits behind it, to which a quantum is added. */
  #catchUp({ microphone, reference, ...quantum }) {
    // The browser uses its arrays again.
    this.#waiting.push({ microphone: microphone?.slice(), reference: reference.map((channel) => channel.slice()), ...quantum });
    if (this.#waiting.length * quantum.count > WAITING_SECONDS * this.#sampleRate) this.#gap += this.#waiting.shift().count;
    const events = this.#takeGap(Math.min(this.#gap, GAP_SECONDS * this.#sampleRate));
    if (this.#gap > 0) return events;
    return events.concat(this.#waiting.splice(0, WAITING_QUANTA).flatMap((each) => this.#takeQuantum(each)));
  }

  /** Nothing was played during a gap, either. */
  #takeGap(count) {
    if (count === 0) return [];
    this.#gap -= count;
    const events = this.#detector.pushGap(count);
    if (this.#hasReference) this.#detector.pushReferenceSilence(count);
    return events;
  }

  #takeQuantum({ microphone, reference, count, muted }) {
    if (this.#detector.muted !== muted) this.#detector.muted = muted;
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
