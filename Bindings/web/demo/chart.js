const SECONDS = 10, STEP_MS = 50, COLUMNS = (SECONDS * 1000) / STEP_MS;
const QUIETEST_DBFS = -80;

/** Draws the last ten seconds, the newest at the right. */
export class Chart {
  #canvas;
  #pen;
  #points = [];
  #isWaiting = false;
  #slow = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(canvas) {
    this.#canvas = canvas;
    this.#pen = canvas.getContext("2d");
    new ResizeObserver(() => this.#draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
  }

  add(point) {
    this.#points.push(point);
    if (this.#points.length > COLUMNS) this.#points.shift();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const draw = () => {
      this.#isWaiting = false;
      this.#draw();
    };
    // Who asked for less motion sees a new picture each second.
    if (this.#slow.matches) setTimeout(draw, 1000);
    else requestAnimationFrame(draw);
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas, scale = devicePixelRatio;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    this.#pen.scale(scale, scale);
    const style = getComputedStyle(this.#canvas), colour = (name) => style.getPropertyValue(`--${name}`);
    const column = width / COLUMNS, first = COLUMNS - this.#points.length;
    const bar = (i, top, name) => {
      this.#pen.fillStyle = colour(name);
      const left = Math.round((first + i) * column), right = Math.round((first + i + 1) * column); // without seams
      this.#pen.fillRect(left, top, right - left, height - top);
    };
    this.#points.forEach(({ levelDbfs, isSpeech, isMutedSpeech }, i) => {
      if (isSpeech || isMutedSpeech) bar(i, 0, isMutedSpeech ? "muted" : "speech");
      bar(i, height * Math.min(1, levelDbfs / QUIETEST_DBFS), "level");
    });
    this.#pen.strokeStyle = colour("probability");
    this.#pen.lineWidth = 2;
    this.#pen.beginPath();
    this.#points.forEach(({ posterior }, i) =>
      this.#pen.lineTo((first + i + 0.5) * column, 2 + (height - 4) * (1 - posterior)));
    this.#pen.stroke();
  }
}
