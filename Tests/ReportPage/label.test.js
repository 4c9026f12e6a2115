// The label editor in headless Chromium, used as people use it: by mouse, by touch, by keyboard, and by files.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { defineUntil } from "../../Bindings/web/test/browser/chromium.js";
import { HERE, close, define, open, write } from "./browser.js";
import { EditorPage, compared, downloads, read } from "./editor.js";
import { arrived, sample, vadmon } from "./program.js";

const heard = write("heard", [sample("speech.flac"), "--embed-audio"]);
const muted = write("muted", [sample("muted-talk.flac"), "--mute-timeline", "4-10"]);
/** What a person has labelled, and what the editor is to end with. */
const INTENDED = sample("speech.txt"), WANTED = read(INTENDED);
const spans = (labels) => labels.map(([start, end]) => [start, end]);

/** Saves in a format by its button, and returns the file. */
async function saved(editor, name, format) {
  const folder = await downloads(name);
  await editor.page.run((format) => { if (format) document.getElementById("format").value = format; }, format);
  await editor.click("save");
  return arrived(folder, /^speech\.(?!.*crdownload)/);
}

test("a mouse labels a recording from nothing, and vadmon compare finds the labels that were meant", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.click("clear");
  await editor.click("snap");
  assert.deepEqual(await editor.labels(), []);
  for (const [start, end] of WANTED) await editor.drag(start / 1000 + 0.1, end / 1000 - 0.1);
  assert.equal((await editor.labels()).length, WANTED.length);
  for (const [index, [start, end]] of WANTED.entries()) {
    for (const edge of [0, 1]) {
      const [at, to] = [(await editor.labels())[index][edge] / 1000, [start, end][edge] / 1000];
      await editor.zoom(to);
      await editor.drag(at, to);
      await editor.fit();
    }
  }
  for (const [index, [start, end]] of (await editor.labels()).entries())
    assert.ok(Math.abs(start - WANTED[index][0]) <= 3 && Math.abs(end - WANTED[index][1]) <= 3, `${start} to ${end}`);
  const file = await saved(editor, "mouse"), { f1, precision, recall } = compared(INTENDED, file);
  assert.deepEqual([f1, precision, recall], [1, 1, 1], readFileSync(file, "utf8"));
  await close(editor.page);
});

test("fingers do the same", async () => {
  const editor = await EditorPage.open(heard, 10, "", { width: 1000 });
  await editor.page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await editor.click("clear");
  const finger = { finger: true };
  await editor.drag(1, 2, finger);
  const [[start, end]] = await editor.labels();
  assert.ok(Math.abs(start - 1000) <= 60 && Math.abs(end - 2000) <= 60, `${start} to ${end}`);
  await editor.drag(end / 1000, 3, finger);
  await editor.drag(start / 1000 + 0.05, 0.5, finger);
  const [[first, last], ...others] = await editor.labels();
  assert.ok(Math.abs(first - 450) <= 100 && Math.abs(last - 3000) <= 60 && others.length === 0, `${first} to ${last}`);
  assert.match(await editor.said(), /^Label 1 of 1, from 0:00\.\d+ to 0:0[23]\.\d+, checked$/);
  await close(editor.page);
});

/** Moves the cursor to a time, in ms, by its keys alone. */
async function cursorTo(editor, ms) {
  await editor.press("Home");
  await editor.press(">", Math.floor(ms / 100));
  await editor.press(".", Math.floor(ms / 10) % 10);
}

test("the keyboard alone goes through the whole loop, and the page says each step to a screen reader", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.tabTo("clear");
  await editor.press("Enter");
  assert.equal(await editor.said(), "Deleted all: 0 labels");
  for (const [start, end] of WANTED) {
    await cursorTo(editor, start);
    await editor.press("a");
    assert.match(await editor.said(), /^A label begins at 0:0\d\.\d+: go to its end/);
    await cursorTo(editor, end);
    await editor.press("a");
    assert.match(await editor.said(), /^Added\. Label \d of \d, from .* checked$/);
  }
  assert.deepEqual(spans(await editor.labels()), WANTED);
  await editor.press("Home");
  await editor.press("n");
  await editor.press("t");
  assert.equal(await editor.focus(), "label-text");
  await editor.type("hello, ned");
  await editor.press("Enter");
  assert.equal(await editor.focus(), "timeline");
  assert.match(await editor.said(), /^Label 1 of 4, from 0:00\.710 to 0:01\.420, “hello, ned”, checked$/);
  const folder = await downloads("keys");
  await editor.tabTo("save");
  await editor.press("Enter");
  const file = await arrived(folder, /^speech\.tsv$/);
  assert.equal(compared(INTENDED, file).f1, 1);
  assert.match(await editor.said(), /^Downloaded as speech\.tsv$/);
  assert.match(readFileSync(file, "utf8"), /^segment\t.*speech\.flac\t\t0\.710\t1\.420\thello, ned\tyes$/m);
  await close(editor.page);
});

