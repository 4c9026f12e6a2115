// One channel of a recording, decoded when it is first shown.
import { bytes, characters, runs, words } from './text.js';
import { Extremes, Means } from './pyramid.js';

export const HOP = 0.01;
const LOWEST_DB = -96, DB_STEP = 1.5;

export const decibels = (value) => LOWEST_DB + value * DB_STEP;

/** Reads what vadmon has written to the element. Times count from the beginning of the file, of which a part may be shown. */
export function readRecording(element) {
  const { peaks, spectrogram, hops, ...recording } = JSON.parse(element.textContent);
  [recording.start, recording.end] = recording.samples.map((at) => at / recording.rate);
  recording.length = recording.end - recording.start;
  if (peaks) recording.peaks = readPeaks(peaks, recording.rate);
  if (spectrogram) recording.spectrogram = readSpectrogram(spectrogram, recording.rate);
  if (hops) {
    recording.posteriors = words(hops.posterior);
    recording.posterior = new Extremes(recording.posteriors);
    recording.level = hops.level && new Extremes(characters(hops.level));
    recording.floor = hops.floor && new Extremes(runs(hops.floor));
  }
  return recording;
}

/** Returns what was measured at a time, in words. */
export function valuesAt({ start, posteriors, level, floor, scores }, time, steps) {
  const hop = Math.floor((time - start) / HOP + 1e-6), found = {}, values = [];
  if (!(hop in (posteriors ?? []))) return values;
  const part = posteriors[hop] / steps;
  values.push(scores ? `score ${(scores[0] * (1 - part) + scores[1] * part).toPrecision(4)}` : `probability ${part.toFixed(3)}`);
  for (const [name, track] of [['level', level], ['noise floor', floor]])
    if (track?.find(hop, hop + 1, found)) values.push(`${name} ${decibels(found.highest).toFixed(1)} dBFS`);
  return values;
}

function readPeaks({ step, data }, rate) {
  const pairs = new Int8Array(bytes(data).buffer), count = pairs.length / 2;
  const lowest = new Int8Array(count), highest = new Int8Array(count);
  let loudest = 1;
  for (let i = 0; i < count; i++) {
    [lowest[i], highest[i]] = [pairs[2 * i], pairs[2 * i + 1]];
    loudest = Math.max(loudest, -lowest[i], highest[i]);
  }
  return { step: step / rate, loudest, extremes: new Extremes(lowest, highest) };
}

function readSpectrogram({ step, bands, highest, data }, rate) {
  const values = characters(data), counts = new Uint32Array(64);
  for (const value of values) counts[value]++;
  // Digital silence says nothing about the recording's own range.
  const heard = values.length - counts[0], quantile = (part) => {
    let left = heard * part;
    for (let value = 1; value < 64; value++) if ((left -= counts[value]) <= 0) return value;
    return 63;
  };
  const range = heard ? [quantile(0.05), Math.max(quantile(0.998), quantile(0.05) + 12)] : [0, 63];
  return { step: step / rate, highest, range, means: new Means(values, bands) };
}
