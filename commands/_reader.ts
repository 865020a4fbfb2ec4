/** Runs the full-screen program, and its actions on the open session. */
import { type AgentName, isAgentName, REPRISE } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { RunningSessions } from "../lib/library/running/running_sessions.ts";
import type { ReaderActions } from "../lib/frontends/screens/reader/actions.ts";
import type { RunningListOptions } from "../lib/frontends/screens/running_list.ts";
import type { BrowserOptions } from "../lib/frontends/screens/browser.ts";
import type { ScreenSettings } from "../lib/frontends/screens/screen.ts";
import type { TerminalScreen } from "../lib/frontends/ui/terminal_screen.ts";
import type { Context, TextOutput } from "./_context.ts";
import { CommandExit, STATUS, toFailure, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { markSession, parseTags, tagsText } from "./_marking.ts";
import { say } from "./_message.ts";
import { askLine, isConfirmed } from "./_question.ts";
import { contextTerminal, screenSettings } from "./_terminal.ts";
import { present } from "../lib/core/event/present.ts";

/**
 * Shows a list of sessions, from which the user opens sessions to read. The list holds all
 * sessions, or only the running ones if `running` is given.
 *
 * @returns The exit status.
 */
export async function browseSessions(
  context: Context,
  { running }: { running?: RunningSessions } = {},
): Promise<number> {
  const { browseSessions } = await import("../lib/frontends/screens/browser.ts");
  const actions: ReaderActions = {
    export: (session, out, thread) => writeExport(context, session.ref, present({ out, thread })),
    tag: (session, tags) => refusal(() => setTagsHere(context, session, tags)),
    pin: (session) => refusal(() => togglePin(context, session)),
    archive: (session) => refusal(() => archiveHere(context, session)),
    edit: async (...given) => await (await import("./_editor.ts")).editFile(context, ...given),
    resume: (session, screen) => refusal(() => resumeHere(context, screen, session)),
    hand_over: (session, screen) => refusal(() => screen.lend(() => handOver(context, session))),
  };
  const settings = screenSettings(context);
  const makeList = await listMaker(context, settings, actions, running);
  const end = await browseSessions(contextTerminal(context), { settings, actions, makeList });
  if (end === "terminated") return STATUS.terminated;
  return end === "interrupted" ? STATUS.cancelled : STATUS.done;
}

async function listMaker(
  context: Context,
  settings: ScreenSettings,
  actions: ReaderActions,
  running: RunningSessions | undefined,
): Promise<BrowserOptions["makeList"]> {
  if (running === undefined) {
    const { SessionList } = await import("../lib/frontends/screens/picker/session_list.ts");
    return (...given) => new SessionList(settings, { action: "read", actions }, ...given);
  }
  const { RunningList } = await import("../lib/frontends/screens/running_list.ts");
  const { goToAgent } = await import("./_agent_terminal.ts");
  const go: RunningListOptions["go"] = (row, screen) => goToAgent(context, running, row, screen);
  return (...given) => new RunningList(settings, { sessions: running, go }, ...given);
}

/** Returns the action's own message, or the error's message on one line if the action fails. */
async function refusal(action: () => Promise<string>): Promise<string> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SessionError || error instanceof UsageError)) throw error;
    return error.message.replaceAll("\n", " · ");
  }
}

async function setTagsHere(
  context: Context,
  session: SessionHandle,
  text: string,
): Promise<string> {
  const tags = parseTags(text);
  await markSession(context, session, { tags });
  return `Tags: ${tagsText(tags) || "none"}`;
}

async function togglePin(context: Context, session: SessionHandle): Promise<string> {
  const { pinned = false } = await session.summary();
  await markSession(context, session, { pinned: !pinned });
  return pinned ? "Unpinned" : "Pinned";
}

async function archiveHere(context: Context, session: SessionHandle): Promise<string> {
  await markSession(context, session, { archived: true });
  return `Archived. Undo: reprise archive --undo ${session.id}`;
}

/** Resumes the session in its agent. Returns "" when the agent ends, or why it cannot run. */
async function resumeHere(
  context: Context,
  screen: TerminalScreen,
  session: SessionHandle,
): Promise<string> {
  const { planResume, resumeInAgent } = await import("./_resume_in_agent.ts");
  const { obstacle } = await planResume(context, session);
  if (obstacle !== undefined) return obstacle.replaceAll("\n", " · ");
  await screen.lend(() => resumeInAgent(context, session));
  return "";
}

/** Exports a session, and returns a line for the screen. The command's own output is dropped. */
async function writeExport(
  context: Context,
  ref: string,
  flags: { out: string; thread?: string },
): Promise<string> {
  const said: string[] = [];
  const quiet: TextOutput = {
    terminal: false,
    width: 80,
    height: Infinity,
    write: (text) => void said.push(text),
  };
  try {
    const { exportSession } = await import("./export.ts");
    await exportSession({ ...context, stderr: quiet }, ref, flags);
    return `Exported to ${flags.out}`;
  } catch (error) {
    if (error instanceof CommandExit) return "Nothing was exported";
    return toFailure(error).message.split("\n")[0] ?? "";
  }
}

const NOTHING = "Nothing was handed over";

async function handOver(context: Context, session: SessionHandle): Promise<string> {
  const agents = await agentsHere(context, session);
  const rows = agents.map(({ agent, title }, index) =>
    `  ${index + 1}  ${agent.padEnd(9)} ${title}`
  );
  await say(context, [`Continue ${session.ref} in:`, ...rows].join("\n"));
  const answer = await askLine(context, "Agent (number or name; Enter to cancel): ");
  const to = agents[Number(answer) - 1]?.agent ?? answer;
  if (!isAgentName(to) || !agents.some(({ agent }) => agent === to)) return NOTHING;
  const { sessionElsewhere } = await import("./_handover/continue_elsewhere.ts");
  const { resumeInAgent } = await import("./_resume_in_agent.ts");
  const confirm = (): Promise<boolean> =>
    isConfirmed(context, "Hand the session over, and continue it there?");
  await resumeInAgent(context, await sessionElsewhere(context, session, to, confirm));
  return "";
}

async function agentsHere(
  context: Context,
  session: SessionHandle,
): Promise<{ agent: AgentName; title: string }[]> {
  const { HANDOVER_AGENTS, handoverTarget } = await import("../lib/features/handover/mod.ts");
  const { environment } = contextLibrary(context).place;
  const targets = await Promise.all(
    HANDOVER_AGENTS.map((agent) => handoverTarget(agent, environment)),
  );
  const own = session.agent === REPRISE ? [] : [{ agent: REPRISE as AgentName, title: "Reprise" }];
  return [...targets.filter(({ agent, present }) => present && agent !== session.agent), ...own];
}
