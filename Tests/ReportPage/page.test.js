// The page in headless Chromium, opened from the disk as its readers open it.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, close, compare, open, press, write } from "./browser.js";
import { ROOT, SAMPLES, sample, segments, vadmon } from "./program.js";

const SHOTS = process.env.SHOTS ?? join(ROOT, "build/report");

const heard = write("heard", [sample("speech.flac"), "--embed-audio"]);
const muted = write("muted", [sample("muted-talk.flac"), "--mute-timeline", "0-"]);
const part = write("part", [sample("muted-talk.flac"), "--mute-timeline", "0-", "--from", "1.73", "--to", "8.1", "--embed-audio"]);
const batch = write("batch", [join(ROOT, "samples")]);

const compared = compare();
const labelled = join(HERE, "labelled.html");
vadmon(["label", sample("muted-talk.flac"), "--report", labelled, "--quiet"]);

/** Waits for the table to follow the sliders. */
const rest = () => until(() => document.getElementById("segments").ariaBusy === "false");

const place = (page) => page.run(() => {
  const { left, top, width } = document.getElementById("timeline").getBoundingClientRect();
  return { left, top, width };
});

/** Returns times like 1:02.345 in ms. */
const ms = (clock) => Math.round(clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000);
const spans = (rows) => rows.filter((row) => row[4] === "speech").map((row) => [ms(row[1]), ms(row[2])]);

test("the segments shown are those of --format json, recording after recording", async () => {
  const page = await open(batch), wanted = segments([join(ROOT, "samples")]);
  assert.equal(wanted.length, SAMPLES.length);
  for (const [index, list] of wanted.entries()) {
    await page.run((number) => { location.hash = `#r=${number}`; }, index + 1);
    await page.run((name) => until(() => text("name").endsWith(name)), SAMPLES[index]);
    assert.deepEqual(spans(await page.run(() => rows())), list, SAMPLES[index]);
  }
  await close(page);
});

for (const [what, report] of [["", muted], [", of a part too", part]]) test(`moved sliders show what vadmon finds with the command line that they show${what}`, async () => {
  const page = await open(report);
  const shown = async () => ({ rest: await page.run(rest), rows: await page.run(() => rows()), command: await page.run(() => text("command")) });
  const before = await shown();
  for (const moves of [
    { onset: 0.5 }, { onset: 0.3, offset: 0.7 }, { debounceMs: 120, hangoverMs: 400 }, { padMs: 150, minSpeechMs: 300 },
    { minSilenceMs: 0, hangoverMs: 0 }, { onset: 0.985 },
  ]) {
    await page.run((moves) => {
      for (const [key, value] of Object.entries(moves)) {
        const slider = document.querySelector(`#sliders [name=${key}]`);
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
      }
    }, moves);
    const { rows, command } = await shown();
    const [name, analyze, ...words] = command.split(" ");
    assert.deepEqual([name, analyze, words.includes("--mute-timeline")], ["vadmon", "analyze", true]);
    assert.deepEqual(spans(rows), segments(words)[0], command);
    assert.match(await page.run(() => text("outcome")), /segments instead of \d+/);
    await page.run(() => document.getElementById("reset").click());
    assert.deepEqual(await shown(), before);
  }
  await close(page);
});

test("a part of a recording keeps its times, and plays where they are", async () => {
  const page = await open(part), at = () => page.run(() => text("position"));
  assert.equal(await at(), "0:01.7");
  assert.match(await page.run(() => text("summary")), /^Length0:06\.4/);
  for (const [key, wanted] of [["End", "0:08.1"], ["Home", "0:01.7"]]) {
    await press(page, key);
    assert.equal(await at(), wanted, key);
  }
  assert.match(await page.run(() => text("readout")), /^0:01\.73: probability/);
  await page.run(async () => {
    const audio = document.getElementById("audio");
    await until(() => audio.readyState > 0);
    location.hash = "#t=5";
    await until(() => text("position") === "0:05.0");
    document.getElementById("play").click();
    await until(() => Math.abs(audio.currentTime - (5 - 1.73)) < 1);
    audio.pause();
  });
  await page.run(() => until(() => text("position").startsWith("0:05")));
  await close(page);
});

