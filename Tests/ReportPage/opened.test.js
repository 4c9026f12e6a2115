// What files of labels hold beside the labels of the recording that is shown: other channels, other recordings, times after
// the end, silence, and damage; and how files and tables are written beside others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { attempt, folder, module, random, read, sample, segments, vadmon } from "./program.js";

const { FORMATS, isSilence, labelFile, labelNames, meaningOf } = await module("formats.js");
const { labelsFor } = await module("reading.js");
const { segmentsCSV } = await module("tables.js");
const { printable, runs } = await module("text.js");
const HERE = folder(), bytes = (text) => new TextEncoder().encode(text);

/** Two channels with speech at times of their own. */
const both = join(HERE, "both.wav");
execFileSync("sox", ["-M", sample("speech.flac"), `|sox ${sample("speech.flac")} -p pad 3 0 trim 0 10`, both]);
const page = join(HERE, "both.html");
vadmon(["analyze", both, "--channel", "each", "--report", page, "--quiet"]);
const report = read(page), silence = new Set(report.report.silence);
const facts = { file: both, channel: null, part: null, length: 10_000, silence };
const ofChannel = (channel) => ({ ...facts, channel, part: channel });
const spans = (tier) => tier.map(([start, end]) => [start, end]);
const written = (format, ...options) => vadmon(["analyze", both, "--format", format, "--quiet", ...options]);
const NAMING = ["json", "jsonl", "csv", "tsv", "rttm", "audacity", "srt", "vtt", "textgrid"];

test("of a file with channels, each channel gets its own labels, and hears that there are others", () => {
  for (const format of NAMING) {
    const file = bytes(written(format, "--channel", "each"));
    for (const channel of [1, 2]) {
      const { content, lost, remarks } = labelsFor(ofChannel(channel), file), { segments } = report[`recording-${channel}`];
      assert.deepEqual(spans(content.labels), segments, `${format}, channel ${channel}`);
      assert.deepEqual(content.labels.filter(([, , text]) => text), [], format);
      assert.deepEqual([lost, remarks], [[`left out the labels of channel ${3 - channel}`], []], format);
    }
    const [first] = segments([both, "--channel", "1"]);
    assert.deepEqual(spans(labelsFor({ ...facts, channel: 1 }, file).content.labels), first, `${format}, --channel 1`);
    assert.match(labelsFor(facts, file).lost.join(), /^joined \d+ that overlapped others$/, `${format}, a mix`);
  }
});

test("speech of channels that were analysed together belongs to each of them", () => {
  for (const format of NAMING.filter((name) => name !== "rttm")) {
    const file = bytes(written(format, "--channel", "any"));
    const [one, two] = [1, 2].map((channel) => spans(labelsFor(ofChannel(channel), file).content.labels));
    const all = spans(labelsFor(facts, file).content.labels), shared = all.filter((span) => one.concat(two).filter(([at]) => at === span[0]).length === 2);
    assert.ok(shared.length > 0 && one.length < all.length && two.length < all.length, format);
    assert.deepEqual([...new Set([...one, ...two].map(String))].sort(), all.map(String).sort(), format);
  }
});

test("a file without channels is about the channel that is shown, and the page says so", () => {
  const alone = [/^the file names no channels: these are the labels of channel 2 alone$/];
  const matches = (text, patterns, facts = ofChannel(2)) => {
    const { content, lost, remarks } = labelsFor(facts, bytes(text));
    assert.deepEqual([spans(content.labels), lost], [[[1000, 2000]], []], text);
    assert.equal(remarks.length, patterns.length, `${remarks}`);
    patterns.forEach((pattern, index) => assert.match(remarks[index], pattern));
  };
  for (const text of ["1\t2\tx\n", "start,end\n1,2\n", "channel,start,end\n,1,2\n", "SPEAKER both 1 1 1 <NA> <NA> x <NA> <NA>\n",
    "{\"files\":[{\"file\":\"both.wav\",\"duration\":9,\"segments\":[{\"channel\":null,\"start\":1,\"end\":2}]}]}"]) {
    matches(text, alone);
    matches(text, [], facts);
  }
  matches("channel,start,end\n2,1,2\n", []);
  matches("1\t2\tmeeting (channel 5)\n", alone);
  matches("SPEAKER both.ch2 1 1 1 <NA> <NA> x <NA> <NA>\n", []);
});

