import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { checkLine } from "../lib/core/event/checksum.ts";
import { decodeEvent } from "../lib/core/event/decode.ts";
import type { LogEvent } from "../lib/core/event/envelope.ts";
import type { EventKind } from "../lib/core/event/payload.ts";
import { payloadFault } from "../lib/core/event/payload_guard.ts";
import {
  conversationKinds,
  EVENT_KINDS,
  isBoundary,
  isEventKind,
  isHeld,
  TRANSCRIPT_KINDS,
} from "../lib/core/event/policy.ts";
import { type DiagnosticCode, isDamage, isFault } from "../lib/core/log/diagnostic.ts";
import { EventParseStream } from "../lib/core/log/event_parse_stream.ts";
import { MAX_LINE_BYTES } from "../lib/core/log/line_splitter.ts";
import { LineStream } from "../lib/core/log/line_stream.ts";
import {
  NOT_RUN_OUTPUT,
  UNSETTLED_OUTPUT,
} from "../lib/core/projection/conversation/paired_messages.ts";
import { namespaceOf } from "../lib/core/workspace/namespace.ts";

const FORMAT = Deno.readTextFileSync(new URL("../.github/FORMAT.md", import.meta.url));

/** The fenced blocks of one language, in the text from `after` on. */
function blocks(language: string, after = "", document = FORMAT): string[] {
  const start = document.indexOf(after);
  assert.ok(start >= 0, `FORMAT.md does not say "${after}"`);
  const fence = new RegExp("^```" + language + "\\n([^]*?)^```$", "gm");
  return [...document.slice(start).matchAll(fence)].map(([, text]) => text ?? "");
}

/** The cells of the first table after a text, without its head and without code marks. */
function table(after: string, document = FORMAT): string[][] {
  const start = document.indexOf(after);
  assert.ok(start >= 0, `FORMAT.md does not say "${after}"`);
  const rows = /(?:^\|.*\n)+/m.exec(document.slice(start))?.[0].trimEnd().split("\n") ?? [];
  return rows.slice(2).map((row) =>
    row.slice(1, -1).split("|").map((cell) => cell.trim().replaceAll("`", ""))
  );
}

function exampleLines(): string[] {
  return blocks("jsonl").flatMap((block) => block.trimEnd().split("\n"));
}

async function read(text: string): Promise<{ events: LogEvent[]; codes: DiagnosticCode[] }> {
  const events: LogEvent[] = [];
  const codes: DiagnosticCode[] = [];
  const stream = ReadableStream.from([new TextEncoder().encode(text)])
    .pipeThrough(new LineStream())
    .pipeThrough(new EventParseStream({ report: ({ code }) => void codes.push(code) }));
  for await (const batch of stream) events.push(...batch);
  return { events, codes };
}

Deno.test("every event in FORMAT.md is one, and its checksum holds", () => {
  const lines = exampleLines();
  assert.ok(lines.length > 30);
  const verified = lines.filter((line) => {
    const event = decodeEvent(JSON.parse(line));
    assert.equal(event?.form, "known", line);
    const state = checkLine(new TextEncoder().encode(line));
    assert.notEqual(state, "mismatch", line);
    return state === "verified";
  });
  assert.equal(verified.length, lines.length - 1, "all but the plain one carry a checksum");
});

Deno.test("the first log in FORMAT.md reads without a finding", async () => {
  const { events, codes } = await read(blocks("jsonl", "## 1. In short")[0] ?? "");
  assert.equal(events.length, 6);
  assert.deepEqual(codes, []);
});

Deno.test("the checksum in FORMAT.md is that of the bytes it gives", () => {
  const [body = ""] = blocks("text", "## 5. The checksum").map((block) => block.trimEnd());
  const [line = ""] = blocks("jsonl", "## 5. The checksum").map((block) => block.trimEnd());
  const bytes = new TextEncoder().encode(body);
  const sum = crc32(bytes).toString(16).padStart(8, "0");
  assert.equal(line, `${body},"crc":"${sum}"}`);
  assert.ok(FORMAT.includes(`CRC-32 is \`${sum}\``));
  assert.match(FORMAT, new RegExp(`here\\s+${bytes.length}\\s+of\\s+them`));
  assert.notEqual(bytes.length, body.length, "the example has characters of two bytes");
  assert.equal(crc32("123456789").toString(16), "cbf43926");
});

Deno.test("every namespace in FORMAT.md is the one of its path", () => {
  const rows = table("| path ");
  assert.ok(rows.length >= 5);
  for (const [path = "", namespace] of rows) assert.equal(namespaceOf(path), namespace);
});

Deno.test("the table of kinds in FORMAT.md is the policy", () => {
  const yes = (flag: boolean): string => flag ? "yes" : "no";
  const expected = EVENT_KINDS.map((kind) => [
    kind,
    yes(isHeld(kind)),
    yes(isBoundary(kind)),
    yes(TRANSCRIPT_KINDS.has(kind)),
    conversationWord(kind),
  ]);
  assert.deepEqual(table("| kind "), expected);
});

