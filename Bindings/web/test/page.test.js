import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser/chromium.js";
import { serve } from "./browser/server.js";
import { wav } from "./recordings.js";

const SHOTS = join(process.env.BUILD ?? fileURLToPath(new URL("../../../build/web", import.meta.url)), "screenshots");
const server = await serve();
const chromium = await launch({ microphone: wav("speech.flac") });
after(async () => {
  await chromium.close();
  server.close();
});

async function open(options) {
  const page = await chromium.open(`${server.origin}/demo/`, options);
  await page.run(async () => {
    globalThis.text = (id) => document.getElementById(id).textContent;
  });
  return page;
}

const setScheme = (page, dark) => page.send("Emulation.setEmulatedMedia", {
  features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
});

/** Takes a picture for people to look at. Nothing may be wider than the page. */
async function shoot(page, name, { width, height = 760, dark = false }) {
  await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  await setScheme(page, dark);
  await page.run(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const overflow = await page.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(overflow, 0, `${name}: something is wider than the page`);
  const { data } = await page.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, `${name}.png`), Buffer.from(data, "base64"));
}

/** What a screen reader is told: role, name and value of everything that it does not skip. */
async function accessible(page) {
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  return nodes.filter(({ ignored }) => !ignored).map(({ role, name, value, properties = [] }) => ({
    role: role.value, name: name?.value ?? "", value: value?.value,
    ...Object.fromEntries(properties.map(({ name, value }) => [name, value.value])),
  }));
}
const find = (nodes, role, name) => nodes.find((node) => node.role === role && node.name === name);

test("with the keyboard alone: listen, mute, be told, unmute", async () => {
  const page = await open();
  await shoot(page, "idle-wide-light", { width: 1100 });
  const focused = () => page.run(() => document.activeElement.id);
  await page.press("Tab");
  assert.equal(await focused(), "listen");
  await page.press("Enter");
  await page.run(() => until(() => /%/.test(text("probability")) && text("state") !== "waiting for a click"));
  await page.press("Tab");
  assert.equal(await focused(), "mute");
  await page.press(" ");
  await page.run(() => until(() => text("notice") === "You are muted. Unmute to speak."));
  for (const [name, size] of Object.entries({
    "muted-wide-light": { width: 1100 }, "muted-wide-dark": { width: 1100, dark: true },
    "muted-narrow-light": { width: 360 }, "muted-narrow-dark": { width: 360, dark: true },
  })) {
    await page.run(() => until(() => text("notice") !== ""));
    await shoot(page, name, size);
  }
  await page.run(() => until(() => text("notice") !== ""));
  await page.press(" ");
  // It stays for as long as it takes to read, and does not come back.
  await page.run(() => until(() => text("notice") === ""));
  await page.run(() => until(() => text("state") === "speech"));
  await page.run(() => new Promise((resolve) => setTimeout(resolve, 3000))); // for the picture
  assert.equal(await page.run(() => text("notice")), "");
  await shoot(page, "speech-wide-dark", { width: 1100, dark: true });
  await page.run(() => document.getElementById("listen").click());
  assert.equal(await page.run(() => text("state")), "not listening");
  assert.deepEqual(page.said, []);
  await page.close();
});

test("a screen reader is told the notice, the meters and the controls", async () => {
  const page = await open();
  await page.run(() => document.getElementById("listen").focus());
  await page.press("Enter");
  await page.run(() => until(() => /%/.test(text("probability"))));
  await page.run(() => document.getElementById("mute").click());
  await page.run(() => until(() => text("notice") !== ""));
  const nodes = await accessible(page);
  assert.equal(find(nodes, "button", "Stop listening").focusable, true);
  assert.equal(find(nodes, "button", "Unmute").focusable, true);
  assert.ok(find(nodes, "combobox", "Tuned for"));
  const probability = find(nodes, "meter", "Probability of speech").value, level = find(nodes, "meter", "Level").value;
  assert.ok(probability >= 0 && probability <= 100, probability);
  assert.ok(level >= -127 && level < 0, level);
  const status = nodes.find(({ role }) => role === "status");
  assert.equal(status.live, "polite");
  assert.ok(nodes.some(({ role, name }) => role === "StaticText" && name === "You are muted. Unmute to speak."));
  assert.ok(nodes.some(({ role, name }) => /^(img|image)$/.test(role) && name.startsWith("The last ten seconds")));
  assert.ok(nodes.some(({ role, name }) => role === "heading" && name === "Am I heard?"));
  await page.close();
});

test("text has enough contrast in both schemes", async () => {
  const page = await open();
  for (const dark of [false, true]) {
    await setScheme(page, dark);
    const ratios = await page.run(() => {
      const style = getComputedStyle(document.documentElement);
      const luminance = (name) => {
        const parts = style.getPropertyValue(`--${name}`).match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16) / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a, b) => {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
      };
      const text = [
        ["ink", "page"], ["ink", "panel"], ["faint", "page"], ["faint", "panel"],
        ["on-action", "action"], ["on-notice", "notice"],
      ];
      const shapes = [
        ["probability", "panel"], ["probability", "speech"], ["probability", "muted"], ["level", "panel"],
      ];
      return [...text.map((pair) => [pair, ratio(...pair), 4.5]), ...shapes.map((pair) => [pair, ratio(...pair), 3])];
    });
    for (const [pair, ratio, least] of ratios) {
      assert.ok(ratio >= least, `${pair.join(" on ")}: ${ratio.toFixed(1)} in the ${dark ? "dark" : "light"} scheme`);
    }
  }
  await page.close();
});

test("a refused microphone is explained", async () => {
  const page = await open({ permission: "denied" });
  await page.run(() => document.getElementById("listen").click());
  await page.run(() => until(() => text("problem") !== ""));
  assert.match(await page.run(() => text("problem")), /may not use the microphone; allow it in the browser's settings/);
  await shoot(page, "refused-narrow-dark", { width: 360, dark: true });
  assert.equal(await page.run(() => document.getElementById("listen").disabled), false);
  await page.close();
});
