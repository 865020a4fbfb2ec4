/** Usage of one session by itself, whatever other sessions hold. */
import { costSumOf } from "../../projection/cost_sum.ts";
import type { UsageRow } from "../../projection/usage_rows.ts";
import type { SessionReader } from "../../source/agent.ts";
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
  const estimated = options.estimate !== undefined;
  if (estimated) keepCounts(kept, session, { files, state }, costSumOf(rows));
  return rows;
}

function rowsOf(usage: PackedUsage, options: SessionRowsOptions): UsageRow[] {
  const counted = new CountedUsage();
  counted.add(usage);
  return new SessionRows(counted, options).of(0);
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
