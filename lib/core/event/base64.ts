/** Base64 for Node and browsers. Like Node, decoding skips characters of neither alphabet. */

/** The `Buffer` of Node, Deno and Bun. No import, so that browser bundlers need not resolve it. */
const Buffer: typeof import("node:buffer").Buffer | undefined = globalThis.process
  ?.getBuiltinModule?.("node:buffer").Buffer;

/** Returns the bytes of a base64 text, in the standard or the URL-safe alphabet. */
export function bytesFromBase64(text: string): Uint8Array {
  return Buffer === undefined ? portableBytes(text) : Buffer.from(text, "base64");
}

export function base64FromBytes(bytes: Uint8Array): string {
  if (Buffer === undefined) return portableBase64(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function portableBytes(text: string): Uint8Array {
  const [plain = ""] = text.replaceAll("-", "+").replaceAll("_", "/").split("=");
  const digits = plain.replaceAll(/[^A-Za-z0-9+/]/g, "");
  // One digit more than whole bytes holds no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

export function portableBase64(bytes: Uint8Array): string {
  const STEP = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) {
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  }
  return btoa(text);
}
