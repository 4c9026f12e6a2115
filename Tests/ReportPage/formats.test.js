// The files that the label editor writes and opens, against what vadmon reads and writes.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, module, random, sample, vadmon } from "./program.js";

const { FORMATS, labelFile, labelNames, recordingID } = await module("formats.js");
const { labelsFor, readLabels } = await module("reading.js");
const HERE = folder(), next = random(17), LENGTH = 60_000;
const whole = (most) => Math.floor(next() * most);
const bytes = (text) => new TextEncoder().encode(text);
const read = (text, silence = []) => readLabels(typeof text === "string" ? bytes(text) : text, new Set(silence));

const TEXTS = ["", "hello there", "start end", "start,end", "\"quoted\" \"\"", "0:01:02 --> 0:02:03", "0:01:02 0:02:03", "1:02", "12",
  "-->", "{\"a\": 1}", "<script>harm = 1</script>", ";; x", "! x", "ünïcödé 語", "a, b; c", "\\", "SPEAKER", "WEBVTT", "<exists>",
  "'", "time,probability", "gap", "segment"];

/** Returns labels that do not overlap, some of which touch, and perhaps as many of muted speech. */
function tiers(texts = TEXTS) {
  const tier = () => {
    const labels = [];
    for (let at = whole(3000); at < LENGTH - 4000;) {
      const end = at + 10 + whole(2500);
      labels.push([at, end, texts[whole(texts.length)], next() < 0.5]);
      at = end + (next() < 0.3 ? 0 : whole(3000));
    }
    return labels;
  };
  return { labels: tier(), muted: next() < 0.5 ? [] : tier() };
}

/** Writes the times alone, as few programs write them, for the oracle. */
function plain(labels) {
  const path = join(HERE, "plain.txt");
  writeFileSync(path, labels.map(([start, end]) => `${start / 1000}\t${end / 1000}\n`).join(""));
  return path;
}

const compared = (reference, found) => JSON.parse(vadmon(["compare", reference, found, "--format", "json", "--quiet"])).pooled;

test("vadmon compare finds in every format exactly the labels that were written, whatever their texts", () => {
  for (let round = 0; round < 12; round++) {
    const written = tiers(), facts = { file: "some folder/a b.wav", channel: round % 3 || null, length: LENGTH };
    for (const format of FORMATS) {
      const path = join(HERE, labelFile(facts, format));
      writeFileSync(path, format.write(written, facts));
      const { f1, precision, recall } = compared(plain(written.labels), path);
      assert.deepEqual([f1, precision, recall], [1, 1, 1], `${format.name}\n${format.write(written, facts).slice(0, 600)}`);
    }
  }
});

test("a first label with any of the texts, in every format", () => {
  for (const format of FORMATS) {
    for (const text of TEXTS) {
      const written = { labels: [[0, 500, text, true], [500, 900, "", true]], muted: [] };
      const path = join(HERE, `first.${format.extension}`);
      writeFileSync(path, format.write(written, { file: "a.wav", channel: null, length: 1000 }));
      assert.equal(compared(plain(written.labels), path).f1, 1, `${format.name}: ${text}`);
    }
  }
});

test("vadmon compare knows the recordings again by the names that the page gives to label files", () => {
  // Each recording with the name of its frame table.
  const tables = { "s/a/x.flac": "a/x", "s/b/x.flac": "b/x.flac", "s/b/x.wav": "b/x.wav", "s/b/c d/x.flac": "b/c d/x", "s/x.flac": "x",
    "s/b/2026-11-25T22:55:00.flac": "b/2026-11-25T22:55:00", "s/a/~y?*<>|\"\\%.wav": "a/~y?*<>|\"\\%", "s/a/z\u200d.wav": "a/z\u200d" };
  const files = Object.keys(tables), names = labelNames(files), found = folder();
  const labels = files.map((_, index) => [[1000 * index, 1000 * index + 500, "", true]]);
  for (const [index, table] of Object.values(tables).entries()) {
    mkdirSync(dirname(join(found, table)), { recursive: true });
    const rows = Array.from({ length: 100 * files.length }, (_, hop) =>
      `${hop / 100},0.5,${Number(hop * 10 >= labels[index][0][0] && hop * 10 < labels[index][0][1])}\n`);
    writeFileSync(join(found, `${table}.csv`), `time,probability,speech\n${rows.join("")}`);
  }
  for (const format of FORMATS) {
    const saved = folder();
    for (const [index, file] of files.entries()) {
      const facts = { file, name: names.get(file), channel: null, length: 1000 * files.length };
      writeFileSync(join(saved, labelFile(facts, format)), format.write({ labels: labels[index], muted: [] }, facts));
    }
    assert.equal(compared(saved, found).f1, 1, `${format.name}: ${[...names.values()]}`);
  }
});