function conversationWord(kind: EventKind): string {
  if (conversationKinds(false, false).has(kind)) return "always";
  if (conversationKinds(true, false).has(kind)) return "with calls";
  return conversationKinds(true, true).has(kind) ? "with reasoning" : "never";
}

/** The section of a kind. */
function section(kind: EventKind): string {
  const start = FORMAT.indexOf(`### \`${kind}\`\n`);
  assert.ok(start >= 0, `FORMAT.md has no section for ${kind}`);
  return FORMAT.slice(start, FORMAT.indexOf("\n##", start + 4));
}

/** A value that is not of a type in the tables; undefined where every value is. */
function misfit(type: string): unknown {
  if (type === "any") return undefined;
  return ["string", "content", "output"].includes(type) ? 7 : "text";
}

for (const kind of EVENT_KINDS) {
  Deno.test(`the table of ${kind} in FORMAT.md says what its payload must hold`, () => {
    const text = section(kind);
    const rows = table("| field ", text);
    const [line = "{}"] = blocks("jsonl", "", text);
    const event = decodeEvent(JSON.parse(line));
    assert.ok(event?.form === "known" && event.kind === kind);
    const payload = event.payload as unknown as Record<string, unknown>;
    assert.deepEqual(
      Object.keys(payload).filter((key) => !rows.some(([name]) => name === key)),
      [],
    );
    for (const [name = "", type = "", required] of rows) {
      const { [name]: _, ...without } = payload;
      assert.equal(payloadFault(kind, without) === undefined, required === "no", `no ${name}`);
      const wrong = misfit(type);
      if (wrong !== undefined) {
        assert.notEqual(payloadFault(kind, { ...payload, [name]: wrong }), undefined, `${name}`);
      }
      const [, other] = required?.split("with ") ?? [];
      if (other === undefined) continue;
      const neither = Object.entries(without).filter(([key]) => key !== other);
      assert.equal(payloadFault(kind, Object.fromEntries(neither)), undefined, `no ${other}`);
    }
  });
}

Deno.test("the examples in FORMAT.md show every field of their tables", () => {
  const shown = new Map<string, Set<string>>();
  for (const line of exampleLines()) {
    const { kind, payload } = JSON.parse(line);
    const fields = shown.get(kind) ?? new Set();
    shown.set(kind, fields);
    for (const field of Object.keys(payload)) fields.add(field);
  }
  for (const kind of EVENT_KINDS) {
    const names = table("| field ", section(kind)).map(([name = ""]) => name);
    assert.deepEqual(new Set(names), shown.get(kind), kind);
  }
});

const CODES: Readonly<Record<DiagnosticCode, true>> = {
  "malformed-line": true,
  "torn-tail": true,
  "glued-line": true,
  "nul-run": true,
  "oversized-line": true,
  "too-deep": true,
  "invalid-utf8": true,
  "checksum-mismatch": true,
  "seq-gap": true,
  "seq-repeat": true,
  "unknown-kind": true,
  "invalid-payload": true,
  "unsupported-version": true,
  "orphan-settlement": true,
  "unsettled-call": true,
  "invalid-compaction": true,
  "invalid-branch": true,
  "stale-checkpoint": true,
  "missing-header": true,
  "missing-parent": true,
  "parent-cycle": true,
};

Deno.test("the table of diagnostics in FORMAT.md names every code, its damage and its fault", () => {
  const yes = (flag: boolean): string => flag ? "yes" : "no";
  const codes = Object.keys(CODES) as DiagnosticCode[];
  assert.deepEqual(
    table("| code ").map(([code, , damage, fault]) => [code, damage, fault]),
    codes.map((code) => [code, yes(isDamage(code)), yes(isFault(code))]),
  );
});

Deno.test("the torn, the sealed and the ambiguous log in FORMAT.md read as it says", async () => {
  const [torn = "", sealed = ""] = blocks("text", "## 10. Writing");
  const before = await read(torn.trimEnd());
  assert.deepEqual([before.events.length, before.codes], [1, ["torn-tail"]]);
  const after = await read(sealed);
  assert.deepEqual([after.events.length, after.codes], [2, ["malformed-line"]]);
  const ambiguous = await read(blocks("text", "**Salvage.**")[0] ?? "");
  assert.deepEqual([ambiguous.events.length, ambiguous.codes], [2, ["malformed-line", "seq-gap"]]);
});

Deno.test("FORMAT.md gives the limits and the words of the code", () => {
  assert.ok(FORMAT.includes(MAX_LINE_BYTES.toLocaleString("en-US").replaceAll(",", " ")));
  const text = FORMAT.replaceAll("\n   ", " ");
  for (const sentence of [UNSETTLED_OUTPUT, NOT_RUN_OUTPUT]) assert.ok(text.includes(sentence));
  for (const text of blocks("json")) assert.ok(JSON.parse(text));
  assert.equal(blocks("json").length, 2);
  const kinds = [...FORMAT.matchAll(/^### `(\w+)`$/gm)].map(([, kind = ""]) => kind);
  assert.deepEqual(kinds.filter(isEventKind), [...EVENT_KINDS]);
});
