/** `reprise watch`: shows the running sessions and their changes. */
import { resolve } from "node:path";
import { type RunningSession, RunningSessions } from "../lib/library/running/running_sessions.ts";
import type { PlanOptions } from "../lib/library/limits/plan/plan_windows.ts";
import { loadPrices } from "../lib/library/counts/usage/load_prices.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { realDirectory } from "../lib/core/workspace/real_directory.ts";
import { defineCommand } from "./_command.ts";
import { type Context, hasScreen } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printJsonLines, say } from "./_message.ts";
import type { Notifier } from "./_notifier.ts";
import { agentsOf } from "./_scope.ts";
import { AGENT_FLAG } from "./_scope_flags.ts";
import { contextStore } from "./_store.ts";
import { untilInterrupted } from "./_until_signal.ts";
import { present } from "../lib/core/event/present.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";

const NOTES = `
First come the sessions that wait for you: for a permission, an answer, the
approval of a plan, or the reset of a usage limit. Then come sessions that
failed, sessions that are working, and idle sessions. Claude Code reports when
it waits. For other agents, "may wait" is a guess. It means that a tool call has
been open for 20 seconds.

A session of Reprise is running while a process writes it. Claude Code, Codex
and Copilot CLI say which sessions they have open. For other agents, a session
counts as running if it changed in the last minute. On Linux, it also counts as
running while the agent's program runs in the session's directory. If the output
is a pipe, watch prints one line for each change.

If the agents record your plans' usage limits, lines below the table show how
much of each limit is left.

Keys: Up and Down select a session. Enter goes to the agent's terminal, r reads
the session, q quits. Enter finds terminals in WezTerm, kitty (if its setting
listen_on is set), and the terminal multiplexers tmux and herdr. For other
terminals, Enter shows the process and its terminal.

If two sessions changed the same file less than an hour apart, watch names the
file below the table. To hear a bell when a session starts to wait for you:
reprise config set watch.bell true

Examples:
  reprise watch
  reprise watch --notify notify-send
  reprise watch --until waiting && say "an agent waits"
  reprise watch --once --json | jq .doing`;

export const watchCommand = defineCommand({
  description:
    "Show all running sessions of all agents: which sessions wait for you, what the other " +
    "sessions are doing, and their tokens and cost. The table is updated until you press q or " +
    "^C.",
  flags: {
    "--here": "only sessions of this directory and its subdirectories",
    ...AGENT_FLAG,
    "--waiting": "only sessions that wait for you",
    "--until <state>": {
      help: "exit as soon as a session waits for you",
      choices: ["waiting"],
      conflicts: ["once"],
    },
    "--notify <command>": {
      help:
        "run this program when a session starts to wait for you; its last argument is a message " +
        "about the session",
      conflicts: ["once"],
    },
    "--once": "print the running sessions once, and exit",
    "--json": "print each change as one line of JSON",
  },
  notes: NOTES,
  run: async (context, flags) => {
    const agents = agentsOf(flags.agent);
    const { estimate } = await loadPrices();
    const directories = flags.here ? [realDirectory(resolve(context.cwd))] : undefined;
    const { once = false, json = false, until, waiting = until !== undefined, notify } = flags;
    const notifier = notify === undefined ? undefined : await notifierOf(context, notify);
    const rings = context.stdout.terminal && readConfig(contextStore(context).root)["watch.bell"];
    const onWait = (session: RunningSession): void => {
      if (rings) context.stdout.write(BELL);
      notifier?.tell(session);
    };
    const options = { estimate, agents, directories, waiting, onWait };
    using sessions = new RunningSessions(contextLibrary(context), present(options));
    try {
      const plans = waiting ? undefined : { agents };
      const until_found = until !== undefined;
      await show(context, sessions, present({ once, json, until_found, plans }));
    } finally {
      await notifier?.finish();
    }
  },
});

