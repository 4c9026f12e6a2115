// The pictures of one lane. `lane` has left, top, width and height in pixels; `view` has start and end in seconds.
import { HOP, decibels } from './recording.js';
import { colourMap } from './colours.js';
import { countBefore } from './labels.js';

const found = { lowest: 0, highest: 0 };

export const placeOf = (view, lane, time) => lane.left + ((time - view.start) / (view.end - view.start)) * lane.width;

export function drawWave(pen, lane, view, { start, peaks }, colours) {
  const middle = lane.top + lane.height / 2, scale = lane.height / 2 / Math.max(peaks.loudest, 8);
  const perPixel = (view.end - view.start) / lane.width / peaks.step;
  pen.fillStyle = colours.grid;
  pen.fillRect(lane.left, Math.round(middle), lane.width, 1);
  pen.fillStyle = colours.wave;
  for (let x = 0; x < lane.width; x++) {
    const from = (view.start - start) / peaks.step + x * perPixel;
    if (!peaks.extremes.find(from, from + perPixel, found)) continue;
    const top = middle - found.highest * scale, bottom = middle - found.lowest * scale;
    pen.fillRect(lane.left + x, top, 1, Math.max(1, bottom - top));
  }
}

export function drawSpectrogram(pen, lane, view, { start, spectrogram }, colours) {
  const { means, step, range } = spectrogram, map = colourMap(colours);
  const width = Math.max(1, Math.round(lane.width)), perPixel = (view.end - view.start) / width / step;
  const image = new ImageData(width, means.rows), pixels = new Uint32Array(image.data.buffer);
  for (let x = 0; x < width; x++) {
    const { values, at } = means.column((view.start - start) / step + x * perPixel, perPixel);
    for (let row = 0; row < means.rows; row++) {
      const part = (values[at + row] - range[0]) / (range[1] - range[0]);
      pixels[(means.rows - 1 - row) * width + x] = map[Math.max(0, Math.min(255, Math.round(part * 255)))];
    }
  }
  const small = new OffscreenCanvas(width, means.rows);
  small.getContext('2d').putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = true;
  pen.drawImage(small, lane.left, lane.top, lane.width, lane.height);
}

