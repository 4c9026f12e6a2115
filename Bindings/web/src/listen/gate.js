import { describe } from "../core/errors.js";
import { REQUIREMENTS } from "../core/layout.js";
import { muted } from "./muted.js";

/** The core's gate. index.d.ts is the manual. */
export class SpeakingWhileMutedGate {
  #core = muted();

  constructor() { this.#core.gate_init(); }

  get value() { return this.#core.gate_is_speaking() !== 0; }
  get isDetecting() { return this.#core.gate_unmet() === 0; }
  isMet(requirement) { return (this.#core.gate_unmet() & (1 << number(requirement))) === 0; }

  setRequirement(requirement, isMet) { return this.#core.gate_set(number(requirement), Boolean(isMet)) !== 0; }
  setMuted(muted) { return this.setRequirement("microphoneMuted", muted); }
  setDataFlowing(flowing) { return this.setRequirement("dataFlowing", flowing); }
  speechBegan() { return this.#core.gate_set_speech(true) !== 0; }
  speechEnded() { return this.#core.gate_set_speech(false) !== 0; }
  inputReplaced() { return this.speechEnded(); }
  end() { return this.#core.gate_end() !== 0; }
}

function number(requirement) {
  const number = REQUIREMENTS.indexOf(requirement);
  if (number >= 0) return number;
  throw new TypeError(`There is no requirement ${describe(requirement)}; the requirements are ${REQUIREMENTS.join(", ")}`);
}
