/**
 * Converts a compaction of Claude Code to events. It is a boundary, then the summary in the user's
 * name. Some records from before it may stay in force.
 */
import { toContent } from "../../event/audience.ts";
import type { KnownEvent, LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { buildMessages } from "../../projection/conversation/responses.ts";
import { asNumber, asObject, asText, present } from "../../reading/json_value.ts";
import { rowOf } from "../../reading/tree/record_index.ts";
import { blocksOf, plainText, toPart } from "./content.ts";
import { type DialogueRecord, type Emission, originOf } from "./emission.ts";

/** A boundary whose summary is still to come. */
export interface OpenCompaction {
  boundary: DialogueRecord;
  /** What stays in force of what was before. */
  preserved: readonly Message[];
}

/** Adds the compaction. Without its summary, what stays in force is all that is left. */
export function emitCompaction(
  emission: Emission,
  { boundary, preserved }: OpenCompaction,
  summary?: DialogueRecord,
): void {
  const { compactMetadata, content } = boundary.record.value;
  const { trigger, preTokens } = asObject(compactMetadata);
  const status = asText(content) ?? "Conversation compacted";
  emission.writer.emit(
    "compaction_applied",
    present({
      status,
      ...replacement(isAnchor(emission, boundary), preserved, summary),
      tokens_before: asNumber(preTokens),
      trigger: trigger === "auto" || trigger === "manual"
        ? trigger as "auto" | "manual"
        : undefined,
    }),
    { ...originOf(emission, boundary), time: (summary ?? boundary).record.value.timestamp },
  );
}

/** Adds the compaction that a summary without a boundary stands for. */
export function emitSummary(emission: Emission, item: DialogueRecord): void {
  const summary = plainText(asObject(item.record.value.message).content);
  const payload = { status: "Conversation compacted", summary };
  emission.writer.emit("compaction_applied", payload, originOf(emission, item));
}

/** True where what is kept stands behind the boundary itself, and before the summary. */
function isAnchor({ index }: Emission, { row }: DialogueRecord): boolean {
  const anchor_id = index.head.boundaries.get(row)?.anchor_id;
  return anchor_id !== undefined && rowOf(index, anchor_id) === row;
}

function replacement(
  first: boolean,
  preserved: readonly Message[],
  summary: DialogueRecord | undefined,
): { messages?: Message[]; summary?: string } {
  if (summary === undefined) return { messages: [...preserved] };
  const { content } = asObject(summary.record.value.message);
  const text = plainText(content);
  const said: Message = {
    role: "user",
    content: toContent(blocksOf(content).flatMap((block) => toPart(block) ?? [])),
  };
  if (preserved.length === 0) return { summary: text };
  return { summary: text, messages: first ? [...preserved, said] : [said, ...preserved] };
}

/** The messages of events. */
export function messagesOf(events: readonly LogEvent[]): Message[] {
  const known = events.filter((event): event is KnownEvent => event.form === "known");
  return buildMessages(known, UNSETTLED_OUTPUT).messages;
}
