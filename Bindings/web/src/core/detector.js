import { VoiceActivityError, checkNames, checkNumber, checkWhole, describe, isArray } from "./errors.js";
import { Instance } from "./instance.js";
import {
  CHUNK, CUTTER_MOST, CUT_RULES, ECHO_CHANNELS_MAX, EVENT_SIZE, HOP_SIZE, LONGEST_CUT_MS, PRESETS, SAVED_MOST, SETTINGS,
  output, readConfiguration, readCut, readEchoStatus, readEvent, readHop, readStatus,
} from "./layout.js";

const NO_EVENTS = Object.freeze([]);
/** The options that createDetector() takes too. */
export const COMMON_OPTIONS = ["preset", "muted", "speakerMarginDb", "speakerLevel", ...Object.keys(SETTINGS)];
const CALLABLES = ["onHop", "onCut"];
const OPTIONS = ["sampleRate", "referenceSampleRate", "cutRules", ...CALLABLES, ...COMMON_OPTIONS];

/** Detects speech in one mono stream. index.d.ts is the manual. */
export class Detector {
  #core;
  #samples;
  #detector;
  #echo = 0; // the address, or 0 without a reference
  #muted = false;
  #onHop;
  #onCut;
  #heard = 0; // samples since the beginning, those of gaps too
  #isBusy = false; // in a call whose callable may run

