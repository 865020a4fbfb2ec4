/**
 * Turns of a conversation, with only content that every provider accepts. Calls include their
 * results, so that no conversion can separate a call from its result.
 */
import { partsOf } from "../../../core/projection/said_parts.ts";
import type {
  Content,
  Message,
  Part,
  ReasoningPart,
  TextPart,
} from "../../../core/event/message.ts";
import { chained, each, type Stage } from "../stage.ts";
import { attachmentText, type InlineFile, inlineFile } from "./attachment.ts";
import { isBlank, joined } from "./blank_text.ts";
import {
  type CallIds,
  callIds,
  followingFiles,
  type SettledCall,
  settledCall,
} from "./settled_call.ts";

interface SystemTurn {
  role: "system";
  /** The text of the instructions, never blank. */
  text: string;
  /** Sequence number of the turn's first event. Absent if unknown. */
  seq?: number | undefined;
}

/** A prompt with at least one part. */
export interface UserTurn {
  role: "user";
  /** The parts in order. An attachment that cannot be sent becomes a text. */
  parts: (TextPart | InlineFile)[];
  seq?: number | undefined;
}

/** The model's answer. It ends with a text or a call, never with reasoning. */
export interface AssistantTurn {
  role: "assistant";
  /** The texts and the reasoning in order, all before the calls. No text is blank. */
  parts: (TextPart | ReasoningPart)[];
  calls: SettledCall[];
  seq?: number | undefined;
}

/** A turn of a conversation. Successive user or assistant turns are joined, except after a call. */
export type UsualTurn = SystemTurn | UserTurn | AssistantTurn;

/** Returns a converter of messages to turns. Each call needs its result in the next message. */
export function turns(): Stage<Message, UsualTurn> {
  // Joined twice, because removing idle reasoning may leave neighbours to join.
  return chained(chained(chained(separate(), joining()), each(withoutIdleReasoning)), joining());
}

/**
 * Returns a converter to turns that drops instructions, for requests with a separate member for
 * instructions.
 */
export function spokenTurns(): Stage<Message, UsualTurn> {
  const spoken = each((message: Message) => message.role === "system" ? [] : [message]);
  return chained(spoken, turns());
}

/**
 * Returns a converter to turns for providers that accept no files in results. A user turn after the
 * results has the files.
 */
export function withFilesBehind(): Stage<Message, UsualTurn> {
  return chained(chained(turns(), each(fileTurns)), joining());
}

export function spokenWithFilesBehind(): Stage<Message, UsualTurn> {
  return chained(chained(spokenTurns(), each(fileTurns)), joining());
}

/**
 * Returns the text of a system message in a list. The list is empty for messages of any other role
 * and for blank text.
 */
export function instructions({ role, content }: Pick<Message, "role" | "content">): string[] {
  const text = role === "system" ? systemText(content) : undefined;
  return text === undefined ? [] : [text];
}

function fileTurns(turn: UsualTurn): UsualTurn[] {
  if (turn.role !== "assistant") return [turn];
  const parts = followingFiles(turn.calls);
  return parts.length === 0 ? [turn] : [turn, { role: "user", parts }];
}

/** Converts messages to turns one message late, because a call's result is in the next message. */
function separate(before?: Message, ids: CallIds = callIds()): Stage<Message, UsualTurn> {
  let last = before;
  const takeLast = (next: Message | undefined): UsualTurn[] => {
    const turn = last === undefined ? undefined : toTurn(last, next, ids.unique);
    last = next;
    return turn === undefined ? [] : [turn];
  };
  return {
    add: takeLast,
    end: () => takeLast(undefined),
    copy: () => separate(last, ids.copy()),
  };
}