test("where segments were cut at pauses, the page shows them and offers no other settings", async () => {
  const words = [sample("speech.flac"), "--split", "1s"];
  const page = await open(write("split", words));
  const list = spans(await page.run(() => rows()));
  assert.ok(list.length > 4);
  assert.deepEqual(list, segments(words)[0]);
  assert.equal(await page.run(() => document.getElementById("sliders").checkVisibility()), false);
  assert.match(await page.run(() => text("promise")), /does not decide anew where segments were cut/);
  await close(page);
});

/** Returns the runs of cells of 10 ms, in ms, in which `isOn` is true. */
function runs(count, isOn) {
  const found = [];
  for (let cell = 0; cell < count; cell++) {
    if (!isOn(cell)) continue;
    if (found.length && found.at(-1)[1] === cell * 10) found.at(-1)[1] += 10;
    else found.push([cell * 10, cell * 10 + 10]);
  }
  return found;
}

test("a comparison shows where labels and frames differ, and N and P go there", async () => {
  const page = await open(compared);
  const index = await page.run(() => [...document.querySelectorAll("#recordings tbody tr")]
    .map((row) => [row.cells[0].textContent, row.cells[4].textContent]));
  assert.deepEqual(index.map(([name]) => `${name}`).sort(), SAMPLES.map((name) => name.replace(/\.\w+$/, "")).sort());
  const errors = [];
  for (const [number, [name]] of index.entries()) {
    await page.run((number) => { location.hash = `#r=${number}`; }, number + 1);
    await page.run((name) => until(() => text("name") === name), name);
    const frames = readFileSync(join(HERE, "frames", `${name}.csv`), "utf8").trim().split("\n").slice(1)
      .map((line) => line.split(",")[2] === "1");
    const labels = readFileSync(sample(`${name}.txt`), "utf8").trim().split("\n").filter(Boolean)
      .map((line) => line.split("\t").map(Number));
    const labelled = (cell) => labels.some(([start, end]) => cell * 10 + 5 >= start * 1000 && cell * 10 + 5 < end * 1000);
    const wanted = {
      detected: runs(frames.length, (cell) => frames[cell]),
      missed: runs(frames.length, (cell) => labelled(cell) && !frames[cell]),
      "false alarm": runs(frames.length, (cell) => !labelled(cell) && frames[cell]),
    };
    const found = await page.run(() => rows());
    for (const [what, spans] of Object.entries(wanted))
      assert.deepEqual(found.filter((row) => row[4] === what).map((row) => [ms(row[1]), ms(row[2])]), spans, `${name}: ${what}`);
    const differences = [...wanted.missed, ...wanted["false alarm"]].sort(([a], [b]) => a - b);
    errors.push(differences.reduce((sum, [start, end]) => sum + end - start, 0));
    if (differences.length < 2) continue;
    await press(page, "Home");
    for (const [start] of differences.filter(([start]) => start > 1).slice(0, 2)) {
      await press(page, "n");
      assert.ok(Math.abs(ms(await page.run(() => text("position"))) - start) <= 50, name);
    }
    assert.match(await page.run(() => text("live")), /^Difference \d+ of \d+/);
  }
  assert.deepEqual(errors, errors.toSorted((a, b) => b - a), "the most errors come first");
  assert.equal(await page.run(() => document.getElementById("settings").checkVisibility()), false);
  assert.equal(await page.run(() => document.getElementById("next").ariaLabel), "Next difference");
  assert.match(await page.run(() => text("figures-title")), /F1 0\.\d{4}, precision/);
  assert.ok(await page.run(() => document.getElementById("curves").naturalWidth) > 600);
  const figures = await page.run(() => [...document.querySelectorAll("#figures tbody tr")]
    .map((row) => [...row.cells].map((cell) => cell.textContent)));
  const { pooled } = JSON.parse(vadmon(["compare", join(ROOT, "samples"), join(HERE, "frames"), "--format", "json", "--quiet"]));
  assert.equal(figures.find(([name]) => name === "F1")[1], pooled.f1.toFixed(4));
  assert.equal(figures[0].length, 6);
  await close(page);
});

