/** Fixtures of Kiro CLI. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const TOOLS = "e53ccf60-b53a-4fdd-a00f-05547225a990";
export const COMPACTED = "efad6832-1cd2-44b2-94c2-04f8e466e780";
export const CONVERSATION = "00000000-0000-4000-8000-000000000001";
export const OLDER = "00000000-0000-4000-8000-000000000002";

export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/kiro/${name}`, import.meta.url);
}

/** The bytes of a database with the fixture's rows; `change` is SQL that changes them. */
export function databaseBytes(change = ""): Uint8Array {
  const folder = Deno.makeTempDirSync();
  const path = join(folder, "made.db");
  const database = new DatabaseSync(path);
  database.exec(Deno.readTextFileSync(fixture("conversations.sql")) + change);
  database.close();
  const bytes = Deno.readFileSync(path);
  Deno.removeSync(folder, { recursive: true });
  return bytes;
}
