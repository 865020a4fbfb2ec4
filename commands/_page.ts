/** `--max-chars` and `--cursor`: output in pages, for agents, which pay for what they read. */
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import { UsageError } from "./_failure.ts";
import { InvalidArgument } from "./_invalid_argument.ts";
import { parseCount } from "./_number.ts";

/** What the command line says. */
export interface PageFlags {
  maxChars?: number;
  cursor?: string;
}

/** The least number of characters: smaller pages would hold little but their last line. */
const LEAST = 500;

/** The options of a command whose output may come in pages. */
export function pageOptions(): {
  max_chars: Option<"--max-chars <count>", undefined, undefined, number>;
  cursor: Option<"--cursor <cursor>">;
} {
  return {
    max_chars: new Option("--max-chars <count>", "limit output to this many characters")
      .argParser(parseCharacters),
    cursor: new Option("--cursor <cursor>", "the next page: the last line of a page has it"),
  };
}

function parseCharacters(text: string): number {
  const count = parseCount(text);
  if (count >= LEAST) return count;
  throw new InvalidArgument(`Give at least ${LEAST} characters.`);
}

/** True where output is wanted in pages. */
export function wantsPage({ maxChars, cursor }: PageFlags): boolean {
  return maxChars !== undefined || cursor !== undefined;
}

/** Flags of pages, and those that are part of a query in another form. */
const NOT_ASKED = ["maxChars", "cursor", "number", "since", "cwd"];

/** Returns the flags that decide what all pages together hold. A span's text stands for its time. */
export function queryFlags(flags: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !NOT_ASKED.includes(name)));
}

/** The characters that the items of a page may take. */
export async function pageRoom({ maxChars = Infinity }: PageFlags): Promise<number> {
  const { LAST_LINES } = await import("../lib/render/page/page.ts");
  return maxChars - LAST_LINES;
}

/**
 * Returns what a cursor gives.
 *
 * @throws {UsageError} If it cannot be used.
 */
export function fromCursor<Place>(read: () => Place): Place {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(error.message);
    throw error;
  }
}
