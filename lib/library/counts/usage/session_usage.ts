/** Usage of one session, including responses that count in other sessions. */
import type { UsageRow } from "../../../core/projection/usage_rows.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";
import type { SessionReader } from "../../../agents/contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../../catalogue/catalogue_options.ts";
import { keepReads } from "../keep_counts.ts";
import { readUsage } from "./read_usage.ts";
import {
  DayRows,
  QUARTER_SECONDS,
  rowCounts,
  type SessionRowsOptions,
  type Spent,
  spentIn,
  type UsageSum,
} from "./usage_sums.ts";
import { addUp, type AskedUsage, isRead, UsageTable } from "./usage_table.ts";

/**
 * Adds up the responses of all threads of a session, by day and model. Stores the sums for lists
 * and statistics, if the catalogue has the session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function sessionUsage(
  reader: SessionReader,
  options: SessionRowsOptions,
  kept: CatalogueOptions = {},
): Promise<UsageRow[]> {
  const { step_seconds = QUARTER_SECONDS, estimate } = options;
  const { session } = reader;
  const { asked, sums } = await sumsOf(reader, isListed(kept, reader) ? kept : {}, step_seconds);
  if (estimate !== undefined && isRead(asked.usage) && asked.read !== undefined) {
    const counts = rowCounts(spentIn(asked.usage, sums, { estimate, step_seconds }));
    keepReads(kept, [{ session, files: asked.read, counts }]);
  }
  return new DayRows(options).of(asked.usage, sums);
}

/**
 * Adds up tokens and cost of each thread of a session, by the thread's id.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function spentByThreads(
  reader: SessionReader,
  estimate?: Estimate,
): Promise<Map<string, Spent>> {
  const { asked: { usage }, sums } = await sumsOf(reader, {}, QUARTER_SECONDS);
  return new Map(usage.threads.map((thread, index) => {
    const own = { models: usage.models, threads: [thread] };
    const taken = sums.filter((sum) => sum.thread === index);
    return [thread || MAIN_THREAD, spentIn(own, taken, { estimate })];
  }));
}

async function sumsOf(
  reader: SessionReader,
  kept: CatalogueOptions,
  step_seconds: number,
): Promise<{ asked: AskedUsage; sums: UsageSum[] }> {
  const { session } = reader;
  using table = new UsageTable(kept);
  const [{ files: read, facts } = {}] = await table.lookUp([{ session }]);
  const readAnew = async (): Promise<AskedUsage> => ({
    ...{ session, usage: await readUsage(reader), read },
  });
  const asked = facts === undefined ? await readAnew() : { session, usage: facts };
  const [sums = []] = await addUp(table, [asked], { step_seconds, readAnew });
  return { asked, sums };
}

/**
 * True if the catalogue has a session that is no Reprise log. Usage of a log cannot be stored: it
 * also depends on the sessions from which the log was copied.
 */
function isListed(kept: CatalogueOptions, { log, session }: SessionReader): boolean {
  if (kept.folder === undefined || log !== undefined) return false;
  using catalogue = new Catalogue(kept);
  return catalogue.lastRow(session) !== undefined;
}
