import { fieldLines } from "../../../../lib/agents/claude/notices.ts";
import { type ByteFinder, makeByteFinder } from "../../../../lib/core/log/byte_finder.ts";
import {
  driverPlaces,
  Evidence,
  makePrefilter,
} from "../../../../lib/library/search/prefilter/prefilter.ts";
import { textTerm } from "../../../../lib/library/search/query.ts";
import { matchPieces } from "../../../../lib/library/search/query_match.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { stripVTControlCharacters } from "node:util";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";

const RUNS = roundsOf(20_000, 1000);

const finder: ByteFinder = makeByteFinder(64 * 1024);

/** Puts a text where it can be searched; gives how many bytes it has. */
function fill(text: string): number {
  return new TextEncoder().encodeInto(text, finder.bytes).written;
}

/** JSON as some writer may write it: any character may be escaped, and texts may be JSON in JSON. */
function writtenText(text: string, choice: (limit: number) => number, depth: number): string {
  let json = '"';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    const plain = JSON.stringify(character).slice(1, -1);
    const hex = text.charCodeAt(index).toString(16).padStart(4, "0");
    const escaped = `\\u${choice(2) === 0 ? hex : hex.toUpperCase()}`;
    const surrogate = /[\ud800-\udfff]/.test(character);
    if (choice(8) === 0 || (surrogate && plain !== character)) json += escaped;
    else if (character === "/" && choice(2) === 0) json += "\\/";
    else json += plain;
  }
  json += '"';
  return depth === 0 ? json : writtenText(json, choice, depth - 1);
}

const characters = fc.constantFrom(
  ..."abckKsS019_-. ()/\\\"'\n\t<>é ÉßẞσςΣμµпПЁ日本語🙂\u2028\u212aſ\u001b[]`",
);
const text = fc.array(characters, { minLength: 1, maxLength: 24 }).map((all) => all.join(""));

Deno.test("the prefilter never rejects bytes with a match, however it is escaped", () => {
  let hits = 0;
  const property = fc.property(
    text,
    fc.nat(20),
    fc.integer({ min: 1, max: 10 }),
    fc.nat(2),
    fc.infiniteStream(fc.nat(1000)),
    fc.boolean(),
    (whole, start, length, depth, random, swap) => {
      const cut = [...whole].slice(start % whole.length).slice(0, length).join("").trim();
      const wanted = swap ? cut.toUpperCase() : cut;
      if (wanted === "" || !wanted.isWellFormed()) return;
      const term = textTerm(wanted);
      const query = { root: term, terms: [term] };
      const prefilter = makePrefilter(query);
      const match = matchPieces(query, [whole]);
      if (match === undefined || prefilter === undefined) return;
      hits++;
      const choice = (limit: number): number => (random.next().value ?? 0) % limit;
      const size = fill(`{"x":${writtenText(whole.toWellFormed(), choice, depth)}}`);
      const evidence = new Evidence(prefilter);
      evidence.look({ finder, start: 0, end: size }, true);
      assert.ok(evidence.may_fit);
      if (match.whole === 1) assert.ok(evidence.may_be_whole, JSON.stringify([whole, wanted]));
      assert.ok(driverPlaces(prefilter, finder, 0, size).next().done === false);
    },
  );
  fc.assert(property, { seed: 20261121, numRuns: RUNS });
  assert.ok(hits > RUNS / 5, `${hits}`);
});

const COLOUR = "\u001b[31;1m";
const line = fc.array(fc.constantFrom("ab", "cd", "-ef", "1", "é", "the", "name", COLOUR), {
  minLength: 1,
  maxLength: 4,
}).map((words) => words.join(" "));
const field = fc.oneof(
  fc.array(line, { maxLength: 3 }).map((lines) => lines.join("\n")),
  fc.constantFrom(7, 0.5, -12, true, null),
);
const record = fc.dictionary(
  fc.constantFrom("name", "text", "ab", "z", "A"),
  fc.oneof(
    field,
    fc.array(field, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("the", "cd", "content"), field),
  ),
);

Deno.test("the prefilter rejects no stretch of a text that is composed of a record's lines", () => {
  let hits = 0;
  const property = fc.property(
    record,
    fc.nat(200),
    fc.integer({ min: 2, max: 30 }),
    (value, at, length) => {
      const composed = stripVTControlCharacters(fieldLines(value));
      const start = at % (composed.length + 1);
      const wanted = composed.slice(start, start + length);
      if (wanted.trim() === "") return;
      const term = textTerm(wanted);
      const prefilter = makePrefilter({ root: term, terms: [term] });
      if (prefilter === undefined) return;
      hits++;
      const evidence = new Evidence(prefilter);
      const size = fill(`{"x":"the ab"}\n${JSON.stringify(value)}\n{"x":"cd"}\n`);
      evidence.look({ finder, start: 0, end: size });
      assert.ok(evidence.may_fit, JSON.stringify([value, wanted]));
    },
  );
  fc.assert(property, { seed: 20261124, numRuns: RUNS });
  assert.ok(hits > 0.4 * RUNS, `${hits}`);
});

Deno.test("the prefilter rejects a phrase whose words stand apart", () => {
  const size = fill(
    [
      { x: "the disk is full" },
      { x: "a full disk", y: "not full" },
      { x: "on the disk", y: "or on full disks" },
      { x: "the disk" },
      { x: "full" },
    ].map((value) => `${JSON.stringify(value)}\n`).join(""),
  );
  for (const [phrase, may_fit] of [["disk full", false], ["full disk", true]] as const) {
    const term = textTerm(phrase);
    const prefilter = makePrefilter({ root: term, terms: [term] });
    assert.ok(prefilter !== undefined);
    assert.equal(new Evidence(prefilter).look({ finder, start: 0, end: size }), may_fit, phrase);
  }
});

Deno.test("the prefilter rejects bytes without the terms", () => {
  const size = fill('{"text":"nothing of that kind \\n \\u001b[0m \\" here"}\n'.repeat(200));
  for (const word of ["zebra", "ПРИВЕТ", "日本語", "foo.bar()", "x/ledger"]) {
    const term = textTerm(word);
    const prefilter = makePrefilter({ root: term, terms: [term] });
    assert.ok(prefilter !== undefined, word);
    assert.ok(!new Evidence(prefilter).look({ finder, start: 0, end: size }), word);
    assert.deepEqual([...driverPlaces(prefilter, finder, 0, size)], []);
  }
});

Deno.test("bytes tell nothing about terms that have many forms alone", () => {
  for (const word of ['"', "\\", "/", "'", "<>", "\uFFFD"]) {
    const term = textTerm(word);
    assert.equal(makePrefilter({ root: term, terms: [term] }), undefined, word);
  }
});
