/**
 * Follows how the history stands to the events of a rollout. These have no place for what nobody was
 * shown, so a compaction without a word carries the messages: most often once, before the first
 * prompt, for there is nothing of the kind behind it; else at the end.
 */
import { isContextual, isShown } from "./contextual_message.ts";
import { addToHistory, historyMessages, isInstruction, startHistory } from "./history.ts";
import { contentTexts } from "./item_content.ts";
import { type CompactedHistory, emit, type FollowedHistory, type Rollout } from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";

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
