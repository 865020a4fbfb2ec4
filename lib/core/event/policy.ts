/**
 * Decides for each kind of event if it is held back or synced, and which projections need it. A new
 * kind does not compile until it is in the table.
 */
import type { EventKind } from "./payload.ts";

interface KindPolicy {
  /** True if events wait in memory until the session exists. They are lost if it never does. */
  held: boolean;
  /** True if `append` resolves only when the event is on disk. Such a kind is a boundary. */
  synced: boolean;
  transcript: boolean;
  /**
   * The conversations that contain the kind. `calls`: only those with tool calls. `reasoning`: only
   * those with reasoning.
   */
  conversation: "always" | "calls" | "reasoning" | "never";
  summary: boolean;
  usage: boolean;
}

function policy(flags: string, conversation: KindPolicy["conversation"] = "never"): KindPolicy {
  const words = new Set(flags.split(" "));
  return {
    held: words.has("held"),
    synced: words.has("synced"),
    transcript: words.has("transcript"),
    summary: words.has("summary"),
    usage: words.has("usage"),
    conversation,
  };
}

const POLICY: Readonly<Record<EventKind, KindPolicy>> = {
  session_started: policy("held synced transcript summary usage"),
  context_loaded: policy("held transcript"),
  user_message: policy("synced transcript summary", "always"),
  assistant_message: policy("synced transcript summary usage", "always"),
  assistant_interrupted: policy("synced transcript summary", "always"),
  reasoning_message: policy("transcript", "reasoning"),
  tool_start: policy("transcript", "calls"),
  tool_end: policy("synced transcript", "calls"),
  bash_start: policy("transcript", "calls"),
  bash_end: policy("synced transcript", "calls"),
  diff: policy("transcript"),
  compaction_applied: policy("synced transcript", "always"),
  conversation_replaced: policy("synced transcript", "always"),
  conversation_branched: policy("synced transcript", "always"),
  turn_failed: policy("synced transcript summary"),
  notice: policy("transcript summary"),
  session_renamed: policy("held summary"),
  session_archived: policy("summary"),
  event_labeled: policy(""),
  workspace_snapshot: policy("held"),
  session_checkpoint: policy("summary"),
  session_closed: policy("synced transcript summary"),
  extension: policy(""),
};

/** All kinds that this version knows, in the order of the table in FORMAT.md. */
export const EVENT_KINDS: readonly EventKind[] = Object.keys(POLICY) as EventKind[];

export function isEventKind(kind: string): kind is EventKind {
  return Object.hasOwn(POLICY, kind);
}

export function isHeld(kind: EventKind): boolean {
  return POLICY[kind].held;
}

export function isBoundary(kind: EventKind): boolean {
  return POLICY[kind].synced;
}

function kindsWhere(test: (policy: KindPolicy) => boolean): ReadonlySet<EventKind> {
  return new Set(EVENT_KINDS.filter((kind) => test(POLICY[kind])));
}

export const TRANSCRIPT_KINDS: ReadonlySet<EventKind> = kindsWhere((p) => p.transcript);
export const SUMMARY_KINDS: ReadonlySet<EventKind> = kindsWhere((p) => p.summary);
/** Kinds of events that change the session's time of last activity. */
export const ACTIVITY_KINDS: ReadonlySet<string> = new Set([
  ...["user_message", "assistant_message", "assistant_interrupted", "reasoning_message"],
  ...["tool_start", "tool_end", "bash_start", "bash_end", "diff", "turn_failed"],
]);
export const USAGE_KINDS: ReadonlySet<EventKind> = kindsWhere((p) => p.usage);

export function conversationKinds(calls: boolean, reasoning: boolean): ReadonlySet<EventKind> {
  return kindsWhere((p) =>
    p.conversation === "always" ||
    (calls && p.conversation === "calls") ||
    (reasoning && p.conversation === "reasoning")
  );
}
