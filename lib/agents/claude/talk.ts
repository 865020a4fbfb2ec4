/**
 * Takes the records of a talk one by one, in the order of the branch, and puts together what belongs
 * together: the records of an answer, a boundary and its summary.
 */
import { toContent } from "../../event/audience.ts";
import type { Message, TextPart } from "../../event/message.ts";
import { asObject, asText } from "../json_value.ts";
import { emitAnswer } from "./answer_events.ts";
import { emitCompaction, emitSummary, type OpenCompaction } from "./compaction_events.ts";
import { attachedParts } from "./attached.ts";
import { blocksOf, toPart } from "./content.ts";
import {
  type Emission,
  emitExtension,
  messageIdOf,
  originOf,
  type TalkRecord,
} from "./emission.ts";
import {
  ASSISTANT,
  DAMAGED,
  hasFlag,
  recordName,
  RESULTS,
  timeOf,
  USER,
} from "./index/record_index.ts";
import { ASIDE, partOfStep, rowOfStep, SIBLING } from "./path/steps.ts";
import type { ReadStep } from "./read_rows.ts";
import { emitUser, isInterruption, userContent } from "./user_events.ts";

/** What waits for the next record. */
export interface Talk {
  readonly emission: Emission;
  /** The records of an answer, so far. */
  answer: TalkRecord[];
  /** What hangs on them: it does not part them. */
  asides: ReadStep[];
  compaction: OpenCompaction | undefined;
}

/** Begins a talk. */
export function startTalk(emission: Emission): Talk {
  return { emission, answer: [], asides: [], compaction: undefined };
}

/** Takes a step; gives whether events came of it, or will. */
export function takeStep(
  talk: Talk,
  { step, record }: ReadStep,
  preserved: readonly Message[] = [],
): boolean {
  const row = rowOfStep(step);
  const part = partOfStep(step);
  const { index } = talk.emission;
  if (part === ASIDE) {
    talk.asides.push(record === undefined ? { step } : { step, record });
    if (talk.answer.length === 0) emitAsides(talk);
    return true;
  }
  if (record === undefined) {
    // Not read, as nobody wants it, or damaged: its place is kept.
    if (part !== SIBLING) emitUnread(talk, row);
    else if (hasFlag(index, row, RESULTS)) endAnswer(talk, false);
    return false;
  }
  const item: TalkRecord = { row, record };
  const type = index.type[row];
  if (type === ASSISTANT) takeAnswer(talk, item);
  else if (type === USER) takeUser(talk, item);
  else takeOther(talk, item, preserved);
  return true;
}

/** Ends a talk: nothing is waited for any more. */
export function finishTalk(talk: Talk): void {
  endAnswer(talk, false);
  endCompaction(talk);
}

function emitAsides(talk: Talk): void {
  const { asides, emission } = talk;
  talk.asides = [];
  for (const { step, record } of asides) {
    const row = rowOfStep(step);
    if (record === undefined) emitPlace(emission, row);
    else emitRecord(talk, { row, record });
  }
}

function emitUnread(talk: Talk, row: number): void {
  if (hasFlag(talk.emission.index, row, DAMAGED)) return;
  endAnswer(talk, false);
  emitPlace(talk.emission, row);
}

/** Keeps the place of a record that is not read. */
function emitPlace({ writer, index }: Emission, row: number): void {
  if (hasFlag(index, row, DAMAGED) || writer.wants("extension")) return;
  const payload = { agent: "claude", type: recordName(index, row), data: {} };
  writer.emit("extension", payload, { time: timeOf(index, row) });
}

/** Adds a record as what it is. */
function emitRecord({ emission }: Talk, item: TalkRecord): void {
  const name = recordName(emission.index, item.row);
  emitExtension(emission, name, item.record.value, originOf(emission, item));
}

function takeAnswer(talk: Talk, item: TalkRecord): void {
  const [first] = talk.answer;
  const id = first === undefined ? undefined : messageIdOf(item);
  const same = first !== undefined && id !== undefined && messageIdOf(first) === id;
  if (!same) endAnswer(talk, false);
  endCompaction(talk);
  talk.answer.push(item);
}

function endAnswer(talk: Talk, interrupted: boolean): void {
  const { answer } = talk;
  talk.answer = [];
  if (answer.length > 0) emitAnswer(talk.emission, answer, interrupted);
  if (talk.asides.length > 0) emitAsides(talk);
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
  if (talk.emission.index.boundaries.has(item.row)) {
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
  if (parts.length === 0) emitRecord(talk, item);
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
