// Summaries over 2, 4, 8 … neighbours, so that a picture costs as much as it has pixels.

/** The lowest and highest value of any range. */
export class Extremes {
  #levels;

  constructor(lowest, highest = lowest) {
    this.#levels = [{ lowest, highest }];
    for (let last = this.#levels[0]; last.lowest.length > 1; last = this.#levels.at(-1))
      this.#levels.push(halve(last));
  }

  /** Writes the extremes from `from` up to but not including `to` to `found`; false if there is nothing. */
  find(from, to, found) {
    const count = this.#levels[0].lowest.length, first = Math.max(0, Math.floor(from));
    const last = Math.min(count, Math.max(Math.ceil(to), first + 1));
    if (first >= last) return false;
    // At this level there are at most nine values to look at; the range grows by less than an eighth.
    const level = Math.max(0, Math.floor(Math.log2((last - first) / 8)));
    const { lowest, highest } = this.#levels[level];
    [found.lowest, found.highest] = [Infinity, -Infinity];
    for (let i = first >> level; i <= (last - 1) >> level; i++) {
      if (lowest[i] < found.lowest) found.lowest = lowest[i];
      if (highest[i] > found.highest) found.highest = highest[i];
    }
    return true;
  }
}

function halve({ lowest, highest }) {
  const count = lowest.length, half = Math.ceil(count / 2), Numbers = lowest.constructor;
  const low = new Numbers(half), high = new Numbers(half);
  for (let i = 0; i < half; i++) {
    const first = 2 * i, second = Math.min(first + 1, count - 1);
    low[i] = lowest[first] < lowest[second] ? lowest[first] : lowest[second];
    high[i] = highest[first] > highest[second] ? highest[first] : highest[second];
  }
  return { lowest: low, highest: high };
}

/** Means of columns of `rows` values each. */
export class Means {
  #levels;

  constructor(values, rows) {
    this.rows = rows;
    this.#levels = [values];
    for (let last = values; last.length > rows; last = this.#levels.at(-1)) {
      const columns = last.length / rows, half = new Uint8Array(Math.ceil(columns / 2) * rows);
      for (let column = 0; column < columns; column += 2) {
        const from = column * rows, pair = column + 1 < columns ? from + rows : from;
        for (let row = 0; row < rows; row++)
          half[(column / 2) * rows + row] = (last[from + row] + last[pair + row] + 1) >> 1;
      }
      this.#levels.push(half);
    }
  }

  /** Returns values and the index of the column at `place` for a picture in which a pixel is `width` columns. */
  column(place, width) {
    const level = Math.min(this.#levels.length - 1, Math.max(0, Math.round(Math.log2(width))));
    const values = this.#levels[level], last = values.length / this.rows - 1;
    return { values, at: Math.max(0, Math.min(last, Math.floor(place / 2 ** level))) * this.rows };
  }
}
