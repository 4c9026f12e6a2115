// Reports in headless Chromium, opened from the disk as their readers open them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "../../Bindings/web/test/browser/chromium.js";
import { ROOT, folder, vadmon } from "./program.js";

export const HERE = folder();
export const chromium = await launch({ flags: ["--autoplay-policy=no-user-gesture-required"] });
after(() => chromium.close());

/** Analyses recordings, and returns the path of the report. */
export function write(name, words, options) {
  const page = join(HERE, `${name}.html`);
  vadmon(["analyze", ...words, "--report", page, "--quiet"], options);
  return page;
}

/** Compares all samples, and returns the path of the report; the other detector has a threshold of its own. */
export function compare() {
  const page = join(HERE, "compared.html"), frames = (name, ...options) => {
    vadmon(["analyze", join(ROOT, "samples"), "--frames", join(HERE, name), "--quiet", ...options]);
    return join(HERE, name);
  };
  vadmon(["compare", join(ROOT, "samples"), frames("frames"), "--against", frames("other", "--onset-threshold", "0.97"),
    "--report", page, "--recordings", join(ROOT, "samples"), "--quiet"]);
  return page;
}

export const setSystemTheme = (page, theme) =>
  page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });

/** Gives a page what the tests ask it. */
export const define = (page) => page.run(() => {
  globalThis.text = (id) => document.getElementById(id).textContent;
  globalThis.rows = () => [...document.getElementById("segments").tBodies[0].rows]
    .map((row) => [...row.cells].map((cell) => cell.textContent));
  globalThis.settle = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
});

export async function open(page, address = "", { width = 1280, height = 900, dark = false } = {}) {
  const opened = await chromium.open(/^(data|http):/.test(page) ? page : `${pathToFileURL(page)}${address}`, { permission: null });
  await opened.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  await setSystemTheme(opened, dark ? "dark" : "light");
  await define(opened);
  return opened;
}

/** Ends with a page that has complained about nothing. */
export async function close(page) {
  assert.deepEqual(page.said, []);
  await page.close();
}

export async function press(page, key) {
  const code = key.length === 1 ? key.toUpperCase().charCodeAt(0) : { Home: 36, End: 35, ArrowRight: 39 }[key];
  for (const type of ["keyDown", "keyUp"])
    await page.send("Input.dispatchKeyEvent", { type, key, windowsVirtualKeyCode: code });
}
