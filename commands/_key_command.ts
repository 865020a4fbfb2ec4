/** Runs the user's own program that prints a secret, such as `pass show NAME` or `op read URL`. */
import { basename, isAbsolute } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import { type ChildProcess, startProgram } from "../lib/core/platform/child_process.ts";
import { commandWords } from "../lib/core/platform/shell_word.ts";
import { sendSignal } from "../lib/core/platform/signals.ts";
import type { Context } from "./_context.ts";
import { userProgram } from "./_user_program.ts";

const MOST_OUTPUT = 64 * 1024;
/** Milliseconds that the key command may take, because the user may have to unlock a key store. */
const PATIENCE_MS = 120_000;

type Fail = (reason: string) => SessionError;

/**
 * Runs a command without a shell, and returns its output. No message contains the output.
 *
 * @param line The command. @param setting Name of the command's setting, for messages.
 * @throws {SessionError} `invalid-key` if the command is missing, fails, prints too much or is slow
 */
export async function runKeyCommand(
  context: Context,
  line: string,
  setting = "encrypt.key_command",
): Promise<string> {
  const failure: Fail = (reason) =>
    new SessionError("invalid-key", `Cannot use ${setting}: ${reason}`);
  const [name = "", ...args] = commandWords(line);
  const program = isAbsolute(name) ? name : userProgram(context, name, context.cwd);
  if (program === undefined) throw failure(`there is no program ${name} on PATH`);
  let child: ChildProcess;
  try {
    const stdin = context.stdin_terminal ? "inherit" : "null";
    child = startProgram(program, { args, stdin, stdout: "piped", stderr: "inherit" });
  } catch (error) {
    throw failure(`${program} does not start: ${(error as Error).message}`);
  }
  return await outputOf(child, basename(program), failure);
}

async function outputOf(child: ChildProcess, name: string, failure: Fail): Promise<string> {
  let stopped: string | undefined;
  const stop = (reason: string): void => {
    stopped ??= reason;
    try {
      sendSignal(child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const timer = setTimeout(() => stop(`${name} took longer than two minutes`), PATIENCE_MS);
  try {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MOST_OUTPUT) {
        stop(`${name} printed too much`);
        break;
      }
    }
    const { code, signal } = await child.status;
    if (stopped !== undefined) throw failure(stopped);
    if (signal !== null) throw failure(`${signal} ended ${name}`);
    if (code !== 0) throw failure(`${name} ended with status ${code}`);
    return text;
  } finally {
    clearTimeout(timer);
  }
}