test("a click plays from there", async () => {
  const page = await open(heard);
  await page.run(() => until(() => document.getElementById("audio").readyState > 0));
  const { left, top, width } = await place(page), gutter = 92, at = 4.5;
  await page.run(() => {
    const audio = document.getElementById("audio");
    audio.addEventListener("playing", () => { globalThis.began = audio.currentTime; }, { once: true });
  });
  await page.click(left + gutter + (width - gutter) * (at / 10), top + 60);
  const began = await page.run(async () => {
    await until(() => globalThis.began !== undefined);
    return globalThis.began;
  });
  assert.ok(Math.abs(began - at) < 0.05, `began at ${began}`);
  await page.run(() => until(() => document.getElementById("audio").currentTime > 4.7));
  await press(page, " ");
  assert.equal(await page.run(() => document.getElementById("audio").paused), true);
  await close(page);
});

test("Space pressed twice at once leaves it as it was, and says nothing", async () => {
  const page = await open(heard);
  await page.run(() => until(() => document.getElementById("audio").readyState > 0));
  const before = await page.run(() => text("sound-state"));
  await page.run(async () => {
    for (let i = 0; i < 2; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 200)); // long enough for play() to be refused
  });
  assert.equal(await page.run(() => document.getElementById("audio").paused), true);
  assert.equal(await page.run(() => text("sound-state")), before);
  await close(page);
});

test("without sound in the page, the recording beside it plays, and else the one that the reader chooses", async () => {
  mkdirSync(join(HERE, "a #1%"));
  const recording = join(HERE, "a #1%", "it's: \"so\" ü?.flac");
  copyFileSync(sample("speech.flac"), recording);
  const beside = await open(write("beside", [recording]));
  await beside.run(() => until(() => document.getElementById("audio").readyState > 0));
  assert.equal(await beside.run(() => document.getElementById("audio").duration), 10);
  await close(beside);
  const page = write("alone", ["-"], { input: readFileSync(recording), encoding: "buffer" }), alone = await open(page);
  assert.match(await alone.run(() => text("sound-state")), /choose the recording/);
  assert.equal(await alone.run(() => document.getElementById("play").disabled), true);
  await alone.send("DOM.enable");
  const { root } = await alone.send("DOM.getDocument", {});
  const { nodeId } = await alone.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#file" });
  await alone.send("DOM.setFileInputFiles", { nodeId, files: [recording] });
  await alone.run(() => until(() => !document.getElementById("play").disabled));
  await close(alone);
});

test("an address leads to a recording and a place in it", async () => {
  const page = await open(batch, "#r=6&t=6.7");
  assert.match(await page.run(() => text("name")), /speech\.flac$/);
  assert.equal(await page.run(() => text("position")), "0:06.7");
  await page.run(() => document.querySelector("#segments a").click());
  await page.run(() => until(() => text("position") === "0:00.7"));
  await page.run(() => history.back());
  await page.run(() => until(() => text("position") === "0:06.7"));
  await close(page);
});

test("the keyboard reaches everything", async () => {
  const page = await open(heard);
  const [first, second] = (await page.run(() => rows())).map((row) => `0:0${(ms(row[1]) / 1000).toFixed(1)}`);
  for (const [key, wanted] of [["n", first], ["n", second], ["p", first], ["End", "0:10.0"], ["Home", "0:00.0"]]) {
    await press(page, key);
    assert.equal(await page.run(() => text("position")), wanted, key);
  }
  assert.match(await page.run(() => text("live")), /^Segment 1 of 4, from 0:00\.7 to/);
  const picture = () => page.run(async () => {
    await settle();
    return document.getElementById("timeline").toDataURL();
  });
  const whole = await picture();
  for (const key of ["+", "ArrowRight", "-"]) {
    const before = await picture();
    await press(page, key);
    assert.notEqual(await picture(), before, key);
  }
  await press(page, "f");
  assert.equal(await picture(), whole);
  const order = [];
  for (let i = 0; i < 13; i++) {
    await page.press("Tab");
    order.push(await page.run(() => document.activeElement.id || document.activeElement.name));
  }
  assert.deepEqual(order.slice(0, 11),
    ["theme", "play", "previous", "next", "out", "in", "fit", "edit", "timeline", "file", "onset"]);
  // A button that was clicked keeps the focus, and only the keys that it uses itself.
  await press(page, "Home");
  await page.run(() => document.getElementById("next").focus());
  await press(page, "n");
  assert.equal(await page.run(() => text("position")), first);
  await page.run(() => document.querySelector("#sliders input").focus());
  await press(page, "n");
  assert.equal(await page.run(() => text("position")), second);
  await press(page, "End");
  assert.equal(await page.run(() => text("position")), second, "End belongs to the slider");
  await close(page);
});

