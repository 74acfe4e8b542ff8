// Pointer and keyboard for the canvas, and for the DOM twins that lie over it: a press on one is a press on what it
// stands for, unless somebody types in it. Only what is used is taken: Tab and every key without a meaning
// here stay the page's, and a finger scrolls the page unless it lands on something to drag. The wheel zooms a plot
// where there is nothing to scroll, and everywhere with Ctrl, which is also how a pinch on a trackpad arrives.

export function connectInput(canvas, program, page) {
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * page.ratio(), (event.clientY - box.top) * page.ratio()];
  };
  const move = (event) => {
    program._tp_pointer(...place(event));
    page.schedule();
  };
  const button = (down, finger = false) => {
    program._tp_button(down, finger);
    page.schedule();
  };

  const stage = canvas.parentElement;
  const controls = document.getElementById("controls");
  const isTwin = (event) => controls.contains(event.target);
  const isOurs = (event) =>
    event.target === canvas || (isTwin(event) && !event.target.closest(".control:not(.ring):focus-within"));
  const listen = (name, use, options) => stage.addEventListener(name, (event) => isOurs(event) && use(event), options);
  let pressed = false; // on a twin: the click that follows was the canvas's

  listen("pointermove", move);
  listen("pointerdown", (event) => {
    page.setTouch(event.pointerType === "touch");
    move(event);
    pressed = isTwin(event);
    if (event.button !== 0) return;
    button(true, event.pointerType === "touch");
    if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId);
  });
  listen("pointerup", (event) => {
    move(event);
    if (event.button !== 0) return;
    button(false, event.pointerType === "touch");
    const field = program.UTF8ToString(program._tp_text_field_at(...place(event)));
    if (field) page.focusField(field);
  });
  // A twin takes neither the keyboard nor a click from a pointer.
  listen("mousedown", (event) => {
    if (!isTwin(event)) return;
    event.preventDefault();
    canvas.focus({ preventScroll: true });
  });
  listen("touchend", (event) => isTwin(event) && event.cancelable && event.preventDefault());
  const stopClick = (event) => {
    if (!pressed || !isTwin(event) || event.detail === 0) return; // 0: by key, or by a tool
    pressed = false;
    event.preventDefault();
    event.stopPropagation();
  };
  stage.addEventListener("click", stopClick, { capture: true });
  // The browser took the finger for scrolling: nothing was pressed after all.
  listen("pointercancel", () => {
    program._tp_pointer_left();
    button(false);
  });
  stage.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return; // a tap stays where it was, as hovering would
    program._tp_pointer_left();
    page.schedule();
  });
  listen(
    "touchstart",
    (event) => {
      if (event.touches.length === 1 && program._tp_grabs_at(...place(event.touches[0]))) event.preventDefault();
    },
    { passive: false },
  );
  let turned = 0; // pixels of the wheel that are not yet a notch
  listen(
    "wheel",
    (event) => {
      const scrolls = parent !== window || document.documentElement.scrollHeight > innerHeight;
      if (scrolls && !event.ctrlKey && !event.metaKey) return;
      turned -= event.deltaY * [1, 20, 400][event.deltaMode] * (event.ctrlKey ? 4 : 1);
      const notches = Math.trunc(turned / 40);
      turned -= notches * 40;
      if (!program._tp_wheel(...place(event), notches)) return;
      event.preventDefault();
      page.schedule();
    },
    { passive: false },
  );
  // Also before anything has the keyboard.
  addEventListener("keydown", (event) => {
    if (![canvas, document.body].includes(document.activeElement)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") program._tp_escape();
    if (page.key(event.key)) event.preventDefault();
    page.schedule();
  });
}
