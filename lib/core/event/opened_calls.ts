/** Tells which calls an event opens: a response declares them, or the user runs a command. */
import type { KnownEvent } from "./envelope.ts";

export interface OpenedCall {
  call_id: string;
  /** The tool's name, or `bash` for a command of the user. */
  name: string;
}

/** Returns the calls that an event opens, in order. The start of a declared call opens none. */
export function openedCalls(event: KnownEvent): OpenedCall[] {
  switch (event.kind) {
    case "assistant_message":
    case "assistant_interrupted": {
      const { content } = event.payload;
      if (typeof content === "string") return [];
      return content.flatMap((part) =>
        part.type === "tool_call" ? [{ call_id: part.call_id, name: part.name }] : []
      );
    }
    case "bash_start": {
      const { call_id, origin } = event.payload;
      return origin === undefined ? [] : [{ call_id, name: "bash" }];
    }
    default:
      return [];
  }
}

/** Returns the id of the declared call that an event starts, or undefined for other events. */
export function startedCall(event: KnownEvent): string | undefined {
  if (event.kind === "tool_start") return event.payload.call_id;
  if (event.kind !== "bash_start" || event.payload.origin !== undefined) return undefined;
  return event.payload.call_id;
}

/** True for kinds that are messages. A conversation can be cut at a message. */
export function isMessageKind(kind: string): boolean {
  return kind === "user_message" || kind === "assistant_message" ||
    kind === "assistant_interrupted";
}

/** True for a response that declares calls. Events until the next message belong to it. */
export function declaresCalls(event: KnownEvent): boolean {
  return isMessageKind(event.kind) && openedCalls(event).length > 0;
}

/** True for Reprise's own events. Only Reprise records the start of every call. */
export function recordsStarts({ source }: KnownEvent): boolean {
  return source?.agent === undefined;
}
