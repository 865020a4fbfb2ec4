/** Tells which calls an event opens: a response declares them, or an older log's start. */
import type { KnownEvent } from "./envelope.ts";

/** A call that is to be settled. */
export interface OpenedCall {
  call_id: string;
  /** The tool's name; `bash` where a shell command has none. */
  name: string;
}

/** Returns the calls that an event opens, in order; none for the start of a declared call. */
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
    case "tool_start": {
      const { call_id, name } = event.payload;
      return name === undefined ? [] : [{ call_id, name }];
    }
    case "bash_start": {
      const { call_id, origin, name = "bash" } = event.payload;
      return origin === undefined ? [] : [{ call_id, name }];
    }
    default:
      return [];
  }
}

/** Returns the id of the declared call that an event starts; undefined for other events. */
export function startedCall(event: KnownEvent): string | undefined {
  if (event.kind === "tool_start" && event.payload.name === undefined) return event.payload.call_id;
  if (event.kind === "bash_start" && event.payload.origin === undefined) {
    return event.payload.call_id;
  }
  return undefined;
}

/** True for the kinds that are messages, with which a conversation can be cut. */
export function isMessageKind(kind: string): boolean {
  return kind === "user_message" || kind === "assistant_message" ||
    kind === "assistant_interrupted";
}

/** True for a response that declares calls. Events up to the next message are inside it. */
export function declaresCalls(event: KnownEvent): boolean {
  return isMessageKind(event.kind) && openedCalls(event).length > 0;
}

/** True where starts are recorded. Events that came of another agent tell nothing of them. */
export function recordsStarts({ source }: KnownEvent): boolean {
  return source?.agent === undefined;
}
