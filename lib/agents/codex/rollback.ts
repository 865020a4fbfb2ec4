/** Finds the lines of a thread that a rollback removed. */
import { SessionError } from "../../event/session_error.ts";
import { ESCAPED_LETTER, textPattern } from "../../log/byte_pattern.ts";
import { lineBlocksInTurns } from "../../log/line_blocks.ts";
import { lineFeeds } from "../../log/line_feeds.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { type DeadRange, type Place, type RollbackScan, scanRollbacks } from "./rollback_scan.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";

/** Tells which lines were taken back. */
export type DeadRanges = readonly Pick<DeadRange, "from" | "to">[];

const WORD = '"thread_rolled_back"';
const PATTERNS = [textPattern(WORD), ESCAPED_LETTER];
/** The same in a line by itself. */
const SEARCHES = [byteSearch(WORD), byteSearch("\\u00")];

function isBefore(one: Place, other: Place): boolean {
  return one.stretch < other.stretch ||
    (one.stretch === other.stretch && one.offset < other.offset);
}

/** True if a place was taken back by a rollback. */
export function covers({ from, to }: Pick<DeadRange, "from" | "to">, place: Place): boolean {
  return !isBefore(place, from) && isBefore(place, to);
}

/** True if the line at this place was taken back. */
export function isDead(ranges: DeadRanges, stretch: number, offset: number): boolean {
  return ranges.some((range) => covers(range, { stretch, offset }));
}

/** What was taken back in a thread. */
export interface Rollbacks {
  /** In the order of the rollbacks. */
  ranges: DeadRange[];
  /** Lines of the thread's own file. */
  lines: number;
}

/** Finds what was taken back in a thread. */
export async function findRollbacks(stretches: readonly RolloutStretch[]): Promise<Rollbacks> {
  let mentioned = false;
  let lines = 0;
  for (const { path } of stretches) {
    const seen = await lookThrough(path);
    mentioned ||= seen.mentioned;
    lines = seen.lines;
  }
  return { ranges: mentioned ? (await scanRollbacks(stretches)).ranges : [], lines };
}

/**
 * What was not there when a record was live.
 *
 * @throws {SessionError} `not-found`: no record has this id
 */
export async function deadBeside(
  stretches: readonly RolloutStretch[],
  id: string,
): Promise<DeadRanges> {
  const { ranges, found }: RollbackScan = await scanRollbacks(stretches, id);
  if (found === undefined) {
    const message = `Cannot find thread: none is "${id}", and no record has this id`;
    throw new SessionError("not-found", message, { ref: id });
  }
  const index = ranges.findIndex((range) => covers(range, found));
  return index < 0 ? ranges : deadBefore(ranges, index);
}

/** What was not there just before a rollback: what others took before it, and all behind it. */
export function deadBefore(ranges: readonly DeadRange[], index: number): DeadRanges {
  const { to } = ranges[index] as DeadRange;
  return [...ranges.slice(0, index), { from: to, to: { stretch: Infinity, offset: 0 } }];
}

/** True if the bytes tell of a rollback; in a text the quotes of the word would be escaped. */
async function lookThrough(path: string): Promise<{ mentioned: boolean; lines: number }> {
  const seen = { mentioned: false, lines: 0 };
  if (rolloutForm(path) === "compressed") {
    for await (const lines of rolloutLines({ path })) {
      seen.mentioned ||= lines.some(({ bytes }) => SEARCHES.some((find) => find(bytes) >= 0));
      seen.lines += lines.filter(({ terminated }) => terminated).length;
    }
    return seen;
  }
  for await (const { finder, end } of lineBlocksInTurns(path)) {
    seen.mentioned ||= PATTERNS.some((pattern) => finder.find(pattern, 0, end) >= 0);
    seen.lines += lineFeeds(finder.bytes.subarray(0, end)).length;
  }
  return seen;
}
