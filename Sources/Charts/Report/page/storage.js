// What the browser keeps of labels between visits, for each recording of this page. A browser may refuse it.

const isLabel = (label) => Array.isArray(label) && Number.isInteger(label[0]) && Number.isInteger(label[1])
  && label[0] < label[1] && typeof label[2] === 'string' && typeof label[3] === 'boolean';
const isTier = (tier) => Array.isArray(tier) && tier.every((label, index) =>
  isLabel(label) && label[0] >= (tier[index - 1]?.[1] ?? 0));

/** Returns the tiers of a text, or null if it is damaged. */
function tiersOf(text) {
  try {
    const { labels, muted } = JSON.parse(text);
    return isTier(labels) && isTier(muted) ? { labels, muted } : null;
  } catch {
    return null;
  }
}

/** The labels of one recording in the browser's storage, which all tabs of a page share. */
export class KeptLabels {
  #key;
  /** What this tab has read or written last. */
  #text = null;
  /** Whether another tab has kept other labels since then. */
  isOvertaken = false;
  /** Where a damaged text was put, if there was one. */
  damaged = null;

  constructor({ file, channel, samples }) {
    this.#key = `vadmon-labels ${location.pathname} ${file} ${channel ?? ''} ${samples}`;
  }

  /** Returns the labels that were kept, or null. */
  read() {
    try {
      const text = localStorage.getItem(this.#key), tiers = tiersOf(text);
      if (text !== null && !tiers) this.#putAside(text);
      else this.#text = text;
      return tiers;
    } catch { // no storage
      return null;
    }
  }

  #putAside(text) {
    const key = `${this.#key} damaged ${new Date().toISOString()}`;
    localStorage.setItem(key, text);
    localStorage.removeItem(this.#key);
    this.damaged = key;
  }

  /** Keeps labels, and returns whether the browser does. What another tab has kept stays. */
  write(tiers) {
    try {
      const text = JSON.stringify(tiers);
      this.#compare(localStorage.getItem(this.#key), text);
      if (this.isOvertaken) return false;
      localStorage.setItem(this.#key, text);
      this.#text = text;
      return true;
    } catch {
      return false;
    }
  }

  /** Takes the news of another tab, and returns whether they are of this recording. */
  follow({ key, newValue }) {
    if (key === this.#key) this.#compare(newValue, this.#text);
    return key === this.#key;
  }

  #compare(stored, own) { this.isOvertaken = stored !== null && stored !== this.#text && stored !== own; }
}
