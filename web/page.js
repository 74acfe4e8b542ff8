// Starts the playground: checks what the browser can do, loads the program and its fonts, keeps the
// canvas as large as its content, and draws a frame whenever something happened.

import createPlayground from "./playground.js";
import { connectInput } from "./input.js";
import { Download } from "./download.js";
import { connectMirror } from "./mirror.js";
import { missingFeature, say } from "./support.js";

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");
const systemLanguage = (navigator.languages?.[0] ?? navigator.language ?? "en").startsWith("ko") ? "ko" : "en";
const wantedLanguage = new URLSearchParams(location.search).get("language") ?? systemLanguage;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
// Parameters that mail programs and social sites add to links; they are nobody's mistake.
const foreignParameter = /^(utm_|fbclid$|gclid$|ref$)/;

let program; // the WebAssembly module
let mirror;
let graphicsLost = false;
let frameScheduled = false;
let touch = false;
let ratio = 1;
let pendingFonts = 0;
let waiting = []; // promises to keep once everything asked for is on the screen

const text = (pointer) => program.UTF8ToString(pointer);
function withText(value, use) {
  const pointer = program.stringToNewUTF8(value);
  const result = use(pointer);
  program._free(pointer);
  return result;
}

// --- Drawing ---------------------------------------------------------------------------------------

export function schedule() {
  if (frameScheduled || graphicsLost || !program) return;
  frameScheduled = true;
  requestAnimationFrame(frame);
}

function frame() {
  frameScheduled = false;
  if (graphicsLost) return;
  const more = program._tp_frame();
  const resized = fitCanvas();
  canvas.style.cursor = cursorName(program._tp_cursor());
  mirror.update(JSON.parse(text(program._tp_mirror())));
  if (more || resized) {
    schedule();
  } else if (pendingFonts === 0) {
    const kept = waiting;
    waiting = [];
    for (const resolve of kept) resolve(state());
  }
}

const cursorName = (cursor) => ({ 1: "text", 7: "pointer" })[cursor] ?? "default";

// The canvas is as tall as its content, so that the page scrolls and not something inside it.
// True when that changed its size.
function fitCanvas() {
  const visible = document.documentElement.clientHeight;
  const height = Math.max(program._tp_content_height(), visible);
  const limit = Math.min(program.largest, 16384);
  const wanted = Math.min(Math.max(devicePixelRatio, 1), 3, limit / height);
  const width = $("stage").clientWidth;
  const pixelsWide = Math.round(width * wanted);
  const pixelsHigh = Math.round(height * wanted);
  const key = [pixelsWide, pixelsHigh, visible, wanted, darkSystem.matches, touch].join();
  if (key === fitCanvas.key) return false;
  fitCanvas.key = key;
  ratio = wanted;
  if (canvas.width !== pixelsWide || canvas.height !== pixelsHigh) {
    canvas.width = pixelsWide;
    canvas.height = pixelsHigh;
    canvas.style.height = `${height}px`;
  }
  program._tp_surroundings(pixelsWide / ratio, pixelsHigh / ratio, visible, ratio, darkSystem.matches, touch);
  return true;
}

function surroundingsChanged() {
  if (program && !graphicsLost && fitCanvas()) schedule();
}

// --- What scripts and embedding pages use ------------------------------------------------------------

function state() {
  return JSON.parse(text(program._tp_state()));
}

function command(object) {
  return playground.ready.then(() => {
    const wrong = withText(JSON.stringify(object) ?? "", (json) => text(program._tp_command(json)));
    if (wrong) throw new Error(wrong);
    schedule();
    if (document.hidden || graphicsLost) return state(); // nothing is drawn now, but it is done
    return new Promise((resolve) => waiting.push(resolve));
  });
}

const playground = { state, command };
window.playground = playground;

// --- Start ---------------------------------------------------------------------------------------------

const host = {
  async requestFont(file, name) {
    ++pendingFonts;
    try {
      provideFont(file, await fetchBytes(`../fonts/${name}`));
    } catch {
      program._tp_font_failed(file);
    }
    --pendingFonts;
    schedule();
  },
  openLicences() {
    open(new URL("../licences.txt", import.meta.url), "_blank", "noopener");
  },
};

async function fetchBytes(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function provideFont(file, bytes) {
  const pointer = program._malloc(bytes.length);
  program.HEAPU8.set(bytes, pointer);
  program._tp_font(file, pointer, bytes.length);
  program._free(pointer);
}

function connectContextLoss() {
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // asks the browser to bring it back
    graphicsLost = true;
    program._tp_context_lost();
  });
  canvas.addEventListener("webglcontextrestored", () => {
    graphicsLost = false;
    if (!program._tp_context_restored()) return fail("webgl");
    fitCanvas.key = undefined;
    fitCanvas();
    schedule();
  });
}

function applyLink() {
  const parameters = [...new URLSearchParams(location.search)].filter(([name]) => !foreignParameter.test(name));
  // The language first: what is wrong with the others is said in it.
  parameters.sort(([a], [b]) => (b === "language") - (a === "language"));
  for (const [name, value] of parameters) {
    withText(name, (n) => withText(value, (v) => program._tp_apply(n, v)));
  }
}

function fail(reason) {
  const loading = $("loading");
  loading.hidden = false;
  $("loading-progress").hidden = true;
  $("loading-text").textContent = say(reason, systemLanguage);
  loading.setAttribute("role", "alert");
  if (reason !== "download") return;
  const again = document.createElement("button");
  again.textContent = say("again", systemLanguage);
  again.addEventListener("click", () => location.reload());
  loading.append(again);
}

async function start() {
  document.documentElement.lang = systemLanguage;
  $("loading-text").textContent = say("loading", systemLanguage);
  const missing = missingFeature();
  if (missing) {
    fail(missing);
    throw new Error(say(missing, "en"));
  }
  const download = new Download((bytes) => ($("loading-progress").value = bytes));
  // The first four font files serve every language; their numbers are those of enum FontFile.
  const fontNames = ["sans.ttf", "math.ttf", "mono.ttf", "names.ttf"];
  if (wantedLanguage === "ko") fontNames.push("hangul.ttf");
  let fonts;
  try {
    [program, fonts] = await Promise.all([
      Promise.race([createPlayground({ host, instantiateWasm: download.instantiate }), download.failure]),
      Promise.all(fontNames.map((name) => download.bytes(`../fonts/${name}`))),
    ]);
  } catch (error) {
    fail("download");
    throw error;
  }
  mirror = connectMirror({ command, focusCanvas: () => canvas.focus({ preventScroll: true }) });
  connectContextLoss();
  if (!withText(systemLanguage, (language) => program._tp_start(language))) {
    fail("webgl");
    throw new Error(say("webgl", "en"));
  }
  const gl = canvas.getContext("webgl2");
  program.largest = Math.min(...gl.getParameter(gl.MAX_VIEWPORT_DIMS), gl.getParameter(gl.MAX_RENDERBUFFER_SIZE));
  fonts.forEach((bytes, file) => provideFont(file, bytes));
  applyLink();
  connectInput(canvas, program, {
    schedule,
    ratio: () => ratio,
    focusField: (name) => mirror.focus(name),
    setTouch(value) {
      touch = value;
      surroundingsChanged();
    },
  });
  new ResizeObserver(surroundingsChanged).observe($("stage"));
  addEventListener("resize", surroundingsChanged); // also fires when the pixel ratio changes
  darkSystem.addEventListener("change", surroundingsChanged);
  fitCanvas();
  await new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
  $("loading").hidden = true;
}

playground.ready = start();
playground.ready.catch(() => {}); // the page says it; whoever waits for `ready` hears it, too
