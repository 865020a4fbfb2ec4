/**
 * Which sessions a command line names to be searched, and what a list shows of them.
 */
import { dirname } from "node:path";
import type { SearchSource } from "../lib/search/search_source.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { selectSummaries } from "../lib/session/list_sessions.ts";
import { readMarks, withMarks } from "../lib/session/marks.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import type { Context } from "./_context.ts";
import { contextStore } from "./_store.ts";

/** Which sessions. */
export interface SourceChoice {
  /** One agent, or `all`. */
  agent: string;
  /** Only those of this directory. */
  cwd?: string;
}

const OWN = "reprise";

/** All sessions of an agent, or of all, whatever their directory. */
export async function allSources(context: Context, agent: string): Promise<SearchSource[]> {
  const { agentSearchSource, ownSearchSources } = await import("../lib/search/search_source.ts");
  const own = agent === OWN || agent === "all" ? ownSearchSources(contextStore(context).root) : [];
  if (agent === OWN || (agent === "all" && !hasHome(context))) return own;
  const { agentEnvironment, chosenAgents } = await import("./_foreign.ts");
  const environment = agentEnvironment(context);
  const foreign: SearchSource[] = [];
  for (const reader of await chosenAgents(agent)) {
    for await (const session of reader.locate(environment)) {
      foreign.push(agentSearchSource(session));
    }
  }
  return [...own, ...foreign];
}

/** Without a home, there is no place to look for those of other agents. */
function hasHome({ variable }: Context): boolean {
  return (variable("HOME") ?? variable("USERPROFILE")) !== undefined;
}

/** Those of the sources that are chosen; of a kept copy that says nothing more, only the original. */
export async function sourcesOf(
  context: Context,
  sources: readonly SearchSource[],
  { agent, cwd }: SourceChoice,
): Promise<SearchSource[]> {
  const chosen = cwd === undefined
    ? [...sources]
    : await sourcesOfDirectory(context, sources, { agent, cwd });
  if (agent !== "all") return chosen;
  const { withoutMereCopies } = await import("./_all_agents.ts");
  const { own = [], foreign = [] } = Object.groupBy(
    chosen,
    ({ session }) => session === undefined ? "own" : "foreign",
  );
  return [...withoutMereCopies(own, foreign), ...foreign];
}

async function sourcesOfDirectory(
  context: Context,
  sources: readonly SearchSource[],
  { agent, cwd }: Required<SourceChoice>,
): Promise<SearchSource[]> {
  const store = contextStore(context);
  const directory = realDirectory(cwd);
  const foreign: Summary[] = [];
  if (agent !== OWN) {
    const { listForeign } = await import("./_foreign.ts");
    foreign.push(...await listForeign(context, agent, store.root, { cwd: directory }));
  }
  const refs = new Set<string>();
  for (const archived of [false, true]) {
    const choice = { cwd: directory, archived };
    const own = agent === OWN || agent === "all" ? await store.list(choice) : [];
    for (const { ref } of [...own, ...selectSummaries(foreign, choice)]) refs.add(ref);
  }
  return sources.filter(({ ref }) => refs.has(ref));
}

/** What a list shows of a session; undefined where it is gone or cannot be read. */
export async function summaryOf(
  context: Context,
  { session, path, session_id }: SearchSource,
): Promise<Summary | undefined> {
  const store = contextStore(context);
  try {
    if (session === undefined) {
      const folder = { directory: dirname(path), path, session_id, created_at: "" };
      return await store.summarize(folder);
    }
    const { loadAgent } = await import("../lib/agents/registry.ts");
    const row = await (await loadAgent(session.agent)).summarize(session);
    return row === undefined ? undefined : withMarks(row, readMarks(store.root));
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return undefined;
  }
}
