import { checkNames, describe } from "./errors.js";

const MODULE = new URL("../../dist/voice_activity.wasm", import.meta.url);
const MODULE_WITH_ECHO = new URL("../../dist/voice_activity_echo.wasm", import.meta.url);
const loaded = new Map();

/**
 * Compiles the WebAssembly module that detectors run in: the package's own, which is fetched and compiled once, or
 * `source`.
 */
export function load(options = {}) {
  checkNames(options, ["reference", "source"]);
  const { reference = false, source } = options;
  if (source !== undefined) return compile(source);
  const url = reference ? MODULE_WITH_ECHO : MODULE;
  if (!loaded.has(url)) {
    loaded.set(url, compile(url).catch((error) => {
      loaded.delete(url); // so that a later call tries again
      throw error;
    }));
  }
  return loaded.get(url);
}

async function compile(source) {
  const isAddress = source instanceof URL || typeof source === "string";
  return WebAssembly.compile(isAddress ? await read(addressOf(source)) : source);
}

/** Returns an address. A page or a worker may write one that is relative to its own. */
function addressOf(source) {
  try {
    return new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    throw new TypeError(
      `source is ${describe(source)}, which is no address here; pass a URL: new URL("x.wasm", import.meta.url)`);
  }
}

async function read(url) {
  if (url.protocol === "file:") return readFile(url);
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url} gives ${response.status} instead of the module; serve it, or pass its address as source`);
  }
  return response.arrayBuffer();
}

/** Node's fetch has no file: URLs. The variable and the comments make bundlers leave the import alone. */
async function readFile(url) {
  const name = "node:fs/promises";
  const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  return files.readFile(url);
}
