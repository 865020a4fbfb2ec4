/**
 * How the lines of a log are distributed, so that what the figures claim of it is checked.
 */
import assert from "node:assert/strict";
import { conversationKinds } from "../../lib/core/event/policy.ts";

/** Kinds that a conversation without tools parses. */
const CONVERSATION = conversationKinds(false, false);

/** What is counted while a log is written. */
export interface LineCounts {
  bytes: number;
  lengths: number[];
  conversation_bytes: number;
  foreign_bytes: number;
}

/** What a log is like. */
export interface LogShape {
  bytes: number;
  events: number;
  /** Bytes of a line that half of the lines do not exceed. */
  median_bytes: number;
  /** Bytes of a line that 99 % of the lines do not exceed. */
  p99_bytes: number;
  longest_bytes: number;
  /** Share of all bytes in lines of the conversation's kinds, tools omitted. */
  conversation_share: number;
  /** Share of all bytes in lines that are not ASCII. */
  foreign_share: number;
}

/** Counts of nothing. */
export function emptyCounts(): LineCounts {
  return { bytes: 0, lengths: [], conversation_bytes: 0, foreign_bytes: 0 };
}

/** Counts a line. */
export function countLine(counts: LineCounts, kind: string, line: Uint8Array): void {
  counts.bytes += line.length;
  counts.lengths.push(line.length);
  if ((CONVERSATION as ReadonlySet<string>).has(kind)) counts.conversation_bytes += line.length;
  if (line.some((byte) => byte > 0x7f)) counts.foreign_bytes += line.length;
}

/** The distribution that was counted. */
export function logShape(counts: LineCounts): LogShape {
  const { bytes, conversation_bytes, foreign_bytes } = counts;
  const lengths = Uint32Array.from(counts.lengths).sort();
  return {
    bytes,
    events: lengths.length,
    median_bytes: lengths[Math.floor(lengths.length / 2)] ?? 0,
    p99_bytes: lengths[Math.floor(lengths.length * 0.99)] ?? 0,
    longest_bytes: lengths[lengths.length - 1] ?? 0,
    conversation_share: conversation_bytes / bytes,
    foreign_share: foreign_bytes / bytes,
  };
}

/** Asserts that a log is as the figures say: they are claims about this distribution alone. */
export function assertBenchShape(shape: LogShape): void {
  // A response holds the inputs of its calls, so edits and scripts are lines of the conversation.
  assert.ok(shape.conversation_share <= 0.25, "conversation kinds take at most 25 % of the bytes");
  assert.ok(shape.conversation_share >= 0.15, "there is a conversation worth reading");
  assert.ok(Math.abs(shape.median_bytes - 600) <= 60, "the median line has about 600 B");
  assert.ok(Math.abs(shape.p99_bytes - 44_000) <= 6000, "the p99 line has about 44 KB");
  assert.ok(shape.foreign_share >= 0.05, "some of it is not ASCII");
}

/** One line for people. */
export function formatShape(shape: LogShape): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return `${(shape.bytes / 1e6).toFixed(0)} MB, ${shape.events} events, line median ` +
    `${shape.median_bytes} B, p99 ${(shape.p99_bytes / 1000).toFixed(1)} KB, longest ` +
    `${(shape.longest_bytes / 1000).toFixed(0)} KB; conversation kinds ` +
    `${percent(shape.conversation_share)}, lines that are not ASCII ${
      percent(shape.foreign_share)
    }`;
}
