// What the browser must offer, and the sentences of the page before the program can speak.

const sentences = {
  loading: ["Loading …", "불러오는 중입니다 …"],
  again: ["Try again", "다시 시도"],
  wasm: [
    "This browser has no WebAssembly, which the playground runs on. A current Chrome, Firefox, Edge or Safari has it.",
    "이 브라우저에는 플레이그라운드를 실행하는 웹어셈블리가 없습니다. 최신 Chrome, Firefox, Edge, Safari에서 열어 주세요.",
  ],
  simd: [
    "This browser's WebAssembly lacks SIMD, which the playground computes with. A current Chrome, Firefox, Edge or Safari (16.4 or newer) has it.",
    "이 브라우저의 웹어셈블리에는 계산에 쓰는 SIMD가 없습니다. 최신 Chrome, Firefox, Edge, Safari(16.4 이상)에서 열어 주세요.",
  ],
  webgl: [
    "This browser offers no WebGL 2, which the playground draws with. Turn on hardware acceleration in its settings, or use another browser.",
    "이 브라우저에서는 그림을 그리는 WebGL 2를 쓸 수 없습니다. 설정에서 하드웨어 가속을 켜거나 다른 브라우저로 열어 주세요.",
  ],
  download: [
    "A part of the page could not be loaded. Check the connection and try again.",
    "페이지의 일부를 불러오지 못했습니다. 연결을 확인하고 다시 시도해 주세요.",
  ],
};

export const say = (name, language) => sentences[name][language === "ko" ? 1 : 0];

// In place of the page, with the sentence of that name.
export function fail(name, language) {
  const loading = document.getElementById("loading");
  loading.hidden = false;
  document.getElementById("loading-progress").hidden = true;
  document.getElementById("loading-text").textContent = say(name, language);
  loading.setAttribute("role", "alert");
  if (name !== "download") return;
  const again = document.createElement("button");
  again.textContent = say("again", language);
  again.addEventListener("click", () => location.reload());
  loading.append(again);
}

// A function that returns i32x4.splat(0) as a v128: valid exactly where SIMD is there.
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

// The name of the sentence that says what is missing, or nothing. Asks the canvas for the context that
// the program will draw with: making one takes long.
export function missingFeature(canvas) {
  if (typeof WebAssembly !== "object") return "wasm";
  if (!WebAssembly.validate(simdProbe)) return "simd";
  if (!canvas.getContext("webgl2", { alpha: false, depth: false, stencil: false, antialias: false })) return "webgl";
  return undefined;
}
