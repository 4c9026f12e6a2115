/**
 * Decides whether muted speech is reported, as SpeakingWhileMutedGate does in Swift: speech counts if it began while
 * detecting, and no longer once that was interrupted. Each input returns whether the value has changed.
 */
export class SpeakingWhileMutedGate {
  #muted = false;
  #flowing = true;
  #enabled = true;
  #ended = false;
  #speech = false;
  #value = false;

  get value() { return this.#value; }
  get muted() { return this.#muted; }
  get enabled() { return this.#enabled; }

  /** Whether a beginning of muted speech would count now. */
  get isDetecting() { return this.#muted && this.#flowing && this.#enabled && !this.#ended; }

  setMuted(muted) {
    this.#muted = muted;
    return this.#settle();
  }

  /** Whether the microphone delivers sound. */
  setDataFlowing(flowing) {
    this.#flowing = flowing;
    return this.#settle();
  }

  /** Whether the host wants the notice now. */
  setEnabled(enabled) {
    this.#enabled = enabled;
    return this.#settle();
  }

  speechBegan() {
    this.#speech = true;
    return this.#settle();
  }

  speechEnded() {
    this.#speech = false;
    return this.#settle();
  }

  end() {
    this.#ended = true;
    return this.#settle();
  }

  #settle() {
    this.#speech &&= this.isDetecting;
    if (this.#speech === this.#value) return false;
    this.#value = this.#speech;
    return true;
  }
}