test("the wheel zooms about the pointer, and a drag moves", async () => {
  const page = await open(heard), { left, top, width } = await place(page);
  const [x, y] = [left + 92 + (width - 92) / 2, top + 60];
  await page.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: -1000 });
  const timeAt = (x) => page.run(async (x) => {
    await settle();
    globalThis.audioTime = null;
    return x;
  }, x);
  await timeAt(x);
  await page.click(x, y);
  assert.equal(await page.run(() => text("position")), "0:05.0", "the middle stays where it is");
  await page.run(() => document.getElementById("audio").pause());
  await page.send("Input.dispatchMouseEvent", { type: "mousePressed", x, y, button: "left", clickCount: 1 });
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: x - 300, y, button: "left", buttons: 1 });
  await page.send("Input.dispatchMouseEvent", { type: "mouseReleased", x: x - 300, y, button: "left", clickCount: 1 });
  await page.click(x - 300, y);
  const position = ms(await page.run(() => text("position")));
  assert.ok(Math.abs(position - 5000) <= 150, `what was grabbed has moved along: ${position}`);
  await close(page);
});

test("the page says what was measured at the cursor and under the mouse", async () => {
  vadmon(["analyze", sample("speech.flac"), "--frames", join(HERE, "read"), "--quiet"]);
  const frames = readFileSync(join(HERE, "read", "speech.csv"), "utf8").split("\n").slice(1).map((line) => Number(line.split(",")[1]));
  const page = await open(heard, "#t=2.345");
  const said = async () => (await page.run(() => text("readout")))
    .match(/^(\S+): probability (\S+), level (-?\d+\.\d) dBFS, noise floor (-?\d+\.\d) dBFS$/);
  const cursor = await said();
  assert.ok(ms(cursor[1]) === 2340 || ms(cursor[1]) === 2350, cursor[1]);
  assert.ok(Math.abs(Number(cursor[2]) - frames[234]) < 0.001, `${cursor[2]} is not ${frames[234]}`);
  const { left, top, width } = await place(page);
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: left + 92 + (width - 92) * 0.7, y: top + 60 });
  const under = await said(), hop = Math.round(ms(under[1]) / 10);
  assert.ok(Math.abs(hop - 700) <= 2, under[1]);
  assert.ok([hop - 1, hop].some((hop) => Math.abs(Number(under[2]) - frames[hop]) < 0.001), under[0]);
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: left, y: top - 40 });
  assert.deepEqual(await said(), cursor, "it goes back to the cursor");
  await close(page);
});

