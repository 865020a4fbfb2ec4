/**
 * Stores the responses of sessions that were read to their end, and adds them up. Several sessions
 * may have the same response. The response counts in the session whose record has the most tokens,
 * else in the first session.
 */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { type CatalogueOptions, isSettled } from "../../catalogue/catalogue_options.ts";
import { DAMAGED, type FactsDatabase, openFacts } from "../../catalogue/facts_database.ts";
import {
  findFact,
  type LookedUp,
  lookUp,
  putFacts,
  type SeenFiles,
} from "../../catalogue/read_facts.ts";
import { isFresh, type ReadFiles } from "../../catalogue/read_part.ts";
import { sessionDigest } from "../../catalogue/session_key.ts";
import { lookAtSession } from "../../catalogue/session_state.ts";
import { PROMPT_STEPS } from "../../../core/projection/priced_tokens.ts";
import { findSums, keepSums, questionOf, type SumsBySession } from "./kept_sums.ts";
import type { ReadUsage, ResponseRow, UsageHead } from "./read_usage.ts";
import type { UsageSum } from "./usage_sums.ts";

/** The stored usage of a session, whose responses are rows of the table. */
export interface KnownUsage extends UsageHead, ReadFiles {
  digest: number;
}

export interface AskedUsage {
  session: AgentSession;
  usage: KnownUsage | ReadUsage;
  /** The files with their state before the read. Absent if the usage is not to be stored. */
  read?: SeenFiles | undefined;
}

export interface AddUpOptions {
  step_seconds: number;
  /** Reads a session again whose stored responses are damaged. Returns undefined if that fails. */
  readAnew: (one: AskedUsage, index: number) => Promise<AskedUsage | undefined>;
}

const NOTHING: ReadUsage = { models: [], threads: [""], rows: [] };

export async function addUp(
  table: UsageTable,
  asked: readonly AskedUsage[],
  { step_seconds, readAnew }: AddUpOptions,
): Promise<UsageSum[][]> {
  for (;;) {
    const sums = table.sums(asked, step_seconds);
    const known = sums.filter((one) => one !== undefined);
    if (known.length === sums.length) return known;
    for (const [index, one] of asked.entries()) {
      if (sums[index] !== undefined || isRead(one.usage)) continue;
      const anew = await readAnew(one, index);
      one.usage = anew?.usage ?? NOTHING;
      one.read = anew?.read;
    }
  }
}

const COLUMNS = 13;
/** Number of rows that one statement inserts. Each call costs as much as three rows. */
const ROWS_AT_ONCE = 10;
const PRIME = 4294967291;

/**
 * The SQL of a row's checksum: a weighted sum of all columns, with a number for a missing value. A
 * flipped bit or a swapped column changes the sum.
 */
const CHECK = [
  ...["place", "model", "thread", "cache_write_1h"],
  ...[
    ...["(key & 4294967295) + (key >> 32)", "(cost & 4294967295) + ((cost >> 32) & 4294967295)"],
    ...["seconds", "input", "output", "cache_read", "cache_write", "reasoning"],
  ].map((column) => `ifnull(${column}, 4294967290)`),
].map((column, index) => `${index + 1} * (${column})`).join(" + ");

const TOKENS = ["input", "output", "cache_read", "cache_write"]
  .map((column) => `ifnull(${column}, 0)`).join(" + ");
const PROMPT = "ifnull(input, 0) + ifnull(cache_read, 0) + ifnull(cache_write, 0)";
const STEP = PROMPT_STEPS.map((step, index) => `WHEN ${PROMPT} <= ${step} THEN ${index}`).join(" ");

/**
 * The SQL of a query's temporary tables: its sessions in order, and responses that are not stored.
 */
const TEMPORARY = `
CREATE TEMP TABLE IF NOT EXISTS asked (session INTEGER PRIMARY KEY, rank INTEGER, apart INTEGER);
CREATE TEMP TABLE IF NOT EXISTS apart AS SELECT * FROM main.response LIMIT 0;
CREATE TEMP TABLE IF NOT EXISTS owned (key INTEGER PRIMARY KEY, owner INTEGER);
DELETE FROM asked;
DELETE FROM apart;
DELETE FROM owned;`;

