/** Continues a session in its own agent: plans the command line, and runs it in this terminal. */
import { REPRISE } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { realPathSync } from "../lib/core/platform/files.ts";
import type { ExitOfChild } from "../lib/core/platform/child_process.ts";
import type { Context } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { quoteWord, shellLine } from "../lib/core/platform/shell_word.ts";
import { directoryAbsence, sessionDirectory } from "../lib/core/workspace/session_directory.ts";
import { userProgram } from "./_user_program.ts";

export interface ResumePlan {
  argv: readonly [program: string, ...args: string[]];
  /** Directory in which the program runs: the session's directory, else the current directory. */
  directory: string;
  /** Shell command that runs `argv` in the directory, to print or copy. */
  line: string;
  /**
   * Absolute path of the program. Absent for a session of Reprise, or if the program is missing.
   */
  program?: string;
  /** The reason why the program cannot run here, and an alternative. Absent if it can run. */
  obstacle?: string;
}

/**
 * Plans how to continue a session, without starting anything.
 *
 * @throws {SessionError} `unsupported-source` for a single thread, and for a session that the agent
 * cannot continue or does not list.
 */
export async function planResume(context: Context, session: SessionHandle): Promise<ResumePlan> {
  const { argv, in_directory } = await commandOf(context, session);
  // A shared session names a directory of another machine; its copy belongs here.
  const is_shared = session.session.ref !== undefined;
  const cwd = is_shared ? context.cwd : (await session.summary()).cwd;
  const directory = cwd === undefined ? context.cwd : sessionDirectory(cwd)?.local ?? cwd;
  const line = shellLine(in_directory ? directory : undefined, [argv]);
  const plan = { argv, directory, line };
  const absence = directoryAbsence(directory);
  if (absence !== undefined) {
    const relink = sessionDirectory(directory) === undefined
      ? ""
      : `\nIf it moved: reprise relink ${quoteWord(directory)} NEW`;
    const obstacle = `the session's directory is ${absence}: ${directory}${relink}` +
      `\nTo continue in Reprise: ${chatLine(session)}` +
      `\nIn another agent: ${handoverLine(session)} --cwd DIR`;
    return { ...plan, obstacle: cannot(session, obstacle) };
  }
  if (session.agent === REPRISE) return plan;
  const program = userProgram(context, argv[0], directory);
  if (program !== undefined) return { ...plan, program };
  const obstacle = `there is no program ${argv[0]} on PATH\nTo continue in Reprise: ${
    chatLine(session)
  }\nIn another agent: ${handoverLine(session)}`;
  return { ...plan, obstacle: cannot(session, obstacle) };
}

/**
 * Continues a session in its agent, in this terminal and in the session's directory. Returns when
 * the agent has ended.
 *
 * @throws {SessionError} `unsupported-source`, `not-found`
 */
export async function resumeInAgent(
  context: Context,
  session: SessionHandle,
): Promise<ExitOfChild> {
  const plan = await planResume(context, session);
  const { argv: [, ...args], directory, program, obstacle, line } = plan;
  if (obstacle !== undefined) throw new SessionError("not-found", obstacle, { ref: session.ref });
  if (program === undefined) return await resumeHere(context, session, directory);
  await say(context, line);
  const { runInForeground } = await import("../lib/core/platform/foreground.ts");
  return await runInForeground(program, { args, cwd: directory, env: { PWD: directory } });
}

async function resumeHere(
  context: Context,
  session: SessionHandle,
  cwd: string,
): Promise<ExitOfChild> {
  const [{ chatCommand }, { commandParser }] = await Promise.all([
    import("./chat.ts"),
    import("./_command_parser.ts"),
  ]);
  const ref = refForChat(session);
  await commandParser("chat", chatCommand, { ...context, cwd }).exitOverride()
    .parseAsync([`--resume=${ref}`], { from: "user" });
  return { code: 0, signal: null };
}

async function commandOf(
  context: Context,
  session: SessionHandle,
): Promise<Pick<ResumePlan, "argv"> & { in_directory: boolean }> {
  if (session.thread !== undefined) {
    throw refusal(
      session,
      "the agent can continue only the whole session, not a single branch or subagent; leave out " +
        "~THREAD",
    );
  }
  const command = session.resumeCommand();
  if (command === undefined) {
    const none = `its agent has no command for this session\nTo continue in Reprise: ${
      chatLine(session)
    }`;
    throw refusal(session, none);
  }
  if (session.agent === REPRISE) {
    return { argv: ["reprise", "chat", "--resume", refForChat(session)], in_directory: true };
  }
  if (command.id_form !== undefined) await assertKnown(context, session);
  const argv = await argvIfHidden(context, session);
  return argv === undefined ? command : { ...command, argv };
}

/**
 * Returns the command that resumes a session which its agent hides, such as a session with another
 * provider. Undefined if the session is not hidden, or if there are several commands.
 */
async function argvIfHidden(
  context: Context,
  session: SessionHandle,
): Promise<ResumePlan["argv"] | undefined> {
  const { hiddenSessions } = await import("../lib/library/examined/hidden_sessions.ts");
  const rows = [await session.summary()];
  const [found] = await hiddenSessions(contextLibrary(context), session.agent, rows) ?? [];
  const [only, ...others] = found?.commands ?? [];
  return others.length === 0 ? only?.argv : undefined;
}

/**
 * Rejects a session file that its agent does not list, because resuming by id would open another
 * session or none.
 */
async function assertKnown(context: Context, session: SessionHandle): Promise<void> {
  const library = contextLibrary(context);
  const own = realPathSync(session.path);
  for (const { id, path } of await library.sessions({ agents: [session.agent] })) {
    if (id === session.id && (path === own || realPathSync(path) === own)) return;
  }
  const line = `reprise chat --resume ${quoteWord(session.path)} (continues in a copy)`;
  throw refusal(session, `the agent does not list this file\nTo continue in Reprise: ${line}`);
}

function refusal(session: SessionHandle, reason: string): SessionError {
  return new SessionError("unsupported-source", cannot(session, reason), { ref: session.ref });
}

function cannot({ ref, agent_title }: SessionHandle, reason: string): string {
  return `Cannot resume ${ref} in ${agent_title}: ${reason}`;
}

function refForChat({ writable, id, log, ref, session }: SessionHandle): string {
  return writable ? id : session.ref ?? log ?? ref;
}

function chatLine(session: SessionHandle): string {
  const copy = session.writable ? "" : " (continues in a copy)";
  return `reprise chat --resume ${quoteWord(refForChat(session))}${copy}`;
}

function handoverLine({ ref }: SessionHandle): string {
  return `reprise handover ${quoteWord(ref)} --to AGENT`;
}
