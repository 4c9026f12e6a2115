// A stream that has lasted for long, in a core of 32 bits: positions are whole numbers up to 2^53.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Detector, load } from "../src/index.js";
import { read } from "./recordings.js";

const module = await load(), speech = read("speech.flac"), RATE = 16000;

/** CRC-32, bit by bit. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Returns a new stream that begins at a position. In what save() returns, that is in 8 bytes, and the hops follow. */
function startedAt(position, onHop) {
  const saved = new Detector(module, { sampleRate: RATE }).save();
  const bytes = saved.stream.slice(), view = new DataView(bytes.buffer), end = bytes.length - 4;
  view.setBigUint64(52, BigInt(position), true);
  view.setBigUint64(60, BigInt(position / 160), true);
  view.setUint32(end, crc32(bytes.subarray(0, end)), true);
  return Detector.restore(module, { ...saved, stream: bytes }, { onHop });
}

function heardFrom(start) {
  const hops = [], detector = startedAt(start, (hop) => hops.push({ ...hop, position: hop.position - start }));
  const events = [...detector.process(speech.samples), ...detector.pushGap(RATE), ...detector.process(speech.samples),
    ...detector.flush()];
  for (const { position } of events) assert.ok(Number.isSafeInteger(position));
  const moved = events.map((it) => ({ ...it, position: it.position - start, decidedAt: it.decidedAt - start }));
  return { hops, events: moved, decided: detector.status.hops - start / 160 };
}

test("a late stream is a new one, moved", () => {
  const expected = heardFrom(60 * RATE); // hops that wait for their look-ahead come first, but not at 0
  assert.ok(expected.events.length > 8);
  for (const boundary of [2 ** 31, 2 ** 32, 2 ** 32 * 160]) {
    assert.deepEqual(heardFrom((Math.floor(boundary / RATE) - 3) * RATE), expected, `${boundary}`);
  }
  const length = Math.ceil(speech.samples.length / RATE) * 2 + 2; // up to the largest that a number counts to
  assert.deepEqual(heardFrom((Math.floor(2 ** 53 / RATE) - length) * RATE), expected);
});
