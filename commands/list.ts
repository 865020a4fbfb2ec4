/** `reprise list` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Summary } from "../lib/projection/summary_row.ts";
import { type Context, wantsColor } from "./_context.ts";
import { limitNote } from "./_limit_note.ts";
import { say } from "./_message.ts";
import { parseCount } from "./_number.ts";
import { directOutput, pagedOutput } from "./_pager.ts";
import { listScoped, type ScopeFlags, scopeOptions } from "./_scope.ts";
import { contextLibrary } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { parseSince, timeFormat } from "./_time.ts";

interface ListFlags extends ScopeFlags {
  since?: Date;
  title?: string;
  archived?: true;
  exact?: true;
  number?: number;
  json?: true;
}

/** Lists sessions. */
export function listCommand(context: Context): Command {
  const { here, all, cwd, agent } = scopeOptions();
  return new Command("list")
    .summary("list this project's sessions, of all agents")
    .description(
      "List the sessions of this project, the newest update first: of its directory, of\n" +
        "what is below it, and of its other git work trees. Where it has none, list all.",
    )
    .addOption(all)
    .addOption(here)
    .addOption(cwd)
    .addOption(agent)
    .option(
      "--since <time>",
      "updated since: 30m, 12h, 7d, 2w, or a date",
      (text) => parseSince(text, context.now()),
    )
    .option("--title <text>", "whose title has this text")
    .option("--archived", "the archived ones instead")
    .option("--exact", "read sessions in full where their ends do not tell the counts")
    .option("-n, --number <count>", "maximum number of rows", parseCount)
    .option("--json", "one summary a line")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise list --all --since 7d\n  reprise list --json | jq -r .ref\n  reprise list --agent claude",
    )
    .action((flags) => list(context, flags as ListFlags)) as unknown as Command;
}

async function list(context: Context, flags: ListFlags): Promise<void> {
  const library = await contextLibrary(context);
  const unread = new Set<string>();
  const { entries, directories } = await listScoped(context, library, flags, {
    ...(flags.since === undefined ? {} : { since: flags.since }),
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(flags.number === undefined ? {} : { limit: flags.number }),
    archived: flags.archived ?? false,
    exact: flags.exact ?? false,
    onError: (error) => unread.add(error.message),
  });
  const rows = entries.map(({ row }) => row);
  for (const message of unread) await say(context, `reprise: ${message}`);
  if (flags.json) return await printJson(context, rows);
  if (rows.length === 0) await say(context, emptyState(flags, directories));
  else await printTable(context, rows, directories === undefined);
  if (rows.length > 0) {
    const { tellExpiry } = await import("./_expiry.ts");
    await tellExpiry(context, library, rows, directories?.[0]);
  }
  const note = await limitNote(context, contextStore(context));
  if (note !== undefined) await say(context, note);
}

async function printTable(
  context: Context,
  rows: readonly Summary[],
  with_directory: boolean,
): Promise<void> {
  const { renderSessionTable } = await import("../lib/render/session_table.ts");
  const { stdout } = context;
  const home = context.variable("HOME");
  // A line for the columns' names, one for the prompt that follows.
  const output = rows.length + 2 > stdout.height ? pagedOutput(context) : directOutput(stdout);
  output.write(renderSessionTable(rows, {
    width: stdout.terminal ? stdout.width : Infinity,
    color: wantsColor(context, stdout),
    with_directory,
    format_time: timeFormat(context),
    ...(home === undefined ? {} : { home }),
  }));
  await output.close();
}

async function printJson(context: Context, rows: readonly Summary[]): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  for (const row of rows) context.stdout.write(toJsonLine(row));
}

const RECORD_ADVICE =
  "Make one: reprise chat; or pipe an agent's events in (see: reprise record --help)";

/** Nothing to list: why, and what to do. */
function emptyState(flags: ListFlags, directories: readonly string[] | undefined): string {
  const { agent, since, title, archived } = flags;
  const place = directories === undefined ? "" : ` of ${directories[0]}`;
  const elsewhere = directories === undefined ? [] : ["Look everywhere: the same with --all"];
  if (since !== undefined || title !== undefined || archived) {
    return [`No session${place} fits all of these options`, ...elsewhere].join("\n");
  }
  if (agent !== undefined && agent !== "all" && agent !== "reprise") {
    return [`No sessions${place} by ${agent}`, ...elsewhere].join("\n");
  }
  return [`No sessions${place} yet`, ...elsewhere, RECORD_ADVICE].join("\n");
}
