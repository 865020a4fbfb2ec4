import assert from "node:assert/strict";
import { findSecrets, SECRET_FAMILIES } from "../../../lib/text/redaction/find_secrets.ts";
import { RUN_FAMILIES } from "../../../lib/text/redaction/issued_run.ts";
import { Redactor } from "../../../lib/text/redaction/redactor.ts";
import { PASSWORD_PLACES } from "../../../lib/text/redaction/password_place.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { benignTexts } from "./_benign_corpus.ts";
import { inContext, SAMPLE_FAMILIES, type SampleFamily } from "./_secret_samples.ts";
import { loadOf } from "./vendors/carrier.ts";
import { VENDOR_FORMS } from "./vendors/vendor_forms.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

/** Each way to wrap a text has secrets of its own. */
const SAMPLES = ALL_TORTURE ? 10 : 1;

/** What stays of a secret in a text: any seven characters in a row. */
function leaks(secret: string, redacted: string): boolean {
  const rest = redacted.replaceAll(/\[redacted:[a-z0-9-]+:\d+\]/g, " ");
  for (let at = 0; at + 7 <= secret.length; at++) {
    const piece = secret.slice(at, at + 7);
    if (!piece.includes("-----") && rest.includes(piece)) return true;
  }
  return false;
}

/** How a text may be wrapped on its way into a session. */
const WRAPPED: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => `see ${text} there\n`,
  "in JSON": (text) => `{"a":${JSON.stringify(text)}}`,
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify({ a: `x\n${text}\ny` })),
  "in a diff": (text) => text.split("\n").map((line) => `+${line}`).join("\n"),
  coloured: (text) => `\x1b[31m${text}\x1b[0m`,
};

interface Recall {
  missed: string[];
  named: number;
}

function recallOf(family: SampleFamily, wrap: (text: string) => string, seed: number): Recall {
  const random = mulberry32(seed);
  const recall: Recall = { missed: [], named: 0 };
  for (let sample = 0; sample < SAMPLES; sample++) {
    const secret = family.secret(random);
    const kinds: string[] = [];
    const redactor = new Redactor({ report: ({ kind }) => kinds.push(kind) });
    const redacted = redactor.text(wrap(inContext(family, secret)), "text");
    if (kinds.length === 0 || leaks(secret, redacted)) recall.missed.push(redacted);
    if (kinds.includes(family.kind)) recall.named++;
  }
  return recall;
}

for (const [way, [name, wrap]] of Object.entries(WRAPPED).entries()) {
  // Slow: a share of 99 in 100 needs hundreds of secrets.
  Deno.test(`at least 99 of 100 secrets of every family are found and named: ${name}`, () => {
    const kinds = new Set(SAMPLE_FAMILIES.map(({ kind }) => kind));
    assert.ok(kinds.size >= 60, `${kinds.size}`);
    const missed: Record<string, string[]> = {};
    let named = 0;
    for (const [index, family] of SAMPLE_FAMILIES.entries()) {
      const recall = recallOf(family, wrap, 1000 * way + 100 + index);
      named += recall.named;
      if (recall.missed.length > 0) missed[family.name] = recall.missed;
    }
    const all = SAMPLES * SAMPLE_FAMILIES.length;
    const lost = Object.values(missed).flat().length;
    assert.ok(lost <= 0.01 * all, `${lost} of ${all}: ${JSON.stringify(missed, undefined, 1)}`);
    assert.ok(named >= 0.97 * all, `${named} of ${all} have the right name`);
  });
}

Deno.test("every family of the code finds a sample that was made without it", () => {
  const random = mulberry32(8);
  const samples = [
    ...SAMPLE_FAMILIES.map((family) => inContext(family, family.secret(random))),
    ...VENDOR_FORMS.map((form) => loadOf(form, form.secret(random)).secret),
  ];
  const found = new Set(samples.flatMap((text) => findSecrets(text)).map(({ kind }) => kind));
  const families = new Set([...SECRET_FAMILIES, ...RUN_FAMILIES].map(({ kind }) => kind));
  assert.ok(families.size >= 140, `${families.size}`);
  assert.deepEqual([...families].filter((kind) => !found.has(kind)), []);
});

Deno.test("at most one find in a megabyte without secrets", () => {
  const found: string[] = [];
  const bytes = ALL_TORTURE ? 5_000_000 : 400_000;
  let size = 0;
  for (const text of benignTexts(bytes, 3)) {
    size += text.length;
    const report = ({ kind, offset, length }: { kind: string; offset: number; length: number }) =>
      found.push(`${kind}: ${text.slice(Math.max(0, offset - 40), offset + length)}`);
    new Redactor({ report }).text(text, "text");
  }
  assert.ok(size >= bytes);
  assert.ok(found.length <= size / 1_000_000, JSON.stringify(found, undefined, 1));
});

/** How many steps a form may take from one place: its quantifiers' bounds; undefined where it has none. */
function longest(form: string): number | undefined {
  const bare = form.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x").replaceAll(/\(\?/g, "(");
  if (/[*+]|\{\d+,\}/.test(bare)) return undefined;
  let sum = bare.length;
  for (const [, most] of bare.matchAll(/\{(?:\d+,)?(\d+)\}/g)) sum += Number(most);
  return sum;
}

Deno.test("no text can make a family's form cost more than a bounded number of steps", () => {
  assert.equal(longest("a+"), undefined);
  assert.equal(longest("[a+]{2,}"), undefined);
  assert.equal(longest("(?:a|b){2,30}[*]"), 43);
  for (const { kind, form, anchors } of SECRET_FAMILIES) {
    const steps = longest(form);
    assert.ok(steps !== undefined && steps <= 15_000, `${kind}: ${form}`);
    assert.ok(anchors.length > 0 && anchors.every((anchor) => anchor.length >= 3), kind);
    // A repeated group that holds a repetition is where time explodes.
    assert.doesNotMatch(form, /\{\d+(?:,\d+)?\}\)\{\d+,\d{2,}\}/, kind);
  }
  for (const { kind, form } of PASSWORD_PLACES) {
    assert.ok(longest(form.source) !== undefined, kind);
  }
});

Deno.test("each anchor of a family is in all of its samples that the family finds", () => {
  const random = mulberry32(5);
  const byKind = Map.groupBy(SECRET_FAMILIES, ({ kind }) => kind);
  let compared = 0;
  for (const family of SAMPLE_FAMILIES) {
    const anchors = byKind.get(family.kind)?.flatMap((one) => one.anchors);
    if (anchors === undefined || family.context !== undefined) continue;
    const secret = family.secret(random);
    assert.ok(anchors.some((anchor) => secret.includes(anchor)), family.name);
    compared++;
  }
  assert.ok(compared >= 60, `${compared}`);
});