test("a screen reader finds every part of the editor by its role and name", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.press("n");
  await editor.labels();
  const { nodes } = await editor.page.send("Accessibility.getFullAXTree");
  const all = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role.value}: ${name?.value ?? ""}`);
  for (const pattern of [/^button: Edit labels$/, /^group: Labels$/, /^toolbar: Change labels$/, /^combobox: Tier$/, /^button: Add$/,
    /^button: Split$/, /^button: Join$/, /^button: Delete$/, /^button: Undo$/, /^button: Redo$/, /^checkbox: Snap$/, /^group: Label 1 of 4$/,
    /^spinbutton: Start in seconds$/, /^spinbutton: End in seconds$/, /^textbox: Text$/, /^checkbox: Checked$/, /^button: Hear start$/,
    /^button: Hear end$/, /^button: Hear label$/, /^combobox: Format of the file$/, /^button: Save$/, /^(button|input): .*Open labels/i,
    /^status: /, /^application: Timeline of .*speech\.flac/, /^heading: Labels$/])
    assert.ok(all.some((node) => pattern.test(node)), `${pattern} in\n${all.join("\n")}`);
  // What was said last is the text of a live region.
  const region = nodes.find(({ role, childIds }) => role?.value === "status" && childIds?.some((id) =>
    nodes.find(({ nodeId }) => nodeId === id)?.name?.value.startsWith("Label 1 of 4, from 0:00.690 to")));
  assert.equal(region?.properties.find(({ name }) => name === "live").value.value, "polite");
  const pressed = nodes.find(({ name }) => name?.value === "Edit labels").properties.find(({ name }) => name === "pressed");
  assert.equal(pressed.value.value, "true");
  const order = [];
  await editor.page.run(() => document.getElementById("timeline").focus());
  for (let i = 0; i < 18; i++) {
    await editor.press("Tab");
    order.push(await editor.focus());
  }
  assert.deepEqual(order, ["tier", "add", "split", "join", "delete", "snap", "label-start", "label-end", "label-text", "label-checked",
    "hear-start", "hear-end", "hear-label", "format", "save", "labels-file", "detected", "clear"]);
  await close(editor.page);
});

test("split, join, delete, check and the fields change the labels, and undo leads back through all of it", async () => {
  const editor = await EditorPage.open(muted, 12.5), states = [await editor.labels()];
  const step = async (act, pattern) => {
    await act();
    assert.match(await editor.said(), pattern);
    states.push(await editor.labels());
    assert.notDeepEqual(states.at(-1), states.at(-2), `${pattern}`);
  };
  const field = (id, words) => async () => {
    await editor.page.run((id) => document.getElementById(id).select(), id);
    await editor.page.run((id) => document.getElementById(id).focus(), id);
    await editor.type(words);
    await editor.press("Tab");
  };
  await editor.clickAt(1.5);
  assert.match(await editor.said(), /^Label 1 of 3, .* not checked$/);
  await step(() => editor.click("split"), /^Split\. Label 2 of 4, from 0:01\.5\d+ to .* checked$/);
  await editor.press("p");
  await step(() => editor.click("join"), /^Joined\. Label 1 of 3/);
  await step(() => editor.click("delete"), /^Deleted\. Label 1 of 2/);
  await step(field("label-start", "4.5"), /^Label 1 of 2, from 0:04\.500/);
  await step(field("label-end", "20"), /to 0:10\.\d+.* checked$/);
  await step(field("label-text", "one"), /“one”/);
  await editor.press("c");
  assert.match(await editor.said(), /^Checked\. Label 2 of 2, .* not checked$/);
  await editor.page.run(() => document.getElementById("label-end").select());
  await editor.press("Delete");
  await editor.press("Tab");
  assert.deepEqual(await editor.labels(), states.at(-1), "an emptied field changes nothing");
  await step(() => editor.click("label-checked"), /^Label 2 of 2, .*, checked$/);
  await editor.press("m");
  assert.match(await editor.said(), /^Muted speech: /);
  await editor.press("Home");
  await editor.press("n");
  await step(() => editor.press("Delete"), /^Deleted\. No label is left$/);
  await step(() => editor.click("detected"), /^As detected: 3 labels$/);
  for (const state of states.toReversed().slice(1)) {
    await editor.undo();
    assert.deepEqual(await editor.labels(), state);
  }
  for (const state of states.slice(1)) {
    await editor.redo();
    assert.deepEqual(await editor.labels(), state);
  }
  await close(editor.page);
});

test("edges snap to where the probability crosses the threshold, and else to 10 ms", async () => {
  const editor = await EditorPage.open(heard, 10), { onset, offset } = { onset: 0.82, offset: 0.4 };
  vadmon(["analyze", sample("speech.flac"), "--frames", join(HERE, "snap"), "--quiet"]);
  const hops = readFileSync(join(HERE, "snap", "speech.csv"), "utf8").trim().split("\n").slice(1).map((line) => Number(line.split(",")[1]));
  const crossing = hops.findIndex((value, hop) => hop > 60 && value >= onset && hops[hop - 1] < onset) * 10;
  await editor.click("clear");
  await editor.zoom(crossing / 1000, -800);
  await editor.drag(crossing / 1000 + 0.012, crossing / 1000 + 0.4);
  const [[start, end]] = await editor.labels();
  assert.equal(start, crossing, "the crossing that the pointer was nearest");
  assert.equal(end % 10, 0);
  await editor.press("Home");
  await editor.press("l");
  assert.equal(await editor.said(), `0:00.${crossing}`);
  assert.ok(offset < onset);
  await close(editor.page);
});

test("an edge is heard half a second on each side", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.page.run(() => until(() => document.getElementById("audio").readyState > 0));
  await editor.clickAt(4.5);
  const start = (await editor.labels())[2][0] / 1000;
  await editor.page.run(() => {
    const audio = document.getElementById("audio");
    // Not at the event "playing", which may come late.
    audio.play = () => {
      globalThis.began = audio.currentTime;
      return HTMLMediaElement.prototype.play.call(audio);
    };
    audio.addEventListener("pause", () => { globalThis.paused = audio.currentTime; }, { once: true });
  });
  await editor.press("1");
  const { began, paused } = await editor.page.run(async () => {
    await until(() => globalThis.paused !== undefined);
    return { began, paused };
  });
  assert.ok(Math.abs(began - (start - 0.5)) < 0.05, `began at ${began}`);
  assert.ok(paused >= start + 0.5 && paused < start + 4, `paused at ${paused}, and not at the end`);
  await close(editor.page);
});

async function reload(editor) {
  const loaded = editor.page.once("Page.loadEventFired");
  await editor.page.send("Page.reload");
  await loaded;
  await editor.page.run(defineUntil);
  await define(editor.page);
}

test("a text that is being written is kept when the pointer takes another label", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.press("n");
  await editor.press("t");
  await editor.type("first");
  await editor.drag((await editor.labels())[1][1] / 1000, 3.5);
  const [first, second] = await editor.labels();
  assert.equal(first[2], "first, checked");
  assert.equal(second[2], "speech, checked");
  await close(editor.page);
});

test("labels are there again after a reload, also the marks of what was checked", async () => {
  const editor = await EditorPage.open(heard, 10);
  await editor.clickAt(1);
  await editor.press("c");
  await editor.press("t");
  await editor.type("<img src=x onerror=harm=1>");
  await editor.press("Enter");
  const labels = await editor.labels();
  assert.match(await editor.state(), /This browser keeps them/);
  await reload(editor);
  await editor.press("e");
  assert.deepEqual(await editor.labels(), labels);
  assert.equal(labels[0][2], "speech, checked");
  assert.equal(labels[1][2], "<img src=x onerror=harm=1>, checked");
  assert.equal(await editor.page.run(() => globalThis.harm), undefined);
  await close(editor.page);
});

test("where the browser keeps nothing, it warns before the labels are lost, and not after they were saved", async () => {
  const editor = await EditorPage.open(`data:text/html;base64,${readFileSync(muted).toString("base64")}`, 12.5);
  const leaves = async () => {
    const dialog = editor.page.once("Page.javascriptDialogOpening");
    const left = editor.page.send("Page.navigate", { url: "about:blank" });
    const asked = await Promise.race([dialog, left.then(() => null)]);
    if (!asked) return null;
    await editor.page.send("Page.handleJavaScriptDialog", { accept: false });
    await left.catch(() => {});
    return asked.type;
  };
  await editor.clickAt(1);
  await editor.press("Delete");
  assert.match(await editor.state(), /keeps nothing for this page: save before you leave/);
  assert.equal(await leaves(), "beforeunload");
  const folder = await downloads("unkept");
  await editor.saveByKey();
  await arrived(folder, /^muted-talk\.tsv$/);
  await editor.page.run(() => until(() => /Saved as/.test(text("labels-state"))));
  assert.equal(await leaves(), null);
  await close(editor.page);
});

test("every format is saved, compared, dropped on the page, and the same again", async () => {
  const editor = await EditorPage.open(heard, 10), formats = await editor.page.run(() =>
    [...document.getElementById("format").options].map(({ value }) => value));
  assert.equal(formats.length, 6);
  await editor.drop([INTENDED]);
  await editor.page.run(() => until(() => /^Opened speech\.txt: 4 labels$/.test(said())));
  const labels = await editor.labels();
  assert.deepEqual(labels, WANTED.map((span) => [...span, "speech"]));
  for (const format of formats) {
    const file = await saved(editor, format, format);
    assert.equal(compared(INTENDED, file).f1, 1, format);
    await editor.click("clear");
    assert.deepEqual(await editor.labels(), []);
    await editor.drop([file]);
    await editor.page.run(() => until(() => /^Opened/.test(said())));
    assert.deepEqual(await editor.labels(), labels, format);
    assert.match(await editor.state(), /Saved as speech\./);
  }
  await close(editor.page);
});

test("where the browser can write files, it asks once and saves into the same file from then on", async () => {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(heard)));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const editor = await EditorPage.open(`http://127.0.0.1:${server.address().port}/`, 10);
  await editor.page.run(() => {
    // In place of the dialog alone: the file is one of the browser's own.
    globalThis.asked = [];
    globalThis.showSaveFilePicker = async ({ suggestedName }) => {
      asked.push(suggestedName);
      return (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
    };
    globalThis.content = async (name) => (await (await (await navigator.storage.getDirectory()).getFileHandle(name)).getFile()).text();
  });
  const save = async (state) => {
    await editor.saveByKey();
    await editor.page.run((state) => until(() => {
      const shown = text("labels-state");
      return shown.startsWith(state) && /Saved as speech\.tsv/.test(shown);
    }), state);
    return (await editor.page.run(() => content("speech.tsv"))).trim().split("\n").length - 1;
  };
  assert.equal(await save("4 labels"), 4);
  await editor.clickAt(1);
  await editor.press("Delete");
  assert.equal(await save("3 labels"), 3);
  assert.deepEqual(await editor.page.run(() => asked), ["speech.tsv"]);
  // Of files that are dropped, one that has more than the labels stays as it is, and the page's own is written again.
  await editor.page.run(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle("dropped.tsv", { create: true });
    DataTransferItem.prototype.getAsFileSystemHandle = async () => handle;
  });
  const own = await editor.page.run(() => content("speech.tsv"));
  for (const [text, name] of [[own.replaceAll("\n", "\tmore\n"), "speech.tsv"], [own, "dropped.tsv"]]) {
    const dropped = join(HERE, "dropped.tsv");
    writeFileSync(dropped, text);
    await editor.drop([dropped]);
    await editor.page.run(() => until(() => said() === "Opened dropped.tsv: 3 labels"));
    await editor.saveByKey();
    await editor.page.run((name) => until(() => said() === `Saved as ${name}`), name);
    assert.equal((await editor.page.run(() => content("dropped.tsv"))).length > 0, name === "dropped.tsv");
    assert.equal((await editor.page.run(() => asked)).length, 2, name);
  }
  await editor.page.run(() => { globalThis.showSaveFilePicker = async () => { throw new DOMException("", "AbortError"); }; });
  await editor.page.run(() => { document.getElementById("format").value = "srt"; });
  await editor.saveByKey();
  await editor.page.run(() => until(() => said() === "Not saved"));
  await close(editor.page);
  server.close();
});

