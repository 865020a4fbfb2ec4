/**
 * Follows how the history stands to the events of a rollout. These have no place for what nobody was
 * shown, so a compaction without a word carries the messages: most often once, before the first
 * prompt, for there is nothing of the kind behind it; else at the end.
 */
import type { Message } from "../../event/message.ts";
import { isContextual, isShown } from "./contextual_message.ts";
import {
  addToHistory,
  type History,
  historyMessages,
  isInstruction,
  startHistory,
} from "./history.ts";
import { contentTexts } from "./item_content.ts";
import { emit, type Rollout } from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";

/** How what the events give stands to the history. */
type Standing =
  /** Nothing was said since the last compaction. */
  | "empty"
  /** So far there is only what nobody was shown. */
  | "hidden"
  /** They are the same. */
  | "same"
  | "differs";

/** What a compaction put in the place of all before it. */
export interface CompactedHistory {
  messages: readonly Message[];
  /** Which stretch of the thread the compaction stands in, and where its record begins. */
  stretch: number;
  offset: number;
}

/** The history beside the events of a rollout. */
export interface FollowedHistory {
  standing: Standing;
  /** What came so far; gone as soon as something was said, or where nobody wants it. */
  preface: History | undefined;
  /** The last compaction. */
  base: CompactedHistory | undefined;
}

/** Begins to follow the history of a rollout, from its start or from a compaction. */
export function followHistory(rollout: Rollout, base?: CompactedHistory): void {
  const { session, writer } = rollout;
  const wanted = writer.wants("compaction_applied");
  const preface = wanted ? startHistory(session, base?.messages) : undefined;
  rollout.followed = { standing: "empty", preface, base };
}

/** Follows an item, before its events are written. */
export function followItem(rollout: Rollout, record: RolloutRecord): void {
  const { followed } = rollout;
  if (followed === undefined) return;
  const { standing, preface } = followed;
  const said = standing === "same" || standing === "differs";
  if (isHidden(record)) {
    followed.standing = said ? "differs" : "hidden";
    if (preface !== undefined) addToHistory(preface, record);
  } else if (!said) {
    if (standing === "hidden") tellPreface(rollout, followed, record);
    followed.standing = "same";
    followed.preface = undefined;
  }
}

/** Whether the model gets what our events do not give it. */
function isHidden(record: RolloutRecord): boolean {
  const { type, role, content } = record.payload;
  if (isInstruction(record)) return true;
  return type === "message" && role === "user" && isContextual(content) &&
    !isShown(contentTexts(content));
}

/** Says what the model gets so far. */
export function tellPreface(
  rollout: Rollout,
  { preface }: FollowedHistory,
  record?: RolloutRecord,
): void {
  const messages = preface === undefined ? [] : historyMessages(preface);
  const origin = record === undefined ? {} : { time: record.time, record: record.source };
  emit(rollout, "compaction_applied", { status: "", messages }, origin);
}
