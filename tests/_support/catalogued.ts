/** Sessions in files of a folder, as an agent would have them, and what a catalogue knows of them. */
import { join } from "node:path";
import { Catalogue } from "../../lib/library/catalogue/catalogue.ts";
import type { CatalogueOptions } from "../../lib/library/catalogue/catalogue_options.ts";
import type { CatalogueRow } from "../../lib/library/catalogue/catalogue_row.ts";
import { lookAtSession } from "../../lib/library/catalogue/session_state.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { AgentSession } from "../../lib/agents/contract/agent.ts";

/** A clock for which every file is old. */
export const LATER = (): number => Date.now() + 60_000;

/** Writes the file of a session. */
export function makeSession(directory: string, id: string, text = `${id}\n`): AgentSession {
  const path = join(directory, `${id}.jsonl`);
  Deno.writeTextFileSync(path, text);
  return { agent: "claude", id, path };
}

/** What a reader would tell of a session. */
export function summaryOf({ agent, id, path }: AgentSession, title = `Session ${id}`): Summary {
  return {
    ref: `${agent}:${id}`,
    agent,
    session_id: id,
    path,
    cwd: `/home/ada/${id.slice(0, 1)}`,
    title,
    updated_at: `2026-11-21T10:00:0${id.length % 10}.000Z`,
    status: "interrupted",
    archived: false,
  };
}

/** Puts the summaries of sessions into a store's catalogue, and saves it. */
export function keepAll(options: CatalogueOptions, sessions: readonly AgentSession[]): void {
  const catalogue = new Catalogue({ now: LATER, ...options });
  for (const session of sessions) {
    catalogue.put(session, lookAtSession(session), summaryOf(session));
  }
  catalogue.save();
  catalogue[Symbol.dispose]();
}

/** The rows that a store's catalogue gives for sessions as they are now. */
export function knownRows(
  options: CatalogueOptions,
  sessions: readonly AgentSession[],
): (CatalogueRow | undefined)[] {
  using catalogue = new Catalogue(options);
  return sessions.map((session) => catalogue.find(session, lookAtSession(session))?.row());
}

/** The titles of those rows. */
export function knownTitles(
  options: CatalogueOptions,
  sessions: readonly AgentSession[],
): (string | undefined)[] {
  return knownRows(options, sessions).map((row) => row?.summary?.title);
}
