/** Returns the address of a search hit, with the words that the session's page marks. */
import { present } from "../../../core/event/present.ts";
import type { SearchHit } from "../../../library/search/search_task.ts";
import { sessionLink } from "../site_frame.ts";

/** The most words to mark on the page, and the most characters of each word. */
const MOST_WORDS = 8;
const MOST_CHARACTERS = 120;

export function hitLink(
  { ref, seq, thread, snippet, ranges }: Pick<
    SearchHit,
    "ref" | "seq" | "thread" | "snippet" | "ranges"
  >,
): string {
  const found = new Set(
    ranges.map(([start, end]) => snippet.slice(start, Math.min(end, start + MOST_CHARACTERS))),
  );
  const words = [...found].slice(0, MOST_WORDS).join("\n");
  return sessionLink(ref, present({ seq: String(seq), thread, words }), `e${seq}`);
}
