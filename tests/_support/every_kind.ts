/** One payload of each kind with every field that the kind has, and a log of them. */
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import type { EventKind, PayloadByKind } from "../../lib/core/event/payload.ts";
import { EVENT_KINDS } from "../../lib/core/event/policy.ts";

/** A field that a kind gains does not compile until it stands here. */
export const FULL_PAYLOADS: {
  // With a role nobody would see the message.
  [Kind in EventKind]: Required<Omit<PayloadByKind[Kind], "role">>;
} = {
  session_started: {
    session_id: "3f2a",
    created_at: "2026-11-21T20:21:53.123Z",
    cwd: "/home/é",
    app: { name: "keen", version: "1.0" },
    title: "Fix 日本",
    git: { branch: "main", commit: "c0ffee", remote: "git@x" },
    environment: { sandbox: "none", approval: "ask", search: "off" },
    parent: { session_id: "9b1c", seq: 4, reason: "fork" },
    imported_from: {
      agent: "pi",
      id: "p1",
      path: "/p.jsonl",
      agent_version: "2",
      bytes: 9,
      modified_at: "2026-11-20T08:00:00.000Z",
      sha256: "ab",
      branch: "e7",
      imported_at: "2026-11-21T20:21:53.123Z",
    },
    unanswered_call: "No response.",
  },
  context_loaded: {
    sources: [{
      kind: "file",
      path: "/AGENTS.md",
      scope: "cwd",
      hash: "ab",
      bytes: 12,
      truncated: false,
      error: "none",
    }],
  },
  user_message: {
    content: [
      { type: "text", text: "Grüße 👋\u2028" },
      { type: "image", media_type: "image/png", data: "AA==", sha256: "00", bytes: 1 },
      { type: "file", media_type: "text/plain", path: "a", sha256: "", bytes: 0 },
    ],
    provider_data: { shape: "openai", rest: { name: "Ada" } },
  },
  assistant_message: {
    content: [{
      type: "tool_call",
      call_id: "c1",
      name: "read",
      input: { path: "ä", n: [1, {}] },
      input_text: '{"path": "ä", "n": [1, {}]}',
      provider_data: { s: 1 },
    }],
    message_id: "m1",
    model: "m-1",
    provider: "p",
    request_id: "r",
    finish_reason: "tool",
    usage: { input: 9, output: 8, cache_read: 7, cache_write: 6, reasoning: 5 },
    last_prompt_tokens: 9,
    usage_of: "turn",
    cost_usd: 0.25,
    provider_data: { shape: "openai" },
  },
  assistant_interrupted: { content: "half “q", message_id: "m2", reason: "esc" },
  reasoning_message: {
    content: "hm\\u",
    message_id: "m1",
    provider_data: { sig: "=" },
    audience: "user",
  },
  tool_start: { call_id: "c1" },
  tool_end: {
    call_id: "c1",
    name: "read",
    status: "ok",
    output: [
      { type: "text", text: '1\n\t"2"\u0000\u001b[0m', audience: "user" },
      { type: "json", value: { a: [null, 1.5] } },
      { type: "image", media_type: "image/png", data: "AA==", sha256: "00", bytes: 1 },
    ],
    error: "",
    input: { path: "a" },
    duration_ns: 1e9,
    truncated: true,
    caption: "shown",
    provider_data: "p",
  },
  bash_start: {
    call_id: "c2",
    command: "ls",
    summary: "s",
    origin: "user",
    audience: "user",
  },
  bash_end: {
    call_id: "c2",
    command: "ls",
    summary: "s",
    output: "é\r\n",
    error: "e",
    exit_code: 1,
    status: "error",
    duration_ns: 5,
    truncated: false,
    caption: "shown",
    provider_data: null,
  },
  diff: {
    call_id: "c1",
    path: "a",
    lines: [{ kind: "added", old: 1, new: 2, content: "+ñ" }, { kind: "hunk", content: "@@" }],
  },
  compaction_applied: {
    status: "done",
    messages: [
      { role: "system", content: "s" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "r", provider_data: 1 },
          { type: "tool_call", call_id: "c1", name: "read", input: null },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool_result", call_id: "c1", name: "read", status: "skipped", output: "" },
        ],
      },
    ],
    summary: "Σ",
    first_kept_seq: 2,
    tokens_before: 10,
    tokens_after: 1,
    guidance: "g",
    trigger: "auto",
    status_only: false,
  },
  conversation_replaced: {
    messages: [{ role: "user", content: [{ type: "text", text: "a", audience: "model" }] }],
    reason: "history edited",
  },
  conversation_branched: { from_seq: 1, reason: "another way" },
  turn_failed: { reason: "cancelled", message: "no" },
  notice: { audience: "user", title: "API error", text: "no", level: "error" },
  session_renamed: { title: "名" },
  session_archived: { archived: true },
  event_labeled: { target_seq: 1, label: "before" },
  workspace_snapshot: {
    root: "/",
    git_branch: "b",
    git_status: "M",
    files: ["a"],
    context_used: 1,
    context_limit: 2,
  },
  session_checkpoint: {
    through_seq: 17,
    title: "t",
    archived: false,
    message_count: 2,
    turn_count: 1,
    usage: { input: 1 },
    models: ["m-1"],
    last_user_message: "Now the tests",
    last_error: "529 overloaded",
    first_user_message: "hi",
    cost_usd: 0.5,
    renamed_at: "2026-11-21T20:21:53.123Z",
    archived_at: "2026-11-21T20:21:53.123Z",
  },
  session_closed: { status: "completed", exit_code: 0, summary: "bye" },
  extension: { agent: "pi", type: "label", data: { ["__proto__"]: "x", big: 12345678901 } },
};

/** An event of `kind` with all that its payload can hold. */
export function fullEvent(kind: EventKind): NewEvent {
  return { kind, turn_id: "t1", payload: FULL_PAYLOADS[kind] } as NewEvent;
}

/** Twenty-four events: every kind, with a branch that leaves none of them, and a last word with a source. */
export function everyKind(): NewEvent[] {
  const source = { agent: "pi", session_id: "p1", seq: 3, id: "é" };
  return [
    ...EVENT_KINDS.map((kind, from_seq) => {
      const event = fullEvent(kind);
      if (event.kind !== "conversation_branched") return event;
      return { ...event, payload: { ...event.payload, from_seq } };
    }),
    {
      kind: "user_message",
      source,
      payload: { content: "ü" },
    },
  ];
}
