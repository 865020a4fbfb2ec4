/**
 * The history as Codex sends it (codex-rs/core/src/context_manager/history.rs): with what nobody was
 * shown, instructions in the developer's name and context in the user's place. Our events have no
 * place for these, so a compaction without a word carries the messages: the first time with what
 * stands before the first prompt, which is most often all that there is of them.
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { buildMessages } from "../../projection/responses.ts";
import { EventWriter } from "../event_writer.ts";
import { isContextual, isShown } from "./contextual_message.ts";
import { contentTexts, toContent, toParts } from "./item_content.ts";
import { agentMessage, applyResponseItem } from "./response_item.ts";
import { type CodexSession, emit, endAnswer, type Rollout, startRollout } from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";

/** What the model gets, while it grows. */
export interface History {
  readonly session: CodexSession;
  /** What came before what `part` holds. */
  messages: Message[];
  part: Rollout;
  /** Instructions that came while calls were open: their outputs come right behind them. */
  waiting: Message[];
}

/** A history that begins with `messages`. */
export function startHistory(session: CodexSession, messages: readonly Message[] = []): History {
  return { session, messages: [...messages], part: startPart(session), waiting: [] };
}

function startPart(session: CodexSession): Rollout {
  return startRollout(session, new EventWriter(session), true);
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

function isInstruction({ payload: { type, role } }: RolloutRecord): boolean {
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

/** How what our events give stands to the history. */
type Standing =
  /** Nothing was said since the last compaction. */
  | "empty"
  /** So far there is only what nobody was shown. */
  | "hidden"
  /** They are the same. */
  | "same"
  | "differs";

/** The history beside the events of a rollout. */
export interface FollowedHistory {
  /** Absent where nobody wants it. */
  history: History | undefined;
  standing: Standing;
  /** It begins with what a compaction put there. */
  compacted: boolean;
}

/** Begins to follow the history of a rollout, from its start or from a compaction. */
export function followHistory(rollout: Rollout, compaction?: readonly Message[]): void {
  const { session, writer } = rollout;
  const wanted = writer.wants("compaction_applied");
  rollout.followed = {
    history: wanted ? startHistory(session, compaction) : undefined,
    standing: "empty",
    compacted: compaction !== undefined,
  };
}

/** Follows an item, before its events are written. */
export function followItem(rollout: Rollout, record: RolloutRecord): void {
  const { followed } = rollout;
  if (followed === undefined) return;
  const { standing, history } = followed;
  if (isHidden(record)) {
    followed.standing = standing === "empty" || standing === "hidden" ? "hidden" : "differs";
  } else {
    if (standing === "hidden") tellHistory(rollout, followed, record);
    if (standing !== "differs") followed.standing = "same";
  }
  if (history !== undefined) addToHistory(history, record);
}

/** Whether the model gets what our events do not give it. */
function isHidden(record: RolloutRecord): boolean {
  const { type, role, content } = record.payload;
  if (isInstruction(record)) return true;
  return type === "message" && role === "user" && isContextual(content) &&
    !isShown(contentTexts(content));
}

function tellHistory(
  rollout: Rollout,
  { history }: FollowedHistory,
  record?: RolloutRecord,
): void {
  const messages = history === undefined ? [] : historyMessages(history);
  const origin = record === undefined ? {} : { time: record.time, record: record.source };
  emit(rollout, "compaction_applied", { status: "", messages }, origin);
}

/** Ends the events with the history, where they do not give it. */
export function endHistory(rollout: Rollout): void {
  const { followed } = rollout;
  if (followed === undefined) return;
  const { standing, compacted } = followed;
  if (standing === "differs" || (standing === "hidden" && compacted)) {
    tellHistory(rollout, followed);
  }
}
