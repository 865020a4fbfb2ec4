/** Marks sessions, for commands and the full screen. */
import type { Annotation } from "../lib/library/handle/annotate.ts";
import type { Library } from "../lib/library/library.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { isNamedBeside } from "./_session.ts";
import { contextStore } from "./_store.ts";

/** Maximum number of characters of a tag, because a tag stands before a title. */
const MOST_CHARACTERS = 40;

/**
 * Reads tags between commas and spaces; `#` before one is how lists show it.
 *
 * @throws {UsageError} For what is no tag.
 */
export function parseTags(text: string): string[] {
  const tags = text.split(/[,\s]+/).map((tag) => tag.replace(/^#/, "")).filter((tag) => tag !== "");
  for (const tag of tags) {
    if (!/\p{Cc}/u.test(tag) && tag.length <= MOST_CHARACTERS) continue;
    throw new UsageError(
      `Cannot add tag "${tag}": a tag has at most ${MOST_CHARACTERS} printable characters`,
    );
  }
  return [...new Set(tags)];
}

/** Marks a session. If its log is shared, the mark is kept in a file outside the log. */
export async function markSession(
  context: Context,
  session: SessionHandle,
  mark: Annotation,
): Promise<void> {
  const { annotate } = await import("../lib/library/handle/annotate.ts");
  const store = contextStore(context);
  const beside_log = await isNamedBeside(store.root, session);
  await annotate(store, session, mark, { beside_log });
}

/** Suggests the nearest existing tag for a tag that no session has. */
export async function tagHint(library: Library, tag: string | undefined): Promise<string[]> {
  if (tag === undefined) return [];
  const { rowsOf } = await import("../lib/library/query/candidate.ts");
  const { entries } = await library.query({ scope: "all", rows: true });
  const near = nearestWord(tag, (await rowsOf(entries)).flatMap(({ tags = [] }) => tags));
  return near === undefined || near === tag ? [] : [`Did you mean: --tag ${quoteWord(near)}`];
}

/** Formats tags as lists show them. */
export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => `#${tag}`).join(" ");
}
