/**
 * Lines of test logs: drafts of events to bytes, with fixed numbers and times.
 */
import { checksumMember } from "../../../lib/event/checksum.ts";
import { encodeEvent } from "../../../lib/event/encode.ts";
import type { Event, NewEvent } from "../../../lib/event/envelope.ts";
import type { EventKind, PayloadByKind } from "../../../lib/event/payload.ts";

const START = Date.UTC(2026, 10, 21, 20, 0, 0);
const encoder = new TextEncoder();

/** A draft of a kind. */
export function draft<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): NewEvent {
  return { kind, payload } as unknown as NewEvent;
}

/** The same drafts as one turn. */
export function turn(turn_id: string, ...drafts: NewEvent[]): NewEvent[] {
  return drafts.map((event) => ({ ...event, turn_id }));
}

/** The time of the event `seq`: one second after the one before. */
export function timeOf(seq: number): string {
  return new Date(START + seq * 1000).toISOString();
}

/** A line for each draft, numbered from `first`. */
export function linesOf(drafts: readonly NewEvent[], first = 1): Uint8Array[] {
  return drafts.map((event, index) => {
    const seq = first + index;
    return encodeEvent({ time: timeOf(seq), ...event, seq } as Event);
  });
}

/** Lines as one file. */
export function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const pieces = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * A line with a checksum around any object, for what `encodeEvent` refuses: kinds, versions and
 * payloads of other programs.
 */
export function foreignLine(event: Record<string, unknown>): Uint8Array {
  const body = encoder.encode(JSON.stringify(event).slice(0, -1));
  return joined(body, checksumMember(body), "\n");
}

/** The first bytes of a line, as a writer leaves them that was stopped. */
export function torn(line: Uint8Array | undefined, bytes: number): Uint8Array {
  return (line ?? new Uint8Array(0)).slice(0, bytes);
}
