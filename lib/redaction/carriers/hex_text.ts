/** Texts in hexadecimal digits, two a character. What is no text is passed over. */
import { isTextByte } from "./base64_text.ts";
import type { Layer } from "./decoded_text.ts";

/** Bytes that tell a text from chance: not one hash in a million begins so. */
const SAMPLE_BYTES = 16;
const DIGITS = /0?x?((?:[\dA-Fa-f]{2}){16,131072})/y;

/** Decodes each part of a text that is another text in hexadecimal; `runs` are those of the text. */
export function hexTexts(text: string, runs: readonly number[]): Layer[] {
  const layers: Layer[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    DIGITS.lastIndex = runs[index] ?? 0;
    const [found = "", digits = ""] = DIGITS.exec(text) ?? [];
    const decoded = decodeDigits(digits);
    if (decoded.length < SAMPLE_BYTES) continue;
    const start = (runs[index] ?? 0) + found.length - digits.length;
    layers.push({ text: decoded, range: (from, to) => [start + 2 * from, start + 2 * to] });
  }
  return layers;
}

/** Returns the text at the beginning. Bytes become one character each. */
function decodeDigits(digits: string): string {
  let text = "";
  for (let at = 0; at < digits.length; at += 2) {
    const byte = Number.parseInt(digits.slice(at, at + 2), 16);
    if (byte < 0x80 ? !isTextByte(byte) : text.length < SAMPLE_BYTES) break;
    text += String.fromCharCode(byte);
  }
  return text;
}
