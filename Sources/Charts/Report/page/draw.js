// The pictures of one lane. `lane` has left, top, width and height in pixels; `view` has start and end in seconds.
import { HOP, decibels } from './recording.js';
import { colourMap } from './colours.js';

const found = { lowest: 0, highest: 0 };

export const placeOf = (view, lane, time) => lane.left + ((time - view.start) / (view.end - view.start)) * lane.width;

export function drawWave(pen, lane, view, { peaks }, colours) {
  const middle = lane.top + lane.height / 2, scale = lane.height / 2 / Math.max(peaks.loudest, 8);
  const perPixel = (view.end - view.start) / lane.width / peaks.step;
  pen.fillStyle = colours.grid;
  pen.fillRect(lane.left, Math.round(middle), lane.width, 1);
  pen.fillStyle = colours.wave;
  for (let x = 0; x < lane.width; x++) {
    const from = view.start / peaks.step + x * perPixel;
    if (!peaks.extremes.find(from, from + perPixel, found)) continue;
    const top = middle - found.highest * scale, bottom = middle - found.lowest * scale;
    pen.fillRect(lane.left + x, top, 1, Math.max(1, bottom - top));
  }
}

export function drawSpectrogram(pen, lane, view, { spectrogram }, colours) {
  const { means, step, range } = spectrogram, map = colourMap(colours);
  const width = Math.max(1, Math.round(lane.width)), perPixel = (view.end - view.start) / width / step;
  const image = new ImageData(width, means.rows), pixels = new Uint32Array(image.data.buffer);
  for (let x = 0; x < width; x++) {
    const { values, at } = means.column(view.start / step + x * perPixel, perPixel);
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

/** Draws a value of each hop as a line from its lowest to its highest; `height` is from 0 to 1. */
function drawHops(pen, lane, view, extremes, height, colour, dashes = []) {
  const perPixel = (view.end - view.start) / lane.width / HOP, step = Math.max(1, 1 / perPixel), start = view.start / HOP;
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
  // Where a hop is wider than a pixel, a point is where a hop begins, and the line goes on to the one behind the edge.
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
  drawHops(pen, lane, view, recording.posterior, (value) => value / steps, colours.speech);
  if (!thresholds) return;
  line(thresholds.onset, colours.muted, [6, 3]);
  line(thresholds.offset, colours.muted, [2, 3]);
}

export function drawLevels(pen, lane, view, recording, colours) {
  const height = (value) => Math.max(0, (decibels(value) + 96) / 96);
  pen.fillStyle = colours.grid;
  for (const level of [-24, -48, -72])
    pen.fillRect(lane.left, Math.round(lane.top + (-level / 96) * lane.height), lane.width, 1);
  drawHops(pen, lane, view, recording.level, height, colours.level);
  drawHops(pen, lane, view, recording.floor, height, colours.floor, [6, 3]);
}

/** Draws spans in milliseconds as bars, each at least a pixel wide. Spans are in order. */
export function drawSpans(pen, lane, view, spans, colour) {
  pen.fillStyle = colour;
  let low = 0, high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle][1] / 1000 < view.start) low = middle + 1;
    else high = middle;
  }
  for (let i = low, drawn = -1; i < spans.length && spans[i][0] / 1000 <= view.end; i++) {
    const left = Math.max(lane.left, placeOf(view, lane, spans[i][0] / 1000));
    const right = Math.min(lane.left + lane.width, Math.max(placeOf(view, lane, spans[i][1] / 1000), left + 1));
    if (right <= drawn) continue; // thousands of spans may share a pixel
    const cut = left <= drawn && right - left > 3 ? 1 : 0; // where one was cut, both can be seen
    pen.fillRect(left + cut, lane.top, right - left - cut, lane.height);
    drawn = right;
  }
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
