/**
 * What two lists of items have in common, by turns: what the user said, up to what is said next.
 */
import { type Item, joinedItems } from "./request_items.ts";

/** The result of a comparison. */
export interface Sameness {
  turns: number;
  equal_turns: number;
  /** All of it is the same. */
  equal: boolean;
  /** Starts of what only the client adds. */
  injected: string[];
  /** The first things that differ. */
  differences: string[];
}

/** Compares what a client sent with what we say, without what the client injects. */
export function sameItems(
  theirs: readonly Item[],
  ours: readonly Item[],
  injects: readonly RegExp[],
): Sameness {
  const ours_left = Map.groupBy(ours, ({ text }) => text);
  const injected: string[] = [];
  const sent = theirs.filter((item) => {
    // What we say too was recorded: it is no different from the rest.
    if (ours_left.get(item.text)?.shift() !== undefined) return true;
    if (item.aside) return false;
    if (!injects.some((start) => start.test(item.text))) return true;
    injected.push(item.text.slice(0, 80));
    return false;
  });
  const [one, other] = [turnsOf(sent), turnsOf(ours)];
  const differences = diff(one, other);
  const lost = new Set(differences.filter(({ sign }) => sign === "-").map(({ index }) => index));
  return {
    turns: one.length,
    equal_turns: one.length - lost.size,
    equal: differences.length === 0,
    injected,
    differences: diff(one.flatMap(linesOf), other.flatMap(linesOf))
      .map(({ sign, text }) => `${sign} ${text}`),
  };
}

/** Each turn as lines; a call's number counts within its turn, so that one lost call is one difference. */
function turnsOf(items: readonly Item[]): string[] {
  const turns: string[][] = [];
  let base = 0;
  let last = 0;
  for (const { kind, text } of joinedItems(items)) {
    if (kind === "user" || turns.length === 0) {
      turns.push([]);
      base = last;
    }
    const numbered = kind === "call" || kind === "result";
    const number = numbered ? Number.parseInt(text) : 0;
    if (kind === "call") last = number;
    turns.at(-1)?.push(
      numbered ? `${kind} ${number - base} ${text.replace(/^\S+ ?/, "")}` : `${kind} ${text}`,
    );
  }
  return turns.map((lines) => lines.join("\n  "));
}

function linesOf(turn: string): string[] {
  return turn.split("\n  ");
}

/** A text that only one of two lists has. */
interface Difference {
  sign: "-" | "+";
  index: number;
  text: string;
}

/** `-` for texts that only the first list has, `+` for those of the second. */
export function diff(one: readonly string[], other: readonly string[]): Difference[] {
  const width = other.length + 1;
  const table = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      table[i * width + j] = one[i] === other[j]
        ? (table[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  const found: Difference[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      i++;
      j++;
    } else if (
      j === other.length ||
      i < one.length && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)
    ) {
      found.push({ sign: "-", index: i, text: one[i++] ?? "" });
    } else found.push({ sign: "+", index: j, text: other[j++] ?? "" });
  }
  return found;
}
