/** The names and rows of sessions with hits. */
import { rowsOf } from "../query/candidate.ts";
import type { SessionEntry } from "../query/query.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { shortIds } from "../../text/render/short_id.ts";

/** A session's row, with a short name that is unique among the searched sessions. */
export interface HitRow {
  name: string;
  summary: Summary;
}

/** Leaves out sessions that cannot be read. */
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
