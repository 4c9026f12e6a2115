import bytes from "../../dist/muted.js";

// So small that it is part of the JavaScript: no page waits for it.
const module = new WebAssembly.Module(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));

/** Returns a gate and a notice of the C core (core/muted/muted.c). */
export const muted = () => new WebAssembly.Instance(module).exports;
