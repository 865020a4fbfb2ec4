/** Items that are kept compressed: those of an agent whose file cannot be read from the middle. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** The quickest: what is read is shown at once, and most is read once. */
const LEVEL = 1;

/** Packs items. */
export function packItems(items: readonly TranscriptItem[]): Uint8Array {
  return deflateRawSync(encoder.encode(JSON.stringify(items)), { level: LEVEL });
}

/** Unpacks what {@linkcode packItems} has packed. */
export function unpackItems(packed: Uint8Array): TranscriptItem[] {
  return JSON.parse(decoder.decode(inflateRawSync(packed)));
}
