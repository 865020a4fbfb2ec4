/** The database of Crush's fixture. */
import { databaseBytes } from "../../_support/database_bytes.ts";

export const TALK = "0b1f2c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";
export const OTHER = "1c1f2c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";

export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/crush/${name}`, import.meta.url);
}

/** The bytes of a database with the fixture's rows; `change` is SQL that changes them. */
export function storeBytes(change = ""): Uint8Array {
  return databaseBytes((database) =>
    database.exec(Deno.readTextFileSync(fixture("talk.sql")) + change)
  );
}
