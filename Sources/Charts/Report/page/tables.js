// Tables and texts beside the pictures.
import { clock, csvField, seconds } from './text.js';

/** Puts rows in place of those of a table. An argument for each would overflow the stack from some 120,000 on. */
export function fill(body, rows) {
  body.replaceChildren();
  for (const row of rows) body.append(row);
}

export const element = (name, text = '', properties = {}) =>
  Object.assign(document.createElement(name), { textContent: text, ...properties });

/** Fills the table of segments: speech, and what else was found, in the order of time. */
export function fillSegments(table, rows, link) {
  const body = rows.map((row, index) => {
    const line = element('tr'), start = element('td', '', { className: 'number' }), what = element('td');
    what.append(element('div', row.what));
    start.append(element('a', clock(row.start / 1000), { href: link(row.start / 1000) }));
    line.append(element('td', String(index + 1), { className: 'number' }), start,
      element('td', clock(row.end / 1000), { className: 'number' }),
      element('td', `${seconds(row.end - row.start)} s`, { className: 'number' }), what);
    return line;
  });
  if (!body.length) body.push(element('tr'));
  if (!rows.length) body[0].append(element('td', 'No speech.', { colSpan: 5 }));
  fill(table.tBodies[0], body);
}

export const segmentsCSV = (file, rows) => ['file,start,end,what',
  ...rows.map(({ start, end, what }) => [file, seconds(start), seconds(end), what].map(csvField).join(',')), ''].join('\r\n');

/** Fills the summary with pairs of a term and its value, and perhaps a remark. */
export function fillSummary(list, entries) {
  list.replaceChildren(...entries.map(([term, value, remark]) => {
    const entry = element('div'), shown = element('dd', value);
    if (remark) shown.append(' ', element('small', remark));
    entry.append(element('dt', term), shown);
    return entry;
  }));
}

export function fillWarnings(list, warnings) {
  list.hidden = warnings.length === 0;
  list.replaceChildren(...warnings.map((warning) => element('li', warning)));
}

/** Fills a table of rows; the first one is the heading. */
export function fillFigures(table, [heading, ...rows]) {
  const line = (texts, name) => {
    const row = element('tr');
    row.append(...texts.map((text, index) => (index === 0 || name === 'th'
      ? element('th', text, { scope: name === 'th' ? 'col' : 'row', className: index ? 'number' : '' })
      : element('td', text, { className: 'number' }))));
    return row;
  };
  table.tHead.replaceChildren(line(heading, 'th'));
  fill(table.tBodies[0], rows.map((row) => line(row, 'td')));
}

export function fillConfiguration(table, settings) {
  table.tBodies[0].replaceChildren(...Object.entries(settings).map(([name, value]) => {
    const line = element('tr');
    line.append(element('th', name, { scope: 'row' }), element('td', typeof value === 'string' ? value : JSON.stringify(value)));
    return line;
  }));
}

export const share = (part, whole) => (whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : '');
