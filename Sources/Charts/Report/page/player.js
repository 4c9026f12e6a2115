// Plays the recording: what is embedded, the file beside this page, or the one that the reader chooses.
import { LABEL_KINDS } from './files.js';
import { bytes, printable } from './text.js';

/** Returns whether the browser can play what is at an address. */
const isSound = (url) => new Promise((resolve) => {
  const probe = new Audio();
  probe.addEventListener('loadedmetadata', () => resolve(true));
  probe.addEventListener('error', () => resolve(false));
  probe.src = url;
});

export class Player {
  #audio;
  #button;
  #state;
  #url = null;
  #wanted = null;
  /** Where the sound begins in the recording, in seconds: what is embedded is the part that was analysed. */
  #origin = 0;
  /** The file that is being tried. */
  #tried = null;
  /** Where to pause, in seconds. */
  #until = Infinity;

  constructor({ audio, button, state, file }, onMove) {
    [this.#audio, this.#button, this.#state] = [audio, button, state];
    for (const type of ['play', 'pause', 'ended']) audio.addEventListener(type, () => this.#showButton());
    for (const type of ['timeupdate', 'seeked']) audio.addEventListener(type, () => onMove(this.#time, false));
    audio.addEventListener('loadedmetadata', () => this.#isReady());
    audio.addEventListener('error', () => this.#hasFailed());
    audio.addEventListener('play', () => this.#follow(onMove));
    file.addEventListener('change', () => file.files[0] && this.choose(file.files[0]));
  }

  /** Shows a recording, without its sound until somebody wants to hear it. */
  open({ start, audio, source }) {
    this.#audio.pause();
    if (this.#url) URL.revokeObjectURL(this.#url);
    [this.#url, this.#wanted, this.#tried] = [null, null, null];
    if (audio) {
      this.#url = URL.createObjectURL(new Blob([bytes(audio)], { type: 'audio/ogg' }));
      this.#load(this.#url, 'Sound: in this page, Opus.', start);
    } else if (source) {
      this.#load(source, 'Sound: the recording beside this page.');
    } else {
      this.#audio.removeAttribute('src');
      this.#hasFailed();
    }
  }

  get isPlaying() { return !this.#audio.paused; }
  get #time() { return this.#origin + this.#audio.currentTime; }

  /** Plays from a place, now or as soon as the sound is there. */
  playFrom(time, until = Infinity) {
    this.#until = until;
    if (this.#audio.readyState === 0) {
      this.#wanted = time;
      return;
    }
    const place = Math.max(0, time - this.#origin);
    this.#audio.currentTime = Math.min(place, this.#audio.duration || place);
    // Sound that is paused, or replaced, before it begins is not a failure.
    this.#audio.play().catch((error) => {
      if (error.name !== 'AbortError') this.#state.textContent = `The sound cannot be played: ${error.message}`;
    });
  }

  toggle(time) {
    if (this.isPlaying) this.#audio.pause();
    else if (this.#wanted !== null) this.#wanted = null;
    else this.playFrom(time);
  }

  #load(url, said, origin = 0) {
    this.#origin = origin;
    this.#audio.dataset.said = said;
    this.#state.textContent = '';
    this.#audio.src = url;
  }

  #isReady() {
    this.#state.textContent = this.#audio.dataset.said;
    this.#button.disabled = false;
    if (this.#wanted !== null) this.playFrom(this.#wanted, this.#until);
    this.#wanted = null;
  }

  #hasFailed() {
    this.#state.textContent = 'To hear it, choose the recording or drop it here: a page from a disk cannot always read it.';
    this.#button.disabled = true;
  }

  /** Plays a file of the reader's. What there was stays if the browser cannot play the file. */
  async choose(file) {
    this.#tried = file;
    const url = URL.createObjectURL(file), canPlay = await isSound(url);
    if (this.#tried !== file) return URL.revokeObjectURL(url);
    if (!canPlay) {
      URL.revokeObjectURL(url);
      this.#state.textContent = `${printable(file.name)} is neither sound that this browser plays nor a file of labels (${LABEL_KINDS}).`;
      return undefined;
    }
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = url;
    return this.#load(url, `Sound: ${printable(file.name)}`);
  }

  #showButton() { this.#button.textContent = this.isPlaying ? 'Pause' : 'Play'; }

  /** Reports the place in each picture, more often than the audio element itself. */
  #follow(onMove) {
    const step = () => {
      if (!this.isPlaying) return undefined;
      if (this.#time >= this.#until) return this.#audio.pause();
      onMove(this.#time, true);
      return requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}
