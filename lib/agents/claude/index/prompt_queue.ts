/**
 * Finds queued prompts that no dialogue record holds, from the `queue-operation` records. The
 * desktop app and the clients 2.1.50 to 2.1.101 send a prompt during a turn without a
 * `queued_command`. Up to 2.1.241, most `remove` records have no text and no reason.
 */
import { plainText } from "../../engine/events/anthropic_blocks.ts";
import { asName, asText, type Json } from "../../engine/json.ts";
import type { SourceRecord } from "../../engine/records/source_record.ts";
import { put } from "../../engine/tree/answer_pieces.ts";
import {
  addLinked,
  codeOf,
  emptyRecord,
  hasFlag,
  isInTree,
  LINK,
  type RecordIndex,
  subtypeOf,
} from "../../engine/tree/record_index.ts";
import { ASIDE, rowOfStep, type Steps, toStep } from "../../engine/tree/steps.ts";
import {
  type ClaudeIndex,
  isSpoken,
  type PromptQueue,
  type QueuedText,
  SIDECHAIN,
} from "./claude_record.ts";

export const QUEUE_OPERATION = "queue-operation";
/** Type of an attachment with a prompt that the model got during a turn. */
export const QUEUED_COMMAND = "queued_command";

/** Maximum number of waiting texts. No person queues as many. */
const MOST_WAITING = 256;

/** Reasons for a removal from the queue that mean that the model got the text. */
const TAKING = new Set<unknown>([undefined, null, "absorbed_mid_turn", "delivered_to_agent"]);

/** Applies a record that changes the queue. `rows` counts the dialogue records before it. */
export function takeOperation(
  queue: PromptQueue,
  { value: { operation, content, reason, timestamp }, position }: SourceRecord,
  rows: number,
): void {
  const text = asText(content);
  const stamp = asName(timestamp) ?? "";
  const now = { position, stamp, rows, time: Date.parse(stamp) };
  if (operation === "enqueue") {
    if (queue.waiting.push({ text: text ?? "", ...now }) > MOST_WAITING) queue.waiting.shift();
    return;
  }
  const is_taken = operation === "remove" && TAKING.has(reason);
  const item = takeItem(queue, text, is_taken);
  // A record that names its text stands for it: it may have joined long before.
  const left = text === undefined ? item && { ...item, rows, time: now.time } : { text, ...now };
  if (is_taken) queue.by_order ||= text === undefined && !queue.recorded.has(item?.text ?? "");
  else if (queue.started[0]?.rows !== rows) queue.started = [];
  if (left !== undefined) queue[is_taken ? "taken" : "started"].push(left);
}

/** Removes and returns a queued text: `named`, or the next text if `named` is undefined. */
function takeItem(
  { waiting, recorded }: PromptQueue,
  named: string | undefined,
  is_taken: boolean,
): QueuedText | undefined {
  // Commands wait for the end of the turn, and notifications behind prompts.
  const tests: ((text: string) => boolean)[] = named === undefined
    ? [(text) => is_taken && recorded.has(text), (text) => !/^[/<]/.test(text), () => true]
    : [(text) => text === named, (text) => text === ""];
  const at = tests.map((test) => waiting.findIndex(({ text }) => test(text)))
    .find((found) => found >= 0);
  return at === undefined ? undefined : waiting.splice(at, 1)[0];
}

export function noteRecorded({ recorded }: PromptQueue, { prompt }: Json): void {
  const text = plainText(prompt);
  recorded.set(text, (recorded.get(text) ?? 0) + 1);
}

/** Appends a row to the index for each queued text that no dialogue record holds. */
export function addQueued(index: ClaudeIndex): void {
  const { count, head: { queue: { waiting, started, taken, recorded, rows } } } = index;
  const isLost = ({ text }: QueuedText): boolean => {
    const left = recorded.get(text) ?? 0;
    recorded.set(text, left - 1);
    return left < 1 && text.trim() !== "";
  };
  const was_taken = new Set(taken);
  // The prompt of a turn follows the text that began it, and a text that was taken back.
  const unsent = started.filter((item) => !saysMore(index, item.rows));
  const lost = [...taken, ...waiting, ...unsent].filter(isLost)
    .sort((one, other) => one.position.offset - other.position.offset);
  for (const item of lost) {
    const row = addLinked(index, {
      ...emptyRecord(),
      ...item.position,
      // An id that is the same wherever the record stands in its file.
      id: `#queued-${item.stamp}`,
      type: codeOf(index.types, QUEUE_OPERATION),
      subtype: was_taken.has(item) ? "taken" : "unsent",
      // It is no part of the tree, and stands on each path that goes by its place.
      flags: LINK,
      time: item.time,
    });
    put(rows, spokenBefore(index, Math.min(item.rows, count)), row);
  }
}

function saysMore(index: RecordIndex, from: number): boolean {
  for (let row = from; row < index.count; row++) if (isSpoken(index, row)) return true;
  return false;
}

/** Returns the last message of the main dialogue before row `from`. -1 if there is none. */
function spokenBefore(index: RecordIndex, from: number): number {
  for (let row = from - 1; row >= 0; row--) {
    if (isSpoken(index, row) && isInTree(index, row) && !hasFlag(index, row, SIDECHAIN)) return row;
  }
  return -1;
}

/**
 * Returns "taken" if the model got a row's queued text, else "unsent". Undefined for other rows.
 */
export function queuedEnd(index: RecordIndex, row: number): "taken" | "unsent" | undefined {
  const is_queued = index.types[index.type[row] as number] === QUEUE_OPERATION;
  return is_queued ? subtypeOf(index, row) as "taken" | "unsent" : undefined;
}

export function withQueued({ head: { queue: { rows } } }: ClaudeIndex, steps: Steps): Steps {
  if (rows.size === 0) return steps;
  const behind = (row: number): number[] =>
    (rows.get(row) ?? []).map((queued) => toStep(queued, ASIDE));
  const start = rowOfStep(steps[0] ?? 0) === 0 ? behind(-1) : [];
  const all = Array.from(steps).flatMap((step) => [step, ...behind(rowOfStep(step))]);
  return Int32Array.from([...start, ...all]);
}
