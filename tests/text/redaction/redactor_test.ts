import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { type RedactionFinding, Redactor } from "../../../lib/text/redaction/redactor.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { fill, inContext, linesOf, SAMPLE_FAMILIES } from "./_secret_samples.ts";

const random = mulberry32(11);
const token = (): string => fill("gh|p_{a36}", random);

function eventOf(kind: string, payload: unknown, seq = 1): LogEvent {
  return { v: 1, seq, kind, form: "unknown", integrity: "verified", payload };
}

/** A redactor that has observed events, by default one that says nothing. */
function observed(...events: LogEvent[]): Redactor {
  const redactor = new Redactor();
  for (const event of [eventOf("x", ""), ...events]) redactor.observe(event);
  return redactor;
}

/** What comes of an event that was learnt before, and what was reported. */
function redact(...events: LogEvent[]): { json: string; findings: RedactionFinding[] } {
  const findings: RedactionFinding[] = [];
  const redactor = new Redactor({ report: (finding) => findings.push(finding) });
  for (const event of events) redactor.observe(event);
  assert.deepEqual(findings, [], "nothing is reported before the second pass");
  return { json: JSON.stringify(events.map((event) => redactor.event(event))), findings };
}

Deno.test("an event without secrets is given back as the same object", () => {
  const event = eventOf("tool_end", { output: "12 passed", input: { path: ["a", null, 1, true] } });
  assert.equal(observed().event(event), event);
  const other = eventOf("tool_end", { output: token() });
  const before = structuredClone(other);
  assert.notEqual(observed().event(other), other);
  assert.deepEqual(other, before);
});

Deno.test("a redactor returns nothing of a session before all of it was observed", () => {
  const early = eventOf("user_message", { content: "try zq8Wm2Kp4Lr7 please" }, 2);
  const late = eventOf("user_message", { content: "DB_PASSWORD=zq8Wm2Kp4Lr7" }, 3);
  const code = "invalid-argument";
  assert.throws(() => new Redactor().event(early), { code, message: /observe\(\) first/ });
  const summary = { title: "try zq8Wm2Kp4Lr7 please" } as Summary;
  assert.throws(() => new Redactor().summary(summary), { code });
  const redactor = observed(early, late);
  assert.match(redactor.summary(summary).title, /^try \[redacted:password:1\] please$/);
  assert.ok(!JSON.stringify(redactor.event(early)).includes("zq8Wm2Kp4Lr7"));
  assert.throws(() => redactor.observe(late), { code, message: /returned events already/ });
});

Deno.test("the same secret has the same placeholder, another one another, across events and texts", () => {
  const [one, two] = [token(), token()];
  const redactor = observed();
  assert.equal(
    redactor.text(`a ${one} b ${two}`, "title"),
    "a [redacted:github-token:1] b [redacted:github-token:2]",
  );
  const { payload } = redactor.event(eventOf("x", { a: [two], [one]: "b" })) as {
    payload: unknown;
  };
  assert.deepEqual(payload, { a: ["[redacted:github-token:2]"], "[redacted:github-token:1]": "b" });
  assert.deepEqual([...redactor.counts], [["github-token", 4]]);
});

Deno.test("a finding tells the place, and nothing of the secret", () => {
  const secret = token();
  const { findings, json } = redact(eventOf("x", { input: { list: ["", `é ${secret}.`] } }, 7));
  assert.deepEqual(findings, [{
    kind: "github-token",
    placeholder: "[redacted:github-token:1]",
    field: "payload.input.list[1]",
    offset: 2,
    length: secret.length,
    seq: 7,
  }]);
  assert.ok(!json.includes(secret.slice(4, 10)));
});

Deno.test("a finding never holds a key that is a secret", () => {
  const secret = token();
  const { findings } = redact(eventOf("x", { [secret]: { password: "tr0ub4dor&3" } }));
  assert.equal(findings.length, 2);
  assert.ok(!JSON.stringify(findings).includes(secret.slice(4)));
});

