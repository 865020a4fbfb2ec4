/** Names of the groups of `stats`, as its table shows them. */
import type { SessionOrder } from "../../lib/core/store/session_order.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { UsageTotal } from "../../lib/core/projection/usage_totals.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import type { HitRow } from "../../lib/library/search/hit_rows.ts";
import type { UsageTableOptions } from "../../lib/text/render/usage_table.ts";
import type { Context } from "../_context.ts";

/** Maximum columns of a project's name on a terminal. */
const WIDEST_PROJECT = 20;

/** Returns a function that names groups. For sessions, also returns columns such as the title. */
export async function namesOf(
  { stdout: { terminal }, variable }: Context,
  { by, sort }: { by: string; sort?: SessionOrder },
  groups: readonly UsageTotal[],
  entries: readonly SessionEntry[],
): Promise<Pick<UsageTableOptions, "name_of" | "texts">> {
  const { directoryText } = await import("../../lib/text/render/path_text.ts");
  const home = homeFolder(variable);
  const directory = (path?: string): string => terminal ? directoryText(path, home) : path ?? "-";
  if (by === "project" || by === "directory") return { name_of: (path) => path && directory(path) };
  if (by !== "session") return {};
  const { hitRows } = await import("../../lib/library/search/hit_rows.ts");
  const { activeText } = await import("../../lib/text/render/session_table.ts");
  const { originTitle } = await import("../../lib/text/render/origin_title.ts");
  const { cutStart } = await import("../../lib/text/render/text_width.ts");
  const refs = groups.flatMap(({ group, subgroup = group }) => [group, subgroup]);
  const rows = await hitRows(entries, new Set(refs));
  const room = terminal ? WIDEST_PROJECT : Infinity;
  const cells = (cell: (row: Summary) => string): string[] =>
    groups.map(({ group }) => rows.has(group) ? cell((rows.get(group) as HitRow).summary) : "-");
  return {
    name_of: (ref) => terminal ? rows.get(ref)?.name ?? ref : ref,
    texts: [
      ...sort === "duration" ? [{ name: sort, cells: cells(activeText), weight: 6 }] : [],
      { name: "project", cells: cells(({ cwd }) => cutStart(directory(cwd), room)), weight: 5 },
      { name: "title", cells: cells(originTitle) },
    ],
  };
}
