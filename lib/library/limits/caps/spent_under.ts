/** Adds up the cost that counts under a cap. An unknown cost counts as zero. */
import { type CostSum, costSumOf } from "../../../core/projection/cost_sum.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";
import type { Cap } from "../../../core/workspace/caps_file.ts";
import type { Library } from "../../library.ts";
import type { SessionHandle } from "../../handle/session_handle.ts";
import { usageOf } from "../../query/usage_of.ts";

/** Maximum bytes to read of sessions other than the current one. A later call reads the rest. */
const MOST_READ = 8 * 1024 * 1024;

export interface SpentOptions {
  session?: SessionHandle | undefined;
  estimate: Estimate;
  now: Date;
}

export async function spentUnder(
  library: Library,
  { scope, set_at, project }: Cap,
  { session, estimate, now }: SpentOptions,
): Promise<CostSum> {
  if (scope === "session") {
    return session === undefined ? {} : costSumOf(await session.usage({ estimate }));
  }
  const since = scope === "day" ? new Date(now).setHours(0, 0, 0, 0) : Date.parse(set_at);
  const { entries } = await library.query({
    ...{ since: new Date(since), archived: "any" },
    ...project === undefined ? { scope: "all" } : { scope: "here", cwd: project },
  });
  const own = entries.find(({ ref }) => ref === session?.ref)?.state?.size ?? 0;
  const used = await usageOf(entries, {
    ...{ estimate, kept: library.kept, most_bytes_read: MOST_READ + own, step_seconds: 60 },
    dayOf: (milliseconds) => new Date(milliseconds).toISOString(),
  });
  // A minute that began before the cap was set counts whole.
  const from = since - since % 60_000;
  return costSumOf(used.flatMap(({ rows }) => rows.filter(({ day }) => Date.parse(day) >= from)));
}
