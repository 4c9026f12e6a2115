// The label editor in headless Chromium where something is amiss: what is not a label file, a second tab, damaged storage, texts
// that are too long, and recordings of one name.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, close, define, open, write } from "./browser.js";
import { EditorPage, compared, downloads } from "./editor.js";
import { arrived, sample, vadmon } from "./program.js";
import { defineUntil } from "../../Bindings/web/test/browser/chromium.js";

const heard = write("heard", [sample("speech.flac"), "--embed-audio"]);
const spans = (labels) => labels.map(([start, end]) => [start, end]);

async function reload(page) {
  const loaded = page.once("Page.loadEventFired");
  await page.send("Page.reload");
  await loaded;
  await page.run(defineUntil);
  await define(page);
}

test("what is neither labels nor sound replaces nothing, and one sentence says what the page takes", async () => {
  const editor = await EditorPage.open(heard, 10), files = Object.fromEntries(
    ["found.eaf", "notes.xyz", "noise.flac", "folder.d", "folder.txt"].map((name) => [name, join(HERE, name)]));
  writeFileSync(files["found.eaf"], vadmon(["analyze", sample("speech.flac"), "--format", "eaf", "--quiet"]));
  writeFileSync(files["notes.xyz"], "no sound");
  writeFileSync(files["noise.flac"], "fLaC but no more");
  for (const name of ["folder.d", "folder.txt"]) mkdirSync(files[name]);
  const sound = () => editor.page.run(() => document.getElementById("audio").src);
  await editor.page.run(() => until(() => document.getElementById("audio").readyState > 0));
  const before = [await sound(), await editor.labels()];
  for (const name of ["found.eaf", "notes.xyz", "noise.flac", "folder.d"]) {
    await editor.drop([files[name]]);
    await editor.page.run((name) => until(() => text("sound-state").startsWith(`${name} is neither sound that this browser plays nor a file of labels (TSV, `)), name);
    assert.deepEqual([await sound(), await editor.labels()], before, name);
  }
  await editor.drop([files["folder.txt"]]);
  await editor.page.run(() => until(() => said() === "folder.txt was not opened. The browser cannot read it."));
  await editor.drop([sample("speech.flac"), sample("speech.txt")]);
  await editor.page.run(() => until(() => said().startsWith("Drop one file at a time")));
  assert.deepEqual([await sound(), await editor.labels()], before);
  await editor.press("e");
  await editor.drop([sample("speech.flac"), sample("speech.txt")]);
  await editor.page.run(() => until(() => text("sound-state").startsWith("Drop one file at a time")));
  await close(editor.page);
});

test("JSON Lines and damaged JSON that are dropped are labels, and not sound", async () => {
  const editor = await EditorPage.open(heard, 10), lines = join(HERE, "found.jsonl"), damaged = join(HERE, "damaged.json");
  writeFileSync(lines, vadmon(["analyze", sample("speech.flac"), "--format", "jsonl", "--quiet"]));
  writeFileSync(damaged, "{\"files\":[null]}");
  const labels = await editor.labels();
  await editor.click("clear");
  await editor.drop([lines]);
  await editor.page.run(() => until(() => said() === "Opened found.jsonl: 4 labels"));
  assert.deepEqual(await editor.labels(), labels);
  await editor.drop([damaged]);
  await editor.page.run(() => until(() => said().startsWith("damaged.json was not opened. The name \"file\" of a recording is missing")));
  assert.deepEqual(await editor.labels(), labels);
  await close(editor.page);
});

test("of two tabs, the later one keeps nothing in place of the other's labels, and says so", async () => {
  const one = await EditorPage.open(heard, 10), two = await EditorPage.open(heard, 10);
  const state = (editor, pattern) => editor.page.run(`async () => until(() => ${pattern}.test(text("labels-state")))`);
  await one.clickAt(1);
  await one.press("Delete");
  await state(one, /^3 labels, .* This browser keeps them/);
  await state(two, /^4 labels, .* Another tab has kept other labels of this recording: save these, or reload the page to take those\.$/);
  await two.press("n");
  for (const key of ["n", "Delete", "Delete"]) await two.press(key);
  await state(two, /^2 labels, .* Another tab has kept other labels/);
  const kept = await one.labels();
  await reload(one.page);
  await one.press("e");
  assert.deepEqual(await one.labels(), kept, "what the first has kept is there");
  const dialog = two.page.once("Page.javascriptDialogOpening"), left = two.page.send("Page.navigate", { url: "about:blank" });
  assert.equal((await dialog).type, "beforeunload", "and the other warns before its labels are lost");
  await two.page.send("Page.handleJavaScriptDialog", { accept: false });
  await left.catch(() => {});
  await close(one.page);
  await close(two.page);
});

