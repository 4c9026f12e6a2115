const TEXT = "You are muted. Unmute to speak.";

/**
 * Shows the notice of muted speech for a time and removes it again, as MutedNoticePresenter does in Swift: it appears
 * when isSpeakingWhileMuted becomes true, and stays for its time whatever happens meanwhile. index.d.ts is the manual.
 */
export class MutedNoticePresenter extends EventTarget {
  #text;
  #durationMs;
  #limit;
  #notice = null;
  #timer;
  #isSpeaking = false;
  #lastId = 0;
  #shownAt = -Infinity;
  #wasShownDuringMute = false;

  constructor({ text = TEXT, durationMs = 2000, limit = null } = {}) {
    super();
    if (!(durationMs >= 0)) throw new RangeError(`durationMs is ${durationMs}; it is at least 0`);
    if (limit !== null && limit !== "oncePerMute" && !(limit >= 0))
      throw new RangeError(`limit is ${limit}; it is null, "oncePerMute" or a number of milliseconds`);
    this.#text = text;
    this.#durationMs = durationMs;
    this.#limit = limit;
  }

  get notice() { return this.#notice; }
  get isStillSpeaking() { return this.#isSpeaking && this.#notice === null; }

  follow(detector) {
    detector.addEventListener("speakingwhilemutedchange", ({ detail }) => this.update(detail));
    detector.addEventListener("mutedchange", ({ detail }) => detail || this.microphoneUnmuted());
    this.update(detector.isSpeakingWhileMuted);
    return this;
  }

  update(isSpeakingWhileMuted) {
    if (isSpeakingWhileMuted === this.#isSpeaking) return;
    this.#isSpeaking = isSpeakingWhileMuted;
    if (isSpeakingWhileMuted && this.#notice === null && this.#isAllowed()) this.#show();
    this.#tell();
  }

  dismiss(id) {
    if (this.#notice?.id !== id) return;
    clearTimeout(this.#timer);
    this.#notice = null;
    this.#tell();
  }

  microphoneUnmuted() { this.#wasShownDuringMute = false; }

  #isAllowed() {
    if (this.#limit === "oncePerMute") return !this.#wasShownDuringMute;
    return performance.now() - this.#shownAt >= (this.#limit ?? 0);
  }

  #show() {
    const id = ++this.#lastId;
    this.#notice = Object.freeze({ id, text: this.#text });
    this.#shownAt = performance.now();
    this.#wasShownDuringMute = true;
    this.#timer = setTimeout(() => this.dismiss(id), this.#durationMs);
  }

  #tell() { this.dispatchEvent(new CustomEvent("change", { detail: this.#notice })); }
}
