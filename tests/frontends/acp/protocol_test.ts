import assert from "node:assert/strict";
import { ItemUpdates, sessionInfo } from "../../../lib/frontends/acp/protocol.ts";
import { MOST_CHARACTERS, promptText } from "../../../lib/frontends/acp/content_blocks.ts";
import { aboutCall } from "../../../lib/frontends/acp/tool_calls.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";

const UPDATES = (): ItemUpdates =>
  new ItemUpdates({ cwd: "/home/ada", nameOf: ({ seq }) => `m${seq}` });

const AT = { seq: 4, integrity: "verified", time: "2026-11-01T08:00:00.000Z" } as const;

function updatesOf(item: object, whole = false): Record<string, unknown>[] {
  return UPDATES().of({ ...AT, ...item } as TranscriptItem, whole) as never;
}

Deno.test("tools have the kinds that editors show, in every agent's spelling", () => {
  const named: Record<string, string[]> = {
    read: ["Read", "read_file", "view", "NotebookRead"],
    edit: ["Edit", "write_file", "apply_patch", "MultiEdit", "str_replace_based_edit_tool"],
    search: ["Grep", "glob", "list_directory", "search_file_content", "LS"],
    execute: ["bash", "Bash", "exec_command", "run_shell_command", "shell"],
    fetch: ["WebFetch", "web_search"],
    think: ["TodoWrite", "update_plan"],
    switch_mode: ["ExitPlanMode"],
    other: ["mcp__reprise__list_sessions", "Task", "constructor", ""],
  };
  for (const [kind, names] of Object.entries(named)) {
    for (const name of names) assert.equal(aboutCall(name, {}, "/").kind, kind, name);
  }
});

Deno.test("a call is told once, settled, with its place, its input and what it gave", () => {
  const [call] = updatesOf({
    ...{ type: "tool", call_id: "c1", name: "Read", input: { file_path: "src/a.ts" } },
    ...{ status: "error", output: "one", error: "denied" },
  });
  assert.deepEqual(call, {
    sessionUpdate: "tool_call",
    toolCallId: "m4:c1",
    title: "Read src/a.ts",
    kind: "read",
    locations: [{ path: "/home/ada/src/a.ts" }],
    status: "failed",
    rawInput: { file_path: "src/a.ts" },
    content: [
      { type: "content", content: { type: "text", text: "one" } },
      { type: "content", content: { type: "text", text: "denied" } },
    ],
    _meta: { "reprise/seq": 4, "reprise/time": AT.time },
  });
  for (const status of ["interrupted", "skipped", "unsettled", "not_run"]) {
    const [failed] = updatesOf({ type: "bash", call_id: "c1", command: "ls", status });
    assert.equal(failed?.["status"], "failed");
    assert.match(JSON.stringify(failed?.["content"]), new RegExp(status.replace("_", " ")));
  }
});

Deno.test("long outputs and inputs are cut, unless they are to be whole", () => {
  const long = "x".repeat(MOST_CHARACTERS + 7);
  const item = {
    ...{ type: "tool", call_id: "c1", name: "write", status: "ok", output: long },
    input: { path: "a", content: long, lines: [long] },
  };
  const cut = JSON.stringify(updatesOf(item));
  assert.ok(cut.length < 3 * MOST_CHARACTERS + 1000);
  assert.equal(cut.split("7 more characters").length, 4);
  assert.ok(JSON.stringify(updatesOf(item, true)).includes(long));
});

