/** Lists the sessions of a team's store: `reprise list --remote`. Nothing is downloaded. */
import type { SharedRow } from "../../lib/features/team/remote_rows.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { asksWords } from "../../lib/core/store/session_words.ts";
import { isInProject, projectDirectories } from "../../lib/core/workspace/project.ts";
import { namedPath } from "../../lib/core/workspace/session_directory.ts";
import { type Context, listTimeFormat, wantsColor } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { printJsonLines, say } from "../_message.ts";
import { printPaged } from "../_pager.ts";
import { knownIdentities, neededSettings, withTeamStore } from "../sync/connection.ts";
import type { ListFlags } from "./list_flags.ts";

/** Default number of rows, because a team may have 100,000. */
const USUAL_COUNT = 50;

/** Lists the newest sessions of the store, of this project or of all. */
export async function listRemote(context: Context, flags: ListFlags): Promise<void> {
  const { archived, exact, since, until, file, maxChars, cursor, root, project } = flags;
  const others = [since, until, file, maxChars, cursor, root, project];
  if (archived || exact || asksWords(flags) || others.some((value) => value !== undefined)) {
    throw new UsageError("--remote works only with --all, --here, --cwd, --agent, -n and --json");
  }
  const settings = await neededSettings(context, "list shared sessions");
  const projects = flags.all ? [] : await projectsHere(context, settings, flags);
  const limit = flags.limit ?? USUAL_COUNT;
  const { rows, widened } = await rowsOf(context, settings, projects, { ...flags, limit });
  if (flags.json) return await printJsonLines(context, rows);
  if (widened && rows.length > 0) {
    await say(
      context,
      "No shared sessions of this project. Showing all projects. To show only this one: --here",
    );
  }
  if (rows.length === 0) return await say(context, "No shared sessions" + (widened ? " yet" : ""));
  await printShared(context, rows, flags.all === true || widened);
  if (rows.length === limit) {
    await say(context, `Showing the newest ${limit}. To see more: -n COUNT`);
  }
}

/** Returns names of the project around a directory: the added name, and its git remote's. */
async function projectsHere(
  context: Context,
  { projects }: SyncSettings,
  { cwd = "." }: ListFlags,
): Promise<string[]> {
  const directories = projectDirectories(namedPath(context.cwd, cwd));
  const [top = context.cwd] = directories;
  const added = projects.filter(({ directory }) =>
    isInProject(directory, directories) || isInProject(top, [directory])
  );
  const { projectId } = await import("../../lib/features/team/project_id.ts");
  const named = projectId(top);
  return [
    ...new Set([...added.map(({ project }) => project), ...named === undefined ? [] : [named]]),
  ];
}

async function rowsOf(
  context: Context,
  settings: SyncSettings,
  projects: readonly string[],
  { all, here, cwd, agent = "all", limit }: ListFlags & { limit: number },
): Promise<{ rows: SharedRow[]; widened: boolean }> {
  const { listShared } = await import("../../lib/features/team/remote_rows.ts");
  const identities = await knownIdentities(context, settings);
  return await withTeamStore(context, settings, async (store) => {
    const greeting = await store.hello(settings.device);
    const wanted = (rows: SharedRow[]): SharedRow[] =>
      agent === "all" ? rows : rows.filter((row) => row.agent === agent);
    const own: SharedRow[] = [];
    for (const project of projects) {
      for (const one of wanted(await listShared(store, greeting, { project, limit }, identities))) {
        own.push(one);
      }
    }
    if (own.length > 0 || here || cwd !== undefined) {
      const latest = own.sort((one, other) => one.changed_at < other.changed_at ? 1 : -1);
      return { rows: latest.slice(0, limit).sort(newerFirst), widened: false };
    }
    const rows = wanted(await listShared(store, greeting, { limit }, identities));
    return { rows: rows.sort(newerFirst), widened: !all };
  });
}

/** Compares rows for the order of all lists, newest first. The store orders by the last push. */
function newerFirst(one: SharedRow, other: SharedRow): number {
  const [time, later] = [one, other].map((row) => row.updated_at ?? row.changed_at);
  return (time ?? "") < (later ?? "") ? 1 : -1;
}

export async function printShared(
  context: Context,
  rows: readonly SharedRow[],
  with_project: boolean,
): Promise<void> {
  const { renderSharedTable } = await import("../../lib/text/render/shared_table.ts");
  const { stdout } = context;
  const table = renderSharedTable(rows, {
    width: stdout.terminal ? stdout.width : Infinity,
    color: wantsColor(context, stdout),
    with_project,
    format_time: listTimeFormat(context),
  });
  await printPaged(context, table);
}
