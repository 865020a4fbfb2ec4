/**
 * Short names for the events that test logs are made of.
 */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import type { Content, ToolCallPart } from "../../../lib/event/message.ts";
import type {
  AssistantMessagePayload,
  SessionStartedPayload,
  ToolEndPayload,
} from "../../../lib/event/payload.ts";
import { draft, timeOf } from "./event_line.ts";

/** The id of the session in every test log but the forked one. */
export const SESSION_ID = "5b0e8f0c-6f0a-4c57-9d0e-2f6a1b7c3d4e";

/** The head of a session. */
export function started(more: Partial<SessionStartedPayload> = {}): NewEvent {
  return draft("session_started", {
    session_id: SESSION_ID,
    created_at: timeOf(1),
    cwd: "/home/ada/src/ledger",
    ...more,
  });
}

/** What the user says. */
export function user(content: Content): NewEvent {
  return draft("user_message", { content });
}

/** What the model says. */
export function assistant(
  content: Content,
  more: Omit<AssistantMessagePayload, "content"> = {},
): NewEvent {
  return draft("assistant_message", { content, ...more });
}

/** A response that is one call. */
export function call(
  call_id: string,
  name: string,
  input: unknown,
  message_id: string,
): NewEvent {
  return assistant([declared(call_id, name, input)], { message_id });
}

/** A call as a part of the response that declares it. */
export function declared(call_id: string, name: string, input: unknown): ToolCallPart {
  return { type: "tool_call", call_id, name, input };
}

/** A declared call begins to run. */
export function begun(call_id: string): NewEvent {
  return draft("tool_start", { call_id });
}

/** A call is settled. */
export function settled(
  call_id: string,
  name: string,
  output: string,
  more: Partial<ToolEndPayload> = {},
): NewEvent {
  return draft("tool_end", { call_id, name, status: "ok", output, ...more });
}
