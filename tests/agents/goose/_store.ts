/**
 * Databases of goose, made from fixtures.
 */
import type { DatabaseSync } from "node:sqlite";
import { databaseBytes, insert } from "../../_support/database_bytes.ts";

type Json = Record<string, unknown>;

/** A session as a fixture has it. */
export interface Talk {
  session: Json & { id: string };
  usage?: Json[];
  messages: (Json & { message_id: string; role: string; created: number; content: unknown })[];
}

/** The address of a fixture. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/goose/${name}`, import.meta.url);
}

/** A fixture as an object. */
export function talk(name: string): Talk {
  return JSON.parse(Deno.readTextFileSync(fixture(`${name}.json`)));
}

/** A new database with the tables of a schema; `fill` puts rows in it. */
export function schemaBytes(schema: string, fill: (database: DatabaseSync) => void): Uint8Array {
  return databaseBytes((database) => {
    database.exec(Deno.readTextFileSync(fixture(`${schema}.sql`)));
    fill(database);
  });
}

/** The bytes of a database of schema 17 that holds these sessions. */
export function databaseOf(...talks: Talk[]): Uint8Array {
  return schemaBytes("schema_17", (database) => {
    for (const talk of talks) insertTalk(database, talk);
  });
}

/** Puts a session into the tables of schema 17. */
export function insertTalk(
  database: DatabaseSync,
  { session, usage = [], messages }: Talk,
): void {
  insert(database, "sessions", session);
  for (const row of usage) insert(database, "usage_ledger", { session_id: session.id, ...row });
  for (const { message_id, role, created, content, metadata } of messages) {
    insert(database, "messages", {
      message_id,
      session_id: session.id,
      role,
      content_json: JSON.stringify(content),
      created_timestamp: created,
      metadata_json: metadata === undefined ? null : JSON.stringify(metadata),
    });
  }
}