test("a file that has labels of other channels alone changes nothing", () => {
  for (const text of ["channel,start,end\n1,1,2\n", "1\t2\tspeech (channel 1)\n"])
    assert.throws(() => labelsFor(ofChannel(2), bytes(text)), /^Error: It has nothing for this recording: left out the labels of channel 1\.$/);
});

test("a label without a length is not speech in any format", () => {
  const span = "\"start\":1,\"end\":1";
  for (const text of ["SPEAKER both 1 1 0 <NA> <NA> x <NA> <NA>\n", "1\t1\tx\n", "type,start,end\nmuted_speech,1,1\n",
    `{"files":[{"file":"both.wav","duration":9,"segments":[{${span}}],"muted_speech":[{${span}}]}]}`]) {
    const { content, lost } = labelsFor(facts, bytes(text));
    assert.deepEqual(content, { labels: [], muted: [] }, text);
    assert.match(lost.join(), /^left out (1 entry that is|2 entries that are) not speech$/, text);
  }
});

test("labels of another recording are named, and two recordings of one name are refused", () => {
  for (const [text, id] of [["SPEAKER call 1 1 1 <NA> <NA> x <NA> <NA>\n", "call"], ["file,start,end\nx/other one.flac,1,2\n", "other_one"],
    ["SPEAKER both 1 1 1 <NA> <NA> x <NA> <NA>\n", null], ["file,start,end\nx/both.flac,1,2\n", null], ["1\t2\tx\n", null]]) {
    const { remarks, content } = labelsFor(facts, bytes(text));
    assert.deepEqual(remarks, id ? [`the file calls the recording “${id}”`] : [], text);
    assert.equal(content.labels.length, 1);
  }
  assert.throws(() => labelsFor(facts, bytes("file,start,end\na/both.wav,1,2\nb/both.wav,3,4\n")),
    /^Error: a\/both\.wav and b\/both\.wav are both called both: open a file for each folder\.$/);
});

test("labels do not go beyond the end of the recording, and the page says what it cut", () => {
  const cases = [
    ["9\t10\tx\n", [[9000, 10000]], []], ["9\t10.001\tx\n", [[9000, 10000]], ["cut 1 at the end of the recording at 10.000 s"]],
    ["1\t2\tx\n10\t11\ty\n", [[1000, 2000]], ["left out 1 after the end of the recording at 10.000 s"]],
    ["1\t99\tx\n2\t3\ty\n", [[1000, 10000]], ["joined 1 that overlapped others", "cut 1 at the end of the recording at 10.000 s"]],
  ];
  for (const [text, wanted, said] of cases) {
    const { content, lost, isSame } = labelsFor(facts, bytes(text));
    assert.deepEqual([spans(content.labels), lost], [wanted, said], text);
    if (said.length) assert.equal(isSame, false, "the file is not written again");
  }
  assert.throws(() => labelsFor(facts, bytes("10\t11\tx\n")), /^Error: It has nothing for this recording: left out 1 after the end/);
  assert.deepEqual(labelsFor(facts, bytes("")).content, { labels: [], muted: [] }, "no labels at all are labels");
});

test("vadmon counts a label in every format where the page says that it counts", () => {
  const plain = join(HERE, "plain.txt"), marks = ["silence", "SIL", "sp", "<p:>", "silence (channel 1)", "Speaking while muted: x", "muted_speech",
    "silences", "non-speech", "(.)", "a sp"];
  for (const text of marks) {
    const isCounted = !isSilence(text, silence) && !meaningOf(text).isMuted;
    const labels = [[0, 1000, text, true], [2000, 3000, "real", true]];
    writeFileSync(plain, labels.slice(isCounted ? 0 : 1).map(([start, end]) => `${start / 1000}\t${end / 1000}\n`).join(""));
    for (const format of FORMATS) {
      const path = join(HERE, `counted.${format.extension}`), content = format.write({ labels, muted: [] }, facts);
      writeFileSync(path, content);
      const { pooled } = JSON.parse(vadmon(["compare", plain, path, "--format", "json", "--quiet"]));
      assert.deepEqual([pooled.f1, pooled.precision, pooled.recall], [1, 1, 1], `${format.name}: ${text}`);
      assert.equal(labelsFor(facts, bytes(content)).content.labels.length, isCounted ? 2 : 1, `${format.name}: ${text}`);
    }
  }
  assert.equal(isSilence("silence", silence) && !isSilence("silences", silence), true);
});