  constructor(module, options) {
    if (!(module instanceof WebAssembly.Module)) {
      throw new TypeError(
        `The module is ${describe(module)}; pass what load() resolves to: new Detector(await load(), options)`);
    }
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === "arena_detector")) {
      throw new TypeError(
        "The module is not this package's; pass what load() resolves to: new Detector(await load(), options)");
    }
    const { saved, ...settings } = checked(options);
    this.#core = new Instance(module);
    this.#samples = new Float32Array(this.#core.buffer, this.#core.at.samples, CHUNK);
    this.#detector = this.#core.at.detector;
    this.#onHop = settings.onHop;
    this.#onCut = settings.onCut;
    if (!this.#onHop && !this.#onCut) output.omitHops(this.#core.view, this.#core.at.output);
    if (saved) this.#restore(saved);
    else this.#begin(settings);
  }

  static restore(module, saved, options = {}) {
    checkNames(options, ["onHop"]);
    for (const bytes of [saved?.stream, saved?.reference ?? new Uint8Array()]) {
      if (!isArray(bytes, "Uint8Array")) throw new TypeError(`saved is ${describe(saved)}; pass what save() returned`);
    }
    return new Detector(module, { saved, onHop: options.onHop });
  }

  get configuration() {
    const { call, view, at } = this.#core;
    this.#core.check(call.va_detector_config(this.#detector, at.config), "configuration");
    return readConfiguration(view, at.config);
  }

  get version() { return this.#core.text(this.#core.call.va_version()); }
  get lookaheadMs() { return this.#core.call.va_detector_lookahead_ms(); }

  process(samples) {
    this.#checkSamples("samples", samples);
    return this.#alone("process()", () => this.#analyse(samples));
  }

  pushGap(count) {
    const { call, at } = this.#core, missing = whole("count", count);
    return this.#alone("pushGap()", () => {
      this.#core.check(call.va_detector_push_gap(this.#detector, this.#echo, missing, at.output),
        `pushGap(${count}), or a gap after flush(), which ended the stream`);
      this.#heard += count;
      const events = this.#take(NO_EVENTS);
      return this.#hasMore ? events.concat(this.#analyse(this.#samples.subarray(0, 0))) : events;
    });
  }

  flush() {
    return this.#alone("flush()", () => {
      const { call, at } = this.#core;
      let events = NO_EVENTS;
      do {
        this.#core.check(call.va_detector_flush(this.#detector, this.#echo, at.output), "flush()");
        events = this.#take(events);
      } while (this.#hasMore);
      if (this.#onCut) this.#emitCuts(() => call.va_cutter_finish(at.cutter, BigInt(this.#heard), at.cut));
      return events;
    });
  }

  reset() {
    this.#alone("reset()", () => {});
    this.#core.call.va_detector_reset(this.#detector);
    if (this.#onCut) this.#core.call.va_cutter_reset(this.#core.at.cutter);
    this.#heard = 0;
    if (this.#echo) this.#core.call.va_echo_reset(this.#echo);
  }

  pushReference(...channels) {
    this.#checkReference();
    for (const samples of channels) this.#checkSamples("reference", samples);
    const each = channels.length, length = channels[0]?.length;
    if (!(each >= 1 && each <= ECHO_CHANNELS_MAX) || channels.some((samples) => samples.length !== length)) {
      throw new RangeError(`The reference has ${each} channels; pass 1 to ${ECHO_CHANNELS_MAX}, all of the same length`);
    }
    this.#alone("pushReference()", () => this.#pushWhole(channels, each, length));
  }

  /** The core takes all samples or none: where they need several chunks and one is refused, none was pushed. */
  #pushWhole(channels, each, length) {
    const { call, at, buffer } = this.#core, most = Math.floor(CHUNK / each);
    const echo = new Uint8Array(buffer, this.#echo, call.va_echo_size()), before = length > most ? echo.slice() : null;
    for (let done = 0; done < length; done += most) {
      const count = Math.min(most, length - done);
      for (let channel = 0; channel < each; channel++) {
        for (let i = 0; i < count; i++) this.#samples[i * each + channel] = channels[channel][done + i];
      }
      const status = call.va_echo_push_interleaved(this.#echo, at.samples, count, each);
      if (status !== 0 && before) echo.set(before);
      this.#core.check(status, "pushReference()");
    }
  }

  pushReferenceSilence(count) {
    this.#checkReference();
    const samples = whole("count", count);
    this.#alone("pushReferenceSilence()", () =>
      this.#core.check(this.#core.call.va_echo_push_silence(this.#echo, samples), "pushReferenceSilence()"));
  }

  get muted() { return this.#muted; }
  set muted(muted) {
    this.#muted = Boolean(muted);
    this.#core.call.va_detector_set_muted(this.#detector, this.#muted);
  }

  get status() {
    const { call, view, at } = this.#core;
    this.#core.check(call.va_detector_status(this.#detector, at.status), "status");
    return readStatus(view, at.status);
  }

  get echo() {
    if (!this.#echo) return null;
    const { call, view, at } = this.#core;
    this.#core.check(call.va_echo_state(this.#echo, at.echo_status), "echo");
    return readEchoStatus(view, at.echo_status);
  }

  get speakerLevel() {
    const { call, view, at } = this.#core;
    this.#core.check(call.va_detector_speaker_level(this.#detector, at.result, at.result + 4), "speakerLevel");
    const learnedMs = view.getUint32(at.result + 4, true);
    return learnedMs === 0 ? null : { dbfs: view.getFloat32(at.result, true), learnedMs };
  }
  set speakerLevel(level) {
    const { dbfs, learnedMs } = level ?? { dbfs: -127, learnedMs: 0 };
    checkNumber("speakerLevel.dbfs", dbfs);
    checkNumber("speakerLevel.learnedMs", learnedMs);
    const weight = Math.min(learnedMs, 2 ** 32 - 1); // the core takes no more, and counts it as less
    checkWhole("speakerLevel.learnedMs", weight);
    this.#core.check(this.#core.call.va_detector_set_speaker_level(this.#detector, dbfs, weight),
      `speakerLevel.dbfs is ${dbfs} and must be -127 to 12`);
  }

  changeInputGain(decibels) {
    checkNumber("decibels", decibels);
    this.#core.check(this.#core.call.va_detector_change_input_gain(this.#detector, decibels),
      `changeInputGain(${decibels}), which takes -60 to 60 dB`);
  }

  save() {
    this.#alone("save()", () => {});
    const { call } = this.#core;
    return {
      stream: this.#saved(call.va_detector_save, this.#detector, call.va_detector_saved_size()),
      reference: this.#echo ? this.#saved(call.va_echo_save, this.#echo, call.va_echo_saved_size()) : null,
    };
  }

  #begin({
    sampleRate, preset = "conversation", muted = false, speakerMarginDb, speakerLevel, referenceSampleRate, cutRules,
    ...settings
  }) {
    const { call, view, at } = this.#core;
    this.#core.check(call.va_config_preset(at.config, sampleRate, PRESETS.indexOf(preset)), `preset ${preset}`);
    if (settings.onsetThreshold !== undefined) call.va_config_move_thresholds(at.config, settings.onsetThreshold);
    const changed = Object.keys(SETTINGS).filter((name) => settings[name] !== undefined);
    for (const name of changed) view[SETTINGS[name].set](at.config + SETTINGS[name].at, settings[name], true);
    const given = [["sampleRate", sampleRate], ...changed.map((name) => [name, settings[name]])];
    this.#core.check(call.va_detector_init(this.#detector, call.va_detector_size(), at.config, at.result),
      given.map(([name, value]) => `${name} ${value}`).join(", "));
    if (this.#onCut) this.#beginCuts(cutRules ?? {}); // reads the configuration
    if (referenceSampleRate !== undefined) {
      this.#needEcho();
      this.#core.check(call.va_echo_init(at.echo, call.va_echo_size(), referenceSampleRate, at.result),
        `referenceSampleRate ${referenceSampleRate}`);
      this.#echo = at.echo;
    }
    if (speakerMarginDb !== undefined) {
      this.#core.check(call.va_detector_set_speaker_margin(this.#detector, speakerMarginDb),
        `speakerMarginDb ${speakerMarginDb}, which is 0 to 40 or Infinity`);
    }
    if (speakerLevel !== undefined) this.speakerLevel = speakerLevel;
    this.muted = muted;
  }

  #beginCuts(rules) {
    const { call, view, at } = this.#core;
    for (const [name, place] of Object.entries(CUT_RULES)) view.setUint32(at.cut_rules + place, rules[name] ?? 0, true);
    this.#core.check(call.va_cutter_init(at.cutter, CUTTER_MOST, at.cut_rules, at.config, at.result),
      `cutRules ${JSON.stringify(rules)}`);
  }

  #emitCuts(next) {
    while (next()) this.#onCut(readCut(this.#core.view, this.#core.at.cut));
  }

  #restore({ stream, reference }) {
    const { call, at } = this.#core;
    const status = this.#place(stream) ??
      call.va_detector_restore(this.#detector, call.va_detector_size(), at.saved, stream.length, at.result);
    this.#core.check(status, "saved.stream");
    if (reference) {
      this.#needEcho();
      const status = this.#place(reference) ??
        call.va_echo_restore(at.echo, call.va_echo_size(), at.saved, reference.length, at.result);
      this.#core.check(status, "saved.reference");
      this.#echo = at.echo;
    }
    this.#muted = this.status.isMuted;
  }

  /** Copies saved bytes into the arena. Returns the status of bytes that are too long to be any. */
  #place(bytes) {
    if (bytes.length > SAVED_MOST) return 8; // VA_ERROR_SAVED_DATA
    new Uint8Array(this.#core.buffer, this.#core.at.saved, bytes.length).set(bytes);
  }

  #saved(save, what, capacity) {
    const { at, buffer } = this.#core;
    this.#core.check(save(what, at.saved, capacity, at.result), "save()");
    return new Uint8Array(buffer, at.saved, this.#core.result).slice();
  }

  /** Runs a call that uses the stream. A callable that used it meanwhile would overwrite the results that it is given. */
  #alone(name, call) {
    if (this.#isBusy) {
      throw new VoiceActivityError("argument", `${name} within onHop or onCut; call it after the call that decides`);
    }
    this.#isBusy = true;
    try {
      return call();
    } finally {
      this.#isBusy = false;
    }
  }

  #analyse(samples) {
    const { length } = samples;
    let events = NO_EVENTS, done = 0;
    do {
      if (samples.length !== length) {
        throw new TypeError("the samples were transferred or resized within onHop or onCut; pass a copy of them");
      }
      const count = this.#write(samples, done);
      const status = this.#core.call.va_detector_process(
        this.#detector, this.#echo, this.#core.at.samples, count, this.#core.at.result, this.#core.at.output);
      this.#core.check(status, "process() after flush(), which ended the stream; reset() begins another");
      const taken = this.#core.result;
      done += taken;
      this.#heard += taken;
      events = this.#take(events);
    } while (done < length || this.#hasMore);
    return events;
  }

  /** Copies the next chunk into the arena and returns its length. */
  #write(samples, from) {
    const whole = from === 0 && samples.length <= CHUNK;
    const chunk = whole ? samples : samples.subarray(from, from + CHUNK);
    if (chunk.length > 0) this.#samples.set(chunk);
    return chunk.length;
  }

  /** Reads the results of a call. Returns the events so far with those of this call. */
  #take(events) {
    const { view, at } = this.#core;
    if (this.#onHop) {
      const first = output.hops(view, at.output), count = output.hopCount(view, at.output);
      for (let i = 0; i < count; i++) this.#onHop(readHop(view, first + i * HOP_SIZE));
    }
    if (this.#onCut) this.#emitCuts(() => this.#core.call.va_cutter_next(at.cutter, at.output, at.cut));
    const count = output.eventCount(view, at.output);
    if (count === 0) return events;
    const first = output.events(view, at.output);
    return events.concat(Array.from({ length: count }, (_, i) => readEvent(view, first + i * EVENT_SIZE)));
  }

  get #hasMore() { return output.more(this.#core.view, this.#core.at.output); }

  #checkSamples(name, samples) {
    if (!isArray(samples, "Float32Array")) {
      throw new TypeError(`${name} is ${describe(samples)}; pass one channel as a Float32Array, full scale ±1`);
    }
    if (samples.length === 0 && isDetached(samples.buffer)) {
      throw new TypeError(
        `${name} has lost its memory, which was transferred, as by postMessage(); transfer a copy, samples.slice(), instead`);
    }
  }

  #needEcho() {
    if (!this.#core.call.va_echo_init) {
      throw new VoiceActivityError("argument",
        "The module has no echo stage; for a reference use await load({ reference: true })");
    }
  }

  #checkReference() {
    if (!this.#echo) {
      throw new VoiceActivityError("argument", "The detector has no reference; create it with referenceSampleRate");
    }
  }
}

