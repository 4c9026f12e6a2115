// The list of recordings: its search, its order, and its notes on a phone.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, close, compare, open, press, write } from "./browser.js";
import { ROOT, SAMPLES, attempt, read, sample } from "./program.js";

const batch = write("batch", [join(ROOT, "samples"), "--mute-timeline", "0-"]);
const compared = compare();

const names = (page) => page.run(() => [...document.querySelectorAll("#recordings tbody tr")]
  .filter((row) => row.checkVisibility()).map((row) => row.cells[0].textContent));
const order = (page) => page.run(() =>
  [...document.querySelectorAll("#recordings thead th")].map((cell) => cell.getAttribute("aria-sort")));
const sort = (page, column) => page.run((column) => {
  document.querySelectorAll("#recordings thead button")[column].click();
}, column);

/** Types into the search as a reader does, key by key, instead of what is there. */
async function search(page, words) {
  await page.run(() => { document.getElementById("search").focus(); document.getElementById("search").select(); });
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key: "Delete", windowsVirtualKeyCode: 46 });
  for (const key of words) await page.send("Input.dispatchKeyEvent", { type: "keyDown", key, text: key });
}

test("a heading sorts, the other way round, and not at all", async () => {
  const page = await open(batch), { recordings } = read(batch).report;
  const rows = recordings.map((recording, index) => ({ ...recording, name: SAMPLES[index] }));
  const by = (value) => rows.toSorted((a, b) => value(a) - value(b)).map(({ name }) => name);
  const rising = [SAMPLES, by((row) => row.duration_ms), by((row) => row.speech_ms / row.duration_ms), by((row) => row.segments),
    rows.toSorted((a, b) => (a.note < b.note ? -1 : a.note > b.note ? 1 : 0)).map(({ name }) => name)];
  for (const [column, wanted] of rising.entries()) {
    await sort(page, column);
    assert.deepEqual(await names(page), wanted, `column ${column}, rising`);
    assert.equal((await order(page))[column], "ascending");
    await sort(page, column);
    assert.notDeepEqual(await names(page), wanted, `column ${column}, falling`);
    assert.deepEqual(await order(page), rising.map((_, other) => (other === column ? "descending" : null)));
    await sort(page, column);
    assert.deepEqual(await names(page), SAMPLES, `column ${column}, as in the run`);
  }
  // What is shown is still the recording of its row.
  await sort(page, 1);
  const [first] = await names(page);
  await page.run(() => document.querySelector("#recordings a").click());
  await page.run((name) => until(() => text("name").endsWith(name)), first);
  assert.equal(await page.run(() => document.querySelector("#recordings .current").rowIndex), 1);
  await close(page);
});

test("numbers sort as numbers: a comparison by F1", async () => {
  const page = await open(compared);
  await sort(page, 4);
  const notes = await page.run(() => [...document.querySelectorAll("#recordings tbody tr")].map((row) => row.cells[4].textContent));
  const values = notes.filter(Boolean).map((note) => Number(note.match(/^F1 ([\d.]+)/)[1]));
  assert.ok(values.length > 4);
  assert.deepEqual(values, values.toSorted((a, b) => a - b));
  await close(page);
});

test("a search finds names and notes, and no key of it moves the recording", async () => {
  const page = await open(batch, "#r=1&t=1"), notes = read(batch).report.recordings.map(({ note }) => note);
  const [first] = SAMPLES;
  await search(page, "SPEECH-f ");
  assert.deepEqual(await names(page), []);
  assert.match(await page.run(() => text("matches")), /^no recording/i);
  await search(page, "SPEECH-f");
  assert.deepEqual(await names(page), SAMPLES.filter((name) => name.startsWith("speech-f")));
  assert.equal(await page.run(() => text("matches")), `1 of ${SAMPLES.length}`);
  await search(page, "n p");
  await search(page, "while muted");
  assert.deepEqual(await names(page), SAMPLES.filter((_, index) => notes[index].includes("while muted")));
  await search(page, "");
  assert.deepEqual(await names(page), SAMPLES);
  assert.equal(await page.run(() => text("matches")), "");
  await press(page, "End");
  assert.equal(await page.run(() => text("position")), "0:01.0");
  assert.ok((await page.run(() => text("name"))).endsWith(first));
  assert.equal(await page.run(() => document.getElementById("audio").paused), true);
  await close(page);
});

test("on a phone, nothing of the list is cut off", async () => {
  for (const file of [batch, compared]) {
    const page = await open(file, "", { width: 390, height: 844 });
    const cut = await page.run(() => {
      const { left, right } = document.querySelector("#index .scroll").getBoundingClientRect(), range = document.createRange();
      return [...document.querySelectorAll("#recordings :is(th, td)")].filter((cell) => cell.checkVisibility()).filter((cell) => {
        range.selectNodeContents(cell);
        const text = range.getBoundingClientRect();
        return text.width > 0 && (text.left < left || text.right > right);
      }).map((cell) => cell.textContent);
    });
    assert.deepEqual(cut, []);
    await close(page);
  }
});

test("a recording that cannot be read is not analysed, rather than without speech, and cannot be labelled", async () => {
  const recordings = join(HERE, "some"), report = join(HERE, "some.html");
  mkdirSync(recordings);
  writeFileSync(join(recordings, "broken.flac"), "fLaC and no more");
  copyFileSync(sample("speech.flac"), join(recordings, "speech.flac"));
  assert.equal(attempt(["label", recordings, "--report", report, "--quiet"]).status, 65);
  const page = await open(report), visible = (id) => page.run((id) => document.getElementById(id).checkVisibility(), id);
  const row = () => page.run(() => [...document.querySelector("#recordings .current").cells].map((cell) => cell.textContent));
  const parts = ["summary", "viewer", "labels", "settings", "segments"];
  assert.deepEqual((await row()).slice(1), ["", "", "", "not analysed"]);
  assert.match(await page.run(() => text("warnings")), /^Not analysed: .*broken\.flac/);
  for (const id of parts) assert.equal(await visible(id), false, id);
  assert.doesNotMatch(await page.run(() => document.body.innerText), /No speech|0:00\.0/);
  for (const key of ["a", "n", "e", "e", "s", "End"]) await press(page, key);
  await page.run(() => { location.hash = "#r=2"; });
  await page.run(() => until(() => text("name").endsWith("speech.flac")));
  for (const id of parts) assert.equal(await visible(id), true, id);
  assert.equal((await row())[1], "0:10.000");
  await close(page);
});
