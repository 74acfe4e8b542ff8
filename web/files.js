// Files in and out: downloads, pictures, a file chosen, dropped or pasted, and the run that the browser keeps for
// the next visit.

const lookEvery = 3000; // milliseconds, for a run of which nothing is kept yet
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

  // One record in IndexedDB: { bytes, task, step }. Where there is no such thing (a private window, a
  // page inside another), nothing is kept and nothing is missed.
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

  const put = (record) => store("readwrite", (runs) => runs.put(record, "last")).catch(() => {});

  let offered; // the record as it was when it was offered: that of this visit takes its place in the store
  let replaced = false; // which has happened
  let kept = { run: 0, moment: "", at: performance.now() };
  function requestKeeping() {
    const { run, branch, step } = state();
    const moment = `${run}/${branch}/${step}`;
    if (moment === kept.moment || step === 0) return;
    kept = { run, moment, at: performance.now() };
    program._tp_request_keeping();
  }
  // What a run has learned in its first seconds is kept soon, and once more when the page is left; but
  // where another one is offered, which may still be wanted at the next visit, only after a while.
  const late = () => performance.now() - kept.at > keepEvery - lookEvery / 2;
  const leave = () => (late() || !offered) && requestKeeping();
  setInterval(() => (late() || (!offered && state().run !== kept.run)) && requestKeeping(), lookEvery);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  addEventListener("pagehide", leave);

  return {
    save,
    choose: () => chooser.click(),

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

    keepIfAsked() {
      const size = program._tp_take_kept_file();
      if (size === 0) return;
      const pointer = program._tp_kept_file();
      const bytes = program.HEAPU8.slice(pointer, pointer + size);
      const { task, step } = state();
      replaced = true;
      put({ bytes, task, step });
    },
    async offerKept() {
      const record = await store("readonly", (runs) => runs.get("last")).catch(() => undefined);
      if (!record?.bytes || !record.step) return;
      offered = record;
      withText(String(record.task), (task) => program._tp_offer_kept_run(task, record.step));
      schedule();
    },
    async takeKept(wanted) {
      const record = offered;
      offered = undefined;
      if (wanted && record) {
        load("kept.safetensors", record.bytes);
        if (replaced) await put(record); // it is the last run again
      }
      if (!wanted && !replaced) await store("readwrite", (runs) => runs.delete("last")).catch(() => {});
    },
  };
}
