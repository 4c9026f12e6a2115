import { errorOf } from "./errors.js";

/** One instance of the module with its memory, and the errors of its calls as exceptions. */
export class Instance {
  constructor(module) {
    const { exports } = new WebAssembly.Instance(module);
    this.call = exports;
    this.buffer = exports.memory.buffer; // never grows, so that views stay valid
    this.view = new DataView(this.buffer);
    this.at = Object.fromEntries(
      Object.entries(exports).filter(([, value]) => value instanceof WebAssembly.Global)
        .map(([name, value]) => [name.replace("arena_", ""), value.value]));
  }

  /** Throws for a status other than 0. `given` names the value that the core refused. */
  check(status, given) {
    if (status !== 0) throw errorOf(status, given, this.text(this.call.va_status_text(status)));
  }

  /** Reads a C string of ASCII. An audio worklet has no TextDecoder. */
  text(at) {
    const bytes = new Uint8Array(this.buffer, at);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  }

  get result() { return this.view.getUint32(this.at.result, true); }
}