test("JSON Lines are read as vadmon reads them", () => {
  const whole = written("jsonl"), lines = whole.trim().split("\n"), cut = join(HERE, "cut.jsonl");
  assert.deepEqual(spans(labelsFor(facts, bytes(whole)).content.labels), segments([both])[0]);
  for (const [text, pattern] of [
    [lines.toSpliced(1, 1).join("\n"), /^Error: Line \d: .*both\.wav has another number of segments than lines of them: use --format jsonl\.$/],
    [`${whole}{"type": "file"`, /^Error: Line \d+ is not JSON/], [`${whole}{"type": 1}\n`, /^Error: Line \d+: it has no "type"/],
    [`${whole}null\n`, /^Error: Line \d+: it has no "type"/], ["{\"type\": \"segment\", \"start\": 1, \"end\": 2}\n", /^Error: The name "file"/],
    [written("jsonl", "--invert"), /^Error: Its segments are the silence/],
  ]) {
    assert.throws(() => labelsFor(facts, bytes(text)), pattern, text);
    writeFileSync(cut, text);
    assert.notEqual(attempt(["compare", cut, cut]).status, 0, `vadmon refuses it too: ${text}`);
  }
});

test("labels without a length are read, and a result that failed or is cut off changes nothing", () => {
  const entry = (more) => bytes(JSON.stringify({ files: [{ file: "both.wav", segments: [], ...more }] }));
  const error = { message: "cannot read both.wav.", exit_code: 65 }, segments = [{ start: 1, end: 2 }];
  for (const more of [{}, { duration: null }, { error: null }])
    assert.deepEqual(spans(labelsFor(facts, entry({ segments, ...more })).content.labels), [[1000, 2000]]);
  for (const more of [{}, { duration: 0 }])
    assert.throws(() => labelsFor(facts, entry({ error, ...more })), /^Error: both\.wav was not analysed: cannot read both\.wav\.$/);
  for (const more of [{ segments }, { duration: 3 }])
    assert.deepEqual(labelsFor(facts, entry({ error, ...more })).remarks, ["it was not analysed to its end (cannot read both.wav)"]);
  const lines = written("jsonl").trim().split("\n");
  for (let count = 1; count < lines.length; count++)
    assert.throws(() => labelsFor(facts, bytes(lines.slice(0, count).join("\n"))), /check that the file is complete\.$/, `${count} lines`);
  const failed = JSON.stringify({ type: "error", file: "both.wav", ...error });
  assert.throws(() => labelsFor(facts, bytes(`${lines[0]}\n${failed}\n`)), /^Error: both\.wav was not analysed/);
});

test("a file that is named as a WebVTT has its header", () => {
  const cues = bytes("00:01.000 --> 00:02.000\nx\n");
  for (const [file, name] of [[cues, "a.vtt"], [cues, "A.VTT"], [bytes(""), "a.vtt"]])
    assert.throws(() => labelsFor(facts, file, name), /^Error: The line WEBVTT is missing: write it above the cues\.$/);
  for (const [file, name] of [[cues, "a.srt"], [bytes("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n"), "a.vtt"], [bytes("\nWEBVTT\n00:01.000 --> 00:02.000\n"), "a.vtt"]])
    assert.deepEqual(spans(labelsFor(facts, file, name).content.labels), [[1000, 2000]]);
});

