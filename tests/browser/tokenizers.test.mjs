// The engine's tokenizers agree with Hugging Face's on 1,000 strings: build/dev/bin/tokenizer_fixture
// writes a tokenizer.json of each kind, with its own ids and texts; here the npm package reads them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Tokenizer } from "@huggingface/tokenizers";

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const program = path.join(project, "build/dev/bin/tokenizer_fixture");
const kinds = ["character", "word", "byte_bpe", "sentencepiece"];

let folder, cases;
before(() => {
  assert.ok(
    fs.existsSync(program),
    `${program} is missing; build it with: cmake --preset dev && cmake --build build/dev --target tokenizer_fixture`,
  );
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "tokenizers-"));
  execFileSync(program, [folder], { stdio: "inherit" });
  cases = JSON.parse(fs.readFileSync(path.join(folder, "cases.json"), "utf8"));
});
after(() => folder && fs.rmSync(folder, { recursive: true }));

// The package takes the unknown token of WordLevel from the second file of a model, which is not ours
// to write; and it would drop spaces before punctuation unless told not to.
const config = { unk_token: "<unk>", clean_up_tokenization_spaces: false };
const reference = (kind) => new Tokenizer(JSON.parse(fs.readFileSync(path.join(folder, `${kind}.json`), "utf8")), config);

test("the strings are of every sort", () => {
  const { strings } = cases;
  assert.equal(strings.length, 1000);
  assert.ok(strings.includes(""));
  const sorts = {
    Korean: /[가-힣]/, emoji: /\p{Emoji_Presentation}/u, "joined emoji": /\u200d/, "runs of spaces": /\s{3}/, numbers: /\p{N}/u,
    punctuation: /\p{P}/u, "several scripts": /\p{L}.*[가-힣].*\p{Script=Han}/u, "control characters": /\p{Cc}/u,
    "a special token": /<eos>/, contractions: /'ll/, "a zero byte": /\0/, "the space of SentencePiece itself": /▁/,
  };
  for (const [name, pattern] of Object.entries(sorts)) {
    const count = strings.filter((string) => pattern.test(string)).length;
    assert.ok(count >= 10, `${name}: ${count} strings`);
  }
});

for (const kind of kinds) {
  test(`${kind}: the same ids for 1,000 strings`, () => {
    const tokenizer = reference(kind);
    const { ids } = cases.tokenizers[kind];
    assert.equal(ids.length, cases.strings.length);
    cases.strings.forEach((string, i) => {
      assert.deepEqual(ids[i], tokenizer.encode(string).ids, `string ${i}: ${JSON.stringify(string)}`);
    });
  });

  test(`${kind}: the same text for the ids of 1,000 strings, and for ids at random`, () => {
    const tokenizer = reference(kind);
    const { ids, decoded, drawn } = cases.tokenizers[kind];
    ids.forEach((list, i) => {
      if (list.length > 0) assert.equal(decoded[i], tokenizer.decode(list), `string ${i}: ${JSON.stringify(cases.strings[i])}`);
      else assert.equal(decoded[i], ""); // the package refuses an empty list
    });
    for (const { ids: list, shown, skipped } of drawn) {
      assert.equal(shown, tokenizer.decode(list), `ids ${list}`);
      assert.equal(skipped, tokenizer.decode(list, { skip_special_tokens: true }), `ids ${list} without special tokens`);
    }
  });

  test(`${kind}: the vocabulary is the file's, special tokens first`, () => {
    const tokenizer = reference(kind);
    assert.deepEqual(["<pad>", "<bos>", "<eos>", "<unk>"].map((token) => tokenizer.token_to_id(token)), [0, 1, 2, 3]);
  });
}

test("byte-level BPE gives back every string", () => {
  assert.deepEqual(cases.tokenizers.byte_bpe.decoded, cases.strings);
});