test("a file that cannot be opened changes nothing and says why; a recording that is dropped is heard", async () => {
  const editor = await EditorPage.open(heard, 10), labels = await editor.labels();
  const bad = join(HERE, "bad.txt"), others = join(HERE, "others.rttm");
  writeFileSync(bad, "1\t2\tx\n3\tfour\n");
  writeFileSync(others, ["a", "b"].map((name) => `SPEAKER ${name} 1 1 1 <NA> <NA> x <NA> <NA>\n`).join(""));
  for (const [files, pattern] of [
    [[bad], /^bad\.txt was not opened\. Line 2: “four” is not a time/],
    [[others], /^others\.rttm was not opened\. It has a, b, but not speech\.$/],
    [[bad, others], /^Drop one file/],
  ]) {
    await editor.drop(files);
    await editor.page.run(`async () => until(() => ${pattern}.test(said()))`);
    assert.deepEqual(await editor.labels(), labels);
  }
  await editor.drop([sample("speech-fan-0db.flac")]);
  await editor.page.run(() => until(() => text("sound-state") === "Sound: speech-fan-0db.flac"));
  assert.deepEqual(await editor.labels(), labels);
  await close(editor.page);
});

test("what a file has beside the labels is named when it is left out", async () => {
  const editor = await EditorPage.open(heard, 10), path = join(HERE, "more.json");
  const segment = (start, end) => ({ start, end });
  writeFileSync(path, JSON.stringify({ files: [
    { file: "x/speech.wav", duration: 10, segments: [segment(1, 2), segment(1.5, 3)], gaps: [segment(5, 6)] },
    { file: "other.wav", duration: 3, segments: [] },
  ] }));
  await editor.drop([path]);
  await editor.page.run(() => until(() => /^Opened/.test(said())));
  assert.equal(await editor.said(), "Opened more.json: 1 label; left out 1 other recording; left out 1 entry that is not speech; "
    + "joined 1 that overlapped others");
  assert.deepEqual(spans(await editor.labels()), [[1000, 3000]]);
  await close(editor.page);
});