/** Returns what a format keeps of a label. */
const KEPT = {
  tsv: (one) => one, json: (one) => one,
  textgrid: ([start, end, text]) => [start, end, text, false], audacity: ([start, end, text]) => [start, end, text, false],
  rttm: ([start, end, text]) => [start, end, text.replaceAll(" ", "_"), false],
  srt: ([start, end, text]) => [start, end, { "0:01:02 --> 0:02:03": "speech 0:01:02 -> 0:02:03", "-->": "->",
    "0:01:02 0:02:03": "speech 0:01:02 0:02:03", "1:02": "speech 1:02" }[text] ?? text, false],
};

const mutedKept = (format) => ([start, end, text, isChecked]) => (["tsv", "json"].includes(format) ? [start, end, text, isChecked]
  : [start, end, { rttm: "", srt: text.replaceAll("-->", "->") }[format] ?? text, false]);

test("what was saved is there when it is opened again, but for what the format lacks", () => {
  for (let round = 0; round < 12; round++) {
    const { labels, muted } = tiers(), facts = { file: "a/b c.wav", channel: null, length: LENGTH };
    for (const format of FORMATS) {
      const { format: found, recordings } = read(format.write({ labels, muted }, facts));
      assert.equal(found, FORMATS.find(({ name }) => name === format.name));
      const [[id, recording]] = [...recordings], kept = KEPT[format.name];
      assert.equal(id, ["tsv", "rttm", "json"].includes(format.name) ? "b_c" : "");
      assert.deepEqual(recording.labels, labels.map(kept), format.name);
      assert.deepEqual(recording.muted, muted.map(mutedKept(format.name)), format.name);
      assert.equal(recording.omitted, 0);
    }
  }
});

test("no labels at all are a file that vadmon reads", () => {
  for (const format of FORMATS) {
    const path = join(HERE, `none.${format.extension}`);
    writeFileSync(path, format.write({ labels: [], muted: [] }, { file: "none.wav", channel: null, length: 1000 }));
    assert.deepEqual(compared(path, path).f1, null, format.name);
  }
});

test("what vadmon analyze writes opens with the same times", () => {
  const words = ["analyze", sample("muted-talk.flac"), "--mute-timeline", "4-10", "--quiet", "--format"];
  const [file] = JSON.parse(vadmon([...words, "json"])).files;
  const ms = (spans) => spans.map(({ start, end }) => [start, end].map((time) => Math.round(time * 1000)));
  assert.ok(file.segments.length > 0 && file.muted_speech.length > 0);
  for (const format of ["json", "rttm", "audacity", "srt", "vtt", "textgrid", "csv", "tsv"]) {
    const [[id, { labels, muted }]] = [...read(vadmon([...words, format])).recordings];
    assert.deepEqual(labels.map(([start, end]) => [start, end]), ms(file.segments), format);
    assert.deepEqual(muted.map(([start, end]) => [start, end]), ms(file.muted_speech), format);
    // A detector says speech, and has checked nothing.
    assert.deepEqual([...labels, ...muted].filter(([, , text, isChecked]) => text || isChecked), [], format);
    assert.equal(id, ["json", "rttm", "csv", "tsv"].includes(format) ? "muted-talk" : "", format);
  }
});

