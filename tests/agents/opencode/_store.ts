/**
 * Sessions of OpenCode in each of its stores, made from one fixture in the shape of an export.
 */
import type { DatabaseSync } from "node:sqlite";
import { databaseBytes, insert } from "../../_support/database_bytes.ts";

type Json = Record<string, unknown>;

/** A session as an export has it. */
export interface Exported {
  info: Json & { id: string; time: { created: number; updated: number; archived?: number } };
  messages: {
    info: Json & { id: string; time: { created: number } };
    parts: (Json & { id: string })[];
  }[];
}

/** The address of a fixture. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/opencode/${name}`, import.meta.url);
}

/** A fixture as an object. */
export function exported(name: string): Exported {
  return JSON.parse(Deno.readTextFileSync(fixture(`${name}.json`)));
}

/** A new database with the tables of a schema; `fill` puts rows in it. */
export function schemaBytes(
  schemas: readonly string[],
  fill: (database: DatabaseSync) => void,
): Uint8Array {
  return databaseBytes((database) => {
    for (const schema of schemas) database.exec(Deno.readTextFileSync(fixture(`${schema}.sql`)));
    fill(database);
  });
}

/** The bytes of a database of OpenCode 1.18 that holds these sessions. */
export function databaseOf(...sessions: Exported[]): Uint8Array {
  return schemaBytes(["schema_1_18"], (database) => {
    for (const session of sessions) insertSession(database, session);
  });
}

/** A fork of a session: its messages and parts have new ids (1.18.34, session/session.ts, `fork`). */
export function forkOf(session: Exported): Exported {
  const { info, messages } = session;
  const ids = [
    info.id,
    ...messages.flatMap(({ info, parts }) => [info, ...parts].map(({ id }) => id)),
  ];
  const text = ids.reduce(
    (told, id) => told.replaceAll(`"${id}"`, `"${id}_fork"`),
    JSON.stringify(session),
  );
  return JSON.parse(text);
}

/** Puts a session into the tables of OpenCode 1.18. */
export function insertSession(database: DatabaseSync, { info, messages }: Exported): void {
  const { created, updated, archived = null } = info.time;
  insert(database, "session", {
    id: info.id,
    project_id: info.projectID ?? "global",
    parent_id: info.parentID ?? null,
    slug: "slug",
    directory: info.directory,
    title: info.title,
    version: info.version,
    revert: info.revert === undefined ? null : JSON.stringify(info.revert),
    time_created: created,
    time_updated: updated,
    time_archived: archived,
  });
  for (const message of messages) {
    const { id, sessionID: _, ...data } = message.info;
    const times = { time_created: message.info.time.created, time_updated: updated };
    insert(database, "message", { id, session_id: info.id, ...times, data: JSON.stringify(data) });
    for (const { id: part_id, ...part } of message.parts) {
      insert(database, "part", {
        id: part_id,
        message_id: id,
        session_id: info.id,
        ...times,
        data: JSON.stringify(part),
      });
    }
  }
}

/** The files of a session before 1.2, by path below the home. */
export function storageFiles(
  { info, messages }: Exported,
  root = ".local/share/opencode/storage",
): Record<string, string> {
  const files: Record<string, string> = {
    [`${root}/session/${info.projectID}/${info.id}.json`]: JSON.stringify(info),
  };
  for (const message of messages) {
    const { id } = message.info;
    files[`${root}/message/${info.id}/${id}.json`] = JSON.stringify(message.info);
    for (const part of message.parts) {
      files[`${root}/part/${id}/${part.id}.json`] = JSON.stringify(part);
    }
  }
  return files;
}
