/** Usage of one session by itself, whatever other sessions hold. */
import type { TokenUsage } from "../../event/payload.ts";
import { type CostSum, costSumOf } from "../../projection/cost_sum.ts";
import type { Estimate } from "../../projection/priced_tokens.ts";
import { addUsage } from "../../projection/token_usage.ts";
import type { UsageRow } from "../../projection/usage_rows.ts";
import type { SessionReader } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { lookAtSession } from "../catalogue/session_state.ts";
import { UsageFile } from "../catalogue/usage_file.ts";
import { keepCounts } from "../keep_counts.ts";
import { CountedUsage } from "./counted_usage.ts";
import { type PackedUsage, packUsage } from "./packed_usage.ts";
import { SessionRows, type SessionRowsOptions } from "./session_rows.ts";

/**
 * Adds up the responses of all threads of a session, by day and model. Lists and statistics then know
 * them, if they know the session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function sessionUsage(
  reader: SessionReader,
  options: SessionRowsOptions,
  kept: CatalogueOptions = {},
): Promise<UsageRow[]> {
  const { session } = reader;
  const files = isListed(kept, reader) ? (await reader.files())?.paths : undefined;
  if (files === undefined) return rowsOf(await readPackedUsage(reader), options);
  const seen = lookAtSession(session, files);
  const file = new UsageFile(kept);
  const known = file.find(session, seen);
  const usage = known ?? await readPackedUsage(reader);
  const rows = rowsOf(usage, options);
  if (known !== undefined) return rows;
  file.put(session, { files, state: seen }, usage);
  file.save();
  const { changed: _, ...state } = seen;
  const { estimate } = options;
  if (estimate) keepCounts(kept, session, { files, state }, rowCounts(spentIn(usage, estimate)));
  return rows;
}

function rowsOf(usage: PackedUsage, options: SessionRowsOptions, thread?: string): UsageRow[] {
  const counted = new CountedUsage();
  counted.add(usage);
  return new SessionRows(counted, options).of(0, thread);
}

/** Tokens and cost of a session, or of one of its threads. */
export interface Spent extends CostSum {
  /** Tokens; `input` never includes what came from a cache. */
  usage: TokenUsage;
  /** The part of a session's main thread, if other threads took something too. */
  main?: Spent;
}

/**
 * Adds up what a session took by itself, whatever other sessions hold.
 */
export function spentIn(usage: PackedUsage, estimate?: Estimate): Spent {
  const all = spentBy(usage, estimate);
  return usage.threads.length === 1 ? all : { ...all, main: spentBy(usage, estimate, "") };
}

/** Returns the counts of a row. A fork that took nothing yet keeps the tokens of what it goes on from. */
export function rowCounts({ usage, ...cost }: Spent): Partial<Spent> {
  return Object.keys(usage).length > 0 ? { usage, ...cost } : cost;
}

/**
 * Adds up what each thread of a session took, by its id.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function spentByThreads(
  reader: SessionReader,
  estimate?: Estimate,
): Promise<Map<string, Spent>> {
  const usage = await readPackedUsage(reader);
  return new Map(
    usage.threads.map((thread) => [thread || MAIN_THREAD, spentBy(usage, estimate, thread)]),
  );
}

function spentBy(packed: PackedUsage, estimate?: Estimate, thread?: string): Spent {
  const rows = rowsOf(packed, { dayOf: utcDay, estimate }, thread);
  const usage: TokenUsage = {};
  for (const row of rows) addUsage(usage, row.usage);
  return { usage, ...costSumOf(rows) };
}

/** True for another agent's session that lists know. What a log took depends on its originals. */
function isListed(kept: CatalogueOptions, { log, session }: SessionReader): boolean {
  if (kept.folder === undefined || log !== undefined) return false;
  const catalogue = new Catalogue(kept);
  try {
    return catalogue.lastRow(session) !== undefined;
  } finally {
    catalogue.close();
  }
}

/** Returns the day of a time in UTC. */
export function utcDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/**
 * Reads what a session took.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readPackedUsage(reader: SessionReader): Promise<PackedUsage> {
  return packUsage((await Array.fromAsync(reader.usage())).flat());
}