test("line ends, byte-order marks, UTF-16, the short form of Praat and cues without empty lines are read", () => {
  const wanted = [[1000, 2500, "a", false], [3000, 4000, "b", false]];
  const utf16 = (text) => Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
  const short = "File type = \"ooTextFile\"\n\"TextGrid\"\n\n0\n5\n<exists>\n2\n\"IntervalTier\"\n\"x\"\n0\n5\n5\n0\n1\n\"\"\n1\n2.5\n\"a\"\n"
    + "2.5\n3\n\" \"\n3\n4\n\"b\"\n4\n5\n\"SIL\"\n\"TextTier\"\n\"y\"\n0\n5\n1\n2\n\"point\"\n";
  for (const text of ["1\t2.5\ta\r\n3\t4\tb\r\n", "\ufeff1 2.5 a\r3 4 b", utf16("1\t2.5\ta\n3.000\t4\tb\n"), short, utf16(short),
    "1\n00:00:01,000 --> 00:00:02,500\na\n2\n00:00:03.000 --> 00:00:04.000\nb\n", "WEBVTT\n\n00:01.000 --> 00:02.500 align:left\na\n\n00:03.000 --> 00:04.000\nb",
    "end\tstart\tlabel\n2.5\t1\ta\n4\t3\tb\n", "start,end,text\r\n1,2.5,\"a\"\r\n3,4,b\r\n", ";; c\nSPEAKER x 1 1 1.5 <NA> <NA> a <NA>\nSPEAKER x 1 3 1 <NA> <NA> b <NA> <NA>\n"])
    assert.deepEqual([...read(text, ["sil"]).recordings.values()][0].labels, wanted, String(text));
  assert.equal(read(short, ["sil"]).recordings.get("").omitted, 2, "a point, and a mark of silence");
  const least = read(short.replace("File type = ", ""), ["sil"]);
  assert.deepEqual(least.recordings.get("").labels, wanted, "as Praat writes no more than it must");
});

