/** The names and rows of sessions with hits. */
import { rowsOf } from "../query/candidate.ts";
import type { SessionEntry } from "../query/query.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { shortIds } from "../../text/render/short_id.ts";

/** The short name of a session, unique among those that were searched, and the session's row. */
export interface HitRow {
  name: string;
  summary: Summary;
}

/** Returns the rows of sessions by reference. Sessions that cannot be read are left out. */
export async function hitRows(
  entries: readonly SessionEntry[],
  refs: ReadonlySet<string>,
): Promise<Map<string, HitRow>> {
  const ids = shortIds(
    entries.map(({ session: { agent, id: session_id }, ref }) => ({ agent, session_id, ref })),
  );
  const names = new Map(entries.map(({ ref }, index) => [ref, ids[index] ?? ref]));
  const rows = await rowsOf(entries.filter(({ ref }) => refs.has(ref)));
  return new Map(
    rows.map((summary) => [summary.ref, { summary, name: names.get(summary.ref) ?? summary.ref }]),
  );
}
