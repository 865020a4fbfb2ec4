/** Runs a chat at a terminal. */
import { resolve } from "node:path";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { lstat } from "../../lib/core/platform/files.ts";
import { isBrokenPipe } from "../../lib/core/platform/system_error.ts";
import type { ChatEnd, LoopStart } from "../../lib/frontends/screens/chat/chat_loop.ts";
import type { ChatProgram, ChatTalk } from "../../lib/frontends/screens/chat/current_chat.ts";
import type { Context, DataOutput } from "../_context.ts";
import { CommandExit, STATUS, toFailure, UsageError } from "../_failure.ts";
import { contextTerminal, screenSettings } from "../_terminal.ts";
import { type ChatSettings, newChat, resumedChat } from "./start.ts";

const STATUS_OF: Readonly<Record<ChatEnd, number>> = {
  left: STATUS.done,
  cancelled: STATUS.cancelled,
  terminated: STATUS.terminated,
  lost: STATUS.failed,
};

/**
 * Runs a chat until the user leaves.
 *
 * @throws {CommandExit} if the chat ends in any way but `left`
 */
export async function chatAtTerminal(
  outer: Context,
  settings: Omit<ChatSettings, keyof ChatTalk>,
  start: LoopStart,
): Promise<void> {
  const context = { ...outer, stdout: untilGone(outer.stdout) };
  const program: ChatProgram = {
    start: (talk) => newChat({ ...settings, ...talk }),
    resume: (talk, ref, inCopy) => resumedChat({ ...settings, ...talk }, ref, inCopy),
    choose: async () => {
      const { pickSession } = await import("../_terminal.ts");
      return (await pickSession(context, { action: "continue" }))?.ref;
    },
    export: (session_id, file) => exportChat(context, session_id, file),
    refusal,
  };
  const { runChatLoop } = await import("../../lib/frontends/screens/chat/chat_loop.ts");
  const terminal = contextTerminal(context);
  const status = STATUS_OF[await runChatLoop(terminal, screenSettings(context), program, start)];
  if (status !== STATUS.done) throw new CommandExit(status);
}

/**
 * Matches the chat's own message "Cannot ACTION: REASON". JavaScript's errors, such as "Cannot read
 * properties of undefined", contain no colon.
 */
const REFUSAL = /^Cannot [^:]+: /;

function refusal(error: unknown): string | undefined {
  if (error instanceof TypeError && REFUSAL.test(error.message)) return error.message;
  const { status, message } = toFailure(error);
  return status === STATUS.failed || status === STATUS.usage ? message : undefined;
}

/**
 * Exports a session to a file. The file's extension chooses the format. Errors about command
 * options are reworded for a chat.
 *
 * @throws {SessionError} `io` if the file exists or cannot be written
 * @throws {UsageError} if the extension is of no known format
 */
async function exportChat(
  context: Context,
  session_id: string,
  file = `${session_id.slice(0, 8)}.md`,
): Promise<void> {
  if (await isThere(resolve(context.cwd, file))) {
    const message = `Cannot write export: the file exists; give another name: ${file}`;
    throw new SessionError("io", message, { path: file });
  }
  const { exportSession } = await import("../export.ts");
  try {
    await exportSession(context, session_id, { out: file });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = `Cannot write export: the format is unknown; end the name in .md, .html, ` +
      `.txt, .json or .jsonl: ${file}`;
    throw new UsageError(message);
  }
  context.stdout.write("\n");
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // If it is not readable, writing it reports the error.
    return false;
  }
}

/** Drops output after the terminal is closed, so that the chat can still end its session. */
function untilGone(stdout: DataOutput): DataOutput {
  return {
    terminal: stdout.terminal,
    get width(): number {
      return stdout.width;
    },
    get height(): number {
      return stdout.height;
    },
    write: (text) => unlessGone(() => stdout.write(text)),
    writeBytes: (bytes) => unlessGone(() => stdout.writeBytes(bytes)),
    sendBytes: (bytes) => stdout.sendBytes(bytes),
  };
}

function unlessGone(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!tellsOfGone(error)) throw error;
  }
}

function tellsOfGone(error: unknown): boolean {
  if (isBrokenPipe(error)) return true;
  // The error of a terminal whose window was closed.
  const told = error instanceof SessionError ? error.cause : error;
  return told instanceof Error && "code" in told && told.code === "EIO";
}
