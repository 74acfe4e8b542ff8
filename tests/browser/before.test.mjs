// Links that the page made before tensors, series and commands had their present form open the same state:
// ../fixtures/before/links.json has what each opened then. Settings that came later are not looked at.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fs from "node:fs";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { project } from "./server.mjs";
import { until } from "./until.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

const links = JSON.parse(fs.readFileSync(path.join(project, "tests/fixtures/before/links.json"), "utf8"));

describe("links made before", () => {
  assert.equal(links.length, 5);
  for (const { link, settings, ...run } of links) {
    test(link, () =>
      chromium.onPage({ query: link }, async (opened) => {
        const now = await until(opened, (s) => s.task === run.task && s.state === "paused");
        assert.deepEqual(Object.fromEntries(Object.keys(run).map((name) => [name, now[name]])), run);
        const same = Object.keys(settings).map((name) => [name, now.settings[name]]);
        assert.deepEqual(Object.fromEntries(same), settings);
        assert.deepEqual([now.notices, now.error], [[], null]);
      }));
  }
});
