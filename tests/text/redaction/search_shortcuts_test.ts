/** The quick ways of the search find what the plain definitions find, on seeded random texts. */
import assert from "node:assert/strict";
import { AnchorIndex } from "../../../lib/text/redaction/anchor_index.ts";
import { entropyOf } from "../../../lib/text/redaction/chance.ts";
import { findSecrets } from "../../../lib/text/redaction/find_secrets.ts";
import { layered } from "../../../lib/text/redaction/layered_search.ts";
import { NameMemo, secretName } from "../../../lib/text/redaction/secret_name.ts";
import { SecretVault } from "../../../lib/text/redaction/secret_vault.ts";
import { SHORTEST_RUN, tokenRuns } from "../../../lib/text/redaction/token_runs.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { fill, inContext, SAMPLE_FAMILIES } from "./_secret_samples.ts";

const random = mulberry32(20_261_122);

function below(limit: number): number {
  return Math.floor(random() * limit);
}

function pick<Item>(items: readonly Item[] | string): Item | string {
  return items[below(items.length)] ?? "";
}

function textOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => pick(alphabet)).join("");
}

Deno.test("runs are those of an expression, at any length and place", () => {
  const form = new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST_RUN},}`, "g");
  let found = 0;
  for (let round = 0; round < 3000; round++) {
    const words = Array.from({ length: below(8) }, () => textOf("aZ09+/-_", below(45)));
    const text = words.map((word) => word + pick(["", " ", ".", "=\n", "é"])).join("");
    const expected = [...text.matchAll(form)].flatMap(({ 0: run, index }) => [
      index,
      index + run.length,
    ]);
    assert.deepEqual(tokenRuns(text), expected, text);
    found += expected.length / 2;
  }
  assert.ok(found > 1000, `${found}`);
});

Deno.test("an index finds each anchor where it stands, in either case if that is asked for", () => {
  let found = 0;
  for (let round = 0; round < 300; round++) {
    const anchors = Array.from({ length: 1 + below(12) }, () => ({
      text: textOf("abc_", 3 + below(4)),
      fold: below(2) === 1,
    }));
    const index = new AnchorIndex<number>();
    for (const [number, { text, fold }] of anchors.entries()) {
      index.add(text, number, { fold, at: below(text.length - 2) });
    }
    const text = textOf("aAbBcC__\u0141", 60);
    const expected = anchors.flatMap(({ text: anchor, fold }, number) => {
      const places = Array.from({ length: text.length }, (_, at) => at);
      const piece = (at: number): string => text.slice(at, at + anchor.length);
      return places.filter((at) => (fold ? piece(at).toLowerCase() : piece(at)) === anchor)
        .map((at) => `${at} ${number}`);
    });
    const visited: string[] = [];
    index.scan(text, (at, number) => visited.push(`${at} ${number}`));
    assert.deepEqual(visited.toSorted(), expected.toSorted(), text);
    found += visited.length;
  }
  assert.ok(found > 200, `${found}`);
});

Deno.test("a vault finds its secrets and what is cut off of them, be they few or many", () => {
  const secrets = Array.from({ length: 40 }, () => fill("{a30}", random));
  for (const count of [1, 8, 9, 40]) {
    const vault = new SecretVault();
    const known = secrets.slice(0, count);
    for (const secret of known) vault.keep(secret, { kind: "token", certain: true });
    for (const [index, secret] of secrets.entries()) {
      const isKnown = index < count;
      const length = 8 + below(20);
      const whole = vault.find(`a ${secret} b ${secret}`).filter(({ certain }) => certain);
      assert.equal(whole.length, isKnown ? 2 : 0);
      const shown = [`see ${secret.slice(0, length)}…`, `...${secret.slice(-length)} is it`];
      for (const text of shown) {
        const pieces = vault.find(text).map(({ start, end }) => text.slice(start, end));
        assert.equal(pieces.length, isKnown ? 1 : 0, text);
        assert.ok(pieces.every((piece) => piece.length === length && secret.includes(piece)));
      }
    }
  }
});

Deno.test("entropy is that of the definition, in every script", () => {
  for (let round = 0; round < 1000; round++) {
    const text = textOf(below(4) === 0 ? "aé\u{1F600}z" : "abcXYZ019+/", below(60));
    const counts = new Map<string, number>();
    for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1);
    let bits = 0;
    for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
    assert.equal(entropyOf(text), text === "" ? 0 : bits / text.length);
  }
});

Deno.test("names that were read before say the same again", () => {
  const names = new NameMemo();
  const parts = ["api", "Key", "TOKEN", "_", "-", "secret", "pass", "x", "Client", "Id", "auth"];
  let secret = 0;
  for (let round = 0; round < 20_000; round++) {
    const name = Array.from({ length: 1 + below(4) }, () => pick(parts)).join("");
    const said = names.of(name);
    assert.deepEqual(said, secretName(name), name);
    if (said !== undefined) secret++;
  }
  assert.ok(secret > 1000, `${secret}`);
});

Deno.test("no text of fewer than eight characters holds a secret", () => {
  const pieces = [
    ...["key", "pwd", "pass:", "jwt", "=", ":", " ", "://", "@", "7z ", "az ", "-p", "a1B2", "\\"],
    ...SAMPLE_FAMILIES.map((family) => inContext(family, family.secret(random)).slice(0, 7)),
  ];
  for (let round = 0; round < 20_000; round++) {
    const text = `${pick(pieces)}${pick(pieces)}${pick(pieces)}`.slice(0, below(8));
    assert.deepEqual(findSecrets(text), [], text);
  }
  assert.equal(findSecrets("PWD=a1b2").length, 1);
  assert.equal(layered("PWD=a1b2")((text) => findSecrets(text)).length, 1);
});
