/**
 * Makes ids of messages and parts as OpenCode 1.18 does (src/id/id.ts). An id is a prefix, twelve
 * digits that rise, and fourteen random letters. The digits are milliseconds times 4096, cut to
 * 48 bits: they begin anew every 795 days.
 *
 * OpenCode orders parts by their ids, and messages of one time. Older versions order all messages by
 * them. A message of last year may have larger digits than one of today, and would come behind it.
 * So the digits here are not of a message's own time: they rise one by one, and end before now.
 */
const DIGITS = 12;
const LETTERS = 14;
const PERIOD = 2n ** 48n;
const IDS_A_MS = 4096n;
/** Milliseconds before now at which the ids begin: enough for four billion. */
const BEFORE_NOW_MS = 2n ** 20n;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes the ids of one session. */
export class RisingIds {
  #next: bigint;

  /** @param now Unix milliseconds. No id is later. */
  constructor(now: number) {
    const end = BigInt(Math.floor(now)) * IDS_A_MS;
    const start = end - BEFORE_NOW_MS * IDS_A_MS;
    const began_anew = end - end % PERIOD;
    this.#next = start < began_anew ? began_anew : start;
  }

  /** Returns an id behind all before it. */
  next(prefix: "msg" | "prt"): string {
    return `${prefix}_${digits(this.#next++)}${randomLetters()}`;
  }
}

/** Returns the id of a session: newer ones sort before older ones. */
export function sessionId(now: number): string {
  return `ses_${
    digits(PERIOD - 1n - (BigInt(Math.floor(now)) * IDS_A_MS + 1n) % PERIOD)
  }${randomLetters()}`;
}

function digits(stamp: bigint): string {
  return (stamp % PERIOD).toString(16).padStart(DIGITS, "0");
}

function randomLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LETTERS));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
