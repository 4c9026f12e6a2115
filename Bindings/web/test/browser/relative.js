// A worker that loads the module from beside its own folder.
import { load } from "/src/index.js";

const module = await load({ source: "../../dist/voice_activity.wasm" });
postMessage(module instanceof WebAssembly.Module);
