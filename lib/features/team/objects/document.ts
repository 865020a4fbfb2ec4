/**
 * Encodes short JSON documents as objects, with a hash that shows whether an object is torn. Pure.
 */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { sha256 } from "../../../core/event/sha256.ts";

/**
 * Number of different lengths of an encoded document. A changed document has another length, so
 * listed sizes show changes.
 */
const LENGTHS = 64;
const encoder = new TextEncoder();

/** Returns a line with a hash, then the document. Padding makes its length depend on `version`. */
export function encodeDocument(document: object, version = 0): Uint8Array {
  const json = JSON.stringify(document);
  const length = encoder.encode(json).length;
  const padding = " ".repeat((LENGTHS + version % LENGTHS - length % LENGTHS) % LENGTHS);
  const body = encoder.encode(`${json}${padding}\n`);
  return encoder.encode(`{"sha256":"${sha256(body)}"}\n${new TextDecoder().decode(body)}`);
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
