// The list of recordings, which a reader can sort and search.
import { clock, commonFolder } from './text.js';
import { element, fill, share } from './tables.js';

/** What each column sorts by. */
const KEYS = [({ title }) => title, (row) => row.duration_ms, (row) => row.speech_ms / (row.duration_ms || 1),
  ({ segments }) => segments, ({ note }) => note];

export class RecordingList {
  #body;
  #headings;
  #rows;

  constructor(table, search, matches, recordings) {
    const folder = commonFolder(recordings.map(({ title }) => title));
    this.#body = table.tBodies[0];
    this.#headings = [...table.tHead.rows[0].cells];
    this.#rows = recordings.map((recording, index) => ({ recording, number: index + 1, line: this.#line(recording, index, folder) }));
    for (const [column, heading] of this.#headings.entries())
      heading.firstChild.addEventListener('click', () => this.#sort(column));
    search.addEventListener('input', () => { matches.textContent = this.#find(search.value); });
    this.#show(this.#rows);
  }

  /** The numbers of the recordings that are in the list, in its order. */
  get numbers() {
    return [...this.#body.rows].filter(({ hidden }) => !hidden).map((line) => this.#rows.find((row) => row.line === line).number);
  }

  /** Marks the recording that is shown. */
  mark(number) {
    for (const row of this.#rows) {
      row.line.classList.toggle('current', row.number === number);
      row.line.cells[0].firstChild.toggleAttribute('aria-current', row.number === number);
    }
  }

  #line(recording, index, folder) {
    const line = element('tr'), name = element('td'), number = (text) => element('td', text, { className: 'number' });
    name.append(element('a', recording.title.slice(folder), { href: `#r=${index + 1}` }));
    const { duration_ms, speech_ms, segments, failed } = recording;
    const numbers = failed ? ['', '', ''] : [clock(duration_ms / 1000), share(speech_ms, duration_ms), String(segments)];
    line.append(name, ...numbers.map(number), element('td', recording.note));
    return line;
  }

  /** Sorts by a column: rising, then falling, then in the order of the run, which in a comparison is by errors. */
  #sort(column) {
    const heading = this.#headings[column];
    const order = { null: 'ascending', ascending: 'descending', descending: null }[heading.ariaSort];
    for (const other of this.#headings) other.ariaSort = null;
    heading.ariaSort = order;
    const { compare } = new Intl.Collator(undefined, { numeric: true }), key = ({ recording }) => KEYS[column](recording);
    const direction = order === 'ascending' ? 1 : -1;
    this.#show(order === null ? this.#rows : this.#rows.toSorted((a, b) =>
      direction * (typeof key(a) === 'string' ? compare(key(a), key(b)) : key(a) - key(b))));
  }

  #show(rows) { fill(this.#body, rows.map(({ line }) => line)); }

  /** Hides recordings without the text in their names and notes, and returns how many are left. */
  #find(text) {
    const words = text.toLowerCase();
    for (const { line, recording } of this.#rows) line.hidden = !`${recording.title}\n${recording.note}`.toLowerCase().includes(words);
    const count = this.#rows.filter(({ line }) => !line.hidden).length;
    if (!words) return '';
    return count ? `${count} of ${this.#rows.length}` : 'No recording has this in its name or notes';
  }
}