test("vadmon label makes a page that begins with the editor, and each of its recordings has labels of its own", async () => {
  const path = join(HERE, "two.html"), folder = join(HERE, "two");
  mkdirSync(folder);
  for (const name of ["speech.flac", "muted-talk.flac"]) copyFileSync(sample(name), join(folder, name));
  vadmon(["label", folder, "--report", path, "--quiet"]);
  const page = await open(path, "#r=2");
  assert.equal(await page.run(() => !document.getElementById("labels").hidden), true);
  const editor = await EditorPage.open(path, 10, "#r=2"), show = async (number, name) => {
    await editor.page.run((number) => { location.hash = `#r=${number}`; }, number);
    await editor.page.run((name) => until(() => text("name").endsWith(name)), name);
  };
  assert.equal((await editor.labels()).length, 4);
  await editor.press("n");
  await editor.press("Delete");
  await show(1, "muted-talk.flac");
  assert.match(await editor.state(), /^3 labels, .* Nothing was changed\.$/);
  assert.equal(await editor.page.run(() => document.getElementById("undo").disabled), true);
  await show(2, "speech.flac");
  assert.equal((await editor.labels()).length, 3);
  await editor.undo();
  assert.equal((await editor.labels()).length, 4);
  await close(editor.page);
  await close(page);
});

test("the report shows what was found, unless its labels are edited", async () => {
  const page = await open(heard), before = await page.run(() => rows());
  const editor = new EditorPage(page, 10);
  await editor.press("e");
  await editor.press("e");
  assert.deepEqual(await page.run(() => rows()), before);
  assert.equal(await page.run(() => document.getElementById("timeline").getAttribute("role")), "img");
  await close(page);
});
