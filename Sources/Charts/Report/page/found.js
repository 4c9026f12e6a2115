// What a file of labels says, as it is found.
import { MUTED, MUTED_SPEAKER, SILENCE, SPEECH, isSilence, meaningOf, recordingID } from './formats.js';

/** The texts with which vadmon names channels where a format has no other place for them. */
export const NAMED_CHANNELS = new RegExp(`^((?:${SPEECH}|${SILENCE}|${MUTED})) \\(channels? (\\d+(?:, \\d+)*)\\)$`);

/** What a file says of a recording: its labels, how many entries are not speech, and the channels whose labels are left out. */
export class Recording {
  /** The name in the file, if it has an extension or folders. */
  file;
  labels = [];
  muted = [];
  omitted = 0;
  elsewhere = new Set();
  /** Why there is no result of it, and what else is to be known, in words. */
  failure = '';
  remarks = [];
  hasChannels = false;

  get hasLabels() { return this.elsewhere.size + this.labels.length + this.muted.length > 0; }
}

/** What a file says of each recording. */
export class Found {
  recordings = new Map();
  #silence;
  #channel;

  constructor(silence, channel) { [this.#silence, this.#channel] = [silence, channel]; }

  of(id) {
    if (!this.recordings.has(id)) this.recordings.set(id, new Recording());
    return this.recordings.get(id);
  }

  /** Returns the ID of a file, whose recording it declares. */
  declare(file) {
    const id = recordingID(file), recording = this.of(id);
    recording.file ??= file;
    if (recording.file !== file) throw new Error(`${recording.file} and ${file} are both called ${id}: open a file for each folder.`);
    return id;
  }

  /** Adds a label whose text says what it is; `channels` is empty if the format has no place for them. */
  add(id, [start, end], words, channels = [], isChecked = false) {
    const [, bare, numbers] = (this.#channel && NAMED_CHANNELS.exec(words)) || [];
    if (numbers) return this.add(id, [start, end], bare, numbers.split(', ').map(Number), isChecked);
    const { isMuted, text } = meaningOf(words);
    const tier = isSilence(text, this.#silence) ? 'omitted' : isMuted ? 'muted' : 'labels';
    return this.put(id, tier, [start, end, text, isChecked], channels);
  }

  /** Returns whether a text is neither a mark of silence nor vadmon's own for muted speech. */
  isSpeech(words) {
    const { isMuted, text } = meaningOf(words);
    return !isMuted && !isSilence(text, this.#silence);
  }

  /** Adds a label of a format that has another word for what it is: `type` is that of a table. */
  addTyped(id, type, times, words, channels, isChecked) {
    if (type === 'gap' || type === SILENCE) this.put(id, 'omitted', null, channels);
    else if (type === MUTED_SPEAKER) this.put(id, 'muted', [...times, meaningOf(words).text, isChecked], channels);
    else this.add(id, times, words, channels, isChecked);
  }

  /** Adds a label to a tier, unless it has no length, or is on other channels. */
  put(id, tier, label, channels) {
    const recording = this.of(id);
    recording.hasChannels ||= channels.length > 0;
    if (this.#channel && channels.length && !channels.includes(this.#channel))
      for (const channel of channels) recording.elsewhere.add(channel);
    else if (tier === 'omitted' || label[0] === label[1]) recording.omitted += 1;
    else recording[tier].push(label);
  }
}
