// Files in and out: downloads, pictures, a file chosen, dropped or pasted, and the run that the browser keeps for
// the next visit.

const keepEvery = 15000; // milliseconds

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

  let keptAt = "";
  function requestKeeping() {
    const now = state();
    const moment = `${now.run}/${now.branch}/${now.step}`;
    if (moment === keptAt || now.step === 0) return;
    keptAt = moment;
    program._tp_request_keeping();
  }
  setInterval(requestKeeping, keepEvery);
  document.addEventListener("visibilitychange", () => document.hidden && requestKeeping());

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
      store("readwrite", (runs) => runs.put({ bytes, task, step }, "last")).catch(() => {});
    },
    async offerKept() {
      const kept = await store("readonly", (runs) => runs.get("last")).catch(() => undefined);
      if (!kept?.bytes || !kept.step) return;
      withText(String(kept.task), (task) => program._tp_offer_kept_run(task, kept.step));
      schedule();
    },
    async takeKept(wanted) {
      const kept = await store("readonly", (runs) => runs.get("last")).catch(() => undefined);
      if (wanted && kept?.bytes) load("kept.safetensors", kept.bytes);
      if (!wanted) await store("readwrite", (runs) => runs.delete("last")).catch(() => {});
    },
  };
}
