/** Fixtures of Kiro CLI. */
import { databaseBytes } from "../../_support/database_bytes.ts";

export const TOOLS = "e53ccf60-b53a-4fdd-a00f-05547225a990";
export const COMPACTED = "efad6832-1cd2-44b2-94c2-04f8e466e780";
export const CONVERSATION = "00000000-0000-4000-8000-000000000001";
export const OLDER = "00000000-0000-4000-8000-000000000002";

export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/kiro/${name}`, import.meta.url);
}

/** The bytes of a database with the fixture's rows; `change` is SQL that changes them. */
export function storeBytes(change = ""): Uint8Array {
  return databaseBytes((database) =>
    database.exec(Deno.readTextFileSync(fixture("conversations.sql")) + change)
  );
}