function toTurn(
  { role, content, seq }: Message & { seq?: number },
  next: Message | undefined,
  uniqueId: (id: string) => string,
): UsualTurn | undefined {
  if (role === "tool") return undefined;
  if (role === "system") {
    const text = systemText(content);
    return text === undefined ? undefined : { role, text, seq };
  }
  if (role === "user") {
    const parts = partsOf(content).flatMap(userPart);
    return parts.length === 0 ? undefined : { role, parts, seq };
  }
  const parts = partsOf(content).flatMap(assistantPart);
  const calls = settledCalls(content, next?.content ?? [], uniqueId);
  return parts.length + calls.length === 0 ? undefined : { role, parts, calls, seq };
}

function settledCalls(
  content: Content,
  following: Content,
  uniqueId: (id: string) => string,
): SettledCall[] {
  const calls = partsOf(content).filter((part) => part.type === "tool_call");
  const results = partsOf(following).filter((part) => part.type === "tool_result");
  return calls.flatMap((call, index) => {
    const result = results[index];
    return result === undefined ? [] : [settledCall(call, result, uniqueId)];
  });
}

function systemText(content: Content): string | undefined {
  return joined(partsOf(content).flatMap(textPart).map(({ text }) => text));
}

function userPart(part: Part): (TextPart | InlineFile)[] {
  const file = part.type === "image" || part.type === "file" ? inlineFile(part) : undefined;
  return file === undefined ? textPart(part) : [file];
}

/** Describes attachments as text, because no provider accepts attachments in an answer. */
function assistantPart(part: Part): (TextPart | ReasoningPart)[] {
  return part.type === "reasoning" ? [part] : textPart(part);
}

function textPart(part: Part): TextPart[] {
  if (part.type === "image" || part.type === "file") {
    return [{ type: "text", text: attachmentText(part) }];
  }
  return part.type === "text" && !isBlank(part.text) ? [{ type: "text", text: part.text }] : [];
}

/** Joins successive turns of one role. A call ends its turn, because its result follows. */
function joining(before?: UsualTurn): Stage<UsualTurn, UsualTurn> {
  let last = before;
  return {
    add(turn): UsualTurn[] {
      if (last !== undefined && joins(last, turn)) return [];
      const finished = last === undefined ? [] : [last];
      last = turn;
      return finished;
    },
    end: () => last === undefined ? [] : [last],
    copy: () => joining(last === undefined ? undefined : copyOf(last)),
  };
}

/** Copies a turn with its parts, because {@linkcode joins} adds parts in place. */
function copyOf(turn: UsualTurn): UsualTurn {
  return turn.role === "system" ? turn : { ...turn, parts: [...turn.parts] } as UsualTurn;
}

/** Appends `turn` to `last` in place. Returns false if the turns must stay separate. */
function joins(last: UsualTurn, turn: UsualTurn): boolean {
  if (last.role === "user" && turn.role === "user") {
    for (const part of turn.parts) last.parts.push(part);
    return true;
  }
  if (last.role !== "assistant" || turn.role !== "assistant" || last.calls.length > 0) return false;
  for (const part of turn.parts) last.parts.push(part);
  last.calls = turn.calls;
  return true;
}

/** Removes reasoning at the end of a turn. Only Anthropic rejects reasoning there. */
function withoutIdleReasoning(turn: UsualTurn): UsualTurn[] {
  if (turn.role !== "assistant" || turn.calls.length > 0) return [turn];
  const end = turn.parts.findLastIndex(({ type }) => type === "text") + 1;
  return end === 0 ? [] : [{ ...turn, parts: turn.parts.slice(0, end) }];
}

const OPENING = "(This conversation begins with a message from the assistant.)";

/**
 * Returns a stage for providers that reject an answer as the first message. The stage puts a user
 * text before the answer, unless `before` (the conversation has begun) is true.
 */
export function opened(before: boolean = false): Stage<UsualTurn, UsualTurn> {
  let begun = before;
  return {
    add(turn): UsualTurn[] {
      const opens = !begun && turn.role === "assistant";
      begun = true;
      return opens ? [{ role: "user", parts: [{ type: "text", text: OPENING }] }, turn] : [turn];
    },
    end: () => [],
    copy: () => opened(begun),
  };
}
