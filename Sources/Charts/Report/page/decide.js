// The detector's decisions from its posteriors (hysteresis.c), and the shaping of segments (vadmon's --pad,
// --min-speech, --min-silence). This is the only second copy of these rules: compiled C in the page would be a binary that
// depends on the compiler, larger than this file. make report proves them equal to vadmon's.

export const HOP_MS = 10;
const HOPS_PER_SECOND = 100, RISE_HOPS = 20;

/** Returns speech as pairs of hops: the onset, and the end of the last hop at or above the offset threshold. */
export function decide(posteriors, { onset, offset, debounceMs, hangoverMs }) {
  const hops = (ms) => Math.max(1, Math.ceil(ms / HOP_MS));
  const debounce = hops(debounceMs), hangover = hops(hangoverMs), speech = [];
  let isSpeech = false, run = 0, start = 0, end = 0;
  for (let hop = 0; hop < posteriors.length; hop++) {
    const posterior = posteriors[hop];
    if (isSpeech) {
      if (posterior >= offset) {
        end = hop + 1;
        run = 0;
      } else if (++run >= hangover) {
        speech.push([start, end]);
        isSpeech = false;
        run = 0;
      }
      continue;
    }
    // A word begins where the posterior rises, at most 200 ms before it has risen enough to be sure.
    if (posterior < offset) start = hop + 1;
    else if (start < end) start = hop;
    if (posterior < onset) {
      run = 0;
      continue;
    }
    if (run === 0) start = Math.max(start, hop - RISE_HOPS);
    if (++run < debounce) continue;
    isSpeech = true;
    run = 0;
    end = hop + 1;
  }
  if (isSpeech) speech.push([start, end]);
  return speech;
}

/** The first sample of a hop. */
export function hopStart(rate, hop) {
  return Math.floor(hop / HOPS_PER_SECOND) * rate + Math.ceil(((hop % HOPS_PER_SECOND) * rate) / HOPS_PER_SECOND);
}

/** The sample nearest to a time, and the time nearest to a sample; halves up. */
export const samplesOf = (ms, rate) => Math.floor(ms / 1000) * rate + Math.floor(((ms % 1000) * rate + 500) / 1000);
export const millisecondsOf = (samples, rate) =>
  Math.floor(samples / rate) * 1000 + Math.floor(((samples % rate) * 1000 + Math.floor(rate / 2)) / rate);

/** Joins, drops and pads speech, in samples. */
export function shape(spans, { padMs, minSpeechMs, minSilenceMs }, rate, length) {
  const [pad, minSpeech, minSilence] = [padMs, minSpeechMs, minSilenceMs].map((ms) => samplesOf(ms, rate));
  const joined = [];
  for (const [start, end] of spans) {
    const last = joined.at(-1);
    if (last && start < last[1] + minSilence) last[1] = end;
    else joined.push([start, end]);
  }
  const shaped = [];
  for (const [start, end] of joined) {
    if (end - start < minSpeech) continue;
    const last = shaped.at(-1), padded = [Math.max(0, start - pad), end + pad];
    if (last && padded[0] < last[1]) last[1] = padded[1];
    else shaped.push(padded);
  }
  const last = shaped.at(-1);
  if (last) last[1] = Math.min(last[1], length);
  return shaped;
}

/** Returns the segments of a recording, of which a part may be analysed, as pairs of milliseconds, as vadmon reports them. */
export function decideSegments({ posteriors, rate, samples: [first, end] }, settings) {
  const spans = decide(posteriors, settings).map((span) => span.map((hop) => hopStart(rate, hop)));
  return shape(spans, settings, rate, end - first).map((span) => span.map((at) => millisecondsOf(first + at, rate)));
}
