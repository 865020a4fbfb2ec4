/** Tells random texts, such as keys, from words, names and examples. */

export function entropyOf(text: string): number {
  return entropyOfAscii(text) ?? entropyOfAny(text);
}

/** Counts of ASCII characters in the current text; all zero between texts. */
const COUNTS = new Uint32Array(128);

function entropyOfAscii(text: string): number | undefined {
  const { length } = text;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= COUNTS.length) {
      COUNTS.fill(0);
      return undefined;
    }
    COUNTS[code] = (COUNTS[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    const count = COUNTS[code] ?? 0;
    COUNTS[code] = 0;
    if (count > 0) bits -= count * Math.log2(count / length);
  }
  return length === 0 ? 0 : bits / length;
}

function entropyOfAny(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return text.length === 0 ? 0 : bits / text.length;
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Matches a hash, such as `sha256:…`, which is not a secret even if its name is `key`. */
const DIGEST = /^(?:sha\d{1,3}|md5|blake\d\w{0,2})[-:=]/i;

/** True for a random text of at least 16 characters: letters and digits, evenly spread. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || DIGEST.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  if (UUID.test(text)) return false;
  // Words joined by separators are names: `claude-3-5-sonnet-20241022`, `utf8_general_ci_v2`.
  const pieces = text.split(/[-_./:+=]/).filter((piece) => piece !== "");
  if (!pieces.some(isMixed)) return false;
  return entropyOf(text) >= (text.length >= 24 ? 3.3 : 3);
}

export function isEvenlyMixed(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  return alternates(text) && entropyOf(text) >= 3.8;
}

/**
 * True if capitals, small letters, digits and signs alternate as often as in random texts. The kind
 * changes after 62 % of the characters of random texts, and 30 % of names.
 *
 * @param least The minimum share of characters followed by another kind, from 0 to 1.
 */
export function alternates(text: string, least = 0.43): boolean {
  const changes =
    text.match(/[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)|[^A-Za-z\d](?![^A-Za-z\d])/g)?.length ?? 0;
  return changes >= least * text.length;
}

/** True if digits and letters alternate too often for a word with a number at its end. */
function isMixed(piece: string): boolean {
  const changes = piece.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return piece.length >= 8 && changes >= Math.max(2, Math.min(4, Math.floor(piece.length / 8)));
}

const STAND_IN = new RegExp(
  [
    "EXAMPLE|example|PLACEHOLDER|placeholder|REDACTED|redacted|\\[scrubbed:|CHANGE_?ME|change-?me|dummy|DUMMY",
    "\\byour[-_ ]|YOUR[-_]|[-_]here\\b|_HERE\\b|xxxx|XXXX|\\*\\*\\*|\\.\\.\\.|…|•{3}",
    "^<[^>]{0,80}>|^\\[[^\\]]{0,80}\\]|\\$\\{|\\$\\(|\\{\\{|^%[\\w.]{1,60}%|^\\$[A-Za-z_]\\w{0,60}$|^\\$env:|^@[\\w.]{1,60}@?$",
    "process\\.env|import\\.meta|os\\.environ|os\\.getenv|getenv\\(|Deno\\.env|ENV\\[|secrets\\.[A-Za-z]|vars\\.[A-Za-z]",
  ].join("|"),
);

/** True for an example, a placeholder, or a reference to a secret's source. */
export function isStandIn(text: string): boolean {
  return STAND_IN.test(text) || isMonotonous(text);
}

/** True if most characters repeat the previous character or count up: `0000`, `abcdef`, `12345`. */
function isMonotonous(text: string): boolean {
  if (text.length < 6) return false;
  let steps = 0;
  for (let index = 1; index < text.length; index++) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    if (step === 0 || step === 1 || (step === -9 && text[index] === "0")) steps++;
  }
  return steps >= 0.8 * (text.length - 1);
}

const SHORTEST_RUN = 20;
/** Matches the id of an OpenPGP key, or a name that ends in a hash, such as a cache entry's. */
const NO_KEY = /^(?:[\dA-F]{16}|[\dA-F]{40})$|[-_./][\da-f]{32,}$/;

export function isRandomRun(text: string): boolean {
  if (text.length < SHORTEST_RUN || !/^[\w+/.~=-]+$/.test(text) || NO_KEY.test(text)) return false;
  if (/^[\da-f]{32,}$/.test(text)) return entropyOf(text) >= 2.8;
  if (!/^(?:[a-z\d]+|[A-Z\d]+)$/.test(text)) return isMixedRun(text);
  return looksRandom(text) && text.replaceAll(/\D/g, "").length >= 0.1 * text.length;
}

/** True if capitals and small letters alternate, unless most of the text is words. */
function isMixedRun(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || entropyOf(text) < 3.4) return false;
  const words = (text.match(/[A-Za-z][a-z]{2,}/g) ?? []).join("").length / text.length;
  return alternates(text, 0.33) && words < 0.45 ||
    (alternates(text) && words < 0.6 && /\d/.test(text));
}
