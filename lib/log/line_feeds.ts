/** Finds the line ends of a chunk. */
import { type ByteFinder, makeByteFinder } from "./byte_finder.ts";

const LF = 0x0a;
/** Fewer bytes are looked at one by one. */
const FEW_BYTES = 256;
const ROOM_BYTES = 128 * 1024;
let room: ByteFinder | undefined;

/**
 * The places of all line feeds. The bytes are copied to where they can be searched: that takes less
 * than looking at them in JavaScript, because they have just been read.
 */
export function lineFeeds(bytes: Uint8Array): number[] {
  const found: number[] = [];
  if (bytes.length < FEW_BYTES) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) found.push(at);
    return found;
  }
  room ??= makeByteFinder(ROOM_BYTES);
  for (let start = 0; start < bytes.length; start += ROOM_BYTES) {
    const part = bytes.subarray(start, start + ROOM_BYTES);
    room.bytes.set(part);
    const places = room.places(LF, 0, part.length);
    for (let index = 0; index < places.length; index++) {
      found.push(start + (places[index] as number));
    }
  }
  return found;
}
