/** `--max-chars` and `--cursor`: output in pages for agents, which pay for each character. */
import type { Flags, FlagsOf } from "./_command.ts";
import { UsageError } from "./_failure.ts";
import { InvalidArgument, parseCount, type WrittenTime } from "./_values.ts";

/** Minimum number of characters of a page, to leave room for items before its last lines. */
const LEAST = 500;
const WITHOUT_PAGES = ["follow", "threads", "remote", "answer"] as const;

export const PAGE_FLAGS = {
  "--max-chars <count>": {
    help: "limit output to this many characters",
    conflicts: WITHOUT_PAGES,
    parse: parseCharacters,
  },
  "--cursor <cursor>": {
    help: "continue after this cursor (printed at the end of each page)",
    conflicts: WITHOUT_PAGES,
  },
} as const satisfies Flags;

export type PageFlags = FlagsOf<typeof PAGE_FLAGS>;

function parseCharacters(text: string): number {
  const count = parseCount(text);
  if (count >= LEAST) return count;
  throw new InvalidArgument(`Give at least ${LEAST} characters.`);
}

export function wantsPage({ maxChars, cursor }: PageFlags): boolean {
  return maxChars !== undefined || cursor !== undefined;
}

/** Names that `queryFlags` leaves out: page flags, and values that its callers add themselves. */
const NOT_ASKED = ["maxChars", "cursor", "limit", "cwd"];

/**
 * Returns the flags that choose the items of a result, but not the flags that cut the result into
 * pages. Times are as the user typed them.
 */
export function queryFlags(
  flags: { since?: WrittenTime; until?: WrittenTime },
): Record<string, unknown> {
  const asked = Object.entries(flags).filter(([name]) => !NOT_ASKED.includes(name));
  return Object.fromEntries(
    asked.map(([name, value]) =>
      value instanceof Date ? [`${name}_text`, (value as WrittenTime).written] : [name, value]
    ),
  );
}

/** Returns the number of characters for a page's items, after its last lines are reserved. */
export async function pageRoom({ maxChars = Infinity }: PageFlags): Promise<number> {
  const { LAST_LINES } = await import("../lib/text/render/page/page.ts");
  return maxChars - LAST_LINES;
}

/** Calls `read`, and turns its `SyntaxError` into a `UsageError`. */
export function fromCursor<Place>(read: () => Place): Place {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(error.message);
    throw error;
  }
}
