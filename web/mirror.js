// The DOM twin of the canvas: every control as a labelled form element, every value as text. Made from
// the description that the program gives (App::mirror_json), in the language shown.

const element = (tag, properties = {}, children = []) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

// Writing to the page costs time even where nothing changes, and this happens ten times a second.
const write = (target, name, value) => {
  if (target[name] !== value) target[name] = value;
};

const rest = Symbol("a piece after which others may have the page");

// `set` and `press` do what a control of the canvas does, by its name, and are broken with a sentence.
export function connectMirror({ set, press, escape, focusCanvas }) {
  const section = document.getElementById("controls");
  const readouts = document.getElementById("readouts");
  const notices = document.getElementById("notices");
  const controls = new Map(); // name -> { box, input, label, update }
  let last = ""; // what is written, as text
  let writing; // the pieces that are being written
  let next; // { now, slice, done } to be written then
  let query; // that the address is to have
  let address; // the timer that writes it

  function makeField(control) {
    if (control.kind === "choice") {
      return element("select");
    }
    if (control.kind === "toggle") return element("input", { type: "checkbox" });
    if (control.kind === "text") return element("input", { type: "text", autocomplete: "off", spellcheck: false });
    return element("input", { type: "number", inputMode: "decimal" });
  }

  function makeControl(control) {
    const field = makeField(control);
    field.id = `control-${control.name}`;
    field.name = control.name;
    const label = element("label", { htmlFor: field.id });
    const wrong = element("p", { className: "wrong" });
    wrong.setAttribute("role", "alert");
    const look = control.kind === "toggle" ? "ring" : control.kind; // see style.css
    const box = element("div", { className: `control ${look}` }, [label, field, wrong]);
    const value = () => (control.kind === "toggle" ? field.checked : field.value);
    // While typing, what fits is applied at once and what does not is left alone; when the field is
    // left, what does not fit gets a sentence and the value in force returns.
    const apply = async (finished) => {
      try {
        await set(control.name, value());
        wrong.textContent = "";
      } catch (error) {
        if (!finished) return;
        wrong.textContent = error.message;
        made.write(made.current);
      }
    };
    field.addEventListener("input", () => apply(false));
    field.addEventListener("change", () => apply(true));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || (event.key === "Enter" && control.kind === "text")) focusCanvas();
    });
    const made = {
      box,
      label,
      field,
      shows: (now) => value() === (control.kind === "toggle" ? now : String(now)),
      write(now) {
        if (control.kind === "toggle") field.checked = now;
        else write(field, "value", String(now));
      },
    };
    controls.set(control.name, made);
    return made;
  }

  function updateControl(control) {
    if (control.kind === "tabs") return updateTabs(control);
    const made = controls.get(control.name) ?? makeControl(control);
    const text = JSON.stringify(control);
    if (made.text === text && made.shows(control.value)) return;
    made.text = text;
    made.current = control.value;
    write(made.box, "hidden", control.hidden === true && !control.rect);
    write(made.label, "textContent", control.label);
    made.field.title = control.help;
    if (control.kind === "choice") {
      const wanted = control.choices.map((choice) => `${choice.value}=${choice.label}`).join("|");
      if (made.choices !== wanted) {
        made.choices = wanted;
        made.field.replaceChildren(
          ...control.choices.map((choice) => element("option", { value: choice.value, textContent: choice.label })),
        );
      }
    } else if (control.kind === "text") {
      made.field.maxLength = control.longest;
    } else if (control.kind !== "toggle") {
      Object.assign(made.field, { min: control.minimum, max: control.maximum, step: control.step });
    }
    // A field that is being typed in keeps its text, unless it is a number that changed elsewhere.
    const typing = made.box.contains(document.activeElement) && !made.box.querySelector(".wrong").textContent;
    if (!typing || control.kind === "choice") made.write(control.value);
    put(made.box, control.rect);
  }

  function updateAction(action) {
    const name = `action ${action.name}`;
    let made = controls.get(name);
    if (!made) {
      const button = element("button", { type: "button" });
      const wrong = element("p", { className: "wrong" });
      wrong.setAttribute("role", "alert");
      button.addEventListener("click", () =>
        press(action.name).then(
          () => (wrong.textContent = ""),
          (error) => (wrong.textContent = error.message),
        ),
      );
      button.addEventListener("keydown", (event) => event.key === "Escape" && escape());
      made = { box: element("div", { className: "control ring" }, [button, wrong]), field: button };
      controls.set(name, made);
    }
    const text = JSON.stringify(action);
    if (made.text === text) return name;
    made.text = text;
    write(made.field, "textContent", action.label);
    made.field.disabled = !action.enabled;
    put(made.box, action.rect);
    return name;
  }

  // The views, as a list of tabs: the arrows move between them.
  function updateTabs(control) {
    let made = controls.get(control.name);
    if (!made) {
      const list = element("div", { className: "tabs" });
      list.setAttribute("role", "tablist");
      const choose = (value) => set(control.name, value);
      list.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const tabs = [...list.children].map((box) => box.firstElementChild);
        const next = tabs[(tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length];
        choose(next.value).then(() => next.focus({ preventScroll: true }));
      });
      for (const { value } of control.choices) {
        const tab = element("button", { type: "button", value });
        tab.setAttribute("role", "tab");
        tab.addEventListener("click", () => choose(value));
        list.append(element("div", { className: "control ring", role: "presentation" }, [tab]));
      }
      made = { box: list };
      controls.set(control.name, made);
    }
    const text = JSON.stringify(control);
    if (made.text === text) return;
    made.text = text;
    made.box.setAttribute("aria-label", control.label);
    control.choices.forEach(({ value, label, rect }, i) => {
      const box = made.box.children[i];
      const tab = box.firstElementChild;
      write(tab, "textContent", label);
      tab.setAttribute("aria-selected", String(value === control.value));
      tab.tabIndex = rect && value === control.value ? 0 : -1;
      put(box, rect);
    });
  }

  // The map of the model, as a tree: the arrows walk through it, open and close.
  function updateTree(items, label) {
    let made = controls.get("tree");
    if (!made) {
      const tree = element("div", { className: "tabs" });
      tree.setAttribute("role", "tree");
      tree.addEventListener("keydown", (event) => {
        const at = document.activeElement;
        const all = [...tree.querySelectorAll("[role=treeitem]")];
        const here = all.indexOf(at);
        const level = (item) => Number(item.ariaLevel);
        const go = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: all.length - 1 }[event.key];
        const opens = event.key === "ArrowRight" && at.ariaExpanded === "false";
        const closes = event.key === "ArrowLeft" && at.ariaExpanded === "true";
        const above = event.key === "ArrowLeft" ? all.slice(0, here).findLast((item) => level(item) < level(at)) : undefined;
        if (event.key === "Escape") escape();
        else if (opens || closes) press(at.value);
        else (all[go] ?? above)?.focus({ preventScroll: false });
        if (go !== undefined || /^Arrow/.test(event.key)) event.preventDefault();
      });
      made = { box: tree, items: new Map() };
      controls.set("tree", made);
    }
    const text = JSON.stringify(items);
    if (made.text === text) return;
    made.text = text;
    made.box.setAttribute("aria-label", label);
    const there = new Set(items.map(({ name }) => name));
    for (const [name, box] of made.items) {
      if (there.has(name)) continue;
      leave(box);
      box.remove();
      made.items.delete(name);
    }
    let stop = made.box.contains(document.activeElement) ? document.activeElement.value : undefined;
    stop ??= (items.find(({ pressed }) => pressed) ?? items[0])?.name;
    let before;
    for (const item of items) {
      let box = made.items.get(item.name);
      if (!box) {
        const button = element("button", { type: "button", value: item.name, role: "treeitem" });
        button.addEventListener("click", () => press(item.name));
        box = element("div", { className: "control ring", role: "presentation" }, [button]);
        made.items.set(item.name, box);
      }
      const next = before ? before.nextElementSibling : made.box.firstElementChild;
      if (next !== box) made.box.insertBefore(box, next);
      before = box;
      const button = box.firstElementChild;
      write(button, "textContent", item.label);
      write(button, "ariaLevel", String(item.level));
      write(button, "ariaExpanded", item.expanded === undefined ? null : String(item.expanded));
      write(button, "ariaSelected", String(item.pressed));
      write(button, "tabIndex", item.name === stop ? 0 : -1);
      put(box, item.rect);
    }
  }

  function updateLicences(label, rect) {
    let made = controls.get("licences");
    if (!made) {
      const link = element("a", { href: "licences.txt", target: "_blank", rel: "noopener" });
      made = { box: element("div", { className: "control ring" }, [link]), field: link };
      controls.set("licences", made);
    }
    write(made.field, "textContent", label);
    put(made.box, rect);
  }

  // Over its twin on the canvas, and as large. What the canvas does not show is for screen readers alone.
  function put(box, rect) {
    box.classList.toggle("placed", Boolean(rect));
    for (const [side, value] of Object.entries({ left: rect?.x, top: rect?.y, width: rect?.width, height: rect?.height })) {
      box.style[side] = rect ? `${value}px` : "";
    }
    if (!rect) leave(box);
  }

  // The keyboard is not left in something that goes.
  function leave(box) {
    if (box.contains(document.activeElement)) focusCanvas();
  }

  // Tab goes through what is on the screen, as one reads it. What has the keyboard is never moved: it would
  // lose it.
  function arrange(order) {
    const wanted = [...new Set(order)].filter((name) => controls.has(name));
    const stops = new Set(wanted);
    for (const name of controls.keys()) if (!stops.has(name)) wanted.push(name);
    let at = section.firstElementChild;
    for (const name of wanted) {
      const { box, field } = controls.get(name);
      if (field) write(field, "tabIndex", stops.has(name) ? 0 : -1);
      while (at !== box && box.isConnected && box.contains(document.activeElement)) {
        const next = at.nextElementSibling;
        section.append(at);
        at = next;
      }
      if (at === box) at = at.nextElementSibling;
      else section.insertBefore(box, at);
    }
  }

  function updateReadouts(list) {
    while (readouts.childElementCount > list.length) readouts.lastElementChild.remove();
    list.forEach((readout, i) => {
      let line = readouts.children[i];
      if (!line) readouts.append((line = element("p")));
      write(line.dataset, "name", readout.name);
      // Only the cell under the pointer and the tour are read out as they change.
      write(line, "ariaLive", ["cell", "tour"].includes(readout.name) ? "polite" : "off");
      write(line, "textContent", `${readout.label}: ${readout.text}`);
    });
  }

  // Last, and its language only after that of every box: the browser has to lay out anew what changes
  // its language, and that is not all at once then.
  function updateFrame(now) {
    const root = document.documentElement;
    write(root, "lang", now.language);
    write(root.dataset, "theme", now.theme);
    write(document, "title", now.title);
    write(document.getElementById("title"), "textContent", now.title);
    write(document.getElementById("story"), "textContent", now.story);
    write(document.getElementById("canvas"), "ariaLabel", now.labels.canvas);
    write(section, "ariaLabel", now.labels.controls);
    write(readouts, "ariaLabel", now.labels.readouts);
  }

  function* piecesOf(now) {
    for (const control of now.controls) yield updateControl(control);
    // Settings come and go with the task, actions with what they act on.
    const there = new Set([...now.controls.map(({ name }) => name), "licences"]);
    const items = now.actions.filter(({ level }) => level);
    if (items.length > 0) yield there.add("tree") && updateTree(items, now.labels.tree);
    for (const action of now.actions) if (!action.level) yield there.add(updateAction(action));
    for (const [name, made] of controls) {
      if (there.has(name)) continue;
      leave(made.box);
      made.box.remove();
      controls.delete(name);
    }
    updateLicences(now.labels.licences, now.licences);
    yield arrange(now.order);
    for (const { box } of controls.values()) yield write(box, "lang", now.language);
    for (const part of [readouts, notices]) yield write(part, "lang", now.language);
    yield updateReadouts(now.readouts);
    yield write(notices, "textContent", now.notices.join(" "));
    yield rest;
    updateFrame(now);
    updateAddress(now.query);
  }

  // Soon, whatever else goes on, and no more often than browsers allow.
  function updateAddress(wanted) {
    if (wanted === query) return;
    query = wanted;
    address ??= setTimeout(() => {
      address = undefined;
      writeAddress(query);
    }, 350);
  }

  function begin() {
    const { now, slice, done } = next;
    const text = JSON.stringify(now);
    next = undefined;
    if (text === last) return done();
    writing = piecesOf(now);
    const writeSome = () => {
      const end = performance.now() + slice;
      let finished = false;
      let piece;
      while (!finished && piece !== rest && performance.now() < end) {
        ({ done: finished, value: piece } = writing.next());
        if (finished || slice < Infinity) section.getBoundingClientRect(); // not all with the next picture
      }
      if (!finished) return void setTimeout(writeSome, 0);
      last = text;
      writing = undefined;
      return next ? begin() : void setTimeout(done, 0); // what follows from it is a task of its own
    };
    return writeSome();
  }

  return {
    focus(name) {
      const field = controls.get(name)?.field;
      field?.focus({ preventScroll: true });
      field?.select?.();
    },
    // Calls `done` when everything is written, unless something newer has come in between. Writes and
    // lays the page out for `slice` milliseconds at a time: with another language, all of it changes.
    update(now, slice, done) {
      next = { now, slice, done };
      if (!writing) begin();
    },
  };
}

// The link to what is shown. Browsers limit how often it may change: Safari to 100 times in 30 seconds.
function writeAddress(query) {
  const wanted = new URL(location.href);
  wanted.search = query;
  if (wanted.href !== location.href) history.replaceState(null, "", wanted.href);
}
