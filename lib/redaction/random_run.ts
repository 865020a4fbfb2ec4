/** Tells a random key from the words that name entries of maps and caches. */
import { alternates, entropyOf, looksRandom } from "./chance.ts";

/** Matches a UUID. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SHORTEST = 20;
/** Names a key of OpenPGP, or what a cache holds: words before a hash. */
const NO_KEY = /^(?:[\dA-F]{16}|[\dA-F]{40})$|[-_./][\da-f]{32,}$/;

/** True for a run of which each part is random. */
export function isRandomRun(text: string): boolean {
  if (text.length < SHORTEST || !/^[\w+/.~=-]+$/.test(text) || NO_KEY.test(text)) return false;
  if (/^[\da-f]{32,}$/.test(text)) return entropyOf(text) >= 2.8;
  if (!/^(?:[a-z\d]+|[A-Z\d]+)$/.test(text)) return isMixedRun(text);
  return looksRandom(text) && text.replaceAll(/\D/g, "").length >= 0.1 * text.length;
}

/** Both cases alternate. Words joined by capitals do so, too, and are most of their text. */
function isMixedRun(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || entropyOf(text) < 3.4) return false;
  const words = (text.match(/[A-Za-z][a-z]{2,}/g) ?? []).join("").length / text.length;
  return alternates(text, 0.33) && words < 0.45 ||
    (alternates(text) && words < 0.6 && /\d/.test(text));
}
