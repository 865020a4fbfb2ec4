/** Suggests another tag if no session has the tag of `reprise list --tag`. */
import { quoteWord } from "../../lib/core/platform/shell_word.ts";
import { nearestWord } from "../../lib/core/workspace/nearest_word.ts";
import type { Library } from "../../lib/library/library.ts";
import { rowsOf } from "../../lib/library/query/candidate.ts";

export async function tagHint(library: Library, tag: string): Promise<string[]> {
  const { entries } = await library.query({ scope: "all", rows: true });
  const near = nearestWord(tag, (await rowsOf(entries)).flatMap(({ tags = [] }) => tags));
  return near === undefined || near === tag ? [] : [`Did you mean: --tag ${quoteWord(near)}`];
}
