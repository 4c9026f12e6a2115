import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { names, read, vadmonSegments } from "./recordings.js";

const folder = new URL("../", import.meta.url);
const description = JSON.parse(readFileSync(new URL("package.json", folder)));

test("the package has what its exports name, and the core's version", async () => {
  const targets = Object.values(description.exports)
    .flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
  for (const target of targets) assert.ok(existsSync(new URL(target, folder)), target);
  const { Detector, load } = await import(description.name); // by its name, as a user's program imports it
  assert.equal(new Detector(await load(), { sampleRate: 48000 }).version, description.version);
});

test("the declarations name exactly what the package exports", async () => {
  const declarations = readFileSync(new URL("src/index.d.ts", folder), "utf8");
  const declared = declarations.matchAll(/^export (?:class|function) (\w+)/gm);
  assert.deepEqual([...declared].map(([, name]) => name).sort(), Object.keys(await import(description.name)).sort());
});

test("the processor is one file without imports", () => {
  assert.doesNotMatch(readFileSync(new URL("dist/processor.js", folder), "utf8"), /^\s*(import|export)\b/m);
});

test("every link of the archive's README leads to a file of the archive, or elsewhere by a whole address", (t) => {
  const place = mkdtempSync(join(tmpdir(), "archive-"));
  t.after(() => rmSync(place, { recursive: true }));
  execFileSync("tar", ["-xzf", process.env.ARCHIVE, "-C", place, "--strip-components=1"]);
  const text = readFileSync(join(place, "README.md"), "utf8"), links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
  assert.ok(links.includes("src/index.d.ts"));
  assert.deepEqual(links.filter((link) => !/^https:/.test(link) && (link.startsWith("..") || !existsSync(join(place, link)))), []);
  for (const file of ["docs/speaking-while-muted.md", "voice_activity.h"]) assert.ok(text.includes(file), `${file} has its name`);
});

test("the archive, where npm puts it, has all that a program needs to find vadmon's segments", (t) => {
  const project = mkdtempSync(join(tmpdir(), "project-")), module = join(project, "node_modules", description.name);
  t.after(() => rmSync(project, { recursive: true }));
  mkdirSync(module, { recursive: true });
  execFileSync("tar", ["-xzf", process.env.ARCHIVE, "-C", module, "--strip-components=1"]);
  writeFileSync(join(project, "segments.mjs"), `
    import { readFileSync } from "node:fs";
    import { Detector, load } from "voice-activity";
    const bytes = readFileSync(0), sampleRate = Number(process.argv[2]);
    const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const detector = new Detector(await load(), { sampleRate });
    const events = [...detector.process(samples), ...detector.flush()];
    console.log(JSON.stringify(events.map(({ position }) => position / sampleRate)));`);
  for (const name of names) {
    const recording = read(name), { samples, sampleRate } = recording;
    const input = Buffer.from(samples.buffer);
    const times = JSON.parse(execFileSync("node", [join(project, "segments.mjs"), String(sampleRate)], { input }));
    const expected = vadmonSegments(recording).flatMap(({ start, end }) => [start, end]);
    assert.deepEqual(times.map((time) => Math.round(time * 1000)), expected.map((time) => Math.round(time * 1000)), name);
  }
});