Deno.test("a change is added to the call that made it, and stands alone where none did", () => {
  const updates = UPDATES();
  const call = { ...AT, type: "tool", call_id: "c1", name: "edit", status: "ok", output: "ok" };
  const lines = [
    { kind: "hunk", content: "@@ -1 +1 @@" },
    { kind: "context", content: "a" },
    { kind: "removed", content: "b" },
    { kind: "added", content: "c" },
  ];
  const diff = { ...AT, seq: 5, type: "diff", call_id: "c1", path: "src/a.ts", lines };
  const told = { type: "diff", path: "/home/ada/src/a.ts", oldText: "a\nb", newText: "a\nc" };
  updates.of(call as TranscriptItem, true);
  assert.deepEqual(updates.of(diff as TranscriptItem, true), [{
    sessionUpdate: "tool_call_update",
    toolCallId: "m4:c1",
    locations: [{ path: told.path }],
    content: [told, { type: "content", content: { type: "text", text: "ok" } }],
  }]);
  const [alone] = updatesOf({ type: "diff", path: "new.ts", lines: lines.slice(3) });
  assert.deepEqual([alone?.["sessionUpdate"], alone?.["content"]], [
    "tool_call",
    [{ type: "diff", path: "/home/ada/new.ts", oldText: null, newText: "c" }],
  ]);
  assert.deepEqual(updatesOf({ type: "diff", lines }), []);
});

Deno.test("small images are images, large ones and other files are named", () => {
  const part = { type: "image", media_type: "image/png", sha256: "", data: "AAAA", bytes: 3 };
  const content = [{ type: "text", text: "Look" }, part, { ...part, bytes: 2 ** 20 }];
  assert.deepEqual(
    updatesOf({ type: "message", role: "user", content }).map(({ content }) => content),
    [
      { type: "text", text: "Look" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "[image image/png, 1048576 bytes]" },
    ],
  );
});

Deno.test("files that come with a prompt stand in it", () => {
  const text = promptText([
    { type: "text", text: "Look:" },
    { type: "resource", resource: { uri: 'file:///a"b.ts', text: "let a = 1;" } },
    { type: "resource", resource: { uri: "file:///i.bin", blob: "AAAA" } },
    { type: "resource_link", uri: "file:///c.ts", name: "c.ts" },
  ]);
  assert.equal(
    text,
    'Look:\n\n<file uri="file:///a&quot;b.ts">\nlet a = 1;\n</file>\n\n' +
      '<file uri="file:///i.bin">\n(left out, because it is not text)\n</file>\n\n' +
      '<file uri="file:///c.ts"/>',
  );
});

Deno.test("an answer that was cut off says so, and why", () => {
  const message = { type: "message", role: "assistant", content: "Half an", interrupted: true };
  const [chunk] = updatesOf({ ...message, reason: "user" });
  assert.deepEqual((chunk?.["_meta"] as Record<string, unknown>)["reprise/interrupted"], "user");
  const lines = [
    { type: "compaction", status: "" },
    { type: "replaced", reason: "rewound", messages: 2 },
    { type: "unreadable", kind: "diff", reason: "payload.lines is not a list" },
  ].flatMap((item) => updatesOf(item));
  assert.deepEqual(lines.map(({ content }) => (content as { text: string }).text), [
    "[compacted] The conversation was summarized",
    "[replaced] rewound",
    "[unreadable diff] payload.lines is not a list",
  ]);
  assert.deepEqual(updatesOf({ type: "attached", name: "hook success", content: "ok" }), []);
  const [notice] = updatesOf({ type: "notice", title: "hook", text: "ok" });
  assert.equal(notice?.["sessionUpdate"], "agent_thought_chunk");
});

Deno.test("marks unverified items, and shows nothing for a session's head", () => {
  const [line] = updatesOf({
    type: "failure",
    reason: "error",
    message: "no",
    integrity: "salvaged",
  });
  assert.deepEqual((line?.["_meta"] as Record<string, unknown>)["reprise/integrity"], "salvaged");
  assert.deepEqual(updatesOf({ type: "session", session: {} }), []);
  assert.deepEqual(updatesOf({ type: "closed", status: "completed" }), []);
});

Deno.test("a session without an absolute directory is none for an editor", () => {
  const row = { ref: "pi:1", agent: "pi", title: "a\x1b[2Jb\nc", status: "completed" } as Summary;
  assert.equal(sessionInfo(row), undefined);
  assert.equal(sessionInfo({ ...row, cwd: "src" }), undefined);
  assert.equal(sessionInfo({ ...row, cwd: "C:\\src" })?.title, "[pi] a␛[2Jb");
  assert.equal(sessionInfo({ ...row, cwd: "/src", agent: "reprise", title: "" })?.title, null);
});
