// Starts the playground: checks what the browser can do, loads the program and its fonts, keeps the
// canvas as large as its content, and draws a frame whenever something happened.

import createPlayground from "./playground.js";
import { Download } from "./download.js";
import { connectEngine } from "./engine_link.js";
import { connectFiles } from "./files.js";
import { connectInput } from "./input.js";
import { copyLink, linkParameters, openFullPage } from "./link.js";
import { connectMirror } from "./mirror.js";
import { connectPicture } from "./picture.js";
import { connectQueries } from "./queries.js";
import { fail, missingFeature, say } from "./support.js";

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const systemLanguage = (navigator.languages?.[0] ?? navigator.language ?? "en").startsWith("ko") ? "ko" : "en";
const wantedLanguage = new URLSearchParams(location.search).get("language") ?? systemLanguage;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const korean = { font: "hangul.ttf", texts: "korean.txt" }; // one is of no use without the other
const mirrorEvery = 100; // milliseconds, while a run goes on

let program; // the WebAssembly module of the user interface
let engine; // the one that trains, in a Worker
let files;
let mirror;
let mirrored = 0; // when
let mirrorsAsked = 0; // how often the mirror was to be written
let mirrorsWritten = 0; // up to which of these it is
let seen = true; // the canvas is visible
let graphicsLost = false;
let frameScheduled = false;
let touch = false;
let ratio = 1;
let width = 0; // of the canvas, and how much of its height is seen, in CSS pixels
let visible = 0;
let told = { width: 0, height: 0 }; // to the page around this one
let pendingFonts = 0;
let picture; // whether the last one is on the screen
let snapshotTaken; // to be called when the engine may give the next one
let rests = 0; // flat out, behind pictures
let waiting = []; // { resolve, id }: promises to keep once what was asked for, up to command `id`, is on the screen

const text = (pointer) => program.UTF8ToString(pointer);
function withText(value, use) {
  const pointer = program.stringToNewUTF8(value);
  const result = use(pointer);
  program._free(pointer);
  return result;
}
function withBytes(bytes, use) {
  const pointer = program._malloc(bytes.length);
  program.HEAPU8.set(bytes, pointer);
  use(pointer, bytes.length);
  program._free(pointer);
}

// --- Drawing ---------------------------------------------------------------------------------------

export function schedule() {
  if (frameScheduled || graphicsLost || !program || !seen) return;
  frameScheduled = true;
  requestAnimationFrame(frame);
}

function frame(now) {
  const fits = canvasSize().key === fitCanvas.key;
  if (!fits && !picture.drawn()) return picture.whenDrawn(() => requestAnimationFrame(frame));
  frameScheduled = false;
  if (graphicsLost || !seen) return wake();
  fitCanvas();
  const begin = performance.now();
  const more = program._tp_frame(now);
  picture.sent();
  for (const promise of waiting) promise.id ??= program._tp_sent(); // the frame may have sent more
  rest(begin);
  files.pictureDrawn(canvas);
  tellHeight();
  const resized = canvasSize().key !== fitCanvas.key; // the content became longer or shorter
  $("stage").style.cursor = cursorName(program._tp_cursor());
  // A run that goes on never settles, but its picture has to fit the canvas.
  const shown = !resized && (program._tp_running() || (!more && pendingFonts === 0));
  if (waiting.length > 0 || !program._tp_running() || now - mirrored >= mirrorEvery) {
    mirrored = now;
    setTimeout(updateMirror, 0, shown, ++mirrorsAsked); // the picture does not wait for it
  } else if (shown) {
    keepPromises();
  }
  if (more || resized) schedule();
  if (!resized && !$("loading").hidden) $("loading").hidden = true;
}

function updateMirror(shown, number) {
  const slice = program._tp_running() ? 8 : Infinity; // when nothing runs, nothing else waits
  mirror.update(JSON.parse(text(program._tp_mirror())), slice, () => {
    mirrorsWritten = number;
    if (shown) keepPromises();
  });
}

// Resolves the promises of commands whose effect is on the screen.
function keepPromises() {
  if (pendingFonts > 0 || mirrorsWritten < mirrorsAsked) return;
  const answered = ({ id }) => id !== undefined && program._tp_answered(id);
  const kept = waiting.filter(answered);
  waiting = waiting.filter((promise) => !answered(promise));
  for (const { resolve } of kept) resolve(state());
}

// The next snapshot may come when this frame is on the screen and, flat out, nine times the time that
// it took has passed: where a processor draws what a graphics card should, training keeps its time. The first
// few are drawn slowly everywhere, and the first step is wanted soon.
function rest(begin) {
  if (!snapshotTaken) return;
  const taken = snapshotTaken;
  const factor = program._tp_flat_out() && ++rests > 6 ? 9 : 0;
  const goOn = () => setTimeout(() => snapshotTaken === taken && wake(), factor * (performance.now() - begin));
  setTimeout(picture.whenDrawn, 1, goOn);
}

