// The part of the recording that is in view, in seconds.

const SHORTEST = 0.05;

export class View extends EventTarget {
  constructor(duration) {
    super();
    this.duration = Math.max(duration, SHORTEST);
    [this.start, this.end] = [0, this.duration];
  }

  get length() { return this.end - this.start; }
  get isWhole() { return this.length >= this.duration; }

  show(start, end) {
    const length = Math.min(this.duration, Math.max(SHORTEST, end - start));
    this.start = Math.max(0, Math.min(this.duration - length, start + (end - start - length) / 2));
    this.end = this.start + length;
    this.dispatchEvent(new Event('change'));
  }

  fit() { this.show(0, this.duration); }
  pan(seconds) { this.show(this.start + seconds, this.end + seconds); }

  /** Makes the view `factor` times as long, and keeps the place `at` where it is. */
  zoom(factor, at = (this.start + this.end) / 2) {
    const length = Math.min(this.duration, Math.max(SHORTEST, this.length * factor));
    const start = at - ((at - this.start) / this.length) * length;
    this.show(start, start + length);
  }

  /** Brings a span into view: moves to it, and zooms in if it would be hard to see. */
  reveal(start, end = start) {
    const wanted = Math.min(this.length, Math.max(10, (end - start) * 2));
    const isSmall = end > start && end - start < this.length / 50;
    if (!isSmall && start >= this.start && end <= this.end) return this.dispatchEvent(new Event('change'));
    const length = isSmall || end - start > this.length ? Math.max(wanted, (end - start) * 1.2) : this.length;
    const middle = (start + end) / 2;
    return this.show(middle - length / 2, middle + length / 2);
  }
}
