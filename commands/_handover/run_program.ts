/** Runs an agent's own commands, such as an import. */
import { type ChildProcess, startProgram } from "../../lib/platform/child_process.ts";
import type { Context } from "../_context.ts";
import { userProgram } from "../_user_program.ts";

/** The outcome of an agent's command. */
type ProgramOutcome =
  | { state: "done"; printed: string }
  /** The program is not installed. */
  | { state: "missing" }
  | { state: "failed"; why: string };

/** Characters of the output in the message of a failure. */
const MOST_OUTPUT = 4096;

/**
 * Runs a program in a directory, without a shell.
 *
 * @param directory Its programs are not taken: anyone may have written them.
 */
export async function runProgram(
  context: Context,
  [name, ...args]: readonly [string, ...string[]],
  directory: string,
): Promise<ProgramOutcome> {
  const program = userProgram(context, name, directory);
  if (program === undefined) return { state: "missing" };
  let child: ChildProcess;
  try {
    child = startProgram(program, {
      args,
      cwd: directory,
      env: { PWD: directory },
      ...{ stdin: "null", stdout: "piped", stderr: "inherit" } as const,
    });
  } catch (error) {
    // It cannot be executed, or Deno was not allowed to run it. The caller's file is already written.
    return { state: "failed", why: `${program} does not start: ${(error as Error).message}` };
  }
  const said = await readText(child.stdout);
  const { code, signal } = await child.status;
  if (code === 0) return { state: "done", printed: said };
  const end = signal === null ? `it exited with status ${code}` : `${signal} ended it`;
  return { state: "failed", why: [end, said.trim()].filter((text) => text !== "").join(": ") };
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (text.length < MOST_OUTPUT) text += decoder.decode(chunk, { stream: true });
  }
  return text.slice(0, MOST_OUTPUT);
}
