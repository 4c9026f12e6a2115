// The label editor in headless Firefox, which has no dialog to save into a chosen file: keys, a mouse, and a download.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "../../Bindings/web/test/browser/firefox.js";
import { arrived, folder, sample, vadmon } from "./program.js";

const HERE = folder(), DOWNLOADS = join(HERE, "downloads"), page = join(HERE, "speech.html");
mkdirSync(DOWNLOADS);
vadmon(["analyze", sample("speech.flac"), "--report", page, "--quiet"]);
const firefox = await launch({ preferences: {
  "browser.download.folderList": 2, "browser.download.dir": DOWNLOADS, "browser.download.useDownloadDir": true,
  "browser.download.always_ask_before_handling_new_types": false, "browser.helperApps.neverAsk.saveToDisk": "text/plain",
} });
after(() => firefox.close());

const NAMES = { Home: "\ue011", Control: "\ue009", Enter: "\ue007" };
const perform = (...actions) => firefox.send("WebDriver:PerformActions", { actions });
const text = (id) => firefox.run((id) => Promise.resolve(document.getElementById(id).textContent), id);

async function press(key, times = 1, held = null) {
  const named = NAMES[key] ?? key, stroke = [{ type: "keyDown", value: named }, { type: "keyUp", value: named }];
  const strokes = Array.from({ length: times }, () => stroke).flat();
  await perform({ type: "key", id: "keys", actions: held
    ? [{ type: "keyDown", value: NAMES[held] }, ...strokes, { type: "keyUp", value: NAMES[held] }] : strokes });
}

/** Presses the mouse at the first point, moves through the others, and releases it. */
const point = ([x, y], ...others) => perform({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [
  { type: "pointerMove", x: Math.round(x), y: Math.round(y) }, { type: "pointerDown", button: 0 },
  ...others.map(([x, y]) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 50 })), { type: "pointerUp", button: 0 },
] });

const place = (id) => firefox.run(async (id) => {
  const node = document.getElementById(id);
  node.scrollIntoView({ block: "start" });
  const { left, top, width, height } = node.getBoundingClientRect();
  return { left, top, width, height };
}, id);

async function click(id) {
  const { left, top, width, height } = await place(id);
  await point([left + width / 2, top + height / 2]);
}

test("Firefox labels a recording from nothing, keeps the labels, and saves what vadmon compare finds right", async () => {
  await firefox.open(String(pathToFileURL(page)));
  await press("e");
  await click("clear");
  assert.equal(await text("labels-said"), "Deleted all: 0 labels");
  const wanted = readFileSync(sample("speech.txt"), "utf8").trim().split("\n").map((line) => line.split("\t").slice(0, 2).map(Number));
  // The first with the mouse, and its edges by their fields; the others with keys.
  const { left, top, width } = await place("timeline"), at = (time) => [left + 92 + (width - 92) * (time / 10), top + 157];
  await point(at(0.8), at(1), at(1.3));
  assert.match(await text("label-title"), /^Label 1 of 1$/);
  for (const [id, time] of [["label-start", wanted[0][0]], ["label-end", wanted[0][1]]]) {
    await click(id);
    await press("a", 1, "Control");
    for (const character of String(time)) await press(character);
    await press("Enter");
  }
  await firefox.run(async () => document.getElementById("timeline").focus());
  for (const [index, time] of wanted.slice(1).flat().entries()) {
    await press("Home");
    await press(">", Math.floor(time * 10 + 1e-6));
    await press(".", Math.round(time * 100) % 10);
    await press("a");
    assert.match(await text("labels-said"), index % 2 ? /^Added/ : /^A label begins/);
  }
  await firefox.open(String(pathToFileURL(page)));
  await press("e");
  assert.match(await text("labels-state"), /^4 labels, .* 4 checked/);
  await press("s", 1, "Control");
  const file = await arrived(DOWNLOADS, /^speech\.tsv$/);
  const { f1, precision, recall } = JSON.parse(vadmon(["compare", sample("speech.txt"), file, "--format", "json", "--quiet"])).pooled;
  assert.deepEqual([f1, precision, recall], [1, 1, 1], readFileSync(file, "utf8"));
});
