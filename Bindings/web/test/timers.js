/** Gives a test a clock that it moves in steps of 1 ms. Node's own, where it has one, was not the same before Node 20. */
export function handDrivenClock(t) {
  const waiting = new Map();
  let now = 0, last = 0;
  t.mock.method(globalThis, "setTimeout", (call, ms) => (waiting.set(++last, { end: now + ms, call }), last));
  t.mock.method(globalThis, "clearTimeout", (id) => { waiting.delete(id); });
  t.mock.method(performance, "now", () => now);
  return {
    now: () => now,
    moveTo(to) {
      while (now < to) {
        now++;
        for (const [id, { end, call }] of [...waiting]) if (end <= now && waiting.delete(id)) call();
      }
    },
  };
}
