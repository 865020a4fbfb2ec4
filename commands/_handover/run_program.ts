/** Runs an agent's own commands, such as an import. */
import { type ChildProcess, startProgram } from "../../lib/core/platform/child_process.ts";
import type { Context } from "../_context.ts";
import { userProgram } from "../_user_program.ts";

type ProgramOutcome =
  | { state: "done"; printed: string }
  /** The program is not installed. */
  | { state: "missing" }
  | { state: "failed"; why: string };

interface ProgramTalk {
  env: Readonly<Record<string, string>>;
  input: string;
  /** Matches the output line after which the program's input is closed. */
  ends: RegExp;
}

/** Maximum number of characters of the program's output that are returned. */
const MOST_OUTPUT = 4096;

/**
 * Runs a program in a directory, without a shell.
 *
 * @param directory The working directory. A program in this directory is never run, because anyone
 * may have written it.
 * @param talk The program's input and additional variables. @default {no input}
 */
export async function runProgram(
  context: Context,
  [name, ...args]: readonly [string, ...string[]],
  directory: string,
  talk?: ProgramTalk,
): Promise<ProgramOutcome> {
  const program = userProgram(context, name, directory);
  if (program === undefined) return { state: "missing" };
  let child: ChildProcess;
  try {
    child = startProgram(program, {
      args,
      cwd: directory,
      env: { ...talk?.env, PWD: directory },
      stdin: talk === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: talk === undefined ? "inherit" : "null",
    });
  } catch (error) {
    // It cannot be executed, or Deno was not allowed to run it. The caller's file is already written.
    return { state: "failed", why: `${program} does not start: ${(error as Error).message}` };
  }
  const said = await readText(child, talk);
  const { code, signal } = await child.status;
  if (code === 0) return { state: "done", printed: said };
  const end = signal === null ? `the program exited with status ${code}` : `${signal} ended it`;
  return { state: "failed", why: [end, said.trim()].filter((text) => text !== "").join(": ") };
}

async function readText(child: ChildProcess, talk?: ProgramTalk): Promise<string> {
  const decoder = new TextDecoder();
  const writer = talk && child.stdin.getWriter();
  // A program that does not start fails by its status.
  const end = async (): Promise<void> => await writer?.close().catch(() => {});
  await writer?.write(new TextEncoder().encode(talk?.input)).catch(() => {});
  let text = "";
  for await (const chunk of child.stdout) {
    if (text.length < MOST_OUTPUT) text += decoder.decode(chunk, { stream: true });
    if (talk?.ends.test(text) || text.length >= MOST_OUTPUT) await end();
  }
  await end();
  return text.slice(0, MOST_OUTPUT);
}