Deno.test("replaces the value of a key named as a secret, in every syntax", () => {
  const secrets: string[] = [];
  function secret(): string {
    const made = fill("{a20}", random);
    secrets.push(made);
    return made;
  }
  const { json } = redact(eventOf("tool_start", {
    input: {
      api_key: secret(),
      headers: { Authorization: `Bearer ${secret()}`, "x-api-key": [secret()] },
      env: [{ name: "DB_PASSWORD", value: secret() }],
      argv: ["deploy", "--token", secret(), "now"],
      body: JSON.stringify({
        client_secret: secret(),
        deep: JSON.stringify({ password: secret() }),
      }),
    },
  }));
  assert.equal(secrets.length, 7);
  for (const [index, made] of secrets.entries()) assert.ok(!json.includes(made), `${index}`);
  assert.match(json, /"argv":\["deploy","--token","\[redacted:[^"]*","now"\]/);
});

Deno.test("a signature of few digits and a password in a diff are secrets", () => {
  const texts = {
    signature: "https://st.io/c?se=2026&sig=fWdyuoKoTCywZWyyULkehcpqhcGsVtwsUsGvhHxuz0H%3D&sp=r",
    netrc: "+machine h.io\n+  login bob\n+  password #+rcwlXn3Vv*s2FY",
    login: "-login bob\n-password #+rcwlXn3Vv*s2FY",
  };
  const { json } = redact(eventOf("x", texts));
  assert.doesNotMatch(json, /fWdyuo|rcwlXn/);
  assert.match(json, /sig=\[redacted:url-token:\d\]&sp=r/);
});

Deno.test("a secret that a name gave away once is replaced before and after, bare and escaped", () => {
  const secret = `${fill("{a8}", random)}/+ 7"é`.replace(" ", "");
  const { json, findings } = redact(
    eventOf("x", { output: `it is ${secret}` }, 1),
    eventOf("x", { input: { password: secret } }, 2),
    eventOf("x", { output: `?p=${encodeURIComponent(secret)} and ${JSON.stringify(secret)}` }, 3),
  );
  assert.deepEqual(findings.map(({ seq }) => seq), [1, 2, 3, 3]);
  assert.equal(new Set(findings.map(({ placeholder }) => placeholder)).size, 1);
  assert.ok(!json.includes(secret.slice(0, 8)));
});

Deno.test("without the first pass what came before its name stays, and what comes after does not", () => {
  const secret = fill("{a16}", random);
  const redactor = new Redactor();
  assert.equal(redactor.text(`it is ${secret}`, "a"), `it is ${secret}`);
  redactor.text(`password: "${secret}"`, "b");
  assert.match(redactor.text(`it is ${secret}`, "c"), /^it is \[redacted:password:1\]$/);
});

Deno.test("a known secret that a text was cut off in is taken as far as it goes", () => {
  const secret = token();
  const redactor = new Redactor();
  redactor.observeValue(secret);
  const text = redactor.text(`use ${secret.slice(0, 20)}…`, "title");
  assert.match(text, /^use \[redacted:github-token:\d\]…$/);
  assert.match(redactor.text(`...${secret.slice(20)} is it`, "x"), /^\.{3}\[redacted:[^ ]* is it$/);
  const other = `use ${token().slice(4, 20)}…`;
  assert.equal(redactor.text(other, "title"), other);
});

Deno.test("a secret in fragments is taken out of each of them", () => {
  const secret = token();
  const pieces = [secret.slice(0, 9), secret.slice(9, 30), `${secret.slice(30)} end`];
  for (const list of [pieces, pieces.map((text) => ({ type: "text", text }))]) {
    const { json, findings } = redact(eventOf("x", { deltas: list }));
    assert.equal(findings.length, 3);
    assert.equal(new Set(findings.map(({ placeholder }) => placeholder)).size, 1);
    for (const piece of pieces) assert.ok(!json.includes(piece), json);
    assert.match(json, / end/);
  }
});

const KEY = SAMPLE_FAMILIES.find(({ name }) => name === "private-key RSA");

Deno.test("a secret in an output of parts is taken out, over texts that continue, and in values", () => {
  const secret = token();
  const { json } = redact(eventOf("tool_end", {
    output: [
      { type: "text", text: `Output:\n${secret.slice(0, 9)}`, audience: "model" },
      { type: "text", text: secret.slice(9), continues: true },
      { type: "json", value: { list: [secret] } },
      { type: "image", media_type: "image/png", data: "AAAA", sha256: "", bytes: 3 },
    ],
  }));
  assert.ok(!json.includes(secret) && !json.includes(secret.slice(9)), json);
  assert.match(json, /"data":"AAAA"/);
});

Deno.test("a private key is taken whole: over lines of a diff, escaped, quoted, cut off at either end", () => {
  const key = KEY?.secret(random) ?? "";
  const lines = key.split("\n");
  assert.ok(lines.length > 10);
  const shapes: Record<string, unknown> = {
    escaped: JSON.stringify(JSON.stringify({ private_key: key })),
    diff: { lines: lines.map((content) => ({ kind: "added", content })) },
    patch: lines.map((line) => `+${line}`).join("\n"),
    numbered: lines.map((line, index) => `${index + 1}\u2192${line}`).join("\n"),
    indented: lines.map((line) => `    ${line}`).join("\r\n"),
    head: lines.slice(0, 6).join("\n"),
    tail: lines.slice(6).join("\n"),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const { json } = redact(eventOf("x", { a: "before", shape, b: "after" }));
    const rest = lines.slice(1, -1).filter((line) => json.includes(line.slice(0, 20)));
    assert.deepEqual(rest, [], name);
    assert.match(json, /before.*redacted:private-key:1.*after/s, name);
  }
});

Deno.test("a mention of a private key is no secret", () => {
  const text = 'grep -r "-----BEGIN RSA PRIVATE KEY-----" . finds keys in the repository';
  assert.equal(new Redactor().text(text, "x"), text);
});

Deno.test("examples, variables and code are no secrets", () => {
  for (const text of linesOf("no_secrets")) {
    assert.equal(new Redactor().text(text, "x"), text);
  }
});

Deno.test("a password with a number in a word is one, though it says secret or token", () => {
  const passwords = [
    "hunter2secretX9",
    "my4token9here",
    "Secret1password7",
    "x7secretx",
    "a1token2b",
  ];
  const places = [
    "password: $",
    "The password: $ is old",
    'password = "$"',
    "PASSWORD=$",
    "client_secret=$",
  ];
  for (const password of passwords) {
    for (const place of places) {
      const text = new Redactor().text(place.replace("$", password), "x");
      assert.doesNotMatch(text, new RegExp(password), place);
      assert.match(text, /redacted:[a-z-]+:1/, place);
    }
  }
});

Deno.test("a name of a secret with a number in it is no secret", () => {
  const names = [
    ...["DB_PASSWORD_2", "token1", "secret_v2", "apiV2Token", "s3SecretKey"],
    ...["oauth2token", "k8s-secret", "s3secret", "sha1secret", "base64token"],
    ...["auth0secret", "web3_secret", "v2token", "md5password", "oauth2_client_secret"],
  ];
  for (const name of names) {
    for (const text of [`password: ${name}`, `secret = "${name}"`, `"token": "${name}"`]) {
      assert.equal(new Redactor().text(text, "x"), text);
    }
  }
});

Deno.test("leaves redacted text unchanged in another pass", () => {
  let found = 0;
  for (const family of SAMPLE_FAMILIES) {
    const once = new Redactor().text(inContext(family, family.secret(random)), "x");
    if (once.includes("[redacted:")) found++;
    assert.equal(new Redactor().text(once, "x"), once, family.name);
  }
  assert.ok(found >= 0.97 * SAMPLE_FAMILIES.length, `${found} of ${SAMPLE_FAMILIES.length}`);
});

Deno.test("two keys never become one", () => {
  const secret = token();
  const placeholder = "[redacted:github-token:1]";
  const redactor = observed();
  const { payload } = redactor.event(eventOf("x", { [secret]: 1, [placeholder]: 2 })) as {
    payload: object;
  };
  assert.deepEqual(Object.values(payload), [1, 2]);
  assert.ok(!(secret in payload));
});

Deno.test("bytes of images stay; text that only claims to be an image is searched", () => {
  const data = `AAAA/${fill("AK|IA{T16}", random)}/AAAA`;
  const image = eventOf("x", { content: [{ type: "image", media_type: "image/png", data }] });
  assert.equal(observed().event(image), image);
  const text = eventOf("x", { media_type: "image/png", data: `key: ${token()}` });
  assert.match(JSON.stringify(observed().event(text)), /redacted:github-token/);
});

Deno.test("secrets are replaced in a value that belongs to no event, at any depth", () => {
  const secret = token();
  const redactor = new Redactor();
  const value = { threads: [{ id: "a", title: `why does ${secret} fail` }], count: 1 };
  redactor.observeValue(value);
  assert.deepEqual(redactor.value(value, "summary"), {
    threads: [{ id: "a", title: "why does [redacted:github-token:1] fail" }],
    count: 1,
  });
  const other = { title: "a" };
  assert.equal(redactor.value(other, "summary"), other);
});

Deno.test("replaces an encoded secret by the placeholder of the plain one", () => {
  const secret = token();
  const escaped = [...secret].map((one) =>
    `\\u00${one.charCodeAt(0).toString(16).padStart(2, "0")}`
  ).join("");
  const redactor = new Redactor();
  redactor.observeValue(secret);
  assert.equal(redactor.text(`a ${escaped} b`, "x"), "a [redacted:github-token:1] b");
  assert.equal(
    redactor.text(`\x1b[1m${secret.slice(0, 9)}\x1b[0m${secret.slice(9)}!`, "x"),
    "\x1b[1m[redacted:github-token:1]!",
  );
});

Deno.test("finds a secret behind three encodings", () => {
  const secret = token();
  const hex = (text: string): string =>
    [...text].map((one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const layers = [btoa, hex, (text: string) => gzipSync(text).toString("base64")];
  for (const [index, first] of layers.entries()) {
    const [second, third] = [layers[(index + 1) % 3] ?? btoa, layers[(index + 2) % 3] ?? btoa];
    const text = third(second(first(`export GH_TOKEN=${secret}\n`)));
    assert.match(new Redactor().text(text, "x"), /\[redacted:github-token:1\]/, `${index}`);
  }
});

Deno.test("throws for events that cannot be checked, and passes none on", () => {
  let deep: unknown = token();
  for (let level = 0; level < 600; level++) deep = [deep];
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const refused: LogEvent[] = [
    ...[deep, cyclic, new Map([["a", token()]]), new Date(0), 1n, Symbol("a")].map((payload) =>
      eventOf("x", { payload })
    ),
    { ...eventOf("x", {}), form: "raw" } as unknown as LogEvent,
    { form: "unparsed", seq: 1, kind: "x", integrity: "verified", raw: token() } as LogEvent,
  ];
  for (const event of refused) {
    for (const pass of ["observe", "event"] as const) {
      assert.throws(() => observed()[pass](event), SessionError);
    }
  }
});

Deno.test("events of every form are gone through: unknown and invalid ones, and what is around payloads", () => {
  const secret = token();
  const base = { seq: 1, integrity: "verified" as const, payload: { a: { b: [secret] } } };
  const events: LogEvent[] = [
    { ...base, form: "unknown", kind: secret },
    { ...base, form: "invalid", kind: "tool_end", reason: `not ${secret}` },
    { ...base, form: "unknown", kind: "x", turn_id: secret, source: { session_id: secret } },
    { ...base, form: "unknown", kind: "x", more: secret } as unknown as LogEvent,
  ];
  for (const event of events) {
    const redacted = JSON.stringify(observed().event(event));
    assert.ok(!redacted.includes(secret));
    assert.match(redacted, /\[redacted:github-token:1\]/);
  }
});

Deno.test("a text that was clean alone is a secret under the name of one", () => {
  const redactor = new Redactor();
  assert.equal(redactor.text("tr0ub4dor&3", "title"), "tr0ub4dor&3");
  assert.deepEqual(redactor.value({ password: "tr0ub4dor&3" }, "input"), {
    password: "[redacted:password:1]",
  });
  assert.equal(redactor.text("tr0ub4dor&3", "title"), "[redacted:password:1]");
});

Deno.test("a message of an array does not continue the one before it, but a chunk does", () => {
  const token = `hf_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z".slice(0, 34)}`;
  const text = [token, "powershell -EncodedCommand"];
  const messages = (more: Record<string, unknown>): unknown =>
    text.map((content) => ({ ...more, content }));
  for (const more of [{ role: "user" }, { id: "m", timestamp: "2026-11-21T10:00:00Z" }]) {
    const found = JSON.stringify(new Redactor().value(messages(more), ""));
    assert.ok(found.includes('"powershell -EncodedCommand"'), found);
    assert.ok(!found.includes(token.slice(5, 20)));
  }
  const chunks = [{ text: token.slice(0, 20) }, { text: token.slice(20) }];
  const joined = JSON.stringify(new Redactor().value(chunks, ""));
  assert.ok(!joined.includes(token.slice(20)) && !joined.includes(token.slice(4, 20)), joined);
});

Deno.test("a secret with a form of its own has the kind of that form, whatever name it has", () => {
  const token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  const texts = ["use X now", "token: X", "my token is X", "password X", "https://X@x.example/a"];
  for (const text of texts) {
    const found = new Redactor().text(text.replace("X", token), "title");
    assert.equal(found, text.replace("X", "[redacted:github-token:1]"));
  }
});
