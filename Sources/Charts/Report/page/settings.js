// The sliders, and the command line that would give what they show.
import { shellWord } from './text.js';

const SLIDERS = [
  { key: 'onset', name: 'onset_threshold', option: '--onset-threshold', label: 'Onset threshold', most: 0.99 },
  { key: 'offset', name: 'offset_threshold', option: '--offset-threshold', label: 'Offset threshold', most: 0.99 },
  { key: 'debounceMs', name: 'onset_debounce_ms', option: '--onset-debounce', label: 'Onset debounce', most: 500 },
  { key: 'hangoverMs', name: 'hangover_ms', option: '--hangover', label: 'Hangover', most: 2000 },
  { key: 'minSilenceMs', name: 'min_silence_ms', option: '--min-silence', label: 'Join across silence below', most: 2000 },
  { key: 'minSpeechMs', name: 'min_speech_ms', option: '--min-speech', label: 'Omit speech below', most: 2000 },
  { key: 'padMs', name: 'pad_ms', option: '--pad', label: 'Pad', most: 1000 },
];
const isThreshold = (key) => key === 'onset' || key === 'offset';

export class Settings extends EventTarget {
  #run;
  #defaults;
  #fixed;
  #part;
  #grid;
  #form;

  /** `configuration` is the run's; `defaults` those of its preset; `fixed` the other words of its command line. */
  constructor(form, { configuration, defaults, fixed, grid }) {
    super();
    [this.#form, this.#fixed, this.#grid] = [form, fixed, grid];
    this.#part = ['from', 'to'].map((edge) => [`--${edge}`, configuration[`${edge}_ms`]])
      .flatMap(([option, ms]) => (ms ? [option, `${ms}ms`] : []));
    const take = (values) => Object.fromEntries(SLIDERS.map(({ key, name }) => [key, values[name]]));
    [this.#run, this.#defaults] = [take(configuration), take(defaults)];
    for (const slider of SLIDERS) form.append(this.#row(slider));
    this.reset();
  }

  get isChanged() { return SLIDERS.some(({ key }) => this.values[key] !== this.#run[key]); }

  reset() {
    this.values = { ...this.#run };
    this.#show();
  }

  set(key, value) {
    this.values[key] = value;
    if (key === 'onset') this.values.offset = Math.min(this.values.offset, value);
    if (key === 'offset') this.values.onset = Math.max(this.values.onset, value);
    this.#show();
  }

  /** The settings with the thresholds as numbers of the posteriors' grid. */
  get onGrid() {
    const { steps, onset, offset } = this.#grid, { values } = this;
    const place = (value) => (value === this.#run.onset ? onset
      : value === this.#run.offset ? offset : Math.round(value * steps));
    return { ...values, onset: place(values.onset), offset: place(values.offset) };
  }

  /** The command line for a recording, with only what differs from the defaults. */
  command(file) {
    const words = ['vadmon', 'analyze', ...(file.startsWith('-') && file !== '-' ? [`./${file}`] : [file]), ...this.#part, ...this.#fixed];
    const { values } = this, differs = (key) => values[key] !== this.#defaults[key];
    for (const { key, option } of SLIDERS) {
      // Without an offset threshold of its own, vadmon moves it together with the onset threshold.
      if (!differs(key) && !(key === 'offset' && differs('onset'))) continue;
      words.push(option, isThreshold(key) ? String(values[key]) : `${values[key]}ms`);
    }
    return words.map(shellWord).join(' ');
  }

  #row({ key, label, most }) {
    const row = document.createElement('label'), input = document.createElement('input');
    const output = document.createElement('span'), name = document.createElement('span');
    name.textContent = label;
    const [least, step] = isThreshold(key) ? [0.01, 0.005] : [0, 10];
    Object.assign(input, { type: 'range', min: least, max: Math.max(most, this.#run[key]), step, name: key });
    output.id = `value-${key}`;
    output.ariaHidden = 'true'; // the slider itself says it
    input.ariaLabel = label;
    input.addEventListener('input', () => this.set(key, Number(input.value)));
    row.append(name, output, input);
    return row;
  }

  #show() {
    for (const { key } of SLIDERS) {
      const input = this.#form.elements[key], output = this.#form.querySelector(`#value-${key}`);
      input.value = this.values[key];
      output.textContent = isThreshold(key) ? String(this.values[key]) : `${this.values[key]} ms`;
      output.classList.toggle('changed', this.values[key] !== this.#run[key]);
      input.setAttribute('aria-valuetext', output.textContent);
    }
    this.dispatchEvent(new Event('change'));
  }
}
