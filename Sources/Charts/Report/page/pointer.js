// Mouse, pen and fingers on the timeline: a click, a drag, a wheel, a pinch.

const CLICK = 5;

/**
 * `onClick` gets a time and a height; `onHover` those under a mouse, and nothing when it leaves. `grab` gets those of a press,
 * and returns what drags there: move, which gets times, and end, which gets whether it counts. Without it, a drag moves the view.
 */
export function followPointers(canvas, timeline, view, { onClick, onHover, grab }) {
  const pointers = new Map();
  let moved = 0, held = null;
  const x = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const place = (event) => [timeline.timeAt(x(event)), event.clientY - canvas.getBoundingClientRect().top];
  const drop = (counts) => {
    held?.end(counts);
    held = null;
  };
  const spread = () => {
    const [first, second] = [...pointers.values()];
    return { distance: Math.max(10, Math.abs(first - second)), middle: (first + second) / 2 };
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, x(event));
    drop(false); // a second finger pinches
    if (pointers.size === 1) held = grab(...place(event), event.pointerType);
  });
  canvas.addEventListener('pointerleave', () => onHover());
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return onHover(...place(event));
    const before = pointers.size === 2 && spread(), shift = x(event) - pointers.get(event.pointerId);
    pointers.set(event.pointerId, x(event));
    moved += Math.abs(shift);
    if (moved < CLICK) return;
    if (held) return held.move(timeline.timeAt(x(event)));
    if (!before) return view().pan(-shift * timeline.perPixel);
    const after = spread();
    view().zoom(before.distance / after.distance, timeline.timeAt(after.middle));
    view().pan((before.middle - after.middle) * timeline.perPixel);
  });
  const end = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    const isClick = event.type === 'pointerup' && moved < CLICK && pointers.size === 0;
    drop(event.type === 'pointerup' && !isClick);
    if (isClick) onClick(...place(event));
    if (pointers.size > 0) moved = CLICK; // what is left of a pinch is not a click
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const pixels = (delta) => (event.deltaMode === 1 ? delta * 16 : delta);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      return view().pan(pixels(event.deltaX || event.deltaY) * timeline.perPixel);
    view().zoom(Math.exp(pixels(event.deltaY) / 400), timeline.timeAt(x(event)));
  }, { passive: false });
}

/** Moves the view to where the overview is pressed. */
export function followOverview(canvas, timeline, view) {
  const move = (event) => {
    if (!event.buttons) return;
    const place = event.clientX - canvas.getBoundingClientRect().left - timeline.left;
    const { first, duration, length } = view(), half = length / 2;
    const middle = first + (place / (canvas.clientWidth - timeline.left)) * duration;
    view().show(middle - half, middle + half);
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener('pointermove', move);
}
