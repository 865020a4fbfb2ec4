/** Pads bytes before they are sealed, so that few lengths are told apart. Pure. */
import { Buffer } from "node:buffer";

/** The factor between neighbouring padded lengths. */
const STEP = 1.25;
/** Bytes before the plain ones, which tell their number. */
const LENGTH_BYTES = 4;

/** Returns bytes behind their number, with zeros at the end. */
export function padded(plain: Uint8Array): Uint8Array {
  const least = plain.length + LENGTH_BYTES;
  const steps = Math.ceil(Math.log(least) / Math.log(STEP));
  const bytes = Buffer.alloc(Math.max(least, Math.ceil(STEP ** steps)));
  bytes.writeUInt32LE(plain.length);
  bytes.set(plain, LENGTH_BYTES);
  return bytes;
}

/** Returns the plain part of padded bytes; undefined if they do not tell its length. */
export function unpadded(bytes: Buffer): Uint8Array | undefined {
  const length = bytes.length < LENGTH_BYTES ? Infinity : bytes.readUInt32LE();
  if (length > bytes.length - LENGTH_BYTES) return undefined;
  return bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
}
