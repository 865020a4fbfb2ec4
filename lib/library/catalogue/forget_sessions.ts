/** Removes from the cache all facts about deleted sessions. */
import { toSessionError } from "../../core/log/io_error.ts";
import { exists } from "../../core/log/own_file.ts";
import { removeSync } from "../../core/platform/files.ts";
import { forgetIndexed } from "./cache/search_database.ts";
import type { CatalogueOptions } from "./catalogue_options.ts";
import { FACT_TABLES, type FactsDatabase, openFacts } from "./facts_database.ts";
import { factsIn, factsPath } from "./facts_file.ts";

/**
 * Removes the rows of deleted sessions, and their entries in the search index. No process writes
 * the rows again. Each process checks in its transaction if the session's files still exist.
 *
 * @param ids The sessions' ids, as their agent knows them.
 * @throws {SessionError} `locked`, `permission`, `disk-full`, `io` if the rows are still there.
 */
export function forgetSessions(
  options: CatalogueOptions,
  agent: string,
  ids: readonly string[],
): void {
  const { folder } = options;
  const action = "remove session from the cached session list";
  if (folder === undefined || !exists(folder, action)) return;
  try {
    const own = factsPath({ ...options, folder });
    for (const path of factsIn(folder)) {
      if (path !== own || !hasForgotten(options, agent, ids)) removeSync(path);
    }
    forgetIndexed(folder, agent, ids);
  } catch (error) {
    throw toSessionError(error, action, folder);
  }
}

/** Removes the rows of sessions. Returns false if the whole database must be removed instead. */
function hasForgotten(options: CatalogueOptions, agent: string, ids: readonly string[]): boolean {
  using facts = openFacts(options);
  return facts.write(() => forget(facts, agent, ids));
}

function forget(facts: FactsDatabase, agent: string, ids: readonly string[]): void {
  const keysIn = (table: string): string => `(SELECT key FROM ${table} WHERE agent = ? AND id = ?)`;
  for (const id of ids) {
    for (
      const sql of [
        `DELETE FROM session_row WHERE key IN ${keysIn("session")}`,
        "DELETE FROM session WHERE agent = ? AND id = ?",
        `DELETE FROM response WHERE session IN ${keysIn("usage")}`,
        ...FACT_TABLES.map((table) => `DELETE FROM ${table} WHERE agent = ? AND id = ?`),
      ]
    ) facts.prepare(sql).run(agent, id);
  }
  // These rows do not show to which session they belong.
  facts.prepare("DELETE FROM located WHERE agent = ?").run(agent);
  facts.run("DELETE FROM usage_sums");
}
