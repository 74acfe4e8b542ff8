// Pointer and keyboard for the canvas. The canvas takes only what it uses: the wheel, Tab and every key
// without a meaning here stay the page's, and a finger scrolls the page unless it lands on something to
// drag.

export function connectInput(canvas, program, page) {
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * page.ratio(), (event.clientY - box.top) * page.ratio()];
  };
  const move = (event) => {
    program._tp_pointer(...place(event));
    page.schedule();
  };
  const button = (down) => {
    program._tp_button(down);
    page.schedule();
  };

  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerdown", (event) => {
    page.setTouch(event.pointerType === "touch");
    move(event);
    if (event.button !== 0) return;
    button(true);
    if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", (event) => {
    move(event);
    if (event.button !== 0) return;
    button(false);
    const field = program.UTF8ToString(program._tp_text_field_at(...place(event)));
    if (field) page.focusField(field);
  });
  // The browser took the finger for scrolling: nothing was pressed after all.
  canvas.addEventListener("pointercancel", () => {
    program._tp_pointer_left();
    button(false);
  });
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return; // a tap stays where it was, as hovering would
    program._tp_pointer_left();
    page.schedule();
  });
  canvas.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length === 1 && program._tp_grabs_at(...place(event.touches[0]))) event.preventDefault();
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") program._tp_escape();
    if (page.key(event.key)) event.preventDefault();
    page.schedule();
  });
}
