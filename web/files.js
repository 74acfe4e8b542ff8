// Files in and out: downloads, pictures, a file chosen, dropped or pasted, and the run that the browser keeps for
// the next visit.

const lookEvery = 3000; // milliseconds, whether there is something to keep
const keepEvery = 15000;

export function connectFiles({ program, withText, withBytes, schedule, state }) {
  let picture; // that the next frame is asked for

  function save(name, bytes, type = "application/octet-stream") {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  function load(name, bytes) {
    withText(name, (n) => withBytes(bytes, (pointer, size) => program._tp_load_file(n, pointer, size)));
    schedule();
  }

  const chooser = document.getElementById("file");
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files;
    chooser.value = "";
    if (file) load(file.name, new Uint8Array(await file.arrayBuffer()));
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) load(file.name, new Uint8Array(await file.arrayBuffer()));
  });

  // Lines pasted anywhere but into a field are the user's own text. A word alone is a slip.
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (event.target.closest?.("input, select") || !/[\t\n]/.test(text.trim())) return;
    load("pasted.txt", new TextEncoder().encode(text));
  });

  // --- The run that is kept -----------------------------------------------------------------------

  // Records in IndexedDB, { bytes, task, step, name, at }, each under the name of the visit that made it, so that no tab
  // overwrites that of another. Where there is no such thing (a private window, a page inside another), nothing is kept
  // and nothing is missed.
  const store = (mode, use) =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open("transformer-playground", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("runs");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const transaction = opening.result.transaction("runs", mode);
        const request = use(transaction.objectStore("runs"));
        transaction.oncomplete = () => {
          opening.result.close();
          resolve(request.result);
        };
        transaction.onerror = () => reject(transaction.error);
      };
    });
  const forget = (name) => store("readwrite", (runs) => runs.delete(name)).catch(() => {});

  const visit = `${Date.now()}-${Math.random()}`;
  const aside = 4; // records of other visits
  // Its tab is open as long as the visit holds a lock of its name. The page that this one replaces lets go a little late.
  async function isOver(name) {
    const { held } = (await navigator.locks?.query()) ?? { held: [] };
    if (!held.some((lock) => lock.name === name)) return true;
    if (name !== sessionStorage.getItem("visit")) return false;
    return navigator.locks.request(name, { signal: AbortSignal.timeout(500) }, () => true).catch(() => false);
  }

  // Those that may be offered, the last one of this tab first, and then the newest.
  async function records() {
    const all = await store("readonly", (runs) => runs.getAll());
    const mine = sessionStorage.getItem("visit");
    const rank = ({ name, at }) => (name === mine ? Infinity : at);
    return all.map((record) => ({ name: "last", at: 0, ...record })).sort((a, b) => rank(b) - rank(a));
  }

  let offered; // a record, until it is taken or discarded
  let kept = { run: 0, moment: "", at: performance.now() };
  function requestKeeping() {
    const { run, branch, step } = state();
    const moment = `${run}/${branch}/${step}`;
    if (moment === kept.moment || step === 0) return;
    kept = { run, moment, at: performance.now() };
    program._tp_request_keeping();
  }
  // What a run has learned in its first seconds is kept soon, then every few seconds, and as soon as it rests; but where
  // another one is offered, which may still be wanted at the next visit, only after a while.
  const late = () => performance.now() - kept.at > keepEvery - lookEvery / 2;
  const look = () => (late() || (!offered && state().run !== kept.run)) && requestKeeping();
  const leave = () => (!offered || late()) && requestKeeping();
  let resting; // a timer: a drag along the curve shows many moments
  let keeping = false;
  function startKeeping() {
    keeping = true;
    navigator.locks?.request(visit, () => new Promise(() => {})).catch(() => {});
    setInterval(look, lookEvery);
    document.addEventListener("visibilitychange", () => document.hidden && leave());
    addEventListener("pagehide", leave);
  }

  return {
    save,
    choose: () => chooser.click(),

    // A box with the lines to learn. A tab is hard to type in there: " = " stands for it.
    editLines(lines, title, learn, close) {
      const box = document.createElement("dialog");
      const field = document.createElement("textarea");
      box.setAttribute("aria-label", (field.placeholder = title));
      field.setAttribute("aria-label", title);
      field.spellcheck = false;
      field.value = lines.includes(" = ") ? lines : lines.replaceAll("\t", " = ");
      const button = (label, use) => {
        const made = document.createElement("button");
        made.textContent = label;
        made.addEventListener("click", () => (use?.(), box.close()));
        return made;
      };
      const use = () => load("lines.txt", new TextEncoder().encode(field.value.replace(/^([^\t\n]*?) = /gm, "$1\t")));
      box.append(Object.assign(document.createElement("p"), { textContent: title }), field);
      box.append(button(learn, use), button(close));
      box.addEventListener("close", () => box.remove());
      document.body.append(box);
      field.setSelectionRange(0, 0);
      box.showModal();
    },

    // The part of the canvas inside a rectangle of its pixels, from the frame that follows.
    savePicture(name, x, y, width, height) {
      picture = { name, x, y, width, height };
      schedule();
    },
    pictureDrawn(canvas) {
      if (!picture) return;
      const { name, x, y, width, height } = picture;
      picture = undefined;
      const part = document.createElement("canvas");
      part.width = width;
      part.height = height;
      part.getContext("2d").drawImage(canvas, x, y, width, height, 0, 0, width, height);
      part.toBlob((blob) => save(name, blob, "image/png"));
    },

    snapshotArrived() {
      clearTimeout(resting);
      if (keeping && !program._tp_running()) resting = setTimeout(leave, 300);
      const size = program._tp_take_kept_file();
      if (size === 0) return;
      const pointer = program._tp_kept_file();
      const bytes = program.HEAPU8.slice(pointer, pointer + size);
      const { task, step } = state();
      store("readwrite", (runs) => runs.put({ bytes, task, step, name: visit, at: Date.now() }, visit))
        .then(() => sessionStorage.setItem("visit", visit))
        .catch(() => {});
    },
    // The run of the last visit, unless its tab is open; and from now on this one is kept.
    async offerKept() {
      startKeeping();
      const found = await records().catch(() => []);
      found.slice(aside).forEach(({ name }) => forget(name));
      for (const record of found.slice(0, aside)) {
        if (!record.bytes || !record.step || !(await isOver(record.name).catch(() => true))) continue;
        offered = record;
        withText(String(record.task), (task) => program._tp_offer_kept_run(task, record.step));
        schedule();
        return;
      }
    },
    takeKept(wanted) {
      const record = offered;
      offered = undefined;
      if (wanted && record) load("kept.safetensors", record.bytes);
      if (!wanted && record) forget(record.name);
    },
  };
}
