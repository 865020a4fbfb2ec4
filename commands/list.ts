/** `reprise list` */
import { resolve } from "node:path";
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { Summary } from "../lib/projection/summary_row.ts";
import { type ListOptions, selectSummaries } from "../lib/session/list_sessions.ts";
import type { SessionStore } from "../lib/session/session_store.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import { agentOption } from "./_agent_option.ts";
import { type Context, wantsColor } from "./_context.ts";
import { limitNote } from "./_limit_note.ts";
import { say } from "./_message.ts";
import { parseCount } from "./_number.ts";
import { directOutput, pagedOutput } from "./_pager.ts";
import { contextStore } from "./_store.ts";
import { parseSince, timeFormat } from "./_time.ts";

interface ListFlags {
  all?: true;
  cwd?: string;
  since?: Date;
  title?: string;
  archived?: true;
  exact?: true;
  agent?: string;
  number?: number;
  json?: true;
}

/** Lists sessions. */
export function listCommand(context: Context): Command {
  return new Command("list")
    .summary("list this directory's sessions")
    .description("List the sessions of this directory, the newest update first.")
    .option("-a, --all", "of all directories")
    .addOption(new Option("--cwd <dir>", "of another directory").conflicts("all"))
    .option(
      "--since <time>",
      "updated since: 30m, 12h, 7d, 2w, or a date",
      (text) => parseSince(text, context.now()),
    )
    .option("--title <text>", "whose title has this text")
    .option("--archived", "the archived ones instead")
    .option("--exact", "read logs in full where their ends do not tell the counts")
    .addOption(agentOption("of another agent, read in place, or of all"))
    .option("-n, --number <count>", "at most so many", parseCount)
    .option("--json", "one summary a line")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise list --all --since 7d\n  reprise list --json | jq -r .ref\n  reprise list --agent all",
    )
    .action((flags) => list(context, flags)) as unknown as Command;
}

async function list(context: Context, flags: ListFlags): Promise<void> {
  const cwd = flags.all ? undefined : realDirectory(resolve(context.cwd, flags.cwd ?? "."));
  const store = contextStore(context);
  const unread = new Set<string>();
  const options: ListOptions = {
    ...(cwd === undefined ? {} : { cwd }),
    ...(flags.since === undefined ? {} : { since: flags.since }),
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(flags.number === undefined ? {} : { limit: flags.number }),
    archived: flags.archived ?? false,
    exact: flags.exact ?? false,
    onError: (error) => unread.add(error.message),
  };
  const rows = await readRows(context, store, options, flags.agent);
  for (const message of unread) await say(context, `reprise: ${message}`);
  if (flags.json) return await printJson(context, rows);
  if (rows.length === 0) await say(context, emptyState(flags, cwd));
  else await printTable(context, rows, flags.all ?? false);
  if (flags.agent !== undefined && flags.agent !== "reprise") {
    const { tellExpiry } = await import("./_expiry.ts");
    await tellExpiry(context, flags.agent, rows, cwd);
  }
  const note = await limitNote(context, store);
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

/** Our sessions, or those of other agents, or with `all` both. */
async function readRows(
  context: Context,
  store: SessionStore,
  options: ListOptions,
  agent: string | undefined,
): Promise<Summary[]> {
  if (agent === undefined || agent === "reprise") return await store.list(options);
  if (agent === "all") {
    const { listAllAgents } = await import("./_all_agents.ts");
    return await listAllAgents(context, store, options);
  }
  const { listForeign } = await import("./_foreign.ts");
  return selectSummaries(await listForeign(context, agent, store.root, options), options);
}

async function printJson(context: Context, rows: readonly Summary[]): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  for (const row of rows) context.stdout.write(toJsonLine(row));
}

const RECORD_ADVICE =
  "Make one: reprise chat; or pipe an agent's events in (see: reprise record --help)";

/** Nothing to list: why, and what to do. */
function emptyState(flags: ListFlags, cwd: string | undefined): string {
  const { agent, since, title, archived } = flags;
  const place = cwd === undefined ? "" : ` of ${cwd}`;
  const who = agent === undefined ? "" : ` --agent ${agent}`;
  const elsewhere = cwd === undefined ? [] : [`Look everywhere: reprise list --all${who}`];
  if (since !== undefined || title !== undefined || archived) {
    const same = elsewhere.length === 0 ? [] : ["Look everywhere: the same options with --all"];
    return [`No session${place} fits all of these options`, ...same].join("\n");
  }
  if (agent !== undefined) {
    const whose = agent === "all" ? "any agent" : agent;
    return [`No sessions${place} by ${whose}`, ...elsewhere].join("\n");
  }
  return [
    `No sessions${place} yet`,
    ...elsewhere,
    "Other agents keep some here? reprise list --agent all",
    RECORD_ADVICE,
  ].join("\n");
}