test("what the browser has kept and is damaged is put aside, and the page says so", async () => {
  const stored = () => Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith("vadmon-labels")));
  const editor = await EditorPage.open(heard, 10), labels = await editor.labels();
  await editor.press("n");
  await editor.press("Delete");
  const [[key, good]] = Object.entries(await editor.page.run(stored));
  for (const damaged of ["{", "null", "[]", "{\"labels\":[null],\"muted\":[]}", "{\"labels\":[[0,5,\"\",true],[1,2,\"\",true]],\"muted\":[]}",
    good.replace(/\d+/, "\"x\""), good.replace("\"muted\"", "\"mutes\"")]) {
    await editor.page.run((key, text) => { localStorage.clear(); localStorage.setItem(key, text); }, key, damaged);
    await reload(editor.page);
    await editor.press("e");
    assert.match(await editor.page.run(() => text("labels-said")), /^What this browser kept of these labels is damaged: it is put aside as “vadmon-labels .* damaged /);
    assert.deepEqual(await editor.labels(), labels, damaged);
    await editor.press("n");
    await editor.press("Delete");
    const now = await editor.page.run(stored);
    assert.deepEqual([now[key], Object.values(now).includes(damaged)], [good, true], "nothing is lost, and labels are kept again");
  }
  await editor.page.run(() => localStorage.clear());
  await close(editor.page);
});

test("a text of 2,000 letters leaves the page as wide as the phone, and a row of the table low", async () => {
  for (const letters of ["x".repeat(2000), "word ".repeat(400).trim(), "語".repeat(2000)]) {
    const editor = await EditorPage.open(heard, 10, "", { width: 390, height: 844 }), path = join(HERE, "long.txt");
    writeFileSync(path, `1\t2\t${letters}\n3\t4\tshort\n`);
    const height = () => editor.page.run(() => document.getElementById("segments").tBodies[0].rows[0].offsetHeight);
    await editor.drop([path]);
    await editor.page.run(() => until(() => /^Opened/.test(said())));
    await editor.press("n");
    assert.equal((await editor.labels())[0][2], letters);
    assert.ok(await height() < 150, `a row ${await height()} px high`);
    assert.equal(await editor.page.run(() => document.documentElement.scrollWidth), 390);
    const inside = await editor.page.run(() => [...document.querySelectorAll("#labels *, #segments *")].filter((part) =>
      part.getBoundingClientRect().right > 391 && part.checkVisibility()).map(({ tagName, id }) => `${tagName} ${id}`));
    assert.deepEqual(inside, []);
    assert.match(await editor.said(), /^Label 1 of 2, from 0:01\.000 to 0:02\.000, “.{1,79}…”, not checked$/);
    assert.equal(await editor.page.run(() => document.getElementById("label-text").value), letters);
    await editor.page.send("Emulation.setEmulatedMedia", { media: "print" });
    assert.ok(await height() > 150, "paper has all of it");
    await close(editor.page);
  }
});

