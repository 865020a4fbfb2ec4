import assert from "node:assert/strict";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import type { DiffLine } from "../../../lib/core/event/payload.ts";
import { changeOf, noteChange, sortedFiles } from "../../../lib/core/projection/changed_file.ts";
import { isCompared, itemKey } from "../../../lib/core/projection/item_key.ts";
import {
  type DiffPart,
  diffSessions,
  shortPart,
} from "../../../lib/core/projection/session_diff.ts";
import type { DiffItem, TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { logOf, readNow } from "../../_support/log_bytes.ts";

function ask(content: string, turn_id?: string): NewEvent {
  return {
    kind: "user_message",
    ...(turn_id === undefined ? {} : { turn_id }),
    payload: { content },
  };
}

function answer(content: string): NewEvent {
  return { kind: "assistant_message", payload: { content } };
}

function tool(call_id: string, path: string, output: string): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id, name: "read", input: { path } }] },
    },
    { kind: "tool_end", payload: { call_id, name: "read", status: "ok", output } },
  ];
}

function change(path: string | undefined, added: number, removed: number): NewEvent {
  const line = (kind: DiffLine["kind"]): DiffLine => ({ kind, content: "x" });
  const lines = [
    line("hunk"),
    ...Array.from({ length: added }, () => line("added")),
    line("context"),
    ...Array.from({ length: removed }, () => line("removed")),
  ];
  return { kind: "diff", payload: path === undefined ? { lines } : { path, lines } };
}

async function* batches(events: readonly NewEvent[], size: number): AsyncGenerator<LogEvent[]> {
  const read = readNow(logOf(events)).events;
  for (let from = 0; from < read.length; from += size) {
    yield await Promise.resolve(read.slice(from, from + size));
  }
}

/** The parts of a difference, the same for batches of every size. */
async function diff(a: readonly NewEvent[], b: readonly NewEvent[]): Promise<DiffPart[]> {
  const whole = await Array.fromAsync(diffSessions(batches(a, 1e9), batches(b, 1e9)));
  for (const size of [1, 2, 3]) {
    const parts = await Array.fromAsync(diffSessions(batches(a, size), batches(b, size)));
    assert.deepEqual(parts, whole);
  }
  return whole;
}

function saidIn(items: readonly TranscriptItem[] | undefined): unknown {
  return items?.map((item) => item.type === "message" ? item.content : item.type);
}

Deno.test("sessions that say and do the same are the same, whatever their numbers and ids", async () => {
  const head: NewEvent = {
    kind: "session_started",
    payload: { session_id: "s", created_at: "2026-11-21T20:00:00.000Z", cwd: "/" },
  };
  const thought: NewEvent = { kind: "reasoning_message", payload: { content: "hm" } };
  const closed: NewEvent = { kind: "session_closed", payload: { status: "completed" } };
  const a = [head, ask("p", "t1"), thought, ...tool("c1", "x", "out"), answer("a"), closed];
  const b = [ask("p", "t9"), ...tool("c2", "x", "out"), {
    kind: "assistant_message",
    payload: { content: [{ type: "text", text: "a" }], model: "m", message_id: "m4" },
  } as NewEvent];
  assert.deepEqual(await diff(a, b), [{ type: "common", turns: 1, items: 3, same: true }]);
});

Deno.test("after what is common, each turn says what either side said and did", async () => {
  const common = [ask("p"), answer("a")];
  const a = [...common, ask("q"), answer("left"), ask("r")];
  const b = [...common, ask("q"), answer("right"), change("f", 2, 1)];
  const parts = await diff(a, b);
  assert.deepEqual(parts[0], { type: "common", turns: 1, items: 3, same: false });
  assert.deepEqual(
    parts.flatMap((part) =>
      part.type === "turn" ? [[part.turn, part.same_items, saidIn(part.a), saidIn(part.b)]] : []
    ),
    [[2, 1, ["left"], ["right", "diff"]], [3, 0, ["r"], undefined]],
  );
  assert.deepEqual(parts.at(-1), {
    type: "files",
    a: [],
    b: [{ path: "f", added: 2, removed: 1 }],
  });
});

Deno.test("a turn that is the same again after a difference is not told", async () => {
  const parts = await diff([ask("p"), ask("x"), ask("r")], [ask("p"), ask("y"), ask("r")]);
  assert.deepEqual(parts.map((part) => part.type === "turn" ? part.turn : part.type), [
    "common",
    2,
    "files",
  ]);
});

Deno.test("a session without anything, and one that goes on, differ in what follows", async () => {
  assert.deepEqual(await diff([], []), [{ type: "common", turns: 0, items: 0, same: true }]);
  const parts = await diff([], [answer("unasked")]);
  assert.deepEqual(parts.map((part) => part.type === "turn" && saidIn(part.b)), [
    false,
    ["unasked"],
    false,
  ]);
});

