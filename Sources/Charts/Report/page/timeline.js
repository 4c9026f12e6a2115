// The lanes under each other, drawn when something has changed.
import {
  drawLabels, drawLevels, drawPosterior, drawSelection, drawSpans, drawSpectrogram, drawTimes, drawWave, placeOf,
} from './draw.js';
import { TIERS } from './editor.js';
import { clock } from './text.js';
import { readColours } from './colours.js';

const GUTTER = 92, SPACE = 8, RULER = 22, BAR = 12, TIER = 30, NARROW = 640;
const gutter = (width) => (width < NARROW ? 0 : GUTTER);

/** Prepares a canvas for a size, and returns its pen. */
function prepare(canvas, width, height, scale = devicePixelRatio) {
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.font = '12px system-ui, sans-serif';
  return pen;
}

export class Timeline {
  #canvas;
  #overview;
  #state;
  #isWaiting = false;
  /** Where the tiers were drawn: tier, top and bottom. */
  #tiers = [];

  /** `state` has recording, view, settings, steps, segments, changed and cursor, and an editor while labels are edited. */
  constructor(canvas, overview, state) {
    [this.#canvas, this.#overview, this.#state] = [canvas, overview, state];
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  get left() { return gutter(this.#canvas.clientWidth); }

  timeAt(x) {
    const { view } = this.#state, width = this.#canvas.clientWidth - this.left;
    return view.within(view.start + ((x - this.left) / width) * view.length);
  }

  /** The seconds of a pixel. */
  get perPixel() { return this.#state.view.length / (this.#canvas.clientWidth - this.left); }

  /** The tier that is drawn at a height, if there is any. */
  tierAt(y) { return this.#tiers.find(({ top, bottom }) => y >= top && y < bottom)?.tier; }

  draw() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (!this.#state.recording || !this.#canvas.clientWidth) return;
    const colours = readColours(), canvas = this.#canvas;
    this.#tiers = this.#drawLanes(colours, canvas.clientWidth, (height) => {
      canvas.style.height = `${height}px`;
      return prepare(canvas, canvas.clientWidth, height);
    });
    this.#drawOverview(colours);
  }

  /** Draws the lanes on a canvas that need not be on the screen. */
  drawOn(canvas, width, scale) {
    this.#drawLanes(readColours(), width, (height) => prepare(canvas, width, height, scale));
  }

  /** What there is to draw: the name of each lane, its height, and its picture. */
  #lanes(colours) {
    const { recording, view, settings, steps, segments, changed, editor } = this.#state, lanes = [];
    const add = (name, height, draw, keys = []) => lanes.push({ name, height, draw, keys });
    const scale = (text) => ({ text, colour: colours.faint });
    const bars = (name, spans, colour) => spans?.length &&
      add(name, BAR, (pen, lane) => drawSpans(pen, lane, view, spans, colour));
    if (recording.peaks) add('Waveform', 112, (pen, lane) => drawWave(pen, lane, view, recording, colours));
    if (editor) lanes.push(...this.#tierLanes(colours));
    else bars('Labels', recording.labels, colours.label);
    bars(recording.labels || editor ? 'Detected' : changed ? 'As analysed' : 'Speech', segments.found, colours.speech);
    bars('Against', recording.against, colours.new);
    if (changed) bars('What if', segments.now, colours.new);
    bars('Missed', recording.missed, colours.muted);
    bars('False alarms', recording.falseAlarms, colours.clip);
    bars('While muted', recording.muted, colours.muted);
    bars('Echo', recording.echo, colours.echo);
    bars('Missing', recording.gaps, colours.gap);
    bars('Clipped', recording.clipped, colours.clip);
    if (recording.spectrogram)
      add('Spectrogram', 120, (pen, lane) => drawSpectrogram(pen, lane, view, recording, colours),
        [scale(`mel, to ${recording.spectrogram.highest / 1000} kHz`)]);
    if (recording.posterior)
      add(recording.scores ? 'Score' : 'Probability', 88,
        (pen, lane) => drawPosterior(pen, lane, view, recording, colours, settings, steps),
        [scale((recording.scores ?? [0, 1]).map((score) => Number(score.toPrecision(3))).join(' to ')),
          ...(settings ? [{ text: '– – onset', colour: colours.muted }, { text: '· · · offset', colour: colours.muted }] : [])]);
    if (recording.level) add('Level', 64, (pen, lane) => drawLevels(pen, lane, view, recording, colours),
      [scale('0 to −96 dB'), { text: '– – noise floor', colour: colours.floor }]);
    return lanes;
  }

  /** The lanes of the tiers that are edited. */
  #tierLanes(colours) {
    const { editor, view } = this.#state;
    return editor.tiers.map((tier) => ({
      name: TIERS[tier], height: TIER, tier, keys: [],
      draw: (pen, lane) => {
        pen.fillStyle = colours.grid;
        pen.fillRect(lane.left, lane.top, lane.width, lane.height);
        drawLabels(pen, lane, view, editor.labelsOf(tier), tier === 'labels' ? colours.label : colours.muted, colours);
      },
    }));
  }

  /** What shades the tall lanes: the labels that are edited, or else what was found. */
  get #shades() {
    const { segments, changed, editor } = this.#state;
    return editor ? editor.labels : changed ? segments.now : segments.found;
  }

  /** `paper` returns a pen for a height. Returns where the tiers are. */
  #drawLanes(colours, width, paper) {
    const { view } = this.#state, lanes = this.#lanes(colours), left = gutter(width), isNarrow = left === 0, tiers = [];
    const room = (lane) => lane.height + SPACE + (isNarrow ? 14 : 0);
    const height = RULER + lanes.reduce((sum, lane) => sum + room(lane), 0);
    const pen = paper(height), across = { left, width: width - left };
    drawTimes(pen, { ...across, top: 0, height: RULER }, view, colours, clock, height);
    let top = RULER;
    for (const lane of lanes) {
      this.#drawNames(pen, lane, top, colours, left);
      top += isNarrow ? 14 : 0;
      const place = { ...across, top, height: lane.height };
      lane.draw(pen, place);
      if (lane.tier) tiers.push({ tier: lane.tier, top, bottom: top + lane.height });
      else if (lane.height > BAR && lane.name !== 'Spectrogram') drawSpans(pen, place, view, this.#shades, colours.shade);
      top += lane.height + SPACE;
    }
    this.#drawHold(pen, across, tiers, height, colours);
    this.#drawCursor(pen, across, height, colours);
    return tiers;
  }

  /** Draws the label that is selected, and the one that is being added. */
  #drawHold(pen, across, tiers, height, colours) {
    const { editor, view, cursor } = this.#state, place = tiers.find(({ tier }) => tier === editor?.tier);
    if (!place || cursor < 0) return; // paper has none
    const lane = { ...across, ...place, height: place.bottom - place.top };
    if (editor.label) drawSelection(pen, lane, view, editor.label, height, colours);
    if (editor.anchor === null) return;
    const span = [editor.anchor, Math.round(cursor * 1000)].sort((a, b) => a - b);
    drawSelection(pen, lane, view, span, height, { ...colours, ink: colours.cursor });
  }

  /** Writes the name of a lane and the keys of its lines: beside it or, where there is little room, above it. */
  #drawNames(pen, { name, height, keys }, top, colours, left) {
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    let [x, y] = [0, top + (left ? Math.min(height / 2, 10) : 6)];
    for (const { text, colour } of [{ text: name, colour: colours.faint }, ...keys]) {
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
      if (left) y += 16;
      else x += pen.measureText(text).width + 12;
    }
  }

