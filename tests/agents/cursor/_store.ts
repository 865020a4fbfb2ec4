/** Databases of Cursor, made from fixtures. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { databaseBytes } from "../../_support/database_bytes.ts";

export const CHAT = "f1ff7b74-0a28-4dd4-a452-e01ae080eb20";
export const OLD = "33333333-0000-4000-8000-000000000003";
export const COMPACTED = "55555555-0000-4000-8000-000000000005";
export const TRANSCRIPT = "77777777-0000-4000-8000-000000000007";

/** The editor's user folder below the home. */
export const USER = {
  darwin: "Library/Application Support/Cursor/User",
  windows: "AppData/Roaming/Cursor/User",
}[Deno.build.os as string] ?? ".config/Cursor/User";
export const TRANSCRIPTS = ".cursor/projects/home-dev-my-app/agent-transcripts";
export const CHATS = ".cursor/chats/36e6f82a4f9ae16e16ce627c19e4b65f";

/** The address of a fixture. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/cursor/${name}`, import.meta.url);
}

/** Returns the editor's database of the fixture; `change` alters it first. */
export function conversations(change: (database: DatabaseSync) => void = () => {}): Uint8Array {
  return databaseBytes((database) => {
    database.exec(Deno.readTextFileSync(fixture("conversations.sql")));
    change(database);
  });
}

/** The messages of a chat, as the fixture has them. */
export interface Talk {
  meta: Record<string, unknown>;
  beside: Record<string, unknown>;
  workspace: string;
  messages: unknown[];
  left: unknown[];
}

/** Returns the chat of the fixture. */
export function talk(): Talk {
  return JSON.parse(Deno.readTextFileSync(fixture("talk.json")));
}

/** Returns the database of a chat; `change` alters it last. */
export function chat(
  given: Talk = talk(),
  change: (database: DatabaseSync) => void = () => {},
): Uint8Array {
  return databaseBytes((database) => {
    insertChat(database, given);
    change(database);
  });
}

/** Makes the tables of a chat, whose root lists the messages through another blob. */
export function insertChat(
  database: DatabaseSync,
  { meta, messages, left, workspace }: Talk,
): void {
  database.exec("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)");
  database.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
  const insert = database.prepare("INSERT INTO blobs VALUES (?, ?)");
  const put = (data: Uint8Array): Uint8Array => {
    const hash = createHash("sha256").update(data).digest();
    insert.run(hash.toString("hex"), data);
    return hash;
  };
  const putAll = (all: readonly unknown[]): Uint8Array[] =>
    all.map((one) => put(Buffer.from(JSON.stringify(one))));
  putAll(left);
  const hashes = putAll(messages);
  const inner = put(Buffer.concat(hashes.slice(0, 3).map((hash) => field(1, hash))));
  const root = put(Buffer.concat([
    field(1, inner),
    ...hashes.slice(3).map((hash) => field(1, hash)),
    // A number, a fixed one, and the address of the directory.
    Buffer.from([0x50, 0x81, 0x01, 0x59, 1, 2, 3, 4, 5, 6, 7, 8]),
    field(9, Buffer.from(workspace)),
  ]));
  const facts = { ...meta, latestRootBlobId: Buffer.from(root).toString("hex") };
  const value = Buffer.from(JSON.stringify(facts)).toString("hex");
  database.prepare("INSERT INTO meta VALUES ('0', ?)").run(value);
}

function field(number: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
}
