/** Lines of JSON, damaged in every way that readers know: the same for the same numbers. */
import { concat } from "./log_bytes.ts";

/** A number from 0 to below another one. */
type Below = (end: number) => number;

/** Returns the index of some line feed. */
function someFeed(bytes: Uint8Array, below: Below): number {
  const feed = bytes.indexOf(0x0a, below(bytes.length));
  return feed < 0 ? bytes.length - 1 : feed;
}

/** Puts some bytes in the place of those between two indexes. */
function spliced(bytes: Uint8Array, from: number, to: number, by: Uint8Array | string): Uint8Array {
  return concat(bytes.subarray(0, from), by, bytes.subarray(to));
}

function betweenLines(by: string): (bytes: Uint8Array, below: Below) => Uint8Array {
  return (bytes, below) => {
    const at = someFeed(bytes, below) + 1;
    return spliced(bytes, at, at, by);
  };
}

/** Each damages some bytes in one way. */
export const DAMAGES: readonly ((bytes: Uint8Array, below: Below) => Uint8Array)[] = [
  (bytes) => bytes,
  (bytes, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, below) => bytes.subarray(below(bytes.length)),
  (bytes, below) => {
    const feed = someFeed(bytes, below);
    return spliced(bytes, feed, feed + 1, "");
  },
  (bytes, below) => {
    const feed = someFeed(bytes, below);
    return spliced(bytes, Math.max(0, feed - below(200)), feed + 1, "");
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return spliced(bytes, at, Math.min(bytes.length, at + below(3000)), "");
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return spliced(bytes, at, at, new Uint8Array(1 + below(5000)));
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return bytes.slice().fill(0, at, at + 1 + below(300));
  },
  (bytes, below) => {
    const changed = bytes.slice();
    for (let count = 0; count < 5; count++) changed[below(bytes.length)] = 0x80 + below(128);
    return changed;
  },
  (bytes, below) => {
    const changed = bytes.slice();
    for (let count = 0; count < 5; count++) changed[below(bytes.length)] = below(128);
    return changed;
  },
  (bytes, below) => {
    const feed = someFeed(bytes, below);
    return spliced(bytes, feed, feed, "\r");
  },
  betweenLines("\ufeff"),
  betweenLines("\ufeff\ufeff"),
  betweenLines("\n \t\n\r\n"),
  betweenLines('{}\n[1]\n"}"\nnull\n{broken}\n{"a":"\ufffd\\ud800é"}\n'),
  betweenLines(`{"deep":${"[".repeat(600)}${"]".repeat(600)}}\n`),
  betweenLines(`{"long":"${"x".repeat(300_000)}"}\n`),
];

/** Damages bytes once or twice. */
export function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const below: Below = (end) => Math.floor(random() * end);
  const damage = (some: Uint8Array): Uint8Array =>
    DAMAGES[below(DAMAGES.length)]?.(some, below) ?? some;
  return random() < 0.5 ? damage(bytes) : damage(damage(bytes));
}
