/** `reprise resume` */
import { type AgentName, REPRISE, WRITABLE_AGENTS } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { Report } from "../lib/core/log/diagnostic.ts";
import { endAs } from "../lib/core/platform/foreground.ts";
import { quoteWord, shellLine } from "../lib/core/platform/shell_word.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { offerLostTree, tellLostTree } from "./_lost_work_tree.ts";
import { printExact, say } from "./_message.ts";
import { PrintedList } from "./_printed_list.ts";
import { planResume, resumeInAgent, type ResumePlan } from "./_resume_in_agent.ts";
import { latestRef } from "./_latest_session.ts";
import { assertOneSession, LATEST_FLAG } from "./_scope_flags.ts";
import { sessionHere } from "./_session_here.ts";
import { openWhole } from "./_session.ts";
import { parseSince, type WrittenTime } from "./_values.ts";

const NOTES = `
Reprise looks for the agent's program in the absolute directories of PATH, and
starts it without a shell. To see where the session stopped:
reprise show REF --last 8

Examples:
  reprise resume                continue this project's latest session
  reprise resume codex:019a     run codex resume 019a… in its directory
  reprise resume --agent codex --in claude
                                continue Codex's latest session in Claude Code
  reprise resume 3f2a --in pi   hand the session over to pi, and continue there
  reprise resume --all-interrupted --print
                                print a command line for each session that a
                                restart interrupted
  reprise resume 3f2a --print   print the command line, to copy or to send`;

export const resumeCommand = defineCommand({
  description:
    "Change to a session's directory, and resume the session with its agent's own command, " +
    "such as claude --resume. Reprise's own sessions open in reprise chat. Without REF, use this " +
    "project's latest session. Without a terminal, only print the command line.",
  arguments: [["[ref]", "the session's id, or the path of its log"]],
  flags: {
    ...LATEST_FLAG,
    "--all-interrupted": {
      help: "with --print: print the command line and the directory of each interrupted session",
      conflicts: ["agent", "in", "json"],
    },
    "--since <time>": {
      help:
        "with --all-interrupted: only sessions updated since this time (default: 24 hours before " +
        "this machine started)",
      parse: parseSince,
    },
    "--in <agent>": {
      help: "hand the session over to this agent first, and continue there",
      choices: WRITABLE_AGENTS,
      conflicts: ["json"],
    },
    "--print": "only print the command line; run nothing, and write nothing",
    "--json": "run nothing; print one JSON object {summary, conversation, command}",
  },
  notes: NOTES,
  run: async (context, given, { print, json, agent, in: to, allInterrupted, since }) => {
    if (since !== undefined && !allInterrupted) {
      throw new UsageError("--since needs --all-interrupted");
    }
    if (allInterrupted) {
      if (given !== undefined) {
        throw new UsageError("Give either REF or --all-interrupted, not both");
      }
      if (!print) {
        throw new UsageError(
          "--all-interrupted starts no agent; it only prints command lines. Add --print",
        );
      }
      return await printInterrupted(context, since ?? parseSince("boot", context));
    }
    const place = to === undefined ? "" : ` --in ${to}`;
    assertOneSession(given, agent, (name) => `reprise resume --agent ${name}${place}`);
    const found = await openWhole(context, given ?? await latestRef(context, agent));
    const { machine } = found.session;
    if (machine !== undefined && (print || json)) return await printPlacing(context, found);
    const own = print || json ? found : await sessionHere(context, found);
    const elsewhere = to === own.agent ? undefined : to;
    if (print && elsewhere !== undefined) return await printElsewhere(context, own, elsewhere);
    const session = await sessionIn(context, own, elsewhere);
    if (json) return await printJson(context, session);
    if (print || !context.stdin_terminal || !context.stdout.terminal) {
      return await printLine(context, session);
    }
    await offerLostTree(context, session);
    const exit = await resumeInAgent(context, session);
    await endAs(exit);
    if (exit.code !== STATUS.done) throw new CommandExit(exit.code);
  },
});

