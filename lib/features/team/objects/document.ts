/**
 * Encodes short JSON documents as objects, with a hash that shows whether an object is torn. Pure.
 */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { sha256 } from "../../../core/event/sha256.ts";

/** Number of lengths through which padding cycles, so that each version has another length. */
const LENGTHS = 64;
const encoder = new TextEncoder();

/**
 * Returns a line with a hash, then the document.
 *
 * @param former Size in bytes of the object that the document replaces. Padding makes the new size
 * differ. Some hosts list times of change only by minute, so the size must show the change.
 */
export function encodeDocument(document: object, former = 0): Uint8Array {
  const json = JSON.stringify(document);
  const { length } = withHash(`${json}\n`);
  const padding = (LENGTHS + (former + 1 - length) % LENGTHS) % LENGTHS;
  return withHash(`${json}${" ".repeat(padding)}\n`);
}

function withHash(body: string): Uint8Array {
  return encoder.encode(`{"sha256":"${sha256(encoder.encode(body))}"}\n${body}`);
}

/** Decodes a document; undefined if it is torn, changed, or nested too deep to be written. */
export function decodeDocument(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(0x0a) + 1;
  try {
    const digest = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    if (digest.sha256 !== sha256(bytes.subarray(end))) return undefined;
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(end)));
    return isDeeperThan(document, MAX_DEPTH) ? undefined : document;
  } catch {
    // Half of it arrived, or it is something else.
    return undefined;
  }
}
