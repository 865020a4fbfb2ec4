/** What redaction misses, as SECURITY.md says, and what it finds right beside that. */
import assert from "node:assert/strict";
import { brotliCompressSync } from "node:zlib";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { Redactor } from "../../../lib/text/redaction/redactor.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { fill } from "./_secret_samples.ts";

const random = mulberry32(31);

function redacted(text: string): string {
  return new Redactor().text(text, "x");
}

function assertMissed(...texts: readonly string[]): void {
  for (const text of texts) assert.equal(redacted(text), text);
}

function assertFound(secret: string, ...texts: readonly string[]): void {
  for (const text of texts) assert.ok(!redacted(text).includes(secret), text);
}

Deno.test("a secret without form and name is missed, and found beside a name", () => {
  const uuid = "{h8}-{h4}-4{h3}-a{h3}-{h12}";
  const forms = [
    "{h32}",
    "{h40}",
    "{h64}",
    uuid,
    "{a3}{d1}{a5}{d1}{a5}{d1}{a5}{d1}{a2}",
    "00{w40}",
  ];
  for (const form of forms) {
    const secret = fill(form, random);
    assertMissed(`it printed ${secret} twice`);
    assertFound(
      secret,
      `HEROKU_API_KEY=${secret}`,
      `the key is ${secret}`,
      `curl -H 'Authorization: Bearer ${secret}' https://api.example.net`,
    );
    const named = `the Datadog key is ${secret}`;
    if (form === uuid) assertMissed(named);
    else assertFound(secret, named);
  }
});

Deno.test("a key of AWS with a slash is missed in the middle of a path", () => {
  const key = `${fill("{a19}", random)}/${fill("{a20}", random)}`;
  assertMissed(`cat /data/${key}/notes.txt`);
  assertFound(key, `it is ${key} now`);
});

Deno.test("a password that is a word is missed, but for quotes and variables", () => {
  assertMissed("the password is required", "the password is swordfish");
  assertFound("swordfish", 'password: "swordfish"', "DB_PASSWORD=swordfish");
});

Deno.test("a password is missed on the command line of an unknown program", () => {
  const password = fill("{a12}", random);
  assertMissed(`frobnicate -p${password} all`);
  assertFound(password, `mysqldump -p${password} all`);
});

Deno.test("a value that begins like a variable or a place to fill in is missed", () => {
  const rest = fill("{a12}", random);
  for (const value of [`$x${rest}`, `\${${rest}}`, `<${rest}>`, `${rest}EXAMPLE${rest}`]) {
    assertMissed(`PASSWORD=${value}`);
  }
  assertFound(rest, `PASSWORD=${rest}`);
});

Deno.test("other encodings of a secret are missed", () => {
  const secret = fill("gh|p_{a36}", random);
  const bytes = new TextEncoder().encode(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const noise = Array.from({ length: 300 }, () => String.fromCharCode(random() * 256)).join("");
  const encoded = {
    "UTF-16": [...secret].join("\0"),
    "a hexadecimal dump": `00000000  ${hex.join(" ")}`,
    "another compression": brotliCompressSync(bytes).toString("base64"),
    "base64 within binary data": btoa(noise + btoa(secret) + noise),
    "quoted-printable": hex.map((two) => `=${two.toUpperCase()}`).join(""),
    backwards: [...secret].reverse().join(""),
  };
  for (const [name, text] of Object.entries(encoded)) assert.equal(redacted(text), text, name);
  assertFound(secret, secret);
});

Deno.test("the halves of a secret in two events are missed", () => {
  const secret = fill("gh|p_{a36}", random);
  const halves = [secret.slice(0, 20), secret.slice(20)].map((output, index): LogEvent => (
    { v: 1, seq: index, kind: "x", form: "unknown", integrity: "verified", payload: { output } }
  ));
  const redactor = new Redactor();
  for (const half of halves) redactor.observe(half);
  assert.deepEqual(halves.map((half) => redactor.event(half)), halves);
});
