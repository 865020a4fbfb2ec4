/**
 * Other agents' sessions, as sources that commands read. The readers are loaded only here.
 */
import { setImmediate } from "node:timers";
import type { Agent, AgentEnvironment, AgentSession } from "../lib/source/agent.ts";
import { type AgentName, isAgentName } from "../lib/event/agent_name.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { FileHead } from "../lib/log/read_head.ts";
import { type Conversation, conversation } from "../lib/projection/conversation.ts";
import { foldBatches } from "../lib/projection/projection.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import type { ListOptions } from "../lib/session/list_sessions.ts";
import { readMarks, withMarks } from "../lib/session/marks.ts";
import { formerDirectories } from "../lib/session/relinks.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import type { SessionSource, SourceTally } from "./_session_source.ts";
import { contextStore } from "./_store.ts";

type Registry = typeof import("../lib/agents/registry.ts");

async function registry(): Promise<Registry> {
  return await import("../lib/agents/registry.ts");
}

/** What the readers may know of the machine. */
export function agentEnvironment({ variable }: Context): AgentEnvironment {
  const home = variable("HOME") ?? variable("USERPROFILE");
  if (home === undefined) {
    const message = "Cannot look for other agents' sessions: set HOME to your home directory";
    throw new SessionError("invalid-config", message);
  }
  return { home, variable, os: Deno.build.os };
}

/** The readers that `--agent` names: one, or all. */
export async function chosenAgents(choice: string): Promise<Agent[]> {
  if (choice !== "all") return [await knownAgent(choice)];
  const { loadAgent, readableAgents } = await registry();
  return await Promise.all(readableAgents().map(loadAgent));
}

/** The reader of an agent. There are agents by name that have none. */
async function knownAgent(name: string): Promise<Agent> {
  const { loadAgent, readableAgents } = await registry();
  const names = readableAgents();
  if (isAgentName(name) && names.includes(name)) return await loadAgent(name);
  const message = `Cannot read sessions of "${name}": give one of ${[...names, "all"].join(", ")}`;
  throw new SessionError("unsupported-source", message, { ref: name });
}

/** After so many sessions, others of the process get their turn: somebody may be typing. */
const SLICE = 16;

