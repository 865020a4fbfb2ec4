/**
 * Derives a session's current activity from its last events.
 *
 * @module
 */
import { contentFor } from "../event/audience.ts";
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { type Content, contentText } from "../event/message.ts";
import { present } from "../event/present.ts";
import { isUnseen } from "./unseen_message.ts";

export interface ActivityOptions {
  /**
   * True if the log records when each call begins to run. A call without a recorded begin then
   * waits for permission.
   * @default {false}
   */
  tells_begin?: boolean;
  /**
   * True if the reader ends every open call as interrupted, without an output. An answer without a
   * recorded finish reason is then still being written.
   * @default {false}
   */
  ends_open_calls?: boolean | undefined;
}

/** The last turn of a session: its current work, or its end. */
export interface Activity {
  /**
   * The state of the session's last turn: the model is `answering`, or a call is `running` or
   * `asking` to run. Else the session is `waiting` for a prompt, or its last turn `failed` or was
   * `interrupted`.
   */
  state: "answering" | "running" | "asking" | "waiting" | "failed" | "interrupted";
  /** The prompt that is being answered, the error, or the text of the last answer. May be empty. */
  text: string;
  /** Name of the tool that runs or waits for permission; absent in other states. */
  tool?: string;
  /** Arguments with which `tool` was called; absent if they were not recorded. */
  input?: unknown;
  /** Time at which the state began, in ISO 8601; absent if the events have no time. */
  since?: string;
}

export type ActivityState = Activity["state"];

interface OpenCall {
  tool: string;
  input: unknown;
  since: string | undefined;
  begun: boolean;
  /** False for a command that the user ran. Only calls in an answer of the model are declared. */
  declared: boolean;
}

/** Maximum characters of an activity's text. Longer texts are cut, to be shown on one line. */
const MOST_CHARACTERS = 300;

export function activityOf(
  events: Iterable<LogEvent>,
  { tells_begin = false, ends_open_calls = false }: ActivityOptions = {},
): Activity | undefined {
  const open = new Map<string, OpenCall>();
  let activity: Activity | undefined;
  for (const event of events) {
    if (event.form !== "known" || ends_open_calls && isStillOpen(event)) continue;
    activity = after(event, open) ?? activity;
    const is_open = event.kind === "assistant_message" && event.payload.finish_reason === undefined;
    if (ends_open_calls && is_open && activity !== undefined) {
      activity = { ...activity, state: "answering" };
    }
  }
  const calls = [...open.values()];
  const call = calls.find(({ begun }) => begun) ?? calls[0];
  if (call === undefined || activity === undefined) return activity;
  const { since, begun, declared: _, ...named } = call;
  const state = begun || !tells_begin ? "running" : "asking";
  return present({ state, text: "", ...named, since });
}

/** True for an end of a call that says only that the call has not ended yet. */
function isStillOpen({ kind, payload }: KnownEvent): boolean {
  if (kind !== "tool_end" && kind !== "bash_end") return false;
  return payload.status === "interrupted" && payload.output === undefined;
}

/** Returns the activity after an event, or undefined if it does not change. Updates `open`. */
function after(event: KnownEvent, open: Map<string, OpenCall>): Activity | undefined {
  const { time } = event;
  switch (event.kind) {
    case "user_message":
      open.clear();
      return stateOf(
        "answering",
        isUnseen(event.payload) ? "" : textOf(event.payload.content),
        time,
      );
    case "assistant_message":
      declare(event.payload.content, open, time);
      return stateOf("waiting", textOf(event.payload.content), time);
    case "tool_start":
    case "bash_start":
      begin(event, open);
      return undefined;
    case "bash_end": {
      const call = open.get(event.payload.call_id);
      open.delete(event.payload.call_id);
      return call?.declared === false ? undefined : stateOf("answering", "", time);
    }
    case "tool_end":
      open.delete(event.payload.call_id);
      return stateOf("answering", "", time);
    case "turn_failed":
      open.clear();
      return stateOf("failed", event.payload.message, time);
    case "assistant_interrupted":
      open.clear();
      return stateOf("interrupted", "", time);
    default:
      return undefined;
  }
}

function declare(content: Content, open: Map<string, OpenCall>, since: string | undefined): void {
  if (typeof content === "string") return;
  for (const part of content) {
    if (part.type !== "tool_call") continue;
    open.set(part.call_id, {
      tool: part.name,
      input: part.input,
      since,
      begun: false,
      declared: true,
    });
  }
}

function begin(
  { payload, kind, time }: KnownEvent & { kind: "tool_start" | "bash_start" },
  open: Map<string, OpenCall>,
): void {
  const declared = open.get(payload.call_id);
  const since = time ?? declared?.since;
  const begun = true;
  if (declared !== undefined) open.set(payload.call_id, { ...declared, since, begun });
  else if (kind === "bash_start" && payload.origin === "user") {
    const input = { command: payload.command };
    open.set(payload.call_id, { tool: "bash", input, since, begun, declared: false });
  }
}

function stateOf(state: ActivityState, text: string, since: string | undefined): Activity {
  return present({ state, text: text.slice(0, MOST_CHARACTERS), since });
}

function textOf(content: Content): string {
  return contentText(contentFor(content, "user"));
}
