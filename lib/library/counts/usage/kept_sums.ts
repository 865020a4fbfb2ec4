/**
 * Stores the usage sums of the last query about many sessions. While the sessions are unchanged,
 * the same query adds nothing up again, also with another grouping.
 */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sumOf } from "../../catalogue/cache/cache_database.ts";
import type { FactsDatabase } from "../../catalogue/facts_database.ts";
import { sessionDigest } from "../../catalogue/session_key.ts";
import { digest, type SessionState } from "../../catalogue/session_state.ts";
import type { UsageSum } from "./usage_sums.ts";

/** The usage sums of sessions, by {@linkcode sessionDigest}. */
export type SumsBySession = Map<number, UsageSum[]>;

/** Minimum number of sessions whose sums are stored. Sums of fewer are added up as fast. */
const FEWEST_SESSIONS = 100;
/** Maximum number of sums to store. More take longer to parse than to add up again. */
const MOST_SUMS = 50_000;

/**
 * Returns a hash that identifies a query. The same sessions in the same order and state have the
 * same hash. Returns undefined for fewer than 100 sessions, because their sums are not stored.
 *
 * @param asked The queried sessions, with the state in which each was read.
 */
export function questionOf(
  asked: readonly { session: AgentSession; state: SessionState | undefined }[],
  step_seconds: number,
): number | undefined {
  if (asked.length < FEWEST_SESSIONS) return undefined;
  const states = asked.map(({ session, state }) => [
    ...[sessionDigest(session), state?.size, state?.mtime],
    ...[state?.ctime, state?.ino, state?.others],
  ]);
  return digest(JSON.stringify([step_seconds, states]));
}

/** Finds the stored sums of a query by its hash. Undefined if another query replaced them. */
export function findSums(facts: FactsDatabase, question: number): SumsBySession | undefined {
  const sql = "SELECT json, sum FROM usage_sums WHERE question = ?";
  const { json, sum } = facts.prepare(sql).get(question) ?? {};
  const text = String(json);
  if (sum !== sumOf([question, text])) return undefined;
  return new Map(JSON.parse(text) as [number, UsageSum[]][]);
}

/** Stores the sums of a query under its hash. They replace the sums of the last query. */
export function keepSums(facts: FactsDatabase, question: number, sums: SumsBySession): void {
  const count = [...sums.values()].reduce((count, own) => count + own.length, 0);
  if (count > MOST_SUMS) return;
  facts.write(() => {
    const json = JSON.stringify([...sums]);
    facts.run("DELETE FROM usage_sums");
    facts.prepare("INSERT INTO usage_sums VALUES (?, ?, ?)")
      .run(question, json, sumOf([question, json]));
  });
}
