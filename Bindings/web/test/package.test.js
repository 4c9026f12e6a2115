import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

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