function checked(options) {
  if (!options?.saved) checkOptions(options);
  for (const name of CALLABLES) {
    if (options[name] === undefined || typeof options[name] === "function") continue;
    throw new TypeError(`${name} is ${describe(options[name])}; pass a function that takes a ${name.slice(2).toLowerCase()}`);
  }
  return options;
}

function checkOptions(options) {
  checkNames(options, OPTIONS);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || ["preset", "muted", "speakerLevel", "cutRules", ...CALLABLES].includes(name)) continue;
    (/Ms$|Rate$/.test(name) ? checkWhole : checkNumber)(name, value);
  }
  if (options.sampleRate === undefined) throw new TypeError("sampleRate is missing; pass that of the samples, in Hz");
  if (options.preset !== undefined && !PRESETS.includes(options.preset)) {
    const Refusal = typeof options.preset === "string" ? RangeError : TypeError;
    throw new Refusal(`preset is ${describe(options.preset)}; the presets are ${PRESETS.join(", ")}`);
  }
  if (options.cutRules !== undefined) checkRules(options);
}

/** Whether a buffer was transferred. Its length is 0 then, as an empty one's. */
function isDetached(buffer) {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

function checkRules({ cutRules, onCut }) {
  if (onCut === undefined) throw new TypeError("cutRules are for onCut, which takes the cuts; pass it too");
  checkNames(cutRules, Object.keys(CUT_RULES), "rule");
  for (const [name, value] of Object.entries(cutRules)) if (value !== undefined) checkWhole(name, value);
  if (cutRules.maxLengthMs > LONGEST_CUT_MS) {
    throw new RangeError(`maxLengthMs is ${cutRules.maxLengthMs}; pass at most ${LONGEST_CUT_MS}, or 0 for no limit`);
  }
}

function whole(name, count) {
  checkNumber(name, count);
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${name} is ${count}; pass a number of samples`);
  }
  return BigInt(count);
}
