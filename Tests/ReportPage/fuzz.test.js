// Label files with any faults, as the label editor opens them, against what vadmon reads in the same bytes. Each run makes the
// same files; ROUNDS=10000 makes more.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, attempt, folder, module, random, read, sample, vadmon } from "./program.js";

const { FORMATS } = await module("formats.js");
const { labelsFor, readLabels } = await module("reading.js");
const HERE = folder(), next = random(47), ROUNDS = Number(process.env.ROUNDS ?? 300), LENGTH = 60_000;
const whole = (most) => Math.floor(next() * most), one = (list) => list[whole(list.length)];

const SEEDS = join(ROOT, "Tests/Fuzz/seeds/labels"); // their first byte is for the target of the program
const FILES = readdirSync(SEEDS).map((name) => readFileSync(join(SEEDS, name)).subarray(1).toString("latin1"));
const NUMBERS = ["-1", "0", "1e1", "2.", ".5", "+3", "0x10", "NaN", "inf", "1e999", "1000000", "1000001", "007", "1,5", "1_0", "٣", ""];
const TEXTS = ["<img src=x onerror=harm=1>", "</script><script>harm=1</script>", "__proto__", "constructor", "speaking while muted", "sil",
  "silence (channel 2)", "muted_speech", "a\u0000b", "\u2028", "\ufeff", "語", "\"", "\"\"", "-->", "0:01", "SPEAKER", ";;", "\\", "{}", "!"];
const PIECES = [...NUMBERS, ...TEXTS, "\t", ",", "\n", "\r", "\n\n", " ", "start", "end", "file", "type", "gap", "null", "[]", "1:02:03,500", "<exists>"];

const label = () => { const start = whole(50_000); return [start, start + 10 + whole(5000), one(["", ...TEXTS]).replace(/\s/g, " "), next() < 0.5]; };
const written = () => one(FORMATS).write({ labels: [label(), label()], muted: next() < 0.3 ? [label()] : [] },
  { file: one(["a.wav", "b/c d.wav", ...TEXTS]), channel: one([null, 1, 2]), length: LENGTH, silence: new Set() });

const CHANGES = [
  (text) => text.replace(/\d+(?:\.\d+)?/g, (number) => (next() < 0.1 ? one(NUMBERS) : number)),
  (text) => text.replace(/[^\s",:{}[\]]+/g, (word) => (next() < 0.05 ? one(PIECES) : word)),
  (text) => { const at = whole(text.length + 1); return text.slice(0, at) + one(PIECES) + text.slice(at + whole(3)); },
  (text) => { const lines = text.split("\n"), at = whole(lines.length); lines.splice(at, whole(3), ...[one(lines), one(lines)].slice(whole(3))); return lines.join("\n"); },
  (text) => text.slice(0, whole(text.length + 1)),
  (text) => text + one(["\n", ""]) + (next() < 0.5 ? written() : one(FILES)),
  (text) => text.replaceAll("\n", one(["\r\n", "\r", "\n\n"])),
  (text) => text.replaceAll(one(["\t", ",", " "]), one(["\t", ",", " ", "  "])),
];

function made() {
  let text = next() < 0.6 ? written() : one(FILES);
  for (let changes = whole(4); changes > 0; changes--) text = one(CHANGES)(text);
  const start = next();
  if (start < 0.05) return Buffer.from(`\ufeff${text}`, "utf16le");
  return Buffer.from(text, start < 0.1 ? "latin1" : "utf8");
}

/** Returns what a function returns; nothing if it refuses, for which it must have a sentence. */
function accepted(take) {
  try { return take(); } catch (error) {
    assert.equal(error.constructor, Error, error.stack);
    assert.match(error.message, /^[^\n]+[.?]$/u);
    return null;
  }
}

/** The labels as the editor keeps them: in order, apart, on whole milliseconds within the recording, and texts of one line. */
function check({ labels, muted }) {
  for (const tier of [labels, muted]) {
    let last = 0;
    for (const [start, end, text, isChecked] of tier) {
      assert.ok([start, end].every(Number.isInteger) && last <= start && start < end && end <= LENGTH, `${start} to ${end}`);
      assert.ok(!/[\p{Cc}\n]/u.test(text) && typeof isChecked === "boolean", JSON.stringify(text));
      last = end;
    }
  }
}

/** Writes labels plainly, under the names of their recordings where there are several. */
function reference(recordings) {
  const path = join(HERE, recordings.size > 1 ? "plain.rttm" : "plain.txt");
  const lines = [...recordings].flatMap(([id, { labels }]) => labels.map(([start, end]) => (recordings.size > 1
    ? `SPEAKER ${id} 1 ${start / 1000} ${(end - start) / 1000} <NA> <NA> speech <NA> <NA>\n` : `${start / 1000}\t${end / 1000}\n`)));
  writeFileSync(path, lines.join(""));
  return path;
}

/** The texts that mark silence, as the program tells the page. */
function marks() {
  const page = join(HERE, "page.html");
  vadmon(["analyze", sample("speech.flac"), "--report", page, "--quiet"]);
  return new Set(read(page).report.silence);
}

test("no file ends the import, and what it takes vadmon takes too, at the same times", () => {
  const found = join(HERE, "found.txt"), silence = marks(), facts = { file: "a.wav", channel: null, part: null, length: LENGTH, silence };
  let taken = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = made();
    const opened = accepted(() => labelsFor(facts, bytes));
    if (opened) check(opened.content);
    const labels = accepted(() => readLabels(bytes, silence));
    if (!labels) continue;
    taken += 1;
    writeFileSync(found, bytes);
    const { status, stdout, stderr } = attempt(["compare", reference(labels.recordings), found, "--missing-is-silence",
      "--resamples", "0", "--format", "json", "--quiet"]);
    const said = `round ${round}: ${stderr}\n${bytes}`;
    assert.equal(status, 0, said);
    if (/\.\d{4}|\de-/i.test(bytes.toString())) continue; // parts of a millisecond, which the page rounds
    const { false_alarm_rate: more, miss_rate: less } = JSON.parse(stdout).pooled;
    assert.deepEqual([more ?? 0, less ?? 0], [0, 0], said);
  }
  assert.ok(taken > ROUNDS / 4, `${taken} of ${ROUNDS} files were taken`);
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test("no module of the page makes markup or a program of a text", () => {
  const page = join(ROOT, "Sources/Charts/Report/page");
  for (const name of readdirSync(page).filter((name) => name.endsWith(".js")))
    assert.doesNotMatch(readFileSync(join(page, name), "utf8"),
      /innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|srcdoc|DOMParser|createContextualFragment|\beval\(|new Function/, name);
});
