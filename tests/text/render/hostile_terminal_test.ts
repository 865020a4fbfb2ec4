import assert from "node:assert/strict";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { renderSessionTable } from "../../../lib/text/render/session_table.ts";
import { readJson } from "./_data.ts";
import { renderItem } from "./_render_item.ts";
import { isHarmless, withoutStyles } from "./_harmless.ts";
import { SAMPLE_ITEMS } from "./_sample_items.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const SEQUENCES = readJson<string[]>("hostile_terminal.json");

/** Where in a field the sequence stands. */
const PLACES: ((sequence: string) => string)[] = [
  (sequence) => sequence,
  (sequence) => `before ${sequence} after`,
  (sequence) => `first\n${sequence}\nlast`,
  (sequence) => sequence.repeat(3),
  (sequence) => `${"x".repeat(300)}${sequence}${"y".repeat(300)}`,
  (sequence) => `line\n`.repeat(30) + sequence + "\nline".repeat(30),
  (sequence) => `line\n`.repeat(30) + sequence,
  (sequence) => `日本語${sequence}👨‍👩‍👧`,
];
const PAYLOADS = SEQUENCES.flatMap((sequence) => PLACES.map((place) => place(sequence)));

/** What decides how an item is shown, and can be nothing else in an event that was decoded. */
const CLOSED_FIELDS = new Set(["type", "role", "status", "integrity", "trigger", "origin"]);

/** The usual run looks at each payload in one of them. */
const VIEWS = [
  { width: 80, color: false, full: false },
  { width: 33, color: true, full: true },
  { width: Infinity, color: true, full: false },
];

const viewsOf = (at: number): typeof VIEWS =>
  VIEWS.filter((_, view) => ALL_TORTURE || view === at % VIEWS.length);

function isClosedField(item: TranscriptItem, path: readonly string[]): boolean {
  const name = path.at(-1) ?? "";
  if (item.type === "diff" && name === "kind") return true;
  if (item.type === "failure" && name === "reason") return true;
  return CLOSED_FIELDS.has(name) && !(item.type === "compaction" && name === "status");
}

/** The item with some of its texts replaced. */
function replaceTexts(
  item: TranscriptItem,
  replace: (text: string, path: readonly string[]) => string,
): TranscriptItem {
  function visit(value: unknown, path: readonly string[]): unknown {
    if (typeof value === "string") return isClosedField(item, path) ? value : replace(value, path);
    if (Array.isArray(value)) {
      return value.map((entry, index) => visit(entry, [...path, `${index}`]));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, visit(entry, [...path, key])]),
    );
  }
  return visit(item, []) as TranscriptItem;
}

function assertHarmless(text: string, about: string): void {
  assert.ok(isHarmless(withoutStyles(text)), `${about}: ${JSON.stringify(text)}`);
}

Deno.test("there are at least 400 hostile payloads, and each is told from harmless text", () => {
  assert.ok(PAYLOADS.length >= 400, String(PAYLOADS.length));
  const harmless = SEQUENCES.filter((sequence) => isHarmless(sequence) && sequence.isWellFormed());
  assert.deepEqual(harmless, ["\u{e0041}\u{e0042}", "&#27;[31m&#x9b;&#x202e;"]);
});

for (const item of SAMPLE_ITEMS) {
  const name = "role" in item ? `${item.role} ${item.type}` : item.type;

  Deno.test(`no hostile text in any field of an item (${name}) reaches the terminal`, () => {
    for (const [at, payload] of PAYLOADS.entries()) {
      const hostile = replaceTexts(item, () => payload);
      for (const view of viewsOf(at)) {
        const text = renderItem(hostile, { ...view, format_time: () => `${payload}` });
        assert.ok(text.length > 0);
        assertHarmless(text, JSON.stringify(payload));
      }
    }
  });
}

Deno.test("hostile names of arguments and settings do not reach the terminal", () => {
  for (const [at, payload] of PAYLOADS.entries()) {
    const data = { [payload]: { [payload]: [payload] }, [`${payload}2`]: payload };
    const base = { seq: 1, integrity: "verified" as const };
    const session = { session_id: "s", created_at: "c", cwd: "/", environment: data };
    const items: TranscriptItem[] = [
      { type: "tool", ...base, call_id: "c", name: "n", input: data, status: "ok" },
      { type: "tool", ...base, call_id: "c", name: "n", input: payload, status: "ok" },
      { type: "extension", ...base, agent: "a", name: "n", data },
      { type: "unreadable", ...base, kind: "k", reason: "r", payload: data },
      { type: "session", ...base, session },
    ];
    for (const item of items) {
      for (const view of viewsOf(at)) {
        assertHarmless(renderItem(item, view), JSON.stringify(payload));
      }
    }
  }
});

Deno.test("hostile fields of a summary do not reach the terminal", () => {
  for (const payload of PAYLOADS) {
    const row: Summary = {
      ref: payload,
      agent: payload,
      session_id: payload,
      path: payload,
      cwd: payload,
      title: payload,
      created_at: payload,
      updated_at: "2026-11-21T20:21:53.123Z",
      status: "running",
      archived: false,
    };
    for (const { width, color } of VIEWS) {
      const options = { width, color, with_directory: true, format_time: () => payload };
      const text = renderSessionTable([row, { ...row, agent: "reprise" }], options);
      assert.ok(text.length > 0);
      assertHarmless(text, JSON.stringify(payload));
    }
  }
});

Deno.test("hostile text is shown, not dropped, in every field that is shown at all", () => {
  const hidden = new Set<string>();
  let shown = 0;
  for (const item of SAMPLE_ITEMS) {
    const paths: string[] = [];
    replaceTexts(item, (text, path) => {
      paths.push(path.join("."));
      return text;
    });
    for (const target of paths) {
      const marked = replaceTexts(
        item,
        (text, path) => path.join(".") === target ? "a\x1bb" : text,
      );
      const text = renderItem(marked, { width: 200, color: false, full: true });
      if (text.includes("a␛b") || text.includes("a\\u001bb")) shown++;
      else hidden.add(target.replaceAll(/\.\d+\./g, ".*."));
    }
  }
  assert.deepEqual([...hidden].sort(), [
    "call_id",
    "content.*.call_id",
    "content.*.data",
    "content.*.sha256",
    "message_id",
    "sources.*.hash",
    "sources.*.kind",
    "sources.*.scope",
    "time",
    "turn_id",
  ]);
  assert.ok(shown >= 45, String(shown));
});
