/** Checks the database that holds a session. */
import type { SessionHandle } from "../library/session_handle.ts";
import { loadRepair } from "./examine_session.ts";

/**
 * Checks the database that holds a session, as SQLite's own `PRAGMA integrity_check` does. It is never
 * changed: what can be read of it can be exported.
 *
 * @param session The session, as a library opens it.
 * @returns What is wrong, in SQLite's words, and nothing where it is sound; undefined for a session
 * that is kept in a file of its own.
 * @throws {SessionError} `unsupported-source` where its agent's sessions cannot be checked;
 * `not-found`, `permission`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { checkDatabase } from "@reprise/reprise/repair";
 *
 * const root = await Deno.makeTempDir();
 * const header = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T10:00:00Z","cwd":"/p"}';
 * await Deno.writeTextFile(`${root}/a.jsonl`, `${header}\n`);
 * const library = openLibrary({ root, variable: () => root });
 * assert.equal(await checkDatabase(await library.open(`${root}/a.jsonl`)), undefined);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function checkDatabase(session: SessionHandle): Promise<string[] | undefined> {
  const repair = await loadRepair(session);
  return repair.kind === "database" ? await repair.check(session.path) : undefined;
}
