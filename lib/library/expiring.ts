/**
 * Sessions that their own agent deletes soon: told while they can still be backed up.
 */
import type { Summary } from "../projection/summary_row.ts";
import { findImports, type FoundImports, importKey } from "../session/import/find_imports.ts";
import { readManifest } from "../session/import/source_copy.ts";
import type { Agent } from "../source/agent.ts";
import { type Expiry, expiryTime } from "../source/expiry.ts";
import type { Library } from "./library.ts";
import { loadExpiry } from "./locators.ts";
import { loadAgent } from "./registry.ts";

const SOON_MS = 7 * 86_400_000;

/** Options of {@linkcode expiringSessions}. */
export interface ExpiringOptions {
  /** The time. */
  now: Date;
  /** The directory in which the agent would start: its settings count. */
  cwd?: string;
}

/** A session and when it is deleted. */
export interface ExpiringSession {
  /** The session's row in a list. */
  row: Summary;
  /** The time when its agent deletes it. */
  due: Date;
}

/** The sessions that one agent deletes within a week, the first due first. */
export interface ExpiringSessions {
  /** The agent that deletes them. */
  agent: Agent;
  /** Its rule. */
  expiry: Expiry;
  /** The first due first. */
  sessions: ExpiringSession[];
}

/**
 * Finds those of some rows that their agents delete within seven days, without those that are backed
 * up whole.
 *
 * @param library Where the sessions are.
 * @param rows As the library lists them.
 * @param options The time, and the directory in which the agent would start.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { expiringSessions, openLibrary } from "@reprise/reprise/library";
 *
 * const library = openLibrary({ root: "/no/such/store", variable: () => undefined });
 * assert.deepEqual(await expiringSessions(library, [], { now: new Date() }), []);
 * ```
 */
export async function expiringSessions(
  library: Library,
  rows: readonly Summary[],
  { now, cwd }: ExpiringOptions,
): Promise<ExpiringSessions[]> {
  const names = [...new Set(rows.map(({ agent }) => agent))];
  const wanted = library.place.agents.filter((name) => names.includes(name));
  let found: FoundImports | undefined;
  const expiring: ExpiringSessions[] = [];
  for (const name of wanted) {
    const expiry = await loadExpiry(name, library.place.environment, cwd);
    if (expiry === undefined) continue;
    const soon = dueSoon(expiry, rows.filter((row) => row.agent === name), now);
    if (soon.length === 0) continue;
    const agent = await loadAgent(name);
    const imports = found ??= findImports(library.root);
    const sessions = soon.filter(({ row }) => !isBackedUp(imports, row));
    if (sessions.length > 0) expiring.push({ agent, expiry, sessions });
  }
  return expiring;
}

function dueSoon(expiry: Expiry, rows: readonly Summary[], now: Date): ExpiringSession[] {
  return rows.flatMap((row): ExpiringSession[] => {
    const due = expiryTime(expiry, row);
    return due !== undefined && due.getTime() < now.getTime() + SOON_MS ? [{ row, due }] : [];
  }).sort((one, other) => one.due.getTime() - other.due.getTime());
}

/** Whether the store has all of it: the last backup is as long as it is now. */
function isBackedUp(found: FoundImports, { agent, session_id: id, bytes }: Summary): boolean {
  const kept = found.get(importKey({ agent, id })) ?? [];
  return kept.some(({ imported_from, directory }) =>
    imported_from.bytes === bytes && readManifest(directory) !== undefined
  );
}
