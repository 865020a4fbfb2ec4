/** Events and lines that no writer of ours makes. */
import { checksumMember } from "../../lib/core/event/checksum.ts";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import type { EventKind, PayloadByKind } from "../../lib/core/event/payload.ts";

const encoder = new TextEncoder();

/** A draft of a kind. */
export function draft<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): NewEvent {
  return { kind, payload } as unknown as NewEvent;
}

/**
 * A line with a checksum around any object, for what `encodeEvent` refuses: kinds, versions and
 * payloads of other programs.
 */
export function foreignLine(event: Record<string, unknown>): Uint8Array {
  const text = JSON.stringify(event).slice(0, -1);
  return encoder.encode(`${text}${checksumMember(encoder.encode(text))}\n`);
}