/** The summaries of an agent's sessions; what cannot be read goes to `onError`. */
async function* foreignSummaries(
  context: Context,
  agent: Agent,
  options: { cwd?: string; exact: boolean; onError: (error: SessionError) => void },
): AsyncGenerator<Summary> {
  const { cwd, exact, onError } = options;
  const scope = cwd === undefined ? {} : { cwd };
  let count = 0;
  for await (const session of agent.locate(agentEnvironment(context), scope)) {
    if (++count % SLICE === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    try {
      const row = await agent.summarize(session, { exact });
      if (row !== undefined) yield row;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
  }
}

/**
 * Agents' sessions as a list shows them, with their marks; of a directory also those that it had
 * where it was before.
 */
export async function listForeign(
  context: Context,
  choice: string,
  root: string,
  { cwd, exact = false, onError = ignore }: ListOptions,
): Promise<Summary[]> {
  const marks = readMarks(root);
  const places = cwd === undefined ? [undefined] : formerDirectories(cwd, marks.relinks);
  // An agent may list a session for several directories.
  const rows = new Map<string, Summary>();
  for (const agent of await chosenAgents(choice)) {
    for (const place of places) {
      const options = { exact, onError, ...(place === undefined ? {} : { cwd: place }) };
      for await (const row of foreignSummaries(context, agent, options)) {
        rows.set(row.ref, withRealDirectory(withMarks(row, marks), cwd));
      }
    }
  }
  return [...rows.values()];
}

/** The agent wrote the path as it saw it; a list of a directory compares real ones. */
function withRealDirectory(row: Summary, wanted: string | undefined): Summary {
  if (wanted === undefined || row.cwd === undefined || row.cwd === wanted) return row;
  return { ...row, cwd: realDirectory(row.cwd) };
}

/** Agents' sessions to be read one after the other, those that were updated since. */
export async function* foreignSources(
  context: Context,
  choice: string,
  { since, onError = ignore }: ListOptions,
): AsyncGenerator<{ source: SessionSource; cwd?: string }> {
  const marks = readMarks(contextStore(context).root);
  for (const agent of await chosenAgents(choice)) {
    for await (const session of agent.locate(agentEnvironment(context))) {
      try {
        const row = await agent.summarize(session);
        if (row === undefined) continue;
        if (since !== undefined && Date.parse(row.updated_at ?? "") < since.getTime()) continue;
        const source = foreignSource(context, agent, session);
        const { cwd } = withMarks(row, marks);
        yield cwd === undefined ? { source } : { source, cwd };
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        onError(error);
      }
    }
  }
}

function ignore(): void {}

/** The session of an agent whose id begins with `prefix`. */
export async function findForeign(
  context: Context,
  name: AgentName,
  prefix: string,
): Promise<SessionSource> {
  const agent = await knownAgent(name);
  const found = new Map<string, AgentSession>();
  for await (const session of agent.locate(agentEnvironment(context))) {
    if (session.id.startsWith(prefix)) found.set(session.id, session);
  }
  const exact = found.get(prefix);
  const [first] = found.values();
  const ref = `${name}:${prefix}`;
  if (exact === undefined && found.size > 1) {
    const candidates = [...found.keys()];
    const message = `Cannot choose session: "${ref}" fits ${candidates.length}: ` +
      `${candidates.slice(0, 5).join(", ")}; give more of the id`;
    throw new SessionError("ambiguous", message, { ref, candidates });
  }
  const session = exact ?? first;
  if (session !== undefined) return foreignSource(context, agent, session);
  const message = `Cannot find session "${ref}"; see: reprise list --agent ${name} --all`;
  throw new SessionError("not-found", message, { ref });
}

/** The session in a file of some agent, told by its content; undefined when it is of none. */
export async function recognizeForeign(
  context: Context,
  path: string,
  { bytes }: FileHead,
): Promise<SessionSource | undefined> {
  const { loadAgent, readableAgents } = await registry();
  for (const name of readableAgents()) {
    const agent = await loadAgent(name);
    if (!agent.recognize(path, bytes)) continue;
    const sessions = await agent.sessionsIn(path);
    const [first] = sessions;
    if (first === undefined) continue;
    const latest = sessions[sessions.length - 1] ?? first;
    if (sessions.length > 1) {
      const count = sessions.length;
      await say(
        context,
        `reprise: ${count} sessions are in this file; this is the latest, ${latest.id}`,
      );
    }
    return foreignSource(context, agent, latest);
  }
  return undefined;
}

function foreignSource(context: Context, agent: Agent, session: AgentSession): SessionSource {
  const ref = `${agent.name}:${session.id}`;
  return {
    ref,
    path: session.path,
    async summary(exact = false): Promise<Summary> {
      const row = await agent.summarize(session, { exact });
      if (row !== undefined) return withMarks(row, readMarks(contextStore(context).root));
      const { path } = session;
      throw new SessionError("not-found", `Cannot find a session in ${path}`, { path });
    },
    events: (options = {}) => agent.read(session, options),
    ...(agent.readTail === undefined ? {} : {
      tail: (messages, options = {}) =>
        agent.readTail?.(session, { ...options, messages }) ?? Promise.resolve([]),
    }),
    async conversation({ report, thread, ...options }): Promise<Conversation> {
      const projection = conversation(options);
      return await foldBatches(
        projection,
        agent.read(session, {
          needs: projection.needs,
          in_force: true,
          ...(report === undefined ? {} : { report }),
          ...(thread === undefined ? {} : { thread }),
        }),
      );
    },
    async verify(report): Promise<SourceTally> {
      const { emptyAccount } = await import("../lib/source/source_account.ts");
      const account = emptyAccount();
      for await (const _ of agent.read(session, { report, account })) { /* counted in `account` */ }
      return account;
    },
    async files(): Promise<string[]> {
      const { sourceFiles } = await import("../lib/agents/source_files.ts");
      return await sourceFiles(agent, session);
    },
    resumeCommand: () => agent.resumeCommand(session),
  };
}
