/**
 * Assembles the records of a dialogue in the order of the branch. Joins the records of an answer,
 * and the two records of a compaction: its boundary and its summary.
 */
import { toContent } from "../../core/event/audience.ts";
import type { KnownEvent, LogEvent } from "../../core/event/envelope.ts";
import type { Message, TextPart } from "../../core/event/message.ts";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import { buildMessages } from "../../core/projection/conversation/responses.ts";
import { unsentPrompt } from "../engine/events/unsent_prompt.ts";
import { asNumber, asObject, asText, present } from "../engine/json.ts";
import { DAMAGED, hasFlag, recordName, rowOf } from "../engine/tree/record_index.ts";
import { ASIDE, SIBLING, type TreeNode } from "../engine/tree/steps.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import { emitAnswer } from "./answer_events.ts";
import { attachedParts } from "./attached.ts";
import { blocksOf, plainText, toPart } from "../engine/events/anthropic_blocks.ts";
import {
  type DialogueRecord,
  type Emission,
  emitExtension,
  messageIdOf,
  originOf,
} from "./emission.ts";
import { ASSISTANT, RESULTS, SIDECHAIN, timeOf, USER } from "./index/claude_record.ts";
import { QUEUED_COMMAND, queuedEnd } from "./index/prompt_queue.ts";
import { noticeOf } from "./notices.ts";
import { TASK_NOTIFICATION } from "./shown_text.ts";
import { emitUser, isInterruption, userContent } from "./user_events.ts";

/** The records that are held until a later record completes them. */
export interface Dialogue {
  readonly emission: Emission;
  answer: DialogueRecord[];
  /** Attached records, held until the answer ends so that they do not split it. */
  asides: { row: number; record: TreeRecord | undefined }[];
  compaction: OpenCompaction | undefined;
}

export function startDialogue(emission: Emission): Dialogue {
  return { emission, answer: [], asides: [], compaction: undefined };
}

/** Takes the next record of a branch. `record` is undefined if it was not read or is damaged. */
export function takeStep(
  dialogue: Dialogue,
  { row, part }: TreeNode,
  record: TreeRecord | undefined,
  preserved: readonly Message[] = [],
): void {
  const { index } = dialogue.emission;
  if (part === ASIDE) {
    dialogue.asides.push({ row, record });
    if (dialogue.answer.length === 0) emitAsides(dialogue);
    return;
  }
  if (record === undefined) {
    // Not read, as nobody wants it, or damaged: its place is kept.
    if (part !== SIBLING) emitUnread(dialogue, row);
    else if (hasFlag(index, row, RESULTS)) endAnswer(dialogue, false);
    return;
  }
  const item: DialogueRecord = { row, record };
  const type = index.type[row];
  if (type === ASSISTANT) takeAnswer(dialogue, item);
  else if (type === USER) takeUser(dialogue, item);
  else takeOther(dialogue, item, preserved);
}

export function isSettled({ answer, asides, compaction }: Dialogue): boolean {
  return answer.length === 0 && asides.length === 0 && compaction === undefined;
}

export function finishDialogue(dialogue: Dialogue): void {
  endAnswer(dialogue, false);
  endCompaction(dialogue);
}

function emitAsides(dialogue: Dialogue): void {
  const { asides, emission } = dialogue;
  dialogue.asides = [];
  for (const { row, record } of asides) {
    if (record === undefined) emitPlace(emission, row);
    else emitRecord(dialogue, { row, record });
  }
}

function emitUnread(dialogue: Dialogue, row: number): void {
  if (hasFlag(dialogue.emission.index, row, DAMAGED)) return;
  endAnswer(dialogue, false);
  emitPlace(dialogue.emission, row);
}

/** Emits an `extension` without data for an unread record, so that event numbers do not shift. */
function emitPlace({ writer, index }: Emission, row: number): void {
  if (hasFlag(index, row, DAMAGED) || writer.wants("extension")) return;
  const payload = { agent: "claude", type: recordName(index, row), data: {} };
  writer.emit("extension", payload, { time: timeOf(index, row) });
}

function emitRecord({ emission }: Dialogue, item: DialogueRecord): void {
  const { value } = item.record;
  const origin = originOf(emission, item);
  if (queuedEnd(emission.index, item.row) !== undefined) return emitQueued(emission, item);
  const notice = emission.writer.wants("notice") ? noticeOf(value) : undefined;
  if (notice !== undefined) emission.writer.emit("notice", notice, origin);
  else emitExtension(emission, recordName(emission.index, item.row), value, origin);
}

