/** The names of Kiro's files. */
import { basename } from "node:path";

/** The database of conversations. */
export const DATABASE = "data.sqlite3";

/** True for a database, by its name. */
export function isDatabase(path: string): boolean {
  return basename(path).endsWith(".sqlite3");
}

/** Returns the path of the metadata beside a log: directory, title and tokens. */
export function metadataBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".json";
}