const ASKED = `INSERT OR IGNORE INTO asked
  SELECT value ->> 0, key, value ->> 1 FROM json_each(?)`;

const RESPONSES = `WITH one AS (
  SELECT * FROM main.response WHERE session IN (SELECT session FROM asked WHERE NOT apart)
  UNION ALL SELECT * FROM apart
)`;

/**
 * The SQL that assigns a response in several sessions to one session: the session that recorded the
 * most tokens. If several did, the first by rank gets the response.
 */
const OWNED = `INSERT INTO owned SELECT key, session FROM (
  ${RESPONSES}
  SELECT key, session, max((${TOKENS}) * 16777216 - rank) FROM one JOIN asked USING (session)
  WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1
)`;

/** The SQL of sums. `+ 0` makes texts numbers: a flipped bit may turn 0 into an empty text. */
const SUMS = `${RESPONSES}
SELECT session, thread + 0 AS thread, model + 0 AS model, seconds / CAST(? AS INTEGER) AS time,
  cost IS NULL AS unrecorded,
  CASE ${STEP} ELSE ${PROMPT_STEPS.length} END AS step,
  ifnull(owner <> session, 0) AS elsewhere,
  min(place + 0) AS first, count(*) AS messages, count(*) FILTER (WHERE ${TOKENS} > 0) AS spending,
  sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
  sum(cache_write) AS cache_write, sum(reasoning) AS reasoning,
  sum(cache_write_1h) AS cache_write_1h, total(cost) AS cost,
  sum(${CHECK}) % ${PRIME} AS digest
FROM one LEFT JOIN owned USING (key) GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY session, first`;

export class UsageTable implements Disposable {
  readonly #kept: CatalogueOptions;
  #facts: FactsDatabase;
  /** True if usage is stored on disk. False if usage is added up in memory. */
  #keeps: boolean;

  constructor(kept: CatalogueOptions = {}) {
    this.#kept = kept;
    this.#facts = openFacts(kept);
    this.#keeps = kept.folder !== undefined;
  }