// The next snapshot is wanted now, or none will be drawn.
function wake() {
  snapshotTaken?.();
  snapshotTaken = undefined;
}

const cursorName = (cursor) => ({ 1: "text", 7: "pointer" })[cursor] ?? "default";

// The canvas is as tall as its content, so that the page scrolls and not something inside it.
function canvasSize() {
  const height = Math.max(program._tp_content_height(), visible);
  const limit = Math.min(program.largest, 16384);
  const wanted = Math.min(Math.max(devicePixelRatio, 1), 3, limit / height);
  const pixelsWide = Math.round(width * wanted);
  const pixelsHigh = Math.round(height * wanted);
  const calm = lessMotion.matches;
  const key = [pixelsWide, pixelsHigh, visible, wanted, darkSystem.matches, touch, calm].join();
  return { height, wanted, pixelsWide, pixelsHigh, calm, key };
}

function fitCanvas() {
  const { height, wanted, pixelsWide, pixelsHigh, calm, key } = canvasSize();
  if (key === fitCanvas.key) return;
  fitCanvas.key = key;
  ratio = wanted;
  if (canvas.width !== pixelsWide || canvas.height !== pixelsHigh) {
    canvas.width = pixelsWide;
    canvas.height = pixelsHigh;
    canvas.style.height = `${height}px`;
  }
  program._tp_surroundings(pixelsWide / ratio, pixelsHigh / ratio, visible, ratio, darkSystem.matches, touch, calm);
}

// A page that shows this in a frame hears how tall the frame should be. Of one width it hears of growth only: a line
// that comes and goes must not move the article.
function tellHeight() {
  const height = program._tp_wanted_height();
  if (parent === window || (width === told.width && height <= told.height)) return;
  told = { width, height };
  parent.postMessage({ type: "playground-height", height }, "*");
}

// Measured here and not for every picture: that would have the browser lay the page out.
function surroundingsChanged() {
  visible = document.documentElement.clientHeight;
  width = $("stage").clientWidth;
  if (program && !graphicsLost) schedule();
}

// --- What scripts and embedding pages use ------------------------------------------------------------

function state() {
  return JSON.parse(text(program._tp_state()));
}

// `ask` gives the sentence that says what was wrong, or an empty text.
function perform(ask) {
  return playground.ready.then(() => {
    const wrong = text(ask());
    if (wrong) throw new Error(wrong);
    schedule();
    if (document.hidden || graphicsLost || !seen) return state(); // nothing is drawn now, but it is done
    return new Promise((resolve) => waiting.push({ resolve }));
  });
}

const command = (object) => perform(() => withText(JSON.stringify(object) ?? "", program._tp_command));
const press = (name) => perform(() => withText(name, program._tp_press));
const set = (name, value) =>
  perform(() => withText(name, (n) => withText(String(value), (v) => program._tp_set(n, v))));
const key = (name) => withText(name, program._tp_key);

const memory = () => program.HEAPU8.length; // bytes that the user interface has taken, for tests
const queries = connectQueries({ program: () => program, withText, text, wake, ready: () => playground.ready });
const playground = { state, command, memory, explain: queries.explain, tensors: queries.tensors };
window.playground = playground;

// --- Start ---------------------------------------------------------------------------------------------

