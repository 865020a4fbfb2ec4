/**
 * The history as Codex sends it (codex-rs/core/src/context_manager/history.rs): with what nobody was
 * shown, instructions in the developer's name and context in the user's place.
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { buildMessages } from "../../projection/responses.ts";
import { EventWriter } from "../event_writer.ts";
import { toContent, toParts } from "./item_content.ts";
import { agentMessage, applyResponseItem } from "./response_item.ts";
import {
  type CodexSession,
  endAnswer,
  type History,
  type Rollout,
  startRollout,
} from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";

/** A history that begins with `messages`. */
export function startHistory(session: CodexSession, messages: readonly Message[] = []): History {
  return { session, messages: [...messages], part: startPart(session), waiting: [] };
}

function startPart(session: CodexSession): Rollout {
  return startRollout(session, new EventWriter(session), true);
}

/** Whether a record is part of the history. */
export function isHistoryItem({ type }: Pick<RolloutRecord, "type">): boolean {
  return type.startsWith("response_item/") || type === "inter_agent_communication";
}

/** Adds an item, whatever it is. */
export function addToHistory(history: History, record: RolloutRecord): void {
  const { type, content } = record.payload;
  if (isInstruction(record)) {
    history.waiting.push({ role: "system", content: toContent(toParts(content)) });
  } else {
    // Calls that have no output by now get none any more.
    if (type === "message" && history.waiting.length > 0) closePart(history);
    if (record.type === "inter_agent_communication") agentMessage(history.part, record);
    else applyResponseItem(history.part, record);
  }
  if (history.waiting.length > 0 && history.part.open.size === 0) closePart(history);
}

/** Whether a message is Codex's own, in the developer's name. */
export function isInstruction({ payload: { type, role } }: RolloutRecord): boolean {
  return type === "message" && (role === "developer" || role === "system");
}

function closePart(history: History): void {
  const { part, session } = history;
  endAnswer(part);
  const { messages } = buildMessages(part.writer.take() as KnownEvent[]);
  history.messages.push(...messages, ...history.waiting);
  history.part = startPart(session);
  history.waiting = [];
}

/** The messages so far. */
export function historyMessages(history: History): Message[] {
  closePart(history);
  return [...history.messages];
}