test("marks of silence are found within the tags of cues", () => {
  for (const [text, tier] of [
    ["<sil>", "omitted"], ["&lt;sil&gt;", "omitted"], ["<v Bob>sil</v>", "omitted"], ["<v A>speaking while muted</v>", "muted"],
    ["&amp;lt;sil&gt;", "labels"], ["<v sil>yes</v>", "labels"], ["a < b > c", "labels"]]) {
    const { omitted, muted, labels } = read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`, ["sil", "<sil>"]).recordings.get("");
    assert.deepEqual({ omitted, muted: muted.length, labels: labels.length }, { omitted: 0, muted: 0, labels: 0, [tier]: 1 }, text);
  }
});

test("a file with a fault is refused with a sentence that names the place", () => {
  for (const [text, pattern] of [
    ["1\t2\ta\nx\ty\n", /^Line 2: “x” is not a time/], ["2\t1\n", /^Line 1: the end 1 is before the start 2/], ["lonely\n", /^Line 1: “lonely” is not a label/],
    ["1\t1e9\n", /^Line 1: “1e9” is not a time/], ["-1\t2\n", /is not a time/], ["{", /not JSON/], ["{}", /no list "files"/],
    ["SPEAKER x 1 2\n", /^Line 1: it has 4 fields/], ["SPEAKER x 1 2 3 <NA> <NA> a <NA>\nFOO\n", /^Line 2: “FOO”/],
    ["type\tstart\tend\nspeech\t1\t2\n", /^Line 2: the type “speech” is unknown/], ["start\tend\n1\n", /^Line 2: it has 1 fields/],
    ["time,probability,speech\n0,1,1\n", /table of frames/], ["1\n00:00:01,5 --> 00:00:02,000\na\n", /^Line 2: “00:00:01,5” is not a time/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<exists>\n1\n\"IntervalTier\"\n\"x\"\n0\n5\n2\n0\n1\n\"a\"\n", /start of an interval is missing/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<exists>\n1\n\"IntervalTier\"\n\"x\"\n0\n5\n1\n3\n1\n\"\"\n", /^An interval: the end 1 is before the start 3/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<exists>\n1\n\"IntervalTier\"\n\"x\"\n0\n5\n1.5\n", /^The number of intervals is 1.5/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<exists>\n1\n\"Tier\"\n\"x\"\n0\n5\n0\n", /^The class of tier “Tier” is unknown/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n1e999\n<exists>\n0\n", /^The end is missing/],
    ["SPEAKER x 1 2 3 <NA> <NA> a <NA> <NA> b\n", /^Line 1: it has 11 fields/], ["SPEAKER x 1 1e6 1 <NA> <NA> a <NA>\n", /^Line 1: “1000001” is not a time/],
    ["start\tend\ttext\n1\t2\ty\"s\n", /^Line 2: a quote is missing/], ["{\"files\": [{\"file\": \"\ufffd\"}]}", /^It is not UTF-8/],
    ["WEBVTT\n\n1\n00:00:", /^“1” is not a cue/], ["WEBVTT\n\nhello\n", /^“hello” is not a cue/], ["00:01.000 --> 00:61.000\na\n", /^Line 1: “00:61.000” is not a time/],
    ["WEBVTT\nX-TIMESTAMP-MAP=LOCAL:1\n00:01.000 --> 00:02.000\n\nWEBVTT\nX-TIMESTAMP-MAP=LOCAL:2\n", /^Line 6: this X-TIMESTAMP-MAP differs/],
    ["1\t2\ta\0\n", /NUL byte/],
    ["start,start,end\n1,2,3\n", /^Line 1: the header has start twice/], ["text\tstart\tend\ttext\n", /text twice/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<exists>\n1\n\"IntervalTier\"\n\"x\"\n0\n5\n1\n0\n1\n\"a\"\n1\n2\n\"b\"\n", /goes on behind the last tier/],
    ["File type = \"ooTextFile\"\n\"TextGrid\"\n0\n5\n<absent>\n\"\n", /goes on behind the last tier/],
    ["{\"files\": []}", /^It has no recording/], ["{\"files\": [{\"file\": \"a\"}]}", /no list "segments"/],
    ["{\"files\": [{\"file\": \"a\", \"segments\": [{\"start\": 2, \"end\": 1}]}]}", /^Entry 1 of a: the end 1 is before/],
    ["{\"files\": [{\"file\": \"a\", \"segments\": [], \"duration\": \"10\"}]}", /^The duration of a: .* is not a time/],
    ["{\"files\": [{\"file\": \"a\", \"segments\": [], \"duration\": -5}]}", /^The duration of a: .* is not a time/],
    ["File type = \"ooTextFile\"\n\"PitchTier\"\n", /does not hold a TextGrid/], ["start\tend\n\"1\t2\n", /a quote is missing|is not a time/],
  ]) assert.throws(() => read(text.startsWith("{") ? damaged(text) : text), (error) => pattern.test(error.message) && !error.message.includes("\n"), text);
});

/** Returns a text in Latin-1 where it has a replacement character. */
const damaged = (text) => Buffer.from(text.replaceAll("\ufffd", "\xff"), "latin1");

test("a speaker may have any name", () => {
  for (const name of ["__proto__", "constructor", "toString", "a\u0001b"]) {
    const { recordings } = read(`SPEAKER ${name} 1 1 1 <NA> <NA> ${name} <NA> <NA>\n`);
    assert.deepEqual([...recordings].map(([id, { labels }]) => [id, labels]), [[name, [[1000, 2000, name.replace("\u0001", " "), false]]]]);
  }
});

test("files are named as vadmon names what it makes of a recording", () => {
  for (const [file, name] of [["a/b c.d.wav", "b_c.d"], ["-", "stdin"], [".hidden", ".hidden"], ["x/y/", "y"], [";;a.wav", "a"], [" .wav", "_"]])
    assert.equal(recordingID(file), name, file);
  assert.equal(labelFile({ file: "a/call.wav", part: 2 }, FORMATS[0]), "call.ch2.tsv");
});

test("a file counts as the same only if saving it again would write each of its bytes", () => {
  const facts = { file: "a.wav", channel: null, part: null, length: LENGTH, silence: new Set() };
  const isSame = (text) => labelsFor(facts, bytes(text)).isSame;
  for (const format of FORMATS) {
    const text = format.write(tiers(["", "hello"]), facts);
    assert.equal(isSame(text), true, format.name);
    assert.equal(isSame(text.replaceAll("\n", "\r\n")), false, format.name);
  }
  for (const name of ["json", "tsv", "textgrid"]) assert.equal(isSame(analysed("--format", name)), false, name);
  for (const text of ["1.0\t2.0\tx\n", "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nx\n", "start\tend\tnote\n1.000\t2.000\tx\n",
    "1\n00:00:01,000 --> 00:00:02,000\ntwo\nlines\n\n", ";; a comment\nSPEAKER a 1 1.000 1.000 <NA> <NA> x <NA> <NA>\n"])
    assert.equal(isSame(text), false, text);
});

test("a file that is not UTF-8 is never written again, and the page says that letters are lost", () => {
  const facts = { file: "a.wav", channel: null, part: null, length: LENGTH, silence: new Set() };
  const seen = (file) => {
    const { isSame, remarks } = labelsFor(facts, file);
    return [isSame, remarks.some((remark) => remark.startsWith("the file is not UTF-8"))];
  };
  for (const start of ["", "\xfe", "\xff"]) { // the latter begin the marks of UTF-16
    const silent = start && `\\${start}\n`;
    assert.deepEqual(seen(Buffer.from(`${silent}1.000\t2.000\tcaf\xe9\n`, "latin1")), [false, true], start);
  }
  assert.deepEqual(seen(bytes("1.000\t2.000\tcaf\ufffd\n")), [true, false], "its own U+FFFD");
  assert.deepEqual(seen(bytes("\ufeff1.000\t2.000\tcafé\n")), [false, false], "a byte-order mark");
});

test("blanks before JSON are as good as none", () => {
  const facts = { file: "a.wav", channel: null, part: null, length: LENGTH, silence: new Set() };
  const json = FORMATS.find(({ name }) => name === "json").write({ labels: [[1000, 2000, "x", true]], muted: [] }, facts);
  const lines = ["{\"type\":\"segment\",\"file\":\"a.wav\",\"start\":1,\"end\":2,\"text\":\"x\",\"checked\":true}",
    "{\"type\":\"file\",\"file\":\"a.wav\",\"segment_count\":1}", ""].join("\n");
  for (const text of [json, lines])
    for (const blanks of ["", " ", "\t", "\n", " \r\n\t "])
      assert.deepEqual(labelsFor(facts, bytes(blanks + text)).content.labels, [[1000, 2000, "x", true]], JSON.stringify(blanks + text));
  assert.throws(() => read(damaged("\t {\"files\": [{\"file\": \"\ufffd\"}]}")), /^Error: It is not UTF-8/);
});

test("what a format loses of labels is what it says that it lacks", () => {
  const facts = { file: "a.wav", channel: null, part: null, length: LENGTH, silence: new Set(["sil"]) };
  const kept = ([start, end, text, isChecked]) => ({ labels: [[start, end, text, isChecked]], muted: [] });
  for (const [what, written] of Object.entries({
    "what was checked": kept([1000, 2000, "x", true]), "spaces in": kept([1000, 2000, "a b", false]),
    "texts that look like times": kept([1000, 2000, "0:01:02 --> 0:02:03", false]),
    "texts of muted speech": { labels: [], muted: [[1000, 2000, "x", false]] },
  })) {
    for (const { name, write, lacks = "" } of FORMATS) {
      const { content } = labelsFor(facts, bytes(write(written, facts))), isKept = JSON.stringify(content) === JSON.stringify(written);
      const isTimes = what === "texts that look like times" && name === "rttm"; // whose spaces are lost
      if (!isTimes) assert.equal(lacks.includes(what), !isKept, `${name}: ${what}`);
    }
  }
});

test("silence that vadmon lists is not a label", () => {
  for (const format of ["rttm", "csv", "tsv", "audacity", "srt", "vtt", "textgrid"]) {
    for (const more of [[], ["--channel", "each"]]) {
      const { recordings } = read(analysed("--invert", "--format", format, ...more), ["silence", ""]);
      for (const { labels, omitted } of recordings.values()) assert.deepEqual([labels, omitted > 0], [[], true], format);
    }
  }
  assert.throws(() => read(analysed("--invert", "--format", "json")), /^Error: Its segments are the silence/);
});

function analysed(...options) { return vadmon(["analyze", sample("stereo-48k.flac"), ...options, "--quiet"]).toString(); }
