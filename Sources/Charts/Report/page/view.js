// The part of the recording that is in view, in seconds.

const SHORTEST = 0.05;

export class View extends EventTarget {
  /** `first` and `last` are the ends of what can be shown. */
  constructor(first, last) {
    super();
    [this.first, this.last] = [first, Math.max(last, first + SHORTEST)];
    [this.start, this.end] = [this.first, this.last];
  }

  get length() { return this.end - this.start; }
  get duration() { return this.last - this.first; }
  get isWhole() { return this.length >= this.duration; }
  get whole() { return { start: this.first, end: this.last }; }

  /** The nearest place that can be shown. */
  within(time) { return Math.max(this.first, Math.min(this.last, time)); }

  show(start, end) {
    const length = Math.min(this.duration, Math.max(SHORTEST, end - start));
    this.start = Math.max(this.first, Math.min(this.last - length, start + (end - start - length) / 2));
    this.end = this.start + length;
    this.dispatchEvent(new Event('change'));
  }

  fit() { this.show(this.first, this.last); }
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