/** Draws a value of each hop from `origin` on as a line from its lowest to its highest; `height` is from 0 to 1. */
function drawHops(pen, lane, view, origin, extremes, height, colour, dashes = []) {
  const perPixel = (view.end - view.start) / lane.width / HOP, step = Math.max(1, 1 / perPixel);
  const start = (view.start - origin) / HOP;
  pen.save();
  pen.beginPath();
  pen.rect(lane.left, lane.top, lane.width, lane.height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.25;
  pen.setLineDash(dashes);
  pen.lineJoin = 'round';
  pen.beginPath();
  let last = 0;
  // Where a hop is wider than a pixel, a point is where a hop begins, and the line goes on to the one past the edge.
  for (let x = step > 1 ? (Math.floor(start) - start) * step : 0; x < lane.width + step; x += step) {
    const from = start + x * perPixel + 1e-6;
    if (!extremes.find(from, from + perPixel, found)) continue;
    const y = (value) => lane.top + 1 + (lane.height - 2) * (1 - height(value));
    // From whichever is nearer to the last point, so that a rising edge rises.
    const { lowest, highest } = found, isUp = Math.abs(last - lowest) < Math.abs(last - highest);
    pen.lineTo(lane.left + x, y(isUp ? lowest : highest));
    if (lowest !== highest) pen.lineTo(lane.left + x, y(isUp ? highest : lowest));
    last = isUp ? highest : lowest;
  }
  pen.stroke();
  pen.restore();
}

/** Draws the posterior, and the two thresholds on it as dashed lines if they are known. */
export function drawPosterior(pen, lane, view, recording, colours, thresholds, steps) {
  const line = (value, colour, dashes) => {
    const y = Math.round(lane.top + 1 + (lane.height - 2) * (1 - value)) + 0.5;
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.setLineDash(dashes);
    pen.beginPath();
    pen.moveTo(lane.left, y);
    pen.lineTo(lane.left + lane.width, y);
    pen.stroke();
    pen.setLineDash([]);
  };
  line(0, colours.grid, []);
  line(1, colours.grid, []);
  drawHops(pen, lane, view, recording.start, recording.posterior, (value) => value / steps, colours.speech);
  if (!thresholds) return;
  line(thresholds.onset, colours.muted, [6, 3]);
  line(thresholds.offset, colours.muted, [2, 3]);
}

export function drawLevels(pen, lane, view, recording, colours) {
  const height = (value) => Math.max(0, (decibels(value) + 96) / 96);
  pen.fillStyle = colours.grid;
  for (const level of [-24, -48, -72])
    pen.fillRect(lane.left, Math.round(lane.top + (-level / 96) * lane.height), lane.width, 1);
  drawHops(pen, lane, view, recording.start, recording.level, height, colours.level);
  drawHops(pen, lane, view, recording.start, recording.floor, height, colours.floor, [6, 3]);
}

/** Returns the index of the first span that ends in the view or after it. Spans are in order. */
const firstInView = (spans, view) => countBefore(spans, ([, end]) => end / 1000 < view.start);

/** Draws spans in milliseconds as bars, each at least a pixel wide. Spans are in order. */
export function drawSpans(pen, lane, view, spans, colour) {
  pen.fillStyle = colour;
  for (let i = firstInView(spans, view), drawn = -1; i < spans.length && spans[i][0] / 1000 <= view.end; i++) {
    const left = Math.max(lane.left, placeOf(view, lane, spans[i][0] / 1000));
    const right = Math.min(lane.left + lane.width, Math.max(placeOf(view, lane, spans[i][1] / 1000), left + 1));
    if (right <= drawn) continue; // thousands of spans may share a pixel
    const cut = left <= drawn && right - left > 3 ? 1 : 0; // where one was cut, both can be seen
    pen.fillRect(left + cut, lane.top, right - left - cut, lane.height);
    drawn = right;
  }
}

/** Draws labels with their texts: filled if they are checked, else as a dashed frame. */
export function drawLabels(pen, lane, view, labels, colour, colours) {
  pen.save();
  pen.beginPath();
  pen.rect(lane.left, lane.top, lane.width, lane.height);
  pen.clip();
  [pen.textAlign, pen.textBaseline, pen.lineWidth] = ['left', 'middle', 1.5];
  for (let i = firstInView(labels, view), drawn = -1; i < labels.length && labels[i][0] / 1000 <= view.end; i++) {
    const [start, end, text, isChecked] = labels[i], left = placeOf(view, lane, start / 1000);
    const right = Math.max(placeOf(view, lane, end / 1000), left + 1);
    if (right <= drawn) continue;
    drawn = right;
    const place = { ...lane, left: left + 0.5, width: Math.max(0.5, right - left - 1) };
    drawLabel(pen, place, isChecked, colour, colours);
    const shown = Math.max(left, lane.left), room = Math.min(right, lane.left + lane.width) - shown - 8;
    if (text && room > 20) writeText(pen, text, shown + 4, lane.top + lane.height / 2, room, isChecked ? colours.panel : colours.ink);
  }
  pen.restore();
}

function drawLabel(pen, { left, top, width, height }, isChecked, colour, colours) {
  pen.fillStyle = isChecked || width < 5 ? colour : colours.panel;
  pen.fillRect(left, top, width, height);
  if (isChecked || width < 5) return;
  pen.strokeStyle = colour;
  pen.setLineDash([4, 3]);
  pen.strokeRect(left + 0.75, top + 0.75, width - 1.5, height - 1.5);
  pen.setLineDash([]);
}

/** Writes as much of a text as there is room for. */
function writeText(pen, text, x, y, room, colour) {
  let shown = text.slice(0, 200);
  while (shown && pen.measureText(shown).width > room) shown = `${shown.slice(0, Math.min(-2, -shown.length / 8)).trimEnd()}…`;
  if (shown.length < 2) return;
  pen.fillStyle = colour;
  pen.fillText(shown, x, y);
}

/** Draws the edges of the selected label from top to bottom, with a frame about it in its lane, as a thing to hold. */
export function drawSelection(pen, lane, view, [start, end], height, colours) {
  const [left, right] = [start, end].map((ms) => placeOf(view, lane, ms / 1000));
  pen.save();
  pen.beginPath();
  pen.rect(lane.left - 2, 0, lane.width + 4, height);
  pen.clip();
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  for (const x of [left, right]) pen.strokeRect(Math.round(x) + 0.5, lane.bottom, 0, height - lane.bottom);
  pen.lineWidth = 2.5;
  pen.strokeRect(left, lane.top, right - left, lane.height);
  pen.restore();
}

/** Draws round times, about one every hundred pixels. */
export function drawTimes(pen, lane, view, colours, clock, bottom) {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400];
  const wanted = ((view.end - view.start) / lane.width) * 100;
  const step = steps.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted / 14400) * 14400;
  const places = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (let tick = Math.ceil(view.start / step); tick * step <= view.end; tick++) {
    const x = Math.round(placeOf(view, lane, tick * step));
    pen.fillStyle = colours.grid;
    pen.fillRect(x, lane.top + lane.height - 4, 1, bottom - lane.top - lane.height + 4);
    pen.fillStyle = colours.faint;
    const text = clock(tick * step, places), half = pen.measureText(text).width / 2;
    pen.fillText(text, Math.max(lane.left + half, Math.min(lane.left + lane.width - half, x)), lane.top + lane.height / 2 - 2);
  }
}
