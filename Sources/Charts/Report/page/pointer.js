// Mouse, pen and fingers on the timeline: a click, a drag, a wheel, a pinch.

const CLICK = 5;

/** `onHover` gets the time under a mouse, and nothing when it leaves. */
export function followPointers(canvas, timeline, view, onClick, onHover) {
  const pointers = new Map();
  let moved = 0;
  const x = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const spread = () => {
    const [first, second] = [...pointers.values()];
    return { distance: Math.max(10, Math.abs(first - second)), middle: (first + second) / 2 };
  };
  const perPixel = () => view().length / (canvas.clientWidth - timeline.left);

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, x(event));
  });
  canvas.addEventListener('pointerleave', () => onHover());
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return onHover(timeline.timeAt(x(event)));
    const before = pointers.size === 2 && spread(), shift = x(event) - pointers.get(event.pointerId);
    pointers.set(event.pointerId, x(event));
    moved += Math.abs(shift);
    if (moved < CLICK) return;
    if (!before) return view().pan(-shift * perPixel());
    const after = spread();
    view().zoom(before.distance / after.distance, timeline.timeAt(after.middle));
    view().pan((before.middle - after.middle) * perPixel());
  });
  const end = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === 'pointerup' && moved < CLICK && pointers.size === 0) onClick(timeline.timeAt(x(event)));
    if (pointers.size > 0) moved = CLICK; // what is left of a pinch is no click
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const pixels = (delta) => (event.deltaMode === 1 ? delta * 16 : delta);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      return view().pan(pixels(event.deltaX || event.deltaY) * perPixel());
    view().zoom(Math.exp(pixels(event.deltaY) / 400), timeline.timeAt(x(event)));
  }, { passive: false });
}

/** Moves the view to where the overview is pressed. */
export function followOverview(canvas, timeline, view) {
  const move = (event) => {
    if (!event.buttons) return;
    const place = event.clientX - canvas.getBoundingClientRect().left - timeline.left;
    const middle = (place / (canvas.clientWidth - timeline.left)) * view().duration, half = view().length / 2;
    view().show(middle - half, middle + half);
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener('pointermove', move);
}