// Where a browser stores nothing, nothing is remembered and nothing is offered.
function remember(use) {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

const host = {
  frameIn: (milliseconds) => setTimeout(schedule, milliseconds),
  async requestFont(file, name) {
    ++pendingFonts;
    try {
      const texts = name === korean.font && fetchBytes(korean.texts);
      const arrived = await Promise.all([fetchBytes(`../fonts/${name}`), texts]);
      if (texts) provideKorean(arrived[1]);
      provideFont(file, arrived[0]);
    } catch {
      program._tp_font_failed(file);
    }
    --pendingFonts;
    schedule();
  },
  openLicences() {
    open(new URL("../licences.txt", import.meta.url), "_blank", "noopener");
  },
  openFullPage,
  copyText(text) {
    navigator.clipboard?.writeText(text).catch(() => {}); // where that is not allowed the path can be read
  },
  async copyLink(query) {
    program._tp_link_copied(await copyLink(query));
    schedule();
  },
  send(bytes) {
    engine.send(bytes);
    wake();
  },
  saveFile: (name, bytes) => files.save(name, bytes),
  savePicture: (...what) => files.savePicture(...what),
  chooseFile: () => files.choose(),
  editLines: (...what) => files.editLines(...what),
  takeKeptRun: (wanted) => files.takeKept(wanted),
  scrollTo: (top) => scrollTo(0, top),
  tourSeen: () => remember((storage) => (storage.tour = "seen")),
};

function startEngine() {
  engine = connectEngine({
    onSnapshot(bytes) {
      withBytes(bytes, program._tp_snapshot);
      files.snapshotArrived();
      queries.snapshotArrived();
      schedule();
      if (frameScheduled && !document.hidden) return new Promise((resolve) => (snapshotTaken = resolve));
      for (const promise of waiting) promise.id ??= program._tp_sent();
      keepPromises();
      return undefined;
    },
    onFailure(why) {
      withText(why, program._tp_session_failed);
      schedule();
    },
  });
}

// Nothing is drawn and, unless requested, nothing is trained while the page is hidden.
function connectVisibility() {
  let onScreen = true;
  const update = () => {
    const visible = onScreen && !document.hidden;
    if (visible === seen) return;
    seen = visible;
    program._tp_seen(visible);
    if (!visible) wake();
    schedule();
  };
  document.addEventListener("visibilitychange", update);
  new IntersectionObserver((entries) => {
    onScreen = entries.at(-1).isIntersecting;
    update();
  }).observe(canvas);
  addEventListener("scroll", () => {
    program._tp_scrolled(scrollY);
    schedule();
  });
}

async function fetchBytes(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function provideFont(file, bytes) {
  withBytes(bytes, (pointer, size) => program._tp_font(file, pointer, size));
}

function provideKorean(texts) {
  withBytes(texts, program._tp_korean_texts);
}

function connectContextLoss() {
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // asks the browser to bring it back
    graphicsLost = true;
    program._tp_context_lost();
  });
  canvas.addEventListener("webglcontextrestored", () => {
    graphicsLost = false;
    if (!program._tp_context_restored()) return fail("webgl", systemLanguage);
    fitCanvas.key = undefined;
    fitCanvas();
    schedule();
  });
}

function applyLink() {
  for (const [name, value] of linkParameters(location.search)) {
    withText(name, (n) => withText(value, (v) => program._tp_apply(n, v)));
  }
}

async function start() {
  document.documentElement.lang = systemLanguage;
  $("loading-text").textContent = say("loading", systemLanguage);
  const download = new Download((bytes) => ($("loading-progress").value = bytes));
  // The first four font files serve every language; their numbers are those of enum FontFile.
  const fontNames = ["sans.ttf", "math.ttf", "mono.ttf", "names.ttf"];
  if (wantedLanguage === "ko") fontNames.push(korean.font);
  const arriving = Promise.all([
    Promise.race([createPlayground({ host, instantiateWasm: download.instantiate }), download.failure]),
    Promise.all(fontNames.map((name) => download.bytes(`../fonts/${name}`))),
    wantedLanguage === "ko" && fetchBytes(korean.texts),
  ]);
  arriving.catch(() => {}); // it is said below, unless something else is in the way
  startEngine();
  const missing = missingFeature(canvas); // takes long, while all of that is on its way
  if (missing) {
    engine.close();
    fail(missing, systemLanguage);
    throw new Error(say(missing, "en"));
  }
  let fonts, texts;
  try {
    [program, fonts, texts] = await arriving;
  } catch (error) {
    fail("download", systemLanguage);
    throw error;
  }
  files = connectFiles({ program, withText, withBytes, schedule, state });
  mirror = connectMirror({
    set,
    press,
    escape() {
      key("Escape");
      schedule();
    },
    focusCanvas: () => canvas.focus({ preventScroll: true }),
  });
  picture = connectPicture(canvas);
  connectContextLoss();
  if (!withText(systemLanguage, (language) => program._tp_start(language))) {
    fail("webgl", systemLanguage);
    throw new Error(say("webgl", "en"));
  }
  const gl = canvas.getContext("webgl2");
  program.largest = Math.min(...gl.getParameter(gl.MAX_VIEWPORT_DIMS), gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
  if (texts) provideKorean(texts);
  fonts.forEach((bytes, file) => provideFont(file, bytes));
  applyLink();
  connectInput(canvas, program, {
    schedule,
    ratio: () => ratio,
    focusField: (name) => mirror.focus(name),
    key,
    setTouch(value) {
      touch = value;
      surroundingsChanged();
    },
  });
  new ResizeObserver(surroundingsChanged).observe($("stage"));
  addEventListener("resize", surroundingsChanged); // also fires when the pixel ratio changes
  darkSystem.addEventListener("change", surroundingsChanged);
  lessMotion.addEventListener("change", surroundingsChanged);
  surroundingsChanged();
  fitCanvas();
  if (remember((storage) => !storage.tour)) program._tp_offer_tour();
  program._tp_begin();
  await new Promise((resolve) => {
    waiting.push({ resolve });
    schedule();
  });
  connectVisibility();
  if (!state().settings.embed) await files.offerKept();
}

playground.ready = start();
playground.ready.catch(() => {}); // the page says it; `ready` rejects with it, too
