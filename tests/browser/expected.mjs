// What the pixels should be, worked out again from the formula and web/palette.css alone.

import fs from "node:fs";
import path from "node:path";
import { PNG } from "pngjs";

import { project } from "./server.mjs";

export function encoding(position, dimension, dModel, base) {
  const angle = position / base ** ((dimension - (dimension % 2)) / dModel);
  return dimension % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
}

const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const fromLinear = (c) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
const times = (matrix, v) => matrix.map((row) => row.reduce((sum, m, i) => sum + m * v[i], 0));

const rgbToCones = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const conesToLab = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const labToCones = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const conesToRgb = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

const toLab = (rgb) => times(conesToLab, times(rgbToCones, rgb.map((c) => toLinear(c / 255))).map(Math.cbrt));
const fromLab = (lab) =>
  times(conesToRgb, times(labToCones, lab).map((c) => c ** 3)).map((c) =>
    Math.round(255 * Math.min(1, Math.max(0, fromLinear(c)))),
  );

// The stops of a map, as the style sheet gives them.
function stops(name, theme) {
  const css = fs.readFileSync(path.join(project, "web/palette.css"), "utf8");
  const [light, dark] = css.split('[data-theme="dark"]');
  const line = (theme === "dark" ? dark : light).match(new RegExp(`--${name}: ([^;]+);`))[1];
  return line.split(" ").map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
}

// The colour of a value from -1 to 1.
export function signedColour(value, theme) {
  const colours = stops("map-signed", theme);
  const entry = Math.floor(((value + 1) / 2) * 255 + 0.5);
  const place = (entry / 255) * (colours.length - 1);
  const left = Math.min(Math.floor(place), colours.length - 2);
  const [from, to] = [toLab(colours[left]), toLab(colours[left + 1])];
  return fromLab(from.map((c, i) => c + (place - left) * (to[i] - c)));
}

export function decode(png) {
  const image = PNG.sync.read(png);
  return {
    width: image.width,
    height: image.height,
    at(x, y) {
      const i = 4 * (Math.floor(y) * image.width + Math.floor(x));
      return [...image.data.subarray(i, i + 3)];
    },
  };
}

export const distance = (a, b) => Math.max(...a.map((c, i) => Math.abs(c - b[i])));

// Compares cells spread over the heatmap with what they should be; returns the worst distance. Cells
// beside the marked row and column are left out: its outline touches them.
export function worstCell(image, state, ratio = 1) {
  const { pe_positions: rows, pe_d_model: columns, pe_base: base, pe_position, pe_dimension } = state.settings;
  const map = state.shown.places.heatmap;
  let worst = 0;
  for (let row = 0; row < rows; row += Math.ceil(rows / 12)) {
    for (let column = 0; column < columns; column += Math.ceil(columns / 17)) {
      const x = Math.floor((map.x + ((column + 0.5) / columns) * map.width) * ratio);
      const y = Math.floor((map.y + ((row + 0.5) / rows) * map.height) * ratio);
      // Where cells are smaller than pixels, the pixel shows the cell that its middle lies in.
      const shownColumn = Math.floor((((x + 0.5) / ratio - map.x) / map.width) * columns);
      const shownRow = Math.floor((((y + 0.5) / ratio - map.y) / map.height) * rows);
      const near = (a, b, cell) => Math.abs(a - b) * cell * ratio <= Math.max(cell * ratio, 1) + 2 * ratio;
      if (near(shownRow, pe_position, map.height / rows) || near(shownColumn, pe_dimension, map.width / columns)) continue;
      const wanted = signedColour(encoding(shownRow, shownColumn, columns, base), state.theme);
      worst = Math.max(worst, distance(image.at(x, y), wanted));
    }
  }
  return worst;
}
