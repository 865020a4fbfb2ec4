/** What must hold of every reading of a damaged log, beside the log that it was. */
import assert from "node:assert/strict";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { isFault } from "../../lib/core/log/diagnostic.ts";
import { type Bytes, factsOf, type Read, readNow } from "../_support/log_bytes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";

/** A log, the events that it holds, and where their lines lie. */
export interface Original {
  bytes: Bytes;
  /** Facts by line. */
  facts: string[];
  /** Offset of each line, and the size of the log. */
  starts: number[];
}

/** Takes a log as the original. Fails unless it reads in full and without a finding. */
export function original(bytes: Bytes, events: number): Original {
  const read = readNow(bytes);
  assert.equal(read.events.length, events);
  assert.ok(read.events.every((event) => event.form === "known" && isTrusted(event)));
  assert.deepEqual(read.diagnostics, []);
  const starts = read.events.map((event) => event.position?.offset ?? -1);
  return { bytes, facts: read.events.map(factsOf), starts: [...starts, bytes.length] };
}

/** Whether an event claims to be what was written. */
export function isTrusted({ integrity }: LogEvent): boolean {
  return integrity === "verified" || integrity === "unverified";
}

/** Sets what was read against what was written. An event marked `mismatch` counts as lost. */
export function compare(
  { events }: Read,
  { facts }: Original,
): {
  /** Events that claim to be what was written, and are not. */
  invented: LogEvent[];
  /** Indexes of the lines whose events are not there as they were written. */
  lost: number[];
} {
  const missing = new Map(facts.map((fact, index) => [fact, index]));
  const found = new Set<string>();
  const invented = events.filter((event) => {
    if (event.integrity === "mismatch") return false;
    const fact = factsOf(event);
    if (missing.delete(fact)) found.add(fact);
    return !found.has(fact);
  });
  return { invented, lost: [...missing.values()] };
}

/** What is lost is reported as a fault. */
export function assertLossIsReported(read: Read, lost: readonly number[]): void {
  if (lost.length > 0) assert.ok(read.diagnostics.some(({ code }) => isFault(code)), `${lost}`);
}

/** Index of the line that holds the byte at `offset`. */
export function lineAt({ starts }: Original, offset: number): number {
  return starts.findLastIndex((start) => start <= offset);
}

/**
 * The offsets of a log that a test damages: all in `test:torture`. In the usual run, those of a line
 * whose byte and neighbours differ from all before them, all letters and digits being alike.
 */
export function placesIn(bytes: Bytes): number[] {
  const text = new TextDecoder("latin1").decode(bytes).replaceAll(/\w/g, "a");
  let seen = new Set<string>();
  return Array.from(bytes.keys()).filter((at) => {
    if (text[at - 1] === "\n") seen = new Set();
    const place = text.slice(Math.max(0, at - 1), at + 2);
    const is_new = !seen.has(place);
    seen.add(place);
    return is_new || ALL_TORTURE;
  });
}