test("each channel of a page takes its own labels of a file, and recordings of one name are saved under names that differ", async () => {
  const folders = ["a", "b"].map((name) => join(HERE, "same", name)), page = join(HERE, "same.html");
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    copyFileSync(sample("stereo-48k.flac"), join(folder, "call.flac"));
  }
  vadmon(["label", join(HERE, "same"), "--channel", "each", "--report", page, "--quiet"]);
  const editor = await EditorPage.open(page, 5), table = join(HERE, "channels.tsv"), saved = await downloads("same");
  writeFileSync(table, "channel\tstart\tend\n1\t1\t2\n2\t3\t4\n1\t3.5\t4.5\n");
  for (const [index, [name, channel, wanted]] of [["a_call", 1, [[1000, 2000], [3500, 4500]]], ["a_call", 2, [[3000, 4000]]],
    ["b_call", 1, [[1000, 2000], [3500, 4500]]], ["b_call", 2, [[3000, 4000]]]].entries()) {
    await editor.page.run((number) => { location.hash = `#r=${number}`; }, index + 1);
    await editor.page.run((end) => until(() => text("name").endsWith(end)), `${name[0]}/call.flac, channel ${channel}`);
    await editor.drop([table]);
    await editor.page.run((channel) => until(() => said().endsWith(`left out the labels of channel ${channel}`)), 3 - channel);
    assert.deepEqual(spans(await editor.labels()), wanted);
    await editor.saveByKey();
    const file = await arrived(saved, new RegExp(`^${name}\\.ch${channel}\\.tsv$`));
    assert.ok(existsSync(file) && readFileSync(file, "utf8").split("\n").length === wanted.length + 2);
  }
  await close(editor.page);
});

test("labels of channels that were analysed together are saved for each channel, and vadmon compare pairs them", async () => {
  const page = write("any", [sample("stereo-48k.flac"), "--channel", "any"]), saved = await downloads("any"), found = join(HERE, "each");
  const editor = await EditorPage.open(page, 5);
  for (const channel of [1, 2]) {
    await editor.page.run((number) => { location.hash = `#r=${number}`; }, channel);
    await editor.page.run((end) => until(() => text("name").endsWith(end)), `channel ${channel}`);
    await editor.click("clear");
    await editor.drag(channel, channel + 1);
    await editor.saveByKey();
    const labels = await arrived(saved, new RegExp(`^stereo-48k\\.ch${channel}\\.tsv$`));
    assert.match(readFileSync(labels, "utf8"), new RegExp(`^segment\t.*\t${channel}\t${channel}\\.`, "m"));
  }
  vadmon(["analyze", sample("stereo-48k.flac"), "--channel", "each", "--frames", found, "--quiet"]);
  const { files } = JSON.parse(vadmon(["compare", saved, found, "--format", "json", "--quiet"]));
  assert.deepEqual(files.map(({ name }) => name), ["stereo-48k.ch1", "stereo-48k.ch2"]);
  await editor.page.run(() => { location.hash = "#r=1"; });
  await close(editor.page);
  const alone = await EditorPage.open(write("any-mono", [sample("speech.flac"), "--channel", "any"]), 10), one = await downloads("any-mono");
  await alone.saveByKey();
  await arrived(one, /^speech\.tsv$/);
  await close(alone.page);
});

test("characters that turn the direction of a line are shown escaped, also in the command, and are not in the name of what was saved", async () => {
  const name = "call\u202egnp.flac", shown = "call\\u{202E}gnp", recording = join(HERE, name), saved = await downloads("direction");
  copyFileSync(sample("speech.flac"), recording);
  const editor = await EditorPage.open(write("direction", [recording]), 10);
  assert.equal(await editor.page.run(() => text("command")), `vadmon analyze '${join(HERE, `${shown}.flac`)}'`);
  const copied = await editor.page.run(async () => {
    let copied;
    navigator.clipboard.writeText = async (text) => { copied = text; };
    document.getElementById("copy-command").click();
    await until(() => copied);
    return copied;
  });
  assert.equal(copied, `vadmon analyze '${recording}'`, "what is copied is the name itself");
  await editor.saveByKey();
  await arrived(saved, /^call_gnp\.tsv$/);
  await editor.page.run(() => until(() => said() === "Downloaded as call_gnp.tsv" && text("labels-state").includes("as call_gnp.tsv")));
  const labels = join(HERE, "bad\u202e.txt");
  writeFileSync(labels, "lonely\n");
  for (const file of [labels, recording]) {
    await editor.drop([file]);
    await editor.page.run(() => until(() => (said() + text("sound-state")).includes("\\u{202E}")));
  }
  assert.equal(await editor.page.run(() => document.body.innerHTML.replace(/<script[^]*?<\/script>/g, "").includes("\u202e")), false);
  await close(editor.page);
});