test("a screen reader gets the tables, the controls and the news", async () => {
  const page = await open(muted);
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  const all = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role.value}: ${name?.value ?? ""}`);
  const has = (pattern) => assert.ok(all.some((node) => pattern.test(node)), `${pattern} in\n${all.join("\n")}`);
  for (const pattern of [
    /^button: Play$/, /^button: Next segment$/, /^button: Zoom in$/, /^toolbar: Playback and view$/,
    /^(img|image): Timeline of .*muted-talk\.flac\. Length 0:\d\d\.\d; Speech .*Segments \d+/,
    /^(img|image): Overview/, /^table: Segments of speech/, /^columnheader: Start$/, /^slider: Onset threshold/,
    /^heading: Segments$/, /^heading: Speech in /, /^link: 0:\d\d\.\d{3}$/,
  ]) has(pattern);
  const bare = await page.run(() => [...document.querySelectorAll("button, input, a, canvas, select")]
    .filter((node) => !(node.textContent.trim() || node.ariaLabel || node.labels?.length)).map((node) => node.outerHTML));
  assert.deepEqual(bare, []);
  const ids = await page.run(() => [...document.querySelectorAll("[id]")].map((node) => node.id));
  assert.equal(new Set(ids).size, ids.length, "an id is there once");
  await close(page);
});

test("no other script runs on a page, and nothing is sent from it, whatever gets into it", async () => {
  for (const address of [heard, compared]) {
    const page = await open(address);
    assert.deepEqual(await page.run(async () => {
      const refused = new Set();
      addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
      const add = (name, values) => document.body.appendChild(Object.assign(document.createElement(name), values));
      add("script", { textContent: "globalThis.harm = 1" });
      add("div", { innerHTML: "<b onclick='harm = 1' style='color: red'>harm</b>" }).firstChild.click();
      add("img", { src: "http://127.0.0.1:9/" });
      add("base", { href: "http://127.0.0.1:9/" });
      await fetch("http://127.0.0.1:9/").catch(() => {});
      await until(() => refused.size >= 6);
      return [[...refused].sort(), typeof globalThis.harm];
    }), [["base-uri", "connect-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"], "undefined"]);
    await page.close();
  }
});

test("names cannot become markup", async () => {
  const folder = join(HERE, "names<"); // so that the path of the first one has an end tag
  const names = ["script><img src=x onerror='harm=1'>.flac", "<img src=x onerror='harm=1'>\"&{{script}}.flac",
    "line\nbreak\u202e\u001b[31m.flac", "$& $1 `${harm = 1}`.flac", "<!--<script>.flac"];
  mkdirSync(folder);
  for (const name of names) copyFileSync(sample("speech.flac"), join(folder, name));
  const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".flac")]);
  copyFileSync(sample("speech.flac"), bytes);
  writeFileSync(join(folder, "broken.flac"), "fLaC but no more");
  const page = write("names", [folder, "--accept-bad"]);
  const opened = await open(page);
  assert.equal(await opened.run(() => globalThis.harm), undefined);
  const titles = await opened.run(() => [...document.querySelectorAll("#recordings a")].map((link) => link.textContent));
  assert.equal(titles.length, names.length + 2);
  for (const title of titles) assert.doesNotMatch(title, /[\u0000-\u001f\u202e]/);
  for (let number = 1; number <= titles.length; number++) {
    await opened.run((number) => { location.hash = `#r=${number}`; }, number);
    await opened.run((title) => until(() => text("name").endsWith(title)), titles[number - 1]);
  }
  assert.equal(await opened.run(() => globalThis.harm), undefined);
  await close(opened);
  const one = await open(write("one-name", [join(folder, names[1])]));
  assert.match(await one.run(() => document.title), /<img src=x onerror='harm=1'>"&\{\{script\}\}\.flac$/);
  assert.equal(await one.run(() => globalThis.harm), undefined);
  await close(one);
});

test("it fits a phone and a desk, in both themes", async () => {
  mkdirSync(SHOTS, { recursive: true });
  for (const [name, file] of Object.entries({ heard, muted, batch, compared, labelled })) {
    for (const [look, options] of Object.entries({
      light: {}, dark: { dark: true }, phone: { width: 390, height: 844 }, "phone-dark": { width: 390, height: 844, dark: true },
    })) {
      const page = await open(file, name === "batch" ? "#r=7&t=1" : "#r=1&t=1", options);
      await page.run(() => settle());
      const overflow = await page.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `${name}, ${look}: something is wider than the page`);
      assert.equal(await page.run(() => document.documentElement.dataset.theme), options.dark ? "dark" : "light");
      const { data } = await page.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
      writeFileSync(join(SHOTS, `${name}-${look}.png`), Buffer.from(data, "base64"));
      await close(page);
    }
  }
});
