/**
 * SHA-256 of bytes, also in browsers, which have no synchronous function for it. Source of the
 * algorithm: FIPS 180-4, sections 4.1.2, 4.2.2 and 6.2.
 */

/**
 * `node:crypto` of Node, Deno and Bun, ten times as fast as the portable function. It is not
 * imported, so that bundlers for browsers need not resolve it.
 */
const crypto: typeof import("node:crypto") | undefined = globalThis.process?.getBuiltinModule?.(
  "node:crypto",
);

export function sha256(bytes: Uint8Array): string {
  return crypto === undefined
    ? portableSha256(bytes)
    : crypto.createHash("sha256").update(bytes).digest("hex");
}

const BLOCK_BYTES = 64;
const ROUNDS = 64;
interface Tables {
  constants: Int32Array;
  initial: Int32Array;
}

/** The constants of SHA-256, computed at the first use, because most runtimes need none. */
let tables: Tables | undefined;

/** Computes the constants: 32 bits of the fractional parts of the roots of the first 64 primes. */
function makeTables(): Tables {
  const primes: number[] = [];
  for (let number = 2; primes.length < ROUNDS; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const fraction = (root: number): number => (root - Math.floor(root)) * 2 ** 32 | 0;
  return {
    constants: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}

function rotated(word: number, bits: number): number {
  return word >>> bits | word << (32 - bits);
}

export function portableSha256(bytes: Uint8Array): string {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const { constants, initial } = tables ??= makeTables();
  const state = initial.slice();
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) addBlock(state, view, at, constants);
  const digest = new DataView(new ArrayBuffer(state.byteLength));
  state.forEach((word, index) => digest.setInt32(index * 4, word));
  const octets = Array.from(new Uint8Array(digest.buffer));
  return octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
}

function addBlock(state: Int32Array, view: DataView, at: number, constants: Int32Array): void {
  const words = new Int32Array(ROUNDS);
  for (let round = 0; round < ROUNDS; round++) {
    words[round] = round < 16 ? view.getInt32(at + round * 4) : extended(words, round);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < ROUNDS; round++) {
    const added = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (e & f ^ ~e & g) +
        constants[round]! + words[round]! | 0;
    const majority = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + (a & b ^ a & c ^ b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, d + added | 0, c, b, a, added + majority | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
}

function extended(words: Int32Array, round: number): number {
  const [early, late] = [words[round - 15]!, words[round - 2]!];
  return words[round - 16]! + (rotated(early, 7) ^ rotated(early, 18) ^ early >>> 3) +
    words[round - 7]! + (rotated(late, 17) ^ rotated(late, 19) ^ late >>> 10);
}
