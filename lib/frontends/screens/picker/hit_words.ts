/** Finds the words of a query in a hit, to mark them and to search for them in the session. */
import type { HitPlace } from "../screen.ts";
import type { Filter } from "./filter.ts";
import type { SaidHit } from "./state.ts";
import { comparable } from "./word_match.ts";

type Query = Pick<Filter, "text" | "words">;

export function markedWords({ words }: SaidHit, query: Query): readonly string[] {
  return words?.map(comparable) ?? query.words;
}

export function hitPlace(hit: SaidHit, { text, words }: Query): HitPlace {
  // The message has some of the words alone.
  const here = words.filter((word) => comparable(hit.snippet).includes(word));
  return { ...hit, query: hit.words?.[0] ?? (hit.is_across ? here.join(" ") : text) };
}
