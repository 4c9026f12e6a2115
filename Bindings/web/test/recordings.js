// The recordings of samples/, as mono 16-bit sound, and what other programs say about them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const BUILD = process.env.BUILD ?? join(ROOT, "build/web");
const VADMON = process.env.VADMON ?? join(ROOT, "build/program/bin/vadmon");
// The module has the portable body of the kernels.
const run = (program, args, input) =>
  execFileSync(program, args, { input, maxBuffer: 2 ** 28, env: { ...process.env, VA_CPU: "portable" } });

export const names = readdirSync(join(ROOT, "samples")).filter((name) => /\.(flac|wav)$/.test(name));

/** Returns the path of a recording as a mono WAV. */
export function wav(name) {
  const folder = join(BUILD, "wav"), path = join(folder, `${basename(name, extname(name))}.wav`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path)) run("sox", ["-G", join(ROOT, "samples", name), "-b", "16", "-e", "signed", "-c", "1", path]);
  return path;
}

export function read(name) {
  return { name, samples: floats(wav(name)), sampleRate: Number(run("soxi", ["-r", wav(name)])) };
}

export const resampled = ({ name }, sampleRate) =>
  ({ name, samples: floats(wav(name), ["-r", String(sampleRate)]), sampleRate });

function floats(path, options = []) {
  const bytes = run("sox", ["-G", path, "-t", "f32", ...options, "-"]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/**
 * Returns the bits of the posteriors of the native core, built by the compiler that builds the module. `beside`: as if
 * a loudspeaker played the recording too.
 */
export function nativeBits({ samples, sampleRate }, { beside = false } = {}) {
  const options = [String(sampleRate), ...(beside ? ["beside"] : [])];
  const printed = run(join(BUILD, "bits"), options, Buffer.from(samples.buffer));
  return printed.toString().trim().split("\n");
}

/** Returns the segments that vadmon finds, by default without joining them, as {start, end} in seconds. */
export function vadmonSegments({ name }, options = ["--min-silence", "0"]) {
  if (!existsSync(VADMON)) throw new Error(`${VADMON} is missing; build it with make build, or name another in VADMON`);
  const { files } = JSON.parse(run(VADMON, ["analyze", "--live", "--format", "json", ...options, wav(name)]));
  return files[0].segments.map(({ start, end }) => ({ start, end }));
}
