/**
 * Takes the records of a talk one by one, in the order of the branch, and puts together what belongs
 * together: the records of an answer, a boundary and its summary.
 */
import type { Message, TextPart } from "../../event/message.ts";
import { asObject, asText } from "../json_value.ts";
import { emitAnswer } from "./answer_events.ts";
import { emitCompaction, emitSummary, type OpenCompaction } from "./compaction_events.ts";
import { attachedParts } from "./attached.ts";
import { blocksOf, toContent, toPart } from "./content.ts";
import { type Emission, emitExtension, nameOf, originOf, type TalkRecord } from "./emission.ts";
import type { ReadStep } from "./read_steps.ts";
import { emitUser, holdsResults, isInterruption, userContent } from "./user_events.ts";

/** What waits for the next record. */
export interface Talk {
  readonly emission: Emission;
  /** The records of an answer, so far. */
  answer: TalkRecord[];
  compaction: OpenCompaction | undefined;
}

/** Begins a talk. */
export function startTalk(emission: Emission): Talk {
  return { emission, answer: [], compaction: undefined };
}

/** Takes a step; gives whether events came of it, or will. */
export function takeStep(
  talk: Talk,
  { step: { node, sibling }, record }: ReadStep,
  preserved: readonly Message[],
): boolean {
  if (record === undefined) {
    // Not read, as nobody wants it, or damaged: its place is kept.
    if (!sibling) emitUnread(talk, node);
    else if (node.results) endAnswer(talk, false);
    return false;
  }
  const item: TalkRecord = { node, record };
  if (sibling && !holdsResults(record)) return false;
  if (node.type === "assistant") takeAnswer(talk, item);
  else if (node.type === "user") takeUser(talk, item);
  else takeOther(talk, item, preserved);
  return true;
}

/** Ends a talk: nothing is waited for any more. */
export function finishTalk(talk: Talk): void {
  endAnswer(talk, false);
  endCompaction(talk);
}

function emitUnread(talk: Talk, node: TalkRecord["node"]): void {
  if (node.damaged) return;
  endAnswer(talk, false);
  const { writer } = talk.emission;
  const payload = { agent: "claude", type: nameOf(node), data: {} };
  if (writer.wants("extension")) return;
  writer.emit("extension", payload, { id: node.id, time: node.timestamp });
}

function takeAnswer(talk: Talk, item: TalkRecord): void {
  const [first] = talk.answer;
  const same = first !== undefined && item.node.message_id !== undefined &&
    first.node.message_id === item.node.message_id;
  if (!same) endAnswer(talk, false);
  endCompaction(talk);
  talk.answer.push(item);
}

function endAnswer(talk: Talk, interrupted: boolean): void {
  const { answer } = talk;
  talk.answer = [];
  if (answer.length > 0) emitAnswer(talk.emission, answer, interrupted);
}

function endCompaction(talk: Talk, summary?: TalkRecord): void {
  const { compaction } = talk;
  talk.compaction = undefined;
  if (compaction !== undefined) emitCompaction(talk.emission, compaction, summary);
}

function takeUser(talk: Talk, item: TalkRecord): void {
  endAnswer(talk, isInterruption(item.record));
  if (item.record.value.isCompactSummary !== true) {
    endCompaction(talk);
    emitUser(talk.emission, item);
  } else if (talk.compaction !== undefined) {
    endCompaction(talk, item);
  } else {
    emitSummary(talk.emission, item);
  }
}

function takeOther(talk: Talk, item: TalkRecord, preserved: readonly Message[]): void {
  endAnswer(talk, false);
  if (item.node.boundary !== undefined) {
    endCompaction(talk);
    talk.compaction = { boundary: item, preserved };
    return;
  }
  const { emission } = talk;
  const origin = originOf(emission, item);
  const { value } = item.record;
  const { type, prompt, commandMode } = asObject(value.attachment);
  if (type === "queued_command" && (asText(commandMode) ?? "prompt") === "prompt") {
    const content = toContent(blocksOf(prompt).flatMap((block) => toPart(block) ?? []));
    emission.writer.emit("user_message", { content }, origin);
    return;
  }
  const hidden = attachedParts(value);
  const printed = printedParts(value);
  const parts = [...hidden, ...printed];
  if (parts.length === 0) emitExtension(emission, nameOf(item.node), value, origin);
  else {
    const content = userContent(parts, printed.length === 0);
    emission.writer.emit("user_message", { content }, origin);
  }
}

/** What a command of the client's own printed: the model is sent it on resume. */
function printedParts({ subtype, content }: TalkRecord["record"]["value"]): TextPart[] {
  if (subtype !== "local_command" || typeof content !== "string") return [];
  return [{ type: "text", text: content }];
}
