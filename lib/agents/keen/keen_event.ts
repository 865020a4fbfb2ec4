/**
 * Validates a line of Keen Code's log as Go's decoder does. A field of a wrong type makes Keen drop
 * the whole line; absent fields and `null` are zero. Keen Code 0.38.1, internal/session/event.go,
 * internal/llm/message.go (`llm.Message` has no JSON tags, hence `Role`), internal/tools/diff.go
 * (`EditDiffLine` neither). Newer: `retained_output`.
 */
import { fields, flag, type Guard, isObject, list, text } from "../../event/guard.ts";

/** What the model did, in a few words: kept for its later turns in place of the tools' outputs. */
export interface ToolActivity {
  /** Byte offset in the message's UTF-8. */
  text_offset?: number | null;
  tool?: string | null;
  input?: Record<string, unknown> | null;
  /** `success` or `error` */
  status?: string | null;
  exit_code?: number | null;
  retained_output?: unknown;
}

/** Memory of a turn. Fields of versions before 0.33 are ignored, as Keen does. */
export interface TurnMemory {
  tool_activity?: (ToolActivity | null)[] | null;
}

/** One message of the conversation as Keen holds it. */
export interface KeenMessage {
  Role?: string | null;
  Content?: string | null;
  TurnMemory?: TurnMemory | null;
}

/** A line of a diff; `Kind` is 0 context, 1 added, 2 removed, 3 hunk. Numbers of 0 are none. */
export interface KeenDiffLine {
  Kind?: number | null;
  OldLineNum?: number | null;
  NewLineNum?: number | null;
  Content?: string | null;
}

/** One thing that the user saw in a turn. Starts and ends of tools pair by order alone. */
export interface TranscriptItem {
  kind?: string | null;
  content?: string | null;
  tool_start?: { name?: string | null; input?: Record<string, unknown> | null } | null;
  tool_end?: {
    name?: string | null;
    input?: Record<string, unknown> | null;
    output?: unknown;
    error?: string | null;
    duration_ns?: number | null;
  } | null;
  bash?: {
    command?: string | null;
    summary?: string | null;
    output?: string | null;
    error?: string | null;
    duration_ns?: number | null;
  } | null;
  diff?: { lines?: (KeenDiffLine | null)[] | null } | null;
}

/** All that the model did between two prompts: one line, written at its end. */
export interface AssistantTurn {
  transcript?: (TranscriptItem | null)[] | null;
  /** Its prose, flattened. */
  message?: string | null;
  turn_memory?: TurnMemory | null;
  interrupted?: boolean | null;
  error?: string | null;
}

/** One line: the payload stands under the name of its kind. */
export interface KeenEvent {
  seq?: number | null;
  kind?: string | null;
  session_started?: {
    session_id?: string | null;
    created_at?: string | null;
    cwd?: string | null;
  } | null;
  user_message?: { content?: string | null } | null;
  assistant_turn?: AssistantTurn | null;
  compaction_applied?: {
    status?: string | null;
    transcript?: (TranscriptItem | null)[] | null;
    messages?: (KeenMessage | null)[] | null;
  } | null;
}

/** Absent, `null`, or what `guard` takes. */
function some(guard: Guard): Guard {
  return (value) => value === undefined || value === null ? undefined : guard(value);
}

function integer(value: unknown): string | undefined {
  return Number.isInteger(value) ? undefined : "is not an integer";
}

function natural(value: unknown): string | undefined {
  return Number.isInteger(value) && (value as number) >= 0 ? undefined : "is not a whole number";
}

function object(value: unknown): string | undefined {
  return isObject(value) ? undefined : "is not an object";
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function time(value: unknown): string | undefined {
  return typeof value === "string" && RFC3339.test(value) ? undefined : "is not a time";
}

const memory = fields({
  tool_activity: some(list(some(fields({
    text_offset: some(integer),
    tool: some(text),
    input: some(object),
    status: some(text),
    exit_code: some(integer),
  })))),
});
const item = fields({
  kind: some(text),
  content: some(text),
  tool_start: some(fields({ name: some(text), input: some(object) })),
  tool_end: some(fields({
    name: some(text),
    input: some(object),
    error: some(text),
    duration_ns: some(integer),
  })),
  bash: some(fields({
    command: some(text),
    summary: some(text),
    output: some(text),
    error: some(text),
    duration_ns: some(integer),
  })),
  diff: some(fields({
    lines: some(list(some(fields({
      Kind: some(integer),
      OldLineNum: some(integer),
      NewLineNum: some(integer),
      Content: some(text),
    })))),
  })),
});
const event = fields({
  seq: some(natural),
  kind: some(text),
  session_started: some(fields({
    session_id: some(text),
    created_at: some(time),
    cwd: some(text),
  })),
  user_message: some(fields({ content: some(text) })),
  assistant_turn: some(fields({
    transcript: some(list(some(item))),
    message: some(text),
    turn_memory: some(memory),
    interrupted: some(flag),
    error: some(text),
  })),
  compaction_applied: some(fields({
    status: some(text),
    transcript: some(list(some(item))),
    messages: some(list(some(fields({
      Role: some(text),
      Content: some(text),
      TurnMemory: some(memory),
    })))),
  })),
});

/** What is wrong with a line, or undefined when Keen takes it. */
export function keenFault(value: Readonly<Record<string, unknown>>): string | undefined {
  return event(value);
}
