// What the browser keeps of labels between visits, for each recording of this page. A browser may refuse it.

const key = ({ file, channel, samples }) => `vadmon-labels ${location.pathname} ${file} ${channel ?? ''} ${samples}`;

/** Keeps labels, and returns whether the browser does. */
export function keepLabels(recording, document) {
  try {
    localStorage.setItem(key(recording), JSON.stringify(document));
    return true;
  } catch {
    return false;
  }
}

/** Returns the labels that were kept, or null. */
export function keptLabels(recording) {
  try {
    const { labels, muted } = JSON.parse(localStorage.getItem(key(recording)));
    return Array.isArray(labels) && Array.isArray(muted) ? { labels, muted } : null;
  } catch { // none, or no storage
    return null;
  }
}
