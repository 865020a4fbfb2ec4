/** Databases of Zed, made from the fixture. */
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { databaseBytes } from "../../_support/database_bytes.ts";

export const FULL = "7c2a1d0f-0000-4000-8000-000000000001";
export const CHILD = "c0ffee00-0000-4000-8000-000000000002";
export const OLD = "0ld00000-0000-4000-8000-000000000003";
export const OLDEST = "0ldest00-0000-4000-8000-000000000004";

/** The folder of the database below the home. */
export const FOLDER = {
  darwin: "Library/Application Support/Zed/threads",
  windows: "AppData/Local/Zed/threads",
}[Deno.build.os as string] ?? ".local/share/zed/threads";

/** The address of a fixture. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/zed/${name}`, import.meta.url);
}

/** Returns the bytes of the database, with the documents compressed; `change` alters it first. */
export function threadsDatabase(change: (database: DatabaseSync) => void = () => {}): Uint8Array {
  return databaseBytes((database) => {
    database.exec(Deno.readTextFileSync(fixture("threads.sql")));
    const update = database.prepare("UPDATE threads SET data_type = 'zstd', data = ? WHERE id = ?");
    for (const { id, data } of database.prepare("SELECT id, data FROM threads").all()) {
      if (id !== OLDEST) update.run(zstdCompressSync(String(data)), String(id));
    }
    change(database);
  });
}