async function show(
  context: Context,
  sessions: RunningSessions,
  options: LinesOptions,
): Promise<void> {
  const { once, json, until_found } = options;
  if (!hasScreen(context) || once || json || until_found) {
    await watchInLines(context, sessions, options);
    return;
  }
  const { browseSessions } = await import("./_reader.ts");
  const status = await browseSessions(context, { running: sessions });
  if (status !== STATUS.done) throw new CommandExit(status);
}

async function notifierOf(context: Context, line: string): Promise<Notifier> {
  const { notifier } = await import("./_notifier.ts");
  return await notifier(context, line);
}

const BELL = "\x07";

interface LinesOptions {
  once: boolean;
  until_found: boolean;
  json: boolean;
  /** Selects the plans whose usage limits are printed at the start. Absent to print none. */
  plans?: PlanOptions;
}

type ToLine = (session: RunningSession) => string;

/**
 * Prints a line for each running session, and a new line after each change. Ends after ^C, or
 * earlier with `once` or `until_found`.
 *
 * @throws {CommandExit} `cancelled` after ^C.
 */
async function watchInLines(
  context: Context,
  sessions: RunningSessions,
  { once, json, until_found, plans }: LinesOptions,
): Promise<void> {
  const { toJsonLine } = await import("../lib/text/render/json_lines.ts");
  const toLine = json ? jsonLine(toJsonLine, await doing()) : await textLine(context);
  if (plans !== undefined) await tellPlans(context, plans, json);
  const { SharedFiles } = await import("../lib/features/blame/shared_files.ts");
  const { sharedText } = await import("../lib/text/render/running_table.ts");
  const shared = new SharedFiles(contextLibrary(context));
  const home = homeFolder(context.variable);
  const sharedLine = (files: Parameters<typeof sharedText>[0]): string =>
    `${sharedText(files, home)}\n`;
  let told = "";
  const tellOnce = (line: string): void => {
    if (line !== told) context.stdout.write(line);
    told = line;
  };
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
      const files = await shared.look(running);
      if (files.length > 0) tellOnce(json ? files.map(toJsonLine).join("") : sharedLine(files));
      if (once && running.length === 0) await say(context, "No session is running");
      if (until_found && running.length > 0) return;
      if (!once) await sessions.next(performance.now() - begun, signal);
      signal.throwIfAborted();
    } while (!once);
  });
}

async function tellPlans(context: Context, options: PlanOptions, json: boolean): Promise<void> {
  const { planWindows } = await import("../lib/library/limits/plan/plan_windows.ts");
  const { planLines } = await import("../lib/text/render/plan_text.ts");
  const library = contextLibrary(context);
  const windows = await planWindows(library, options);
  if (json) {
    const told = windows.map(({ agent: plan, ...facts }) => ({ plan, ...facts }));
    return await printJsonLines(context, told);
  }
  const lines = planLines(windows, context.now().getTime(), library);
  for (const { line } of lines) await say(context, line);
}

async function doing(): Promise<(session: RunningSession) => string> {
  const { doingText } = await import("../lib/text/render/running_table.ts");
  return doingText;
}

function jsonLine(
  toJsonLine: (value: unknown) => string,
  doingOf: (session: RunningSession) => string,
): ToLine {
  return (session) => {
    const { row: { ref, agent, cwd, title, updated_at }, activity, attention, usage, cost } =
      session;
    const { state, wait: waits_for } = attention;
    const { state: turn, since } = activity;
    const doing = doingOf(session);
    const told = { ref, agent, cwd, title, state, waits_for, turn, doing, since, updated_at };
    return toJsonLine({ ...told, usage, ...cost });
  };
}

/** Returns a renderer of lines without ages, because an age differs at each check. */
async function textLine(context: Context): Promise<ToLine> {
  const { renderRunningLine } = await import("../lib/text/render/running_table.ts");
  const home = homeFolder(context.variable);
  return (session) => `${renderRunningLine(session, home)}\n`;
}

function endedLine(ref: string): string {
  return `${ref}\tended\n`;
}
