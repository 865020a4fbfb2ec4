import type { VerbatimSource } from "../../source/agent.ts";

/** Neither a folder nor compressed. */
const PLAIN = /\.jsonl?$/;

/** True if the bytes of a file are those of its JSON. */
export function isPlainJson(path: string): boolean {
  return PLAIN.test(path);
}

/** The source of texts in some files; undefined where one of them is not plain. */
export function verbatimIn(
  paths: readonly string[],
  added_words = "",
): VerbatimSource | undefined {
  return paths.every(isPlainJson) ? { paths, added_words } : undefined;
}
