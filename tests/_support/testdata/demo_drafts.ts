/**
 * Short names for what the agent of the demo sessions does.
 */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import type { ToolCallPart } from "../../../lib/event/message.ts";
import type {
  BashEndPayload,
  DiffLine,
  TokenUsage,
  ToolEndPayload,
} from "../../../lib/event/payload.ts";
import { assistant } from "./drafts.ts";
import { draft } from "./event_line.ts";

const MODEL = { model: "claude-sonnet-4-5", provider: "anthropic" };
/** Dollars for a million tokens. */
const PRICES = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, reasoning: 0 };

function costOf(usage: TokenUsage): number {
  const fields = Object.keys(PRICES) as (keyof typeof PRICES)[];
  const millionths = fields.reduce((sum, field) => sum + PRICES[field] * (usage[field] ?? 0), 0);
  return Math.round(millionths) / 1e6;
}

/** What the model says, and the calls that it makes. */
export function says(
  message_id: string,
  text: string,
  usage: TokenUsage,
  calls: readonly ToolCallPart[] = [],
): NewEvent {
  const said = text === "" ? [] : [{ type: "text" as const, text }];
  return assistant(calls.length === 0 ? text : [...said, ...calls], {
    message_id,
    ...MODEL,
    request_id: `req_${message_id}`,
    finish_reason: calls.length > 0 ? "tool_calls" : "stop",
    usage,
    cost_usd: costOf(usage),
  });
}

/** What the model thinks, with a made-up signature. */
export function thinks(message_id: string, content: string): NewEvent {
  const signature = new TextEncoder().encode(`signature of ${message_id}`).toBase64();
  return draft("reasoning_message", { content, message_id, provider_data: { signature } });
}

/** How a tool call of the demo ends. */
export function ends(
  call_id: string,
  name: string,
  output: string,
  milliseconds: number,
  more: Partial<ToolEndPayload> = {},
): NewEvent {
  const duration_ns = milliseconds * 1e6;
  return draft("tool_end", { call_id, name, status: "ok", output, duration_ns, ...more });
}

/** A declared call begins to run as a shell command. */
export function runs(call_id: string, summary?: string): NewEvent {
  return draft("bash_start", summary === undefined ? { call_id } : { call_id, summary });
}

/** A command of the user begins to run. */
export function runsOwn(call_id: string, command: string): NewEvent {
  return draft("bash_start", { call_id, command, origin: "user" });
}

/** A shell command ends. */
export function ran(
  call_id: string,
  command: string,
  output: string,
  milliseconds: number,
  more: Partial<BashEndPayload> = {},
): NewEvent {
  return draft("bash_end", {
    call_id,
    command,
    output,
    exit_code: 0,
    status: "ok",
    duration_ns: milliseconds * 1e6,
    ...more,
  });
}

/** A file change, from the text of a unified diff. */
export function changes(call_id: string, path: string, hunks: string): NewEvent {
  let old_line = 0;
  let new_line = 0;
  const lines = hunks.split("\n").map((line): DiffLine => {
    const content = line.slice(1);
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null) {
      [old_line, new_line] = [Number(hunk[1]), Number(hunk[2])];
      return { kind: "hunk", content: line };
    }
    if (line.startsWith("+")) return { kind: "added", new: new_line++, content };
    if (line.startsWith("-")) return { kind: "removed", old: old_line++, content };
    return { kind: "context", old: old_line++, new: new_line++, content };
  });
  return draft("diff", { call_id, path, lines });
}
