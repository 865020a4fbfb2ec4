/** `--here`, `--all`, `--cwd`, `--project` and `--agent`: the scope of a command's sessions. */
import type { AgentName } from "../lib/core/event/agent_name.ts";
import type { Library } from "../lib/library/library.ts";
import type { FoundSessions, QueryOptions, Scope } from "../lib/library/query/query.ts";
import { leftOutUndated } from "../lib/text/render/undated.ts";
import { asksWords } from "../lib/core/store/session_words.ts";
import { projectDirectories, projectOf } from "../lib/core/workspace/project.ts";
import { namedPath, sessionDirectory } from "../lib/core/workspace/session_directory.ts";
import { type Context, isDirectory } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import type { ScopeFlags } from "./_scope_flags.ts";
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import { spokenStretch } from "./_spoken_time.ts";
import type { WrittenTime } from "./_values.ts";

const MOST_KNOWN = 8;

export function agentsOf(agent: string | undefined): AgentName[] | undefined {
  return agent === undefined || agent === "all" ? undefined : [agent as AgentName];
}

function scopeOf({ all, here, cwd, project }: ScopeFlags): Scope {
  if (all) return "all";
  return here || (cwd ?? project) !== undefined ? "here" : "project";
}

/** Prints the dates that words such as `last week` stand for. Prints nothing with `--json`. */
export async function sayDays(
  context: Context,
  { since, until, json }: { since?: WrittenTime; until?: WrittenTime; json?: true },
): Promise<void> {
  const stretches = [since, until].map((time) => spokenStretch(time?.written ?? "", context.now()));
  if (json || !stretches.some(Boolean)) return;
  const { localDay } = await import("../lib/text/render/local_time.ts");
  const [first, last] = [since && localDay(since), localDay(until ?? context.now())];
  const start = first === undefined ? "until " : first === last ? "" : `${first} to `;
  const [stretch] = stretches;
  const is_over = until === undefined && stretch !== undefined && stretch.last < context.now();
  const word = since?.written ?? "";
  const quoted = word.includes(" ") ? `"${word}"` : word;
  await say(
    context,
    `${start}${last}${is_over ? `; for ${word} alone, add --until ${quoted}` : ""}`,
  );
}

/**
 * Lists the sessions in the flags' scope. If none matches in the project, lists all projects and
 * reports this on stderr. For exact results, shows the progress of reading and fills in the costs.
 */
export async function findScoped(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: Omit<QueryOptions, "agents" | "scope" | "cwd"> = {},
): Promise<FoundSessions> {
  const cwd = namedPath(context.cwd, flags.cwd ?? ".");
  const where = {
    ...{ agents: agentsOf(flags.agent), scope: scopeOf(flags), cwd },
    directories: await projectNamed(context, library, flags.project),
  };
  const exact = options.exact === true || asksWords(options, "whole");
  const find = (onProgress?: QueryOptions["onProgress"]): Promise<FoundSessions> =>
    library.query({ ...options, ...where, exact, onProgress });
  const found = exact ? await readWhole(context, find) : await find();
  if (exact) await library.fillCosts(found.entries);
  if (found.widened && found.entries.length > 0) {
    const is_filtered = (options.since ?? options.until) !== undefined || asksWords(options);
    const none = is_filtered ? "No session of this project matches" : "No sessions of this project";
    await say(context, `${none} (${cwd}). Showing all projects. To show only this one: --here`);
  }
  if (found.undated > 0) {
    const left_out = leftOutUndated(found.undated);
    await say(context, `reprise: ${left_out}. To include these sessions: reprise list --undated`);
  }
  return found;
}

/**
 * Says at a terminal that the command used only this project, unless a flag chose the project.
 *
 * @param done What was done with the sessions.
 */
export async function tellScope(
  context: Context,
  { directories }: Pick<FoundSessions, "directories">,
  { here, cwd, project, json }: ScopeFlags & { json?: true },
  done: "counted" | "listed" | "searched" | "summarized",
): Promise<void> {
  const is_asked = here || (cwd ?? project) !== undefined;
  if (directories === undefined || is_asked || json || !context.stdout.terminal) return;
  await say(context, `Only this project was ${done}. For all projects, add --all`);
}

async function readWhole(
  context: Context,
  find: (onProgress: QueryOptions["onProgress"]) => Promise<FoundSessions>,
): Promise<FoundSessions> {
  const { withProgress } = await import("../lib/frontends/ui/progress.ts");
  return await withProgress(context, "Reading sessions", find);
}

/**
 * Returns the directories of `--project`, which is a directory or a part of a project's name.
 *
 * @throws {UsageError} If no session has such a project.
 */
export async function projectNamed(
  context: Context,
  library: Library,
  given: string | undefined,
): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined;
  const path = namedPath(context.cwd, given);
  if (/[\\/]|^\.*$/.test(given)) return projectDirectories(path);
  const { entries } = await library.query({ archived: "any" });
  const projects = [
    ...new Set([...new Set(entries.flatMap(({ cwd }) => cwd ?? []))].map(projectOf)),
  ];
  const nameOf = (one: string): string => /[^\\/]*[\\/]*$/.exec(one)?.[0].toLowerCase() ?? "";
  const exact = projects.filter((one) => nameOf(one) === given.toLowerCase());
  const alike = projects.filter((one) => nameOf(one).includes(given.toLowerCase()));
  const chosen = exact.length > 0 ? exact : alike;
  if (chosen.length > 0) {
    return chosen.flatMap((one) => sessionDirectory(one)?.local ? projectDirectories(one) : [one]);
  }
  if (isDirectory(path)) return projectDirectories(path);
  const names = [...new Set(projects.map(nameOf))];
  const near = nearestWord(given, names);
  const known = near === undefined
    ? `Existing projects include: ${names.slice(0, MOST_KNOWN).join(", ") || "none"}`
    : `Did you mean ${near}?`;
  throw new UsageError(
    `Cannot find project "${given}": no session belongs to it. ${known}`,
  );
}
