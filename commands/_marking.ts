/** Adds tags and other annotations to sessions, for commands and the full screen. */
import type { Annotation } from "../lib/library/handle/annotate.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextStore } from "./_store.ts";

/** Maximum number of characters of a tag, because a tag stands before a title. */
const MOST_CHARACTERS = 40;

/**
 * Splits a text at commas and spaces into tags, without the `#` that lists show before a tag.
 *
 * @throws {UsageError} If a tag is too long or has a control character.
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

export async function markSession(
  context: Context,
  session: SessionHandle,
  mark: Annotation,
): Promise<void> {
  const { annotate } = await import("../lib/library/handle/annotate.ts");
  const store = contextStore(context);
  await annotate(store, session, mark);
}

export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => `#${tag}`).join(" ");
}
