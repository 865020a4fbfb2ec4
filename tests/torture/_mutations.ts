/** Ways to damage a log, from the faults that were seen in the field. */
import { type Bytes, concat, textBytes } from "../_support/log_bytes.ts";
import { type Random, randomBytes } from "./_random.ts";

type Mutate = (bytes: Bytes, random: Random) => Bytes;

const LF = 0x0a;

function insert(bytes: Bytes, at: number, piece: Uint8Array | string): Bytes {
  return concat(bytes.subarray(0, at), piece, bytes.subarray(at));
}

/** A range of at most `longest` bytes. */
function range(bytes: Bytes, random: Random, longest: number): [from: number, to: number] {
  const from = random(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + random(longest))];
}

/** Somewhere, or at a line's start. */
function place(bytes: Bytes, random: Random): number {
  const at = random(bytes.length + 1);
  return random(2) === 0 ? at : bytes.lastIndexOf(LF, at) + 1;
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item;
}

function pieceOf(...pieces: (string | Uint8Array)[]): Mutate {
  return (bytes, random) => insert(bytes, place(bytes, random), pick(pieces, random));
}

function deep(levels: number): string {
  const data = '{"a":'.repeat(levels) + "1" + "}".repeat(levels);
  return `{"seq":9,"kind":"extension","payload":{"agent":"a","type":"t","data":${data}}}\n`;
}

const message = (content: string): string =>
  `{"seq":7,"kind":"user_message","payload":{"content":${content}}}\n`;

export const MUTATIONS: Record<string, Mutate> = {
  splice: (bytes, random) => {
    const [from, to] = range(bytes, random, 400);
    return insert(bytes, place(bytes, random), bytes.subarray(from, to));
  },
  cut: (bytes, random) => {
    const [from, to] = range(bytes, random, 300);
    return concat(bytes.subarray(0, from), bytes.subarray(to));
  },
  truncate: (bytes, random) => bytes.slice(0, random(bytes.length + 1)),
  nul_run: (bytes, random) => {
    const [from, to] = range(bytes, random, 300);
    return bytes.slice().fill(0, from, to);
  },
  flip: (bytes, random) => {
    const flipped = bytes.slice();
    const at = random(bytes.length);
    if (bytes.length > 0) flipped[at] = (bytes[at] as number) ^ (1 << random(8));
    return flipped;
  },
  lost_newline: (bytes, random) => {
    const at = bytes.indexOf(LF, random(bytes.length + 1));
    return at < 0 ? bytes : concat(bytes.subarray(0, at), bytes.subarray(at + 1));
  },
  noise: (bytes, random) => insert(bytes, place(bytes, random), randomBytes(random, random(60))),
  newlines: pieceOf("\n", "\r\n", "\r", "\n\n", "\u2028", "\u0085"),
  bom: pieceOf("\ufeff", "\ufeff\ufeff", "\ufeff\n", "\xff\xfe"),
  nul: pieceOf("\0", "\0\0\0\n", new Uint8Array(700)),
  invalid_utf8: pieceOf(
    ...[[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0xbd], [0xe3, 0x81], [0xf0, 0x9f], [0x80], [0xf8, 0x88]]
      .map((codes) => new Uint8Array(codes)),
  ),
  surrogates: pieceOf("\\ud83d", "\\ude00", message('"\\ud83d"'), message('"a\\ude00\\\\ud83d"')),
  depth_bomb: pieceOf(
    deep(511),
    deep(600),
    "[".repeat(3000),
    '{"a":'.repeat(3000),
    "[{".repeat(900),
  ),
  prototype: pieceOf(
    '{"seq":7,"kind":"__proto__","payload":{"__proto__":{"polluted":1}}}\n',
    '{"__proto__":{"polluted":1},"seq":8,"kind":"user_message","payload":{"content":"x"}}\n',
    '{"seq":7,"kind":"x","constructor":{"prototype":{"polluted":1}}}\n',
    '"__proto__":{"polluted":1},',
  ),
  numbers: pieceOf(
    "1e400",
    "-1e400",
    "9".repeat(500),
    '{"seq":1e400,"kind":"x"}\n',
    '{"seq":9007199254740993,"kind":"x"}\n',
    `{"v":1,"seq":${"9".repeat(400)},"kind":"diff","payload":{}}\n`,
    '{"seq":-0,"kind":"x"}\n',
    '{"seq":8,"kind":"assistant_message","payload":{"content":"","cost_usd":1e400}}\n',
  ),
  punctuation: pieceOf('"', "\\", "{", "}", "[", "]", ",", ":", '{"', '"}', '","crc":"'),
  twins: pieceOf(
    '{"seq":7,"seq":8,"kind":"diff","kind":"user_message","payload":1,"payload":{"content":""}}\n',
    '{"v":3,"seq":9,"kind":"user_message","payload":{}}\n',
    '{"v":1,"seq":3,"kind":"user_message","payload":{"content":[{"type":"toString"}]}}\n',
    `{${'"k":0,'.repeat(2000)}"z":1}\n`,
  ),
  text: (bytes, random) => textBytes(new TextDecoder("latin1").decode(bytes).slice(random(9))),
};

/** Damages a log in one to four ways; names them, so that a failure can be told. */
export function mutate(bytes: Bytes, random: Random): { bytes: Bytes; names: string[] } {
  const all = Object.keys(MUTATIONS);
  const names = Array.from({ length: 1 + random(4) }, () => pick(all, random));
  let mutated = bytes;
  for (const name of names) mutated = MUTATIONS[name]?.(mutated, random) ?? mutated;
  return { bytes: mutated, names };
}
