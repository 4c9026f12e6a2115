import { checkNames } from "../core/errors.js";
import { NOTICE_MS, NOTICE_TEXT } from "../core/layout.js";
import { CustomEvent } from "./events.js";
import { muted } from "./muted.js";

const LONGEST = 2 ** 31 - 1; // of a timer

/** Shows the notice of muted speech when the core says so, and removes it after its time. index.d.ts is the manual. */
export class MutedNoticePresenter extends EventTarget {
  #core = muted();
  #text;
  #durationMs;
  #limit;
  #enabled = true;
  #notice = null;
  #timer;
  #isSpeaking = false;

  constructor(options = {}) {
    super();
    checkNames(options, ["text", "durationMs", "limit"]);
    const { text = NOTICE_TEXT, durationMs = NOTICE_MS, limit = null } = options;
    if (!(durationMs >= 0)) throw new RangeError(`durationMs is ${durationMs}; it is at least 0`);
    this.#text = text;
    this.#durationMs = durationMs;
    this.#core.notice_init();
    this.limit = limit;
  }

  get notice() { return this.#notice; }
  get isStillSpeaking() { return this.#isSpeaking && this.#notice === null; }

  get enabled() { return this.#enabled; }
  set enabled(enabled) {
    this.#enabled = Boolean(enabled);
    this.#configure();
  }

  get limit() { return this.#limit; }
  set limit(limit) {
    if (limit !== null && limit !== "oncePerMute" && !(limit >= 0))
      throw new RangeError(`limit is ${limit}; it is null, "oncePerMute" or a number of milliseconds`);
    this.#limit = limit;
    this.#configure();
  }

  follow(detector) {
    detector.addEventListener("speakingwhilemutedchange", ({ detail }) => this.update(detail));
    detector.addEventListener("mutedchange", ({ detail }) => detail || this.microphoneUnmuted());
    this.update(detector.isSpeakingWhileMuted);
    return this;
  }

  update(isSpeakingWhileMuted) {
    if (Boolean(isSpeakingWhileMuted) === this.#isSpeaking) return;
    this.#isSpeaking = !this.#isSpeaking;
    if (this.#core.notice_update(this.#isSpeaking, performance.now())) this.#show();
    this.#tell();
  }

  dismiss(id) {
    if (!this.#core.notice_dismiss(id)) return;
    this.#show();
    this.#tell();
  }

  microphoneUnmuted() { this.#core.notice_unmuted(); }

  #configure() {
    const once = this.#limit === "oncePerMute";
    this.#core.notice_set(this.#durationMs, once ? 0 : this.#limit ?? 0, once, this.#enabled);
  }

  /** Shows what the core shows. */
  #show() {
    clearTimeout(this.#timer);
    const id = this.#core.notice_shown();
    this.#notice = id === 0 ? null : Object.freeze({ id, text: this.#text });
    if (id !== 0) this.#timer = setTimeout(() => this.dismiss(id), Math.min(this.#durationMs, LONGEST));
  }

  #tell() { this.dispatchEvent(new CustomEvent("change", { detail: this.#notice })); }
}
