/** What leaks of keys without a known form, of which the text says "key" and no more. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { Redactor } from "../../../lib/text/redaction/redactor.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { fill, linesOf, type Random } from "./_secret_samples.ts";

const SEED = Number(Deno.env.get("REPRISE_SECRETS_SEED") ?? 24);

/** Forms in which keys are issued that have no fixed part. */
const KEYS = ["{h32}", "{h40}", "{h48}", "{h64}", "{a24}", "{a36}", "{a43}", "{l28}{d4}"];

/** Ways to say that something is a key. */
const SAYINGS: readonly ((key: string) => unknown)[] = [
  (key) => ({ key }),
  (key) => ({ service: { keys: [key] } }),
  ...linesOf("key_sayings").map((saying) => (key: string) => saying.replace("$", key)),
];

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Encoding {
  name: string;
  encode(text: string): string;
  /** True where the key can be read in the text that is left. */
  tells(left: string, key: string, text: string): boolean;
}

const encoder = new TextEncoder();

const ENCODINGS: readonly Encoding[] = [
  {
    name: "in hexadecimal",
    encode: (text) => `xxd: ${hexOf(encoder.encode(text))}`,
    tells: (left, key) => left.includes(hexOf(encoder.encode(key)).slice(8, -8)),
  },
  {
    name: "compressed",
    encode: (text) => `payload: ${gzipSync(encoder.encode(text)).toString("base64")}`,
    tells: (left) => left.includes("H4sI"),
  },
  {
    name: "in base64",
    encode: (text) => `echo ${btoa(text)} | base64 -d`,
    tells: (left, key, text) => {
      const at = Math.ceil(text.indexOf(key) / 3) * 4;
      return left.includes(btoa(text).slice(at + 4, at + 20));
    },
  },
  {
    name: "percent-encoded",
    encode: (text) => `https://example.net/?m=${encodeURIComponent(text)}`,
    tells: (left, key) => left.includes(key),
  },
];

function leftOf(value: unknown): string {
  const event: LogEvent = {
    ...{ v: 1, seq: 1, kind: "x", form: "unknown", integrity: "verified", payload: value },
  };
  const redactor = new Redactor();
  redactor.observe(event);
  return JSON.stringify(redactor.event(event));
}

/** Every saying with every form of key. */
function samples(): { key: string; value: unknown; saying: number }[] {
  const random: Random = mulberry32(SEED);
  return SAYINGS.flatMap((say, saying) =>
    KEYS.map((form) => {
      const key = fill(form, random);
      return { key, value: say(key), saying };
    })
  );
}

function assertFew(leaked: readonly string[], count: number): void {
  const most = 0.03 * count;
  const told = leaked.slice(0, 20).join("\n");
  assert.ok(leaked.length <= most, `seed ${SEED}: ${leaked.length} of ${count}\n${told}`);
}

Deno.test("leaks at most 3 of 100 keys named just key", () => {
  const all = samples();
  const leaked = all.filter(({ key, value }) => leftOf(value).includes(key));
  assertFew(leaked.map(({ value }) => JSON.stringify(value)), all.length);
});

for (const { name, encode, tells } of ENCODINGS) {
  Deno.test(`leaks at most 3 of 100 keys named just key: ${name}`, () => {
    // Bytes of other letters are not put together before they are looked at.
    const all = samples().filter(({ value }) => /^\p{ASCII}+$/u.test(String(value)))
      .filter(({ value }) => typeof value === "string");
    const leaked = all.filter(({ key, value }) =>
      tells(leftOf(encode(value as string)), key, value as string)
    );
    assertFew(leaked.map(({ value }) => JSON.stringify(value)), all.length);
  });
}

Deno.test("a UUID is a key where the text is about access, and an id elsewhere", () => {
  const id = fill("{h8}-{h4}-4{h3}-a{h3}-{h12}", mulberry32(SEED));
  const keys = [`the key is ${id}`, `401 for key ${id}`, `Error: invalid key: ${id}`, `KEY=${id}`];
  for (const text of [...keys, `X-Key: ${id}`, `tool --key ${id}`]) {
    assert.equal(new Redactor().text(text, "x"), text.replace(id, "[redacted:key:1]"));
  }
  for (const text of [`{"key":"${id}"}`, `duplicate key ${id}`, `tab with key ${id} was closed`]) {
    assert.equal(new Redactor().text(text, "x"), text);
  }
});

Deno.test("keys of maps, caches, tables and signatures are no secrets", () => {
  const random: Random = mulberry32(SEED);
  const texts = linesOf("keys_of_other_things").map((line) => fill(line, random));
  for (const text of texts) assert.equal(new Redactor().text(text, "x"), text);
});
