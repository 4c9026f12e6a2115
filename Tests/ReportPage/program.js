// vadmon, the reports that it writes, and the modules of their page.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
process.env.XDG_CONFIG_HOME = join(ROOT, "build/no-config"); // without the user's settings
const VADMON = resolve(process.env.VADMON ?? join(ROOT, "build/program/bin/vadmon"));

export const SAMPLES = readdirSync(join(ROOT, "samples")).filter((name) => /\.(flac|wav)$/.test(name)).sort();
export const sample = (name) => join(ROOT, "samples", name);

/** Runs vadmon, and returns what it writes to standard output. */
export const vadmon = (words, options = {}) =>
  execFileSync(VADMON, words, { encoding: "utf8", maxBuffer: 1 << 28, ...options });

/** Runs vadmon, whatever becomes of it. */
export const attempt = (words, options = {}) => spawnSync(VADMON, words, { encoding: "utf8", ...options });

/** Returns the segments of `--format json` in milliseconds. */
export function segments(words, options) {
  const { files } = JSON.parse(vadmon(["analyze", ...words, "--format", "json", "--quiet"], options));
  const ms = (seconds) => Math.round(seconds * 1000);
  return files.map((file) => file.segments.map(({ start, end }) => [ms(start), ms(end)]));
}

/** Returns the data elements of a report by their ids. */
export function read(page) {
  const elements = readFileSync(page, "utf8").matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs);
  return Object.fromEntries([...elements].map(([, id, text]) => [id, JSON.parse(text)]));
}

/** Imports a module of the page, and those that it imports. */
export const module = (name) => import(address(name));

/** Returns a module as an address, because Node takes a .js file for another kind of module. */
function address(name) {
  const source = readFileSync(join(ROOT, "Sources/Charts/Report/page", name), "utf8")
    .replace(/ from '\.\/([^']+)'/g, (_, other) => ` from '${address(other)}'`);
  return `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;
}

/** Makes a folder that disappears with the tests. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "report-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Returns numbers from 0 to 1 (mulberry32), the same in each run. */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Waits for a file, at most 15 s, and returns its path. */
export async function arrived(folder, pattern) {
  for (const end = Date.now() + 15000; Date.now() < end;) {
    const name = readdirSync(folder).find((name) => pattern.test(name));
    if (name) return join(folder, name);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no ${pattern} in ${folder} within 15 s`);
}
