/** Usage of one session by itself, whatever other sessions hold. */
import type { UsageRow } from "../../projection/usage_rows.ts";
import type { Estimate } from "../../projection/priced_tokens.ts";
import type { SessionReader } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { lookAtSession } from "../catalogue/session_state.ts";
import { keepReads } from "../keep_counts.ts";
import { readUsage } from "./read_usage.ts";
import {
  QUARTER_SECONDS,
  rowCounts,
  SessionRows,
  type SessionRowsOptions,
  type Spent,
  spentIn,
  type UsageSum,
} from "./usage_sums.ts";
import { addUp, type AskedUsage, isRead, UsageTable } from "./usage_table.ts";

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
  const { step_seconds = QUARTER_SECONDS, estimate } = options;
  const { session } = reader;
  const { asked, sums } = await sumsOf(reader, isListed(kept, reader) ? kept : {}, step_seconds);
  if (estimate !== undefined && isRead(asked.usage) && asked.read !== undefined) {
    const counts = rowCounts(spentIn(asked.usage, sums, { estimate, step_seconds }));
    keepReads(kept, [{ session, files: asked.read, counts }]);
  }
  return new SessionRows(options).of(asked.usage, sums);
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
  const files = kept.folder === undefined ? undefined : (await reader.files())?.paths;
  const read = files && { files, state: lookAtSession(session, files) };
  using table = new UsageTable(kept);
  const readAnew = async (): Promise<AskedUsage> => ({
    ...{ session, usage: await readUsage(reader), read },
  });
  const [known] = table.find([{ session, state: read?.state }]);
  const asked = known === undefined ? await readAnew() : { session, usage: known };
  const [sums = []] = await addUp(table, [asked], { step_seconds, readAnew });
  return { asked, sums };
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
