/** Databases of agents. */
import { DatabaseSync } from "node:sqlite";
import { tempFile } from "./temp_file.ts";

/** Returns the bytes of a new database that `fill` fills. */
export function databaseBytes(fill: (database: DatabaseSync) => void): Uint8Array {
  using file = tempFile("made.db", "");
  const database = new DatabaseSync(file.path);
  // A database that is made here need not survive a loss of power.
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  fill(database);
  database.close();
  return Deno.readFileSync(file.path);
}

/** Puts a row into a table. */
export function insert(
  database: DatabaseSync,
  table: string,
  row: Record<string, unknown>,
): void {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`)
    .run(...Object.values(row) as string[]);
}
