/** The names of Kiro's files. */
import { basename } from "node:path";

export const DATABASE = "data.sqlite3";

export function isDatabase(path: string): boolean {
  return basename(path).endsWith(".sqlite3");
}

/** Returns the path of a log's metadata file, which has the directory, title and tokens. */
export function metadataBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".json";
}