test("brackets and signs that a keyboard writes with AltGr or Option work, and Alt with a letter is the browser's", async () => {
  const editor = await EditorPage.open(heard, 10), pressed = (...events) => editor.page.run((events) => events.map((init) =>
    !document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }))), events);
  await editor.press("n");
  const [[start, end]] = await editor.labels();
  await editor.press(".", 10);
  assert.deepEqual(await pressed({ key: "[", altKey: true }), [true], "Option");
  assert.deepEqual((await editor.labels())[0].slice(0, 2), [start + 100, end]);
  await editor.press(".", 10);
  assert.deepEqual(await pressed({ key: "[", altKey: true, ctrlKey: true, modifierAltGraph: true }), [true], "AltGr");
  assert.deepEqual((await editor.labels())[0].slice(0, 2), [start + 200, end]);
  const others = ["f", "e", "1", " ", "ArrowLeft", "Home", "Delete"].map((key) => ({ key, altKey: true }));
  assert.deepEqual(await pressed(...others, { key: "[", ctrlKey: true }, { key: "[", ctrlKey: true, altKey: true }),
    new Array(others.length + 2).fill(false));
  assert.equal(await editor.isOn(), true);
  await close(editor.page);
});

test("on a phone, each cell of the table shows its words whole", async () => {
  const path = join(HERE, "late.txt"), editor = await EditorPage.open(write("phone", [sample("muted-talk.flac"), "--mute-timeline", "4-"]), 12.5);
  writeFileSync(path, "1\t2\tdetected\n3\t4\tunquestionably\n");
  await editor.drop([path]);
  await editor.page.run(() => until(() => /^Opened/.test(said())));
  await editor.labels();
  const faults = (width) => editor.page.run((width) => {
    const range = document.createRange();
    return [...document.querySelectorAll("#segments :is(th, td)")].filter((cell) => {
      range.selectNodeContents(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode());
      const { right: end } = cell.getBoundingClientRect(), lines = [...range.getClientRects()];
      return lines.length > cell.textContent.split(" ").length
        || lines.some(({ left, right }) => left < 0 || right > Math.min(width, end + 1));
    }).map((cell) => cell.textContent);
  }, width);
  for (const width of [390, 320]) {
    await editor.page.send("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: true });
    await editor.page.run(() => settle());
    assert.deepEqual(await faults(width), [], `${width} px`);
    assert.equal(await editor.page.run(() => document.documentElement.scrollWidth), width);
  }
  await close(editor.page);
});

test("the command that repeats a run has the part that was analysed", async () => {
  for (const [words, wanted] of [[["--from", "2.5s", "--to", "0:09"], "--from 2.500s --to 9.000s"], [["--to", "8s"], "--to 8.000s"], [[], ""]]) {
    const page = await open(write("part", [sample("speech.flac"), ...words]));
    assert.equal(await page.run(() => text("command")), `vadmon analyze ${sample("speech.flac")}${wanted && ` ${wanted}`}`);
    const list = (words) => vadmon(["analyze", sample("speech.flac"), ...words, "--format", "tsv", "--quiet"]);
    assert.equal(list(wanted.split(" ").filter(Boolean)), list(words));
    await close(page);
  }
});

test("labels of recordings of one name, and with a name that no browser saves, are saved as the page says and found by compare", async () => {
  const recordings = join(HERE, "named"), frames = join(HERE, "named-frames"), report = join(HERE, "named.html");
  for (const place of ["a", "b"]) {
    mkdirSync(join(recordings, place), { recursive: true });
    copyFileSync(sample("speech.flac"), join(recordings, place, "22:55?.flac"));
  }
  vadmon(["label", recordings, "--report", report, "--quiet"]);
  vadmon(["analyze", recordings, "--frames", frames, "--quiet"]);
  const editor = await EditorPage.open(report, 10), files = await downloads("named");
  for (const [number, name] of ["a_22_55_.tsv", "b_22_55_.tsv"].entries()) {
    await editor.page.run((number) => { location.hash = `#r=${number}`; }, number + 1);
    await editor.page.run((number) => until(() => document.querySelector("#recordings .current").rowIndex === number), number + 1);
    await editor.click("save");
    assert.equal(await editor.said(), `Downloaded as ${name}`);
    await arrived(files, new RegExp(`^${name}$`));
  }
  assert.equal(compared(files, frames).f1, 1);
  await close(editor.page);
});