  async lookUp(sessions: Parameters<typeof lookUp>[2]): Promise<LookedUp<KnownUsage>[]> {
    return await lookUp<KnownUsage>(this.#facts, "usage", sessions);
  }

  /**
   * Finds the calls and file changes of a session, if its files that were read are unchanged. A
   * file added since goes unnoticed.
   */
  findWork(session: AgentSession): UsageHead["work"] {
    const found = findFact<KnownUsage>(this.#facts, "usage", session);
    return found !== undefined && isFresh(session, found) ? found.work : undefined;
  }

  /**
   * Adds up the usage of sessions, and stores usage that was just read.
   *
   * @param asked The sessions. Among equal records of a response, the first session counts.
   * @param step_seconds The length of a time interval in seconds.
   * @returns The sums of each session. Undefined for a session whose stored responses are damaged,
   * so that it must be read again.
   */
  sums(asked: readonly AskedUsage[], step_seconds: number): (UsageSum[] | undefined)[] {
    const stored = this.#store(asked);
    const is_stored = this.#keeps && asked.every((one) => !isRead(one.usage) || stored.has(one));
    const states = asked.map(({ session, usage, read }) => ({
      ...{ session, state: isRead(usage) ? read?.state : usage.state },
    }));
    const question = is_stored ? questionOf(states, step_seconds) : undefined;
    let known: SumsBySession | undefined;
    let sums: SumsBySession;
    try {
      known = question === undefined ? undefined : findSums(this.#facts, question);
      sums = known ?? this.#facts.ask(() => this.#sumsOf(asked, stored, step_seconds));
    } catch (error) {
      if (!this.#keeps) throw error;
      // Damaged, or another process writes for long: all is added up in memory.
      this.#keeps = false;
      this.#facts.discard(error);
      this.#facts[Symbol.dispose]();
      this.#facts = openFacts({});
      return asked.map(() => undefined);
    }
    const found = asked.map(({ session, usage }) => {
      const own = sums.get(sessionDigest(session)) ?? [];
      return isRead(usage) || digestOf(own) === usage.digest ? own : undefined;
    });
    if (found.includes(undefined)) this.#facts.examine();
    else if (question !== undefined && known === undefined) keepSums(this.#facts, question, sums);
    return found;
  }

  #store(asked: readonly AskedUsage[]): ReadonlySet<AskedUsage> {
    const facts = this.#facts;
    const stored = new Set<AskedUsage>();
    const fresh = !this.#keeps
      ? []
      : asked.filter(({ usage, read }) =>
        isRead(usage) && read !== undefined && isSettled(read.state, this.#kept)
      );
    if (fresh.length === 0) return stored;
    const is_written = facts.write(() => {
      for (const one of fresh) {
        // Deleted since it was read: its rows must not come back.
        if (lookAtSession(one.session).size < 0) continue;
        putUsage(facts, one);
        stored.add(one);
      }
    });
    return is_written ? stored : new Set();
  }

  #sumsOf(
    asked: readonly AskedUsage[],
    stored: ReadonlySet<AskedUsage>,
    step_seconds: number,
  ): SumsBySession {
    const facts = this.#facts;
    facts.run(TEMPORARY);
    const ranked = asked.map((one): [key: number, apart: number] => {
      const key = sessionDigest(one.session);
      const is_apart = isRead(one.usage) && !stored.has(one);
      if (isRead(one.usage) && is_apart) insertRows(facts, "apart", key, one.usage.rows);
      return [key, Number(is_apart)];
    });
    facts.prepare(ASKED).run(JSON.stringify(ranked));
    facts.prepare(OWNED).run();
    const sums: SumsBySession = new Map();
    for (const row of facts.prepare(SUMS).iterate(step_seconds)) {
      const sum = row as unknown as UsageSum & { session: number };
      const known = sums.get(sum.session);
      if (known === undefined) sums.set(sum.session, [sum]);
      else known.push(sum);
    }
    return sums;
  }

  [Symbol.dispose](): void {
    this.#facts[Symbol.dispose]();
  }
}

export function isRead(usage: KnownUsage | ReadUsage): usage is ReadUsage {
  return "rows" in usage;
}

function digestOf(sums: readonly UsageSum[]): number {
  return sums.reduce((sum, { digest }) => sum + digest, 0) % PRIME;
}

function putUsage(facts: FactsDatabase, { session, usage, read }: AskedUsage): void {
  if (!isRead(usage) || read === undefined) return;
  const key = sessionDigest(session);
  facts.prepare("DELETE FROM response WHERE session = ?").run(key);
  insertRows(facts, "response", key, usage.rows);
  const check = `SELECT count(*) AS count, ifnull(sum(${CHECK}), 0) % ${PRIME} AS digest`;
  const found = facts.prepare(`${check} FROM response WHERE session = ?`).get(key) ?? {};
  // A flipped bit in the order of rows hides some from SQLite.
  if (found.count !== usage.rows.length) throw new Error(DAMAGED);
  const { rows: _rows, ...head } = usage;
  putFacts(facts, "usage", session, read, { ...head, digest: Number(found.digest) });
}

function insertRows(
  facts: FactsDatabase,
  table: "apart" | "response",
  session: number,
  rows: readonly ResponseRow[],
): void {
  const row = `(${Array(COLUMNS).fill("?").join(", ")})`;
  for (let place = 0; place < rows.length; place += ROWS_AT_ONCE) {
    const some = rows.slice(place, place + ROWS_AT_ONCE);
    const values = some.flatMap((one, index) => [session, place + index, ...one]);
    facts.prepare(`INSERT INTO ${table} VALUES ${some.map(() => row).join(", ")}`).run(...values);
  }
}
