/** What leaks of keys without a known form, of which the text says "key" and no more. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { Redactor } from "../../../lib/text/redaction/redactor.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { fill, type Random } from "./_secret_samples.ts";

const SEED = Number(Deno.env.get("REPRISE_SECRETS_SEED") ?? 24);

/** Forms in which keys are issued that have no fixed part. */
const KEYS = ["{h32}", "{h40}", "{h48}", "{h64}", "{a24}", "{a36}", "{a43}", "{l28}{d4}"];

/** Ways to say that something is a key. */
const SAYINGS: readonly ((key: string) => unknown)[] = [
  (key) => `The key is ${key}`,
  (key) => `OK. The key is \`${key}\`, do not share it.`,
  (key) => `HTTP 401 for key ${key}`,
  (key) => `Error: 403 invalid key: ${key}`,
  (key) => `Unauthorized (key: ${key})`,
  (key) => `the key (${key}) has expired`,
  (key) => `I called it with key "${key}" and it failed`,
  (key) => `set the key to ${key}`,
  (key) => `Key:\n${key}\n`,
  (key) => `- **Key**: \`${key}\``,
  (key) => `- **Key:** ${key}`,
  (key) => `| Key | ${key} |`,
  (key) => `Der Schlüssel lautet ${key}`,
  (key) => `La clave es ${key}`,
  (key) => `La clé est ${key}`,
  (key) => ({ key }),
  (key) => ({ service: { keys: [key] } }),
  (key) => JSON.stringify({ key }),
  (key) => JSON.stringify({ keys: [key] }),
  (key) => JSON.stringify({ out: JSON.stringify({ text: `use key "${key}"` }) }),
  (key) => `service:\n  key: ${key}\n  region: eu`,
  (key) => `[api]\nkey = "${key}"`,
  (key) => `KEY=${key}\nPORT=80`,
  (key) => `curl -H 'X-Key: ${key}' https://api.example.net/v1`,
  (key) => `tool --key ${key} run`,
  (key) => `const key = '${key}';`,
  (key) => `let key: &str = "${key}";`,
  (key) => `key := "${key}"`,
  (key) => `connect(key="${key}")`,
  (key) => `<key>${key}</key>`,
  (key) => `WARN auth: rejected key ${key} from 10.0.0.1`,
  (key) => `401 for token ${key}`,
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
  const hash = fill("{h64}", random);
  const commit = fill("{h40}", random);
  const texts = [
    'key: "user_name"',
    '{"key": "settings.title.long_name_of_a_message"}',
    '{"key": "Enter", "code": "NumpadEnter"}',
    "key: createUserV2Handler1ForAll",
    `Cache restored from key: Linux-node-${hash}`,
    `cache key ${hash}`,
    `"cache_key": "${hash}"`,
    `primary key (id), unique key UQ_78a916df40e02a9deb1c4b75edb`,
    `foreign key ${commit}`,
    `index key ${commit}`,
    `object key: ${hash}`,
    "gpg: using RSA key 4AEE18F83AFDEB23",
    "Primary key fingerprint: 5DE3E0509C47EA3CF04A42D34AEE18F83AFDEB23",
    "ssh-ed25519 host key SHA256:uNiVztksCsDhcc0u9e8BrSXV0X8pBdn0Z3eQnHkQm1c",
    `git show ${commit} # the key commit`,
    `image: registry.io/app@sha256:${hash}`,
    `duplicate key value violates unique constraint "users_pkey"`,
    `key=${fill("{h8}-{h4}-4{h3}-a{h3}-{h12}", random)}`,
    ".key-value-list-item__primary--active { color: #aabbcc }",
    't("errors.key.not_found_in_translation_table")',
  ];
  for (const text of texts) assert.equal(new Redactor().text(text, "x"), text);
});
