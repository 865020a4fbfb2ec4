/**
 * Moves attachments before their prompt, as the model gets them. Claude Code moves them up to the
 * last answer, result or compaction. Source: 2.1.330, requests compared; its bundle, the function
 * that reorders attachments.
 */
import { hasFlag, subtypeOf } from "../../../reading/tree/record_index.ts";
import { isOnWay, rowOfStep, type Steps } from "../../../reading/tree/steps.ts";
import { isSentAgain } from "../attached.ts";
import { ASSISTANT, ATTACHMENT, type ClaudeIndex, RESULTS } from "../index/claude_record.ts";

/** Returns the steps with what is attached before the prompts that it was attached to. */
export function withAttachedFirst(index: ClaudeIndex, steps: Steps): Steps {
  if (!steps.some((step) => isAttached(index, step))) return steps;
  const moved = new Int32Array(steps.length);
  let at = 0;
  let rest: number[] = [];
  for (const step of steps) {
    if (isAttached(index, step)) moved[at++] = step;
    else if (!isStop(index, rowOfStep(step))) rest.push(step);
    else {
      for (const waiting of rest) moved[at++] = waiting;
      rest = [];
      moved[at++] = step;
    }
  }
  for (const waiting of rest) moved[at++] = waiting;
  return moved;
}

function isAttached(index: ClaudeIndex, step: number): boolean {
  const row = rowOfStep(step);
  return index.type[row] === ATTACHMENT && isOnWay(step) && isSentAgain(subtypeOf(index, row));
}

/** What is attached stays behind answers, results and compactions. */
function isStop(index: ClaudeIndex, row: number): boolean {
  return index.type[row] === ASSISTANT || hasFlag(index, row, RESULTS) ||
    index.head.boundaries.has(row);
}
