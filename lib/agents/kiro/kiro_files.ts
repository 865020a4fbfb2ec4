/** The names of Kiro's files. */
import { basename } from "node:path";

/** File name of the database with conversations. */
export const DATABASE = "data.sqlite3";

/** True if the file name is that of a database. */
export function isDatabase(path: string): boolean {
  return basename(path).endsWith(".sqlite3");
}

/** Returns the path of a log's metadata file, which has the directory, title and tokens. */
export function metadataBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".json";
}
