/**
 * Validates a line of Keen Code's log as Go's decoder does. A field of a wrong type makes Keen drop
 * the whole line. Absent fields and `null` are zero values. Sources: Keen Code 0.38.1,
 * internal/session/event.go, internal/llm/message.go, internal/tools/diff.go. The types in the last
 * two have no JSON tags, hence `Role`. `retained_output` is newer.
 */
import type { Json } from "../engine/json.ts";
import { fields, flag, type Guard, isObject, list, text } from "../../core/event/guard.ts";

type Field<Type> = Guard & { readonly takes?: Type };
type Taken<Of> = Of extends Field<infer Type> ? Type : never;
type Struct<Fields> = { [Name in keyof Fields]?: Taken<Fields[Name]> | null | undefined };

function some(guard: Guard): Guard {
  return (value) => value === undefined || value === null ? undefined : guard(value);
}

function struct<Fields extends Record<string, Field<unknown>>>(
  guards: Fields,
): Field<Struct<Fields>> {
  return fields(
    Object.fromEntries(Object.entries(guards).map(([name, guard]) => [name, some(guard)])),
  );
}

function slice<Item>(guard: Field<Item>): Field<(Item | null)[]> {
  return list(some(guard));
}

const string: Field<string> = text;
const bool: Field<boolean> = flag;
const json: Field<unknown> = () => undefined;
const int: Field<number> = (value) => Number.isInteger(value) ? undefined : "is not an integer";
const uint: Field<number> = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : "is not a whole number";
const map: Field<Record<string, unknown>> = (value) =>
  isObject(value) ? undefined : "is not an object";

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const time: Field<string> = (value) =>
  typeof value === "string" && RFC3339.test(value) ? undefined : "is not a time";

const toolActivity = struct({
  /** Byte offset in the UTF-8 text of the message at which the tool was called. */
  text_offset: int,
  tool: string,
  input: map,
  /** The call's outcome: `success` or `error`. */
  status: string,
  exit_code: int,
  retained_output: json,
});
/** A short record of one tool call in a turn. The model gets it in place of the full output. */
export type ToolActivity = Taken<typeof toolActivity>;

/** The guard for a turn's record of tool calls. Ignores fields from before 0.33, as Keen does. */
const turnMemory = struct({ tool_activity: slice(toolActivity) });

const keenMessage = struct({ Role: string, Content: string, TurnMemory: turnMemory });
export type KeenMessage = Taken<typeof keenMessage>;

const keenDiffLine = struct({ Kind: int, OldLineNum: int, NewLineNum: int, Content: string });
/** A line of a diff. `Kind`: 0 context, 1 added, 2 removed, 3 hunk. Line number 0 means none. */
export type KeenDiffLine = Taken<typeof keenDiffLine>;

const transcriptItem = struct({
  kind: string,
  content: string,
  tool_start: struct({ name: string, input: map }),
  tool_end: struct({ name: string, input: map, output: json, error: string, duration_ns: int }),
  bash: struct({
    command: string,
    summary: string,
    output: string,
    error: string,
    duration_ns: int,
  }),
  diff: struct({ lines: slice(keenDiffLine) }),
});
/** An item that the user saw. Tools' starts and ends have no ids. Names and order pair them. */
export type KeenItem = Taken<typeof transcriptItem>;

const assistantTurn = struct({
  transcript: slice(transcriptItem),
  /** The text of the whole turn as one string. */
  message: string,
  turn_memory: turnMemory,
  interrupted: bool,
  error: string,
});
/** The model's work between two prompts. It is one line, written when the turn ends. */
export type KeenTurn = Taken<typeof assistantTurn>;

const keenEvent = struct({
  seq: uint,
  kind: string,
  session_started: struct({ session_id: string, created_at: time, cwd: string }),
  user_message: struct({ content: string }),
  assistant_turn: assistantTurn,
  compaction_applied: struct({
    status: string,
    transcript: slice(transcriptItem),
    messages: slice(keenMessage),
  }),
});
/** One line of a log. Its payload is in the field named by `kind`. */
export type KeenEvent = Taken<typeof keenEvent>;

export function keenFault(value: Json): string | undefined {
  return keenEvent(value);
}
