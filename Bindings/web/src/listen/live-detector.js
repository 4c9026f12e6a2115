import { CustomEvent } from "./events.js";
import { SpeakingWhileMutedGate } from "./gate.js";

/** A detector that listens. createDetector makes it; index.d.ts is the manual. */
export class LiveDetector extends EventTarget {
  #context;
  #node;
  #release;
  #tracks;
  #gate = new SpeakingWhileMutedGate();
  #state;
  #status = null;
  #echo = null;
  #speakerLevel = null;
  #suspendedAt = null;
  #ending = new AbortController();

  /** `release` undoes what was made for the detector. The tracks are those that it hears. */
  constructor({ context, node, tracks, muted, release }) {
    super();
    this.#context = context;
    this.#node = node;
    this.#tracks = tracks;
    this.#release = release;
    this.#gate.setMuted(muted);
    node.port.onmessage = ({ data }) => this.#take(data);
    node.onprocessorerror = () => this.#fail(); // not addEventListener: Chromium names the event otherwise
    const options = { signal: this.#ending.signal };
    context.addEventListener("statechange", () => this.#follow(), options);
    for (const track of tracks)
      for (const type of ["mute", "unmute", "ended"]) track.addEventListener(type, () => this.#follow(), options);
    this.#follow();
  }

  get state() { return this.#state; }
  get status() { return this.#status; }
  get echo() { return this.#echo; }
  get speakerLevel() { return this.#speakerLevel; }
  get isSpeech() { return this.#state === "running" && (this.#status?.isSpeech ?? false); }
  get isSpeakingWhileMuted() { return this.#gate.value; }

  get muted() { return this.#gate.isMet("microphoneMuted"); }
  set muted(muted) {
    const before = this.muted;
    this.#node.port.postMessage({ muted: Boolean(muted) });
    this.#announce(this.#gate.setMuted(muted));
    if (this.muted !== before) this.#send("mutedchange", this.muted);
  }

  get enabled() { return this.#gate.isMet("enabled"); }
  set enabled(enabled) { this.setRequirement("enabled", enabled); }

  setRequirement(requirement, isMet) {
    if (requirement === "microphoneMuted" || requirement === "dataFlowing")
      throw new TypeError(`${requirement} is not for you to set; set \`muted\`, and the detector knows its sound`);
    this.#announce(this.#gate.setRequirement(requirement, isMet));
  }

  /** Call it from a click or a key press: browsers start no sound without one. */
  async resume() {
    if (this.#state !== "closed") await this.#context.resume();
    this.#follow();
  }

  close() {
    if (this.#state === "closed") return;
    this.#state = "closed"; // before the listeners run: they may call it too
    this.#announce(this.#gate.end());
    this.#node.port.postMessage({ close: true });
    this.#node.port.onmessage = null;
    this.#node.disconnect();
    this.#release();
    this.#send("statechange", this.#state);
    this.#ending.abort();
  }

  #take({ events, status, echo, speakerLevel }) {
    this.#status = status;
    this.#echo = echo;
    this.#speakerLevel = speakerLevel;
    for (const event of events) {
      if (event.type === "mutedSpeechBegin") this.#announce(this.#gate.speechBegan());
      if (event.type === "mutedSpeechEnd") this.#announce(this.#gate.speechEnded());
      this.#send(event.type.toLowerCase(), event);
    }
    this.#send("status", status);
  }

  /** Brings the state up to date with those of the context and the tracks. */
  #follow() {
    const state = this.#observed();
    if ([state, "failed", "closed"].includes(this.#state)) return;
    if (state === "suspended" && this.#state) this.#suspendedAt = performance.now();
    else this.#reportSuspension();
    this.#announce(this.#gate.setDataFlowing(state === "running"));
    this.#enter(state);
  }

  /** While the context is suspended, the audio thread counts no samples. */
  #reportSuspension() {
    if (this.#suspendedAt === null) return;
    const seconds = (performance.now() - this.#suspendedAt) / 1000;
    this.#suspendedAt = null;
    this.#node.port.postMessage({ gap: Math.round(seconds * this.#context.sampleRate) });
  }

  #observed() {
    if (this.#context.state === "closed" && !isOffline(this.#context)) return "ended";
    if (this.#tracks.some((track) => track.readyState === "ended")) return "ended";
    // An offline context renders when it is told to, and its results come afterwards.
    if (isOffline(this.#context)) return "running";
    if (this.#context.state !== "running") return "suspended";
    return this.#tracks.some((track) => track.muted) ? "silenced" : "running";
  }

  #fail() {
    this.#announce(this.#gate.setDataFlowing(false));
    this.#enter("failed");
  }

  #enter(state) {
    if (this.#state === "closed") return; // also since a listener closed it
    this.#state = state;
    this.#send("statechange", state);
  }

  #announce(changed) {
    if (changed) this.#send("speakingwhilemutedchange", this.#gate.value);
  }

  /** Nothing follows the event that it is closed. */
  #send(type, detail) {
    if (!this.#ending.signal.aborted) this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Whether it renders as fast as it can instead of in real time. */
export const isOffline = (context) => "startRendering" in context;
