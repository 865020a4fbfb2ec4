/** `reprise watch` */
import { resolve } from "node:path";
import { type RunningSession, RunningSessions } from "../lib/library/running/running_sessions.ts";
import { loadPrices } from "../lib/library/usage/load_prices.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import { defineCommand } from "./_command.ts";
import { type Context, hasScreen } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { agentsOf } from "./_scope.ts";
import { AGENT_FLAG } from "./_scope_flags.ts";
import { untilInterrupted } from "./_until_signal.ts";
import { present } from "../lib/event/present.ts";
import { homeFolder } from "../lib/workspace/home_folder.ts";

const NOTES = `
A session of Reprise runs while a process writes it. Claude Code, Codex and
Copilot CLI say which sessions they have open. For other agents, a session runs
if it changed in the last minute. In a pipe, watch prints
one line for each change.

Keys: Up and Down select, Enter reads the session, q quits.

Examples:
  reprise watch
  reprise watch --once --json | jq .doing`;

export const watchCommand = defineCommand({
  description:
    "Show every session that runs now, of any agent: its directory, what it does and since " +
    "when, its tokens and cost. The table is kept up to date until q or ^C.",
  flags: {
    "--here": "only sessions of this directory and its subdirectories",
    ...AGENT_FLAG,
    "--once": "print the running sessions once, and exit",
    "--json": "print each change as one line of JSON",
  },
  notes: NOTES,
  run: async (context, flags) => {
    const agents = agentsOf(flags.agent);
    const { estimate } = await loadPrices();
    const directories = flags.here ? [realDirectory(resolve(context.cwd))] : undefined;
    const options = present({ estimate, agents, directories });
    const sessions = new RunningSessions(contextLibrary(context), options);
    const { once = false, json = false } = flags;
    if (hasScreen(context) && !once && !json) {
      const { browseSessions } = await import("./_reader.ts");
      const status = await browseSessions(context, { running: sessions });
      if (status !== STATUS.done) throw new CommandExit(status);
      return;
    }
    await watchInLines(context, sessions, { once, json });
  },
});

interface LinesOptions {
  /** True to print the running sessions once. */
  once: boolean;
  json: boolean;
}

type ToLine = (session: RunningSession) => string;

/**
 * Prints a line for each session, and another after each change, until ^C.
 *
 * @throws {CommandExit} `cancelled`, unless it was for once.
 */
async function watchInLines(
  context: Context,
  sessions: RunningSessions,
  { once, json }: LinesOptions,
): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const { nextLook } = await import("../lib/screens/running_list.ts");
  const toLine = json ? jsonLine(toJsonLine, await doing()) : await textLine(context);
  const printed = new Map<string, string>();
  await untilInterrupted(async (signal) => {
    do {
      const begun = performance.now();
      const running = await sessions.look();
      for (const session of running) {
        const line = toLine(session);
        if (printed.get(session.row.ref) !== line) context.stdout.write(line);
        printed.set(session.row.ref, line);
      }
      for (const ref of printed.keys()) {
        if (running.some(({ row }) => row.ref === ref)) continue;
        printed.delete(ref);
        context.stdout.write(json ? toJsonLine({ ref, state: "ended" }) : endedLine(ref));
      }
      if (once && running.length === 0) await say(context, "No session is running");
      if (!once) await nextLook(performance.now() - begun, signal);
      signal.throwIfAborted();
    } while (!once);
  });
}

async function doing(): Promise<(session: RunningSession) => string> {
  const { doingText } = await import("../lib/render/running_table.ts");
  return ({ activity, row }) => doingText(activity, row.cwd);
}

function jsonLine(
  toJsonLine: (value: unknown) => string,
  doingOf: (session: RunningSession) => string,
): ToLine {
  return (session) => {
    const { row: { ref, agent, cwd, title, updated_at }, activity, usage, cost } = session;
    const { state, since } = activity;
    const doing = doingOf(session);
    return toJsonLine({ ref, agent, cwd, title, state, doing, since, updated_at, usage, ...cost });
  };
}

/** Renders a session without ages, because each look would change them. */
async function textLine(context: Context): Promise<ToLine> {
  const { renderRunningLine } = await import("../lib/render/running_table.ts");
  const home = homeFolder(context.variable);
  return (session) => `${renderRunningLine(session, home)}\n`;
}

function endedLine(ref: string): string {
  return `${ref}\tended\n`;
}
