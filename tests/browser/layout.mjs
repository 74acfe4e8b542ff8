// What must hold of every picture of the page, from the texts and places that state() tells.

import assert from "node:assert/strict";

// No text is cut off, shortened, below the end or over another one.
export function checkTexts({ texts, places, content_height: contentHeight }, where) {
  assert.ok(texts.length > 20, where);
  // On a phone the play bar lies over what is scrolled below it.
  const bar = places.bottom_bar;
  const inBar = (text) => bar && text.clip.y >= bar.y - 1;
  // Cards lie over everything; their texts end with them.
  const cards = Object.entries(places).filter(([name]) => /^(notice_|kept_run|font_loading)/.test(name));
  const inCard = ({ clip }) => cards.some(([, card]) => Math.abs(clip.x - card.x) <= 1 && Math.abs(clip.y - card.y) <= 1);
  const below = (text) => bar && !inBar(text) && text.y + text.height > bar.y;
  for (const text of texts) {
    const clip = text.clip;
    assert.ok(
      text.x >= clip.x - 1 &&
        text.y >= clip.y - 1 &&
        text.x + text.width <= clip.x + clip.width + 1 &&
        text.y + text.height <= clip.y + clip.height + 1,
      `${where}: "${text.text}" is cut off`,
    );
    assert.ok(inBar(text) || text.y + text.height <= contentHeight + 1, `${where}: "${text.text}" is below the end`);
    assert.ok(!text.text.endsWith("…") || text.text.endsWith(" …"), `${where}: "${text.text}" is shortened`);
  }
  for (let i = 0; i < texts.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const [a, b] = [texts[i], texts[j]];
      if ((inBar(a) && below(b)) || (inBar(b) && below(a)) || inCard(a) !== inCard(b)) continue;
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      // Lines may share a little of the air above and below their letters.
      const air = 0.25 * Math.min(a.height, b.height);
      assert.ok(across <= 1 || down <= air, `${where}: "${a.text}" overlaps "${b.text}"`);
    }
  }
}

// What may cover the page: cards of notices, a menu, a sheet, the lower bar of a phone.
const floats = /^(notice|kept_run|continue_kept|discard_kept|font_loading|card|close_notice|menu|keys|tour|sheet|bottom_bar)/;

// No control leaves the page, and none crosses the edge of a panel.
export function checkControls({ places, width, content_height: contentHeight }, panels, where) {
  const boxes = Object.entries(places).filter(([name]) => !floats.test(name));
  const inside = (a, b) => a.x >= b.x - 1 && a.y >= b.y - 1 && a.x + a.width <= b.x + b.width + 1 && a.y + a.height <= b.y + b.height + 1;
  const page = { x: 0, y: 0, width, height: contentHeight };
  const bar = places.bottom_bar;
  const apart = (a, b) => a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1 || a.y + a.height <= b.y + 1 || b.y + b.height <= a.y + 1;
  for (const [name, box] of boxes) {
    if (bar && box.y >= bar.y - 1) continue;
    assert.ok(inside(box, page), `${where}: ${name} leaves the page`);
    for (const panel of panels) {
      const edge = places[panel];
      if (!edge || name === panel) continue;
      assert.ok(inside(box, edge) || inside(edge, box) || apart(box, edge), `${where}: ${name} crosses the edge of ${panel}`);
    }
  }
}

// A panel may grow when what it asked for arrives, and is drawn with its new height in the picture after that. What
// `check` finds wrong for this long is wrong.
export async function atRest(state, check, milliseconds = 3000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const now = await state();
    try {
      return check(now);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
