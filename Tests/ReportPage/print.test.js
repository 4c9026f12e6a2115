// Reports on paper: what a PDF of Chromium contains.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { close, compare, open, write } from "./browser.js";
import { ROOT, SAMPLES, sample, segments } from "./program.js";

const SHOTS = process.env.SHOTS ?? join(ROOT, "build/report");
const batch = write("batch", [join(ROOT, "samples")]);

/** Prints a page, and returns how many pieces of text each sheet has, and the width of each picture that is in colour. */
async function print(page, name) {
  const { data } = await page.send("Page.printToPDF", {});
  const pdf = Buffer.from(data, "base64"), text = pdf.toString("latin1"), objects = new Map();
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, `${name}-print.pdf`), pdf);
  for (const { 1: number, 2: body } of text.matchAll(/(?<=\n)(\d+) 0 obj\n(.*?)\nendobj/gs)) objects.set(number, body);
  const content = (number) => {
    const [, head, stream] = objects.get(number).match(/^(.*?)stream\n(.*)\nendstream$/s);
    return head.includes("FlateDecode") ? inflateSync(Buffer.from(stream, "latin1")).toString("latin1") : stream;
  };
  const bodies = [...objects.values()];
  return {
    pages: bodies.filter((body) => /\/Type \/Page\b(?!s)/.test(body))
      .map((body) => content(body.match(/\/Contents (\d+) 0 R/)[1]).match(/^BT$/gm)?.length ?? 0),
    pictures: bodies.filter((body) => body.includes("/Subtype /Image") && !body.includes("/DeviceGray"))
      .map((body) => Number(body.match(/\/Width (\d+)/)[1])),
  };
}

/** What the page shows between its preparation for paper and the return to the screen. */
const prepared = (page, work, ...args) => page.run(`async (...args) => {
  dispatchEvent(new Event("beforeprint"));
  try { return await (${work})(...args); } finally { dispatchEvent(new Event("afterprint")); }
}`, ...args);

test("all recordings are printed, and the screen is as it was", async () => {
  const page = await open(batch, "#r=3&t=2", { dark: true });
  await page.run(() => document.getElementById("in").click());
  const screen = () => page.run(async () => {
    await settle();
    return [document.body.innerText, document.getElementById("timeline").toDataURL(), document.documentElement.dataset.theme,
      document.querySelectorAll("#timeline").length];
  });
  const before = await screen();
  const { pictures } = await print(page, "batch");
  assert.equal(pictures.filter((width) => width > 500).length, SAMPLES.length, `pictures of ${pictures} pixels`);
  assert.deepEqual(await screen(), before);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  const paper = await prepared(page, () => document.body.innerText);
  const lists = segments([join(ROOT, "samples")]);
  assert.ok(lists.flat().length > 10);
  const places = [...SAMPLES.map((name) => paper.indexOf(`${join(ROOT, "samples")}/${name}\n`)), paper.length];
  assert.ok(places.every((place, index) => place > (places[index - 1] ?? 0)), `in the order of the list: ${places}`);
  for (const [index, list] of lists.entries()) {
    for (const [start] of list)
      assert.ok(paper.slice(places[index], places[index + 1]).includes(`0:${(start / 1000).toFixed(3).padStart(6, "0")}`), `${SAMPLES[index]}: ${start}`);
  }
  await close(page);
});

test("what a search leaves out of the list is not printed", async () => {
  const page = await open(batch);
  await page.run(() => {
    const field = document.getElementById("search");
    field.value = "speech-";
    field.dispatchEvent(new Event("input"));
  });
  const { pictures } = await print(page, "searched");
  assert.equal(pictures.filter((width) => width > 500).length, SAMPLES.filter((name) => name.startsWith("speech-")).length);
  await close(page);
});

test("a comparison begins on its first page, and nothing is wider than the paper", async () => {
  const page = await open(compare());
  const { pages } = await print(page, "compared");
  assert.ok(pages[0] > 20, `the first page has ${pages[0]} pieces of text`);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  await page.send("Emulation.setDeviceMetricsOverride", { width: 718, height: 1000, deviceScaleFactor: 1, mobile: false });
  const wide = await prepared(page, async () => {
    await settle();
    return [...document.querySelectorAll("main *")].filter((node) => node.checkVisibility() && !node.closest(".unseen"))
      .filter((node) => node.getBoundingClientRect().right > 718 || /auto|scroll/.test(getComputedStyle(node).overflowX))
      .map((node) => node.outerHTML.slice(0, 80));
  });
  assert.deepEqual(wide, []);
  await close(page);
});

test("settings that were tried are printed, and others are not", async () => {
  const page = await open(write("one", [sample("speech.flac")]));
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  const paper = () => prepared(page, () => document.body.innerText);
  assert.doesNotMatch(await paper(), /What if/);
  await page.run(() => {
    const slider = document.querySelector("#sliders [name=onset]");
    slider.value = 0.99;
    slider.dispatchEvent(new Event("input"));
  });
  assert.match(await paper(), /What if\?\s+\d+ segments instead of \d+.*\s+vadmon analyze .*--onset-threshold 0\.99/);
  await close(page);
});