async function printPlacing(context: Context, { ref, session }: SessionHandle): Promise<void> {
  await printExact(context, `reprise resume ${quoteWord(ref)}`);
  await say(context, `The session is on ${session.machine}. The command puts it here first`);
}

async function sessionIn(
  context: Context,
  session: SessionHandle,
  to: AgentName | undefined,
): Promise<SessionHandle> {
  if (to === undefined) return session;
  const { sessionElsewhere } = await import("./_handover/continue_elsewhere.ts");
  return await sessionElsewhere(context, session, to);
}

/** Prints the command line that continues the session in the agent `to`. Copies nothing. */
async function printElsewhere(
  context: Context,
  session: SessionHandle,
  to: AgentName,
): Promise<void> {
  const { copyElsewhere } = await import("./_handover/continue_elsewhere.ts");
  const copy = await copyElsewhere(context, session, to);
  if (copy !== undefined) return await printLine(context, copy);
  if (to !== REPRISE) {
    const { handOverSession } = await import("./_handover/hand_over_session.ts");
    await handOverSession(context, session, { to, dryRun: true });
  }
  await printExact(context, `reprise resume ${quoteWord(session.ref)} --in ${to}`);
}

/**
 * Prints a command line for each interrupted session of all projects, newest first. If one session
 * fails, its error is reported and the next session follows.
 */
async function printInterrupted(context: Context, since: WrittenTime): Promise<void> {
  const { cutOff } = await import("./list/list_sessions.ts");
  const { entries } = await contextLibrary(context).query(cutOff({ since, interrupted: true }));
  if (entries.length === 0) await say(context, "No session was interrupted");
  for (const entry of entries) {
    try {
      const { argv, directory, obstacle } = await planResume(context, await entry.open());
      await printExact(context, shellLine(directory, [argv]));
      if (obstacle !== undefined) await say(context, `reprise: ${obstacle}`);
    } catch (error) {
      // The others are printed all the same.
      if (!(error instanceof SessionError)) throw error;
      await say(context, `reprise: ${error.message}`);
    }
  }
}

async function printLine(context: Context, session: SessionHandle): Promise<void> {
  const { line, obstacle } = await planResume(context, session);
  await printExact(context, line);
  if (obstacle === undefined) return;
  await say(context, `reprise: ${obstacle}`);
  await tellLostTree(context, session);
}

async function printJson(context: Context, session: SessionHandle): Promise<void> {
  const diagnostics = countDiagnostics();
  await printObject(context, session, diagnostics.report);
  await diagnostics.tell(context, session.ref);
}

/**
 * Prints a JSON object on one line, message by message, because a long conversation does not fit
 * into one string.
 */
async function printObject(
  context: Context,
  session: SessionHandle,
  report: Report,
): Promise<void> {
  const { toJsonText } = await import("../lib/text/render/json_lines.ts");
  const command = await commandInJson(context, session);
  const end = command === undefined ? "]}" : `],"command":${toJsonText(command)}}`;
  const list = new PrintedList(context, toJsonText, { first: "", between: ",", last: "" });
  list.begin(`{"summary":${toJsonText(await session.summary())},"conversation":[`);
  for await (const batch of session.messages({ report })) {
    for (const message of batch) list.add(message);
  }
  list.end(end);
}

type CommandInJson = Pick<ResumePlan, "argv" | "directory" | "line">;

/** Returns the command that continues the session. Undefined if the agent has no such command. */
async function commandInJson(
  context: Context,
  session: SessionHandle,
): Promise<CommandInJson | undefined> {
  try {
    const { argv, directory, line } = await planResume(context, session);
    return { argv, directory, line };
  } catch (error) {
    if (error instanceof SessionError && error.code === "unsupported-source") return undefined;
    throw error;
  }
}
