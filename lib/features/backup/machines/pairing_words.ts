/**
 * Encodes the shared secret of a user's machines as words that can be read out and typed. Nine
 * proquints (https://arxiv.org/html/0901.4016) hold 128 random bits and a checksum. Pure.
 */
import { SessionError } from "../../../core/event/session_error.ts";
import { sha256 } from "../../../core/event/sha256.ts";

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
/** Bytes of the secret, which is as hard to guess as a key of AES-128. */
export const SECRET_BYTES = 16;
const WORDS = SECRET_BYTES / 2 + 1;

export function wordsOf(secret: Uint8Array): string {
  return [...numbersOf(secret), checkOf(secret)].map(wordOf).join(" ");
}

/**
 * Returns the secret that words encode. Spaces, dashes, upper and lower case make no difference.
 *
 * @throws {SessionError} `invalid-key`, whose message repeats none of the words
 */
export function secretOf(text: string): Uint8Array {
  const words = text.toLowerCase().split(/[\s-]+/).filter((word) => word !== "");
  if (words.length !== WORDS) throw wrong(`${WORDS} words are needed, not ${words.length}`);
  const numbers = words.map(numberOf);
  const at = numbers.indexOf(-1);
  if (at >= 0) throw wrong(`word ${at + 1} is not one of the first machine's words`);
  const secret = new Uint8Array(numbers.slice(0, -1).flatMap((one) => [one >> 8, one & 0xff]));
  if (numbers.at(-1) !== checkOf(secret)) {
    throw wrong("a word is mistyped, or they are out of order");
  }
  return secret;
}

function wrong(reason: string): SessionError {
  return new SessionError("invalid-key", `Cannot use the pairing words: ${reason}`);
}

function numbersOf(secret: Uint8Array): number[] {
  return Array.from(
    { length: SECRET_BYTES / 2 },
    (_, at) => (secret[2 * at] ?? 0) << 8 | (secret[2 * at + 1] ?? 0),
  );
}

function checkOf(secret: Uint8Array): number {
  const label = new TextEncoder().encode("reprise words\n");
  return parseInt(sha256(new Uint8Array([...label, ...secret])).slice(0, 4), 16);
}

/** Returns five letters for 16 bits. A consonant encodes 4 bits, and a vowel 2 bits. */
function wordOf(number: number): string {
  return (CONSONANTS[number >> 12 & 15] ?? "") + VOWELS[number >> 10 & 3] +
    CONSONANTS[number >> 6 & 15] + VOWELS[number >> 4 & 3] + CONSONANTS[number & 15];
}

/** Returns the 16 bits that a word encodes; -1 if the text is no valid word. */
function numberOf(word: string): number {
  if (word.length !== 5) return -1;
  let number = 0;
  for (const [at, letter] of [...word].entries()) {
    const letters = at % 2 === 0 ? CONSONANTS : VOWELS;
    const value = letters.indexOf(letter);
    if (value < 0) return -1;
    number = number * letters.length + value;
  }
  return number;
}