Deno.test("files count every change after what is common, by path", async () => {
  const a = [
    change("before", 9, 9),
    ask("p"),
    change("b", 1, 0),
    change("a", 2, 2),
    change("b", 0, 3),
  ];
  const parts = await diff([...a, change(undefined, 1, 1)], [change("before", 9, 9), ask("q")]);
  assert.deepEqual(parts.at(-1), {
    type: "files",
    a: [
      { path: "", added: 1, removed: 1 },
      { path: "a", added: 2, removed: 2 },
      { path: "b", added: 1, removed: 3 },
    ],
    b: [],
  });
});

Deno.test("closes iterators that are not read to their end", async () => {
  const closed: string[] = [];
  async function* endless(name: string): AsyncGenerator<LogEvent[]> {
    try {
      for (;;) yield await Promise.resolve(readNow(logOf([ask(name)])).events);
    } finally {
      closed.push(name);
    }
  }
  for await (const _ of diffSessions(endless("a"), endless("b"))) break;
  assert.deepEqual(closed.toSorted(), ["a", "b"]);
});

Deno.test("items differ where what they say differs, kind by kind", () => {
  const base = { seq: 1, integrity: "verified" as const };
  const bash = {
    type: "bash" as const,
    ...base,
    call_id: "c",
    command: "ls",
    status: "ok" as const,
  };
  const file = { type: "file" as const, media_type: "text/csv", bytes: 1 };
  const items: TranscriptItem[] = [
    { type: "message", ...base, role: "user", content: "a" },
    { type: "message", ...base, role: "assistant", content: "a" },
    { type: "message", ...base, role: "assistant", content: "a", interrupted: true },
    { type: "message", ...base, role: "user", content: [{ ...file, sha256: "1" }] },
    { type: "message", ...base, role: "user", content: [{ ...file, sha256: "", path: "x" }] },
    {
      type: "message",
      ...base,
      role: "user",
      content: [{ type: "tool_call", call_id: "c", name: "n", input: 1 }],
    },
    {
      type: "message",
      ...base,
      role: "user",
      content: [{ type: "tool_result", call_id: "c", name: "n", status: "ok", output: "1" }],
    },
    bash,
    { ...bash, exit_code: 1 },
    { ...bash, output: "x" },
    { type: "tool", ...base, call_id: "c", name: "ls", status: "ok", input: {} },
    { type: "tool", ...base, call_id: "c", name: "ls", status: "ok", input: { a: 1 } },
    { type: "compaction", ...base, status: "done" },
    { type: "compaction", ...base, status: "done", summary: "s" },
    { type: "failure", ...base, reason: "error", message: "m" },
    { type: "failure", ...base, reason: "cancelled", message: "m" },
    { type: "unreadable", ...base, kind: "diff", reason: "r", payload: {} },
    { type: "unreadable", ...base, kind: "diff", reason: "r", payload: { x: 1 } },
  ];
  assert.ok(items.every(isCompared));
  assert.equal(new Set(items.map(itemKey)).size, items.length);
  const again = items.map((item) => itemKey({ ...item, seq: 9, turn_id: "t", time: "2026" }));
  assert.deepEqual(again, items.map(itemKey));
  assert.ok(!isCompared({ type: "reasoning", ...base, text: "hm" }));
  assert.ok(!isCompared({ type: "closed", ...base, status: "completed" }));
});

Deno.test("in short, a call has no output and a change only its size", async () => {
  const parts = await diff([ask("p"), ...tool("c1", "x", "long"), change("f", 1, 2)], [ask("p")]);
  const [, turn] = parts.map(shortPart);
  assert.ok(turn?.type === "turn");
  const [call, changed] = turn.a ?? [];
  assert.deepEqual(changed, { type: "change", seq: 4, path: "f", added: 1, removed: 2 });
  assert.ok(call?.type === "tool" && !("output" in call));
  assert.deepEqual(turn.b, []);
  assert.deepEqual(shortPart({ type: "files", a: [], b: [] }), { type: "files", a: [], b: [] });
});

Deno.test("changes of a file add up, and files are sorted by path", () => {
  const item = (path: string): DiffItem => ({
    type: "diff",
    seq: 1,
    integrity: "verified",
    path,
    lines: [{ kind: "added", content: "" }],
  });
  assert.deepEqual(changeOf(item("f")), { path: "f", added: 1, removed: 0 });
  const files = new Map();
  for (const path of ["b", "a", "b"]) noteChange(files, item(path));
  assert.deepEqual(sortedFiles(files).map(({ path, added }) => [path, added]), [["a", 1], [
    "b",
    2,
  ]]);
});