function takeAnswer(dialogue: Dialogue, item: DialogueRecord): void {
  const [first] = dialogue.answer;
  const id = first === undefined ? undefined : messageIdOf(item);
  const { index } = dialogue.emission;
  const same = first !== undefined && id !== undefined && messageIdOf(first) === id &&
    hasFlag(index, first.row, SIDECHAIN) === hasFlag(index, item.row, SIDECHAIN);
  if (!same) endAnswer(dialogue, false);
  endCompaction(dialogue);
  dialogue.answer.push(item);
}

function endAnswer(dialogue: Dialogue, interrupted: boolean): void {
  const { answer } = dialogue;
  dialogue.answer = [];
  if (answer.length > 0) emitAnswer(dialogue.emission, answer, interrupted);
  if (dialogue.asides.length > 0) emitAsides(dialogue);
}

function endCompaction(dialogue: Dialogue, summary?: DialogueRecord): void {
  const { compaction } = dialogue;
  dialogue.compaction = undefined;
  if (compaction !== undefined) emitCompaction(dialogue.emission, compaction, summary);
}

function takeUser(dialogue: Dialogue, item: DialogueRecord): void {
  endAnswer(dialogue, isInterruption(item.record));
  if (item.record.value.isCompactSummary !== true) {
    endCompaction(dialogue);
    emitUser(dialogue.emission, item);
  } else if (dialogue.compaction !== undefined) {
    endCompaction(dialogue, item);
  } else {
    emitSummary(dialogue.emission, item);
  }
}

function takeOther(dialogue: Dialogue, item: DialogueRecord, preserved: readonly Message[]): void {
  endAnswer(dialogue, false);
  if (dialogue.emission.index.head.boundaries.has(item.row)) {
    endCompaction(dialogue);
    dialogue.compaction = { boundary: item, preserved };
    return;
  }
  const { emission } = dialogue;
  const origin = originOf(emission, item);
  const { value } = item.record;
  const { type, prompt, commandMode, origin: by } = asObject(value.attachment);
  const mode = asText(commandMode) ?? "prompt";
  if (type === QUEUED_COMMAND && (mode === "prompt" || mode === TASK_NOTIFICATION)) {
    const said = blocksOf(prompt).flatMap((block) => toPart(block) ?? []);
    const content = userContent(said, { origin: mode === "prompt" ? by : { kind: mode } });
    emission.writer.emit("user_message", { content }, origin);
    return;
  }
  const hidden = attachedParts(value);
  const printed = printedParts(value);
  const parts = [...hidden, ...printed];
  if (parts.length === 0) emitRecord(dialogue, item);
  else {
    const content = userContent(parts, { isMeta: printed.length === 0 });
    emission.writer.emit("user_message", { content }, origin);
  }
}

/** Emits a prompt that only the queue recorded: a message if the model got it, else a notice. */
function emitQueued(emission: Emission, item: DialogueRecord): void {
  const text = asText(item.record.value.content) ?? "";
  const origin = { ...originOf(emission, item), time: timeOf(emission.index, item.row) };
  if (queuedEnd(emission.index, item.row) === "unsent") {
    emission.writer.emit("notice", unsentPrompt(text), origin);
  } else {
    const content = userContent([{ type: "text", text }]);
    emission.writer.emit("user_message", { content }, origin);
  }
}

/** Returns the output of a slash command of Claude Code. The model gets this output on resume. */
function printedParts({ subtype, content }: DialogueRecord["record"]["value"]): TextPart[] {
  if (subtype !== "local_command" || typeof content !== "string") return [];
  return [{ type: "text", text: content }];
}

// Converts a compaction of Claude Code to events. It is a boundary, then the summary in the user's
// name. Some records from before it may stay in force.

interface OpenCompaction {
  boundary: DialogueRecord;
  /** Messages from before `boundary` that remain in the conversation. */
  preserved: readonly Message[];
}

/** Emits a compaction. Without `summary`, only the messages in `preserved` remain. */
function emitCompaction(
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

/** Emits a compaction for a summary record without a boundary record. */
function emitSummary(emission: Emission, item: DialogueRecord): void {
  const summary = plainText(asObject(item.record.value.message).content);
  const payload = { status: "Conversation compacted", summary };
  emission.writer.emit("compaction_applied", payload, originOf(emission, item));
}

/** True if the messages that a compaction preserves precede its summary in the conversation. */
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

export function messagesOf(events: readonly LogEvent[]): Message[] {
  const known = events.filter((event): event is KnownEvent => event.form === "known");
  return buildMessages(known, UNSETTLED_OUTPUT).messages;
}