  #drawCursor(pen, across, height, colours) {
    const { view, cursor } = this.#state;
    if (cursor < view.start || cursor > view.end) return;
    pen.fillStyle = colours.cursor;
    pen.fillRect(Math.min(placeOf(view, across, cursor), across.left + across.width - 1.5) - 0.75, RULER - 6, 1.5, height);
  }

  #drawOverview(colours) {
    const { recording, view, changed, editor, cursor } = this.#state;
    const { clientWidth: width, clientHeight: height } = this.#overview, pen = prepare(this.#overview, width, height);
    const lane = { left: this.left, top: 0, width: width - this.left, height: height - 7 };
    const { whole } = view;
    if (recording.peaks) drawWave(pen, lane, whole, recording, { ...colours, grid: 'transparent' });
    drawSpans(pen, { ...lane, top: height - 6, height: 5 }, whole, this.#shades,
      editor ? colours.label : changed ? colours.new : colours.speech);
    pen.fillStyle = colours.cursor;
    pen.fillRect(placeOf(whole, lane, cursor) - 0.75, 0, 1.5, height);
    if (view.isWhole) return;
    const left = placeOf(whole, lane, view.start), right = Math.max(placeOf(whole, lane, view.end), left + 3);
    pen.globalAlpha = 0.6;
    pen.fillStyle = colours.page;
    pen.fillRect(lane.left, 0, left - lane.left, height);
    pen.fillRect(right, 0, lane.left + lane.width - right, height);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.faint;
    pen.strokeRect(left + 0.5, 0.5, right - left - 1, height - 1);
  }
}
