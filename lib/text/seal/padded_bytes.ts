/** Pads bytes before encryption, so that the encrypted length hides their exact length. Pure. */
import { Buffer } from "node:buffer";

/** The factor between neighbouring padded lengths. */
const STEP = 1.25;
const LENGTH_BYTES = 4;

export function padded(plain: Uint8Array): Uint8Array {
  const least = plain.length + LENGTH_BYTES;
  const steps = Math.ceil(Math.log(least) / Math.log(STEP));
  const bytes = Buffer.alloc(Math.max(least, Math.ceil(STEP ** steps)));
  bytes.writeUInt32LE(plain.length);
  bytes.set(plain, LENGTH_BYTES);
  return bytes;
}

export function unpadded(bytes: Buffer): Uint8Array | undefined {
  const length = bytes.length < LENGTH_BYTES ? Infinity : bytes.readUInt32LE();
  if (length > bytes.length - LENGTH_BYTES) return undefined;
  return bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
}
