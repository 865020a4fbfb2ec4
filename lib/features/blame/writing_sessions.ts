/** Lists the sessions that wrote the lines of commits, and adds up the sessions' costs. */
import { present } from "../../core/event/present.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { loadPrices } from "../../library/counts/usage/load_prices.ts";
import { costNotes, formatCost } from "../../text/render/usage_text.ts";
import type { Library } from "../../library/library.ts";
import type { WritingSession } from "../../text/render/commit_table.ts";
import { originTitle } from "../../text/render/origin_title.ts";
import { costText } from "../../text/render/session_table.ts";
import { shortIds } from "../../text/render/short_id.ts";
import { firstLine } from "../../text/render/text_width.ts";
import type { CommitBlame, SessionLines } from "./blame_commits.ts";

/**
 * Returns text lines with the total cost of the sessions. The cost includes work that did not go
 * into the blamed commits. Empty if no session has a cost.
 */
export async function costLines(sessions: readonly SessionLines[]): Promise<string[]> {
  const rows = sessions.flatMap(({ row }) => row ?? []);
  const costs = rows.flatMap(({ cost_usd }) => cost_usd ?? []);
  if (costs.length === 0) return [];
  const sum: CostSum = present({
    cost_usd: costs.reduce((all, one) => all + one, 0),
    cost_estimated: rows.some(({ cost_estimated }) => cost_estimated) ? true as const : undefined,
    unknown_models: [...new Set(rows.flatMap(({ unknown_models = [] }) => unknown_models))].sort(),
  });
  return [
    `Total cost of these sessions, including their work on other commits: ${formatCost(sum)}`,
    ...costNotes(sum, (await loadPrices()).as_of),
  ];
}

/** Returns the sessions for a table, each by the shortest name that no other session has. */
export function writingSessions(
  library: Library,
  { sessions, searched }: CommitBlame,
): WritingSession[] {
  const short = shortIds(searched);
  const ids = new Map(searched.map(({ ref }, index) => [ref, short[index]]));
  return sessions.map(({ ref, agent, row, prompts, proven, likely }) => {
    const place = ids.get(ref) ?? ref;
    return {
      ...{ proven, likely, place, agent: library.titleOf(agent) },
      title: row === undefined ? "" : originTitle(row),
      cost: row === undefined ? "-" : costText(row),
      prompts: prompts.map(({ prompt, thread, ...lines }) => ({
        ...lines,
        place: `${place}${thread === undefined ? "" : `~${thread}`}${
          prompt === undefined ? "" : `#${prompt.seq}`
        }`,
        title: firstLine(prompt?.text ?? "", Infinity),
        // Without a prompt, the row would repeat the row of the session.
      })).filter((row) => row.place !== place),
    };
  });
}
