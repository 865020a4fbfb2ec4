/** Texts that are compressed (gzip, zlib) and in base64. A secret in one takes all of it. */
import { gunzipSync, inflateSync } from "node:zlib";
import type { Layer } from "./decoded_text.ts";

/** How a stream begins in base64: gzip, and the usual levels of zlib. */
const BEGINNING = /H4sI[A-Za-z0-9+/_-]|eJ[wyzxy01]|eN[op]|eA[EHFG]/y;
/** More is not unpacked: what was sent may be a bomb. */
const MOST_BYTES = 1024 * 1024;
const LONGEST_RUN = 512 * 1024;
const SHORTEST_RUN = 40;

/** Unpacks each run of a text that is a compressed text. */
export function compressedTexts(text: string, runs: readonly number[]): Layer[] {
  const layers: Layer[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const [start = 0, end = 0] = runs.slice(index, index + 2);
    BEGINNING.lastIndex = start;
    if (end - start < SHORTEST_RUN || end - start > LONGEST_RUN || !BEGINNING.test(text)) continue;
    const unpacked = unpack(text.slice(start, end));
    if (unpacked !== undefined) layers.push({ text: unpacked, range: () => [start, end] });
  }
  return layers;
}

function unpack(run: string): string | undefined {
  try {
    const packed = atob(run.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
    const options = { maxOutputLength: MOST_BYTES };
    const plain = bytes[0] === 0x1f ? gunzipSync(bytes, options) : inflateSync(bytes, options);
    return new TextDecoder().decode(plain);
  } catch {
    // No base64, another stream, one that is cut off, or more than is unpacked.
    return undefined;
  }
}