test("JSON that is damaged anywhere is refused with a sentence, or read as what is left", () => {
  const words = (text) => { try { labelsFor(facts, bytes(text)); return ""; } catch (error) { return `${error.name}: ${error.message}`; } };
  assert.equal(words("{\"files\":[null]}"), "Error: The name \"file\" of a recording is missing: use --format json or jsonl.");
  const next = random(46), junk = [null, 5, "x", true, [], {}, [null], { toString: 1 }, -1, 1e300];
  const damage = (value) => {
    if (next() < 0.04) return junk[Math.floor(next() * junk.length)];
    if (Array.isArray(value)) return value.map(damage);
    return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, damage(one)])) : value;
  };
  const file = JSON.parse(written("json", "--channel", "each")), more = [{ start: 1, end: 2, text: "x", checked: true }];
  file.files[0] = { ...file.files[0], gaps: more, muted_speech: more };
  const lines = [{ type: "config", config: {} }, ...file.files[0].segments.map((one) => ({ type: "segment", file: both, ...one }))];
  for (let round = 0; round < 400; round++) {
    const document = JSON.stringify({ ...file, config: damage(file.config), files: damage(file.files) });
    for (const text of [document, lines.map((line) => JSON.stringify(damage(line))).join("\n")])
      assert.match(words(text), /^(Error: [^\n]+\.)?$/, text);
  }
});

test("recordings of one name in several folders are saved under names that differ", () => {
  const [tsv] = FORMATS, saved = (files, part = null) => {
    const names = labelNames(files);
    return files.map((file) => labelFile({ file, name: names.get(file), part }, tsv));
  };
  assert.deepEqual(saved(["a/x.wav", "b/x.wav", "b/y.wav"]), ["a_x.tsv", "b_x.tsv", "y.tsv"]);
  assert.deepEqual(saved(["/home/c/a/x.wav", "/home/c/a/d/x.wav"]), ["x.tsv", "d_x.tsv"]);
  assert.deepEqual(saved(["x.wav", "x.flac"]), ["x.wav.tsv", "x.flac.tsv"]);
  assert.deepEqual(saved(["a/X.wav", "b/x.wav"]), ["a_X.tsv", "b_x.tsv"], "some file systems take both for one");
  assert.deepEqual(saved(["only/x.wav"]), ["x.tsv"]);
  assert.deepEqual(saved(["a_x.wav", "a/x.wav"]), ["a_x.tsv", "x.tsv"], "a name of one recording is its own");
  assert.deepEqual(saved(["a.b/x", "c/x", "c/x.wav"]), ["a.b_x.tsv", "c_x.tsv", "c_x.wav.tsv"]);
  assert.deepEqual(saved(["10:55.wav", "10?55.wav", "10_55.wav", "a:b.wav"]).at(-1), "a_b.tsv");
  assert.deepEqual(saved(["a/x.wav", "b/x.wav"], 2), ["a_x.ch2.tsv", "b_x.ch2.tsv"]);
  assert.deepEqual([...labelNames([])], []);
  const next = random(7), part = () => ["a", "b", "x", "a_x", "..", "c d"][Math.floor(next() * 6)];
  for (let round = 0; round < 300; round++) {
    const files = [...new Set(Array.from({ length: 6 }, () =>
      `${Array.from({ length: Math.floor(next() * 3) }, part).map((name) => `${name}/`).join("")}${part()}.${next() < 0.8 ? "wav" : "flac"}`))];
    const names = saved(files);
    assert.equal(new Set(names).size, files.length, `${files}: ${names}`);
  }
});

test("names are shown as vadmon shows them", () => {
  const name = "a\u202eb\u0001\t\n\r\u0085\u061c\u200e\u200f\u2028\u2069\u007f é می‌خواهم \\.wav";
  assert.ok(attempt(["analyze", name]).stderr.includes(` ${printable(name)}: `), printable(name));
  assert.equal(printable("a\0b"), "a\\0b");
});

test("the table is copied as CSV by RFC 4180", () => {
  const rows = [{ start: 0, end: 1500, what: "yes, he said \"so\"" }, { start: 2000, end: 3004, what: "speech" }];
  assert.equal(segmentsCSV("a, \"b\"\n.wav", rows),
    "file,start,end,what\r\n\"a, \"\"b\"\"\n.wav\",0.000,1.500,\"yes, he said \"\"so\"\"\"\r\n\"a, \"\"b\"\"\n.wav\",2.000,3.004,speech\r\n");
});

test("runs have a value and a length less one", () => {
  assert.deepEqual([...runs("")], []);
  assert.deepEqual([...runs("BAC//C")], [1, ...new Array(64).fill(2), 63, 63, 63]);
  const { hops } = report["recording-1"];
  assert.equal(runs(hops.floor).length, hops.level.length);
});
