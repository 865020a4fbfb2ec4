/** The program without a process: for what needs many runs and no store. */
import { run } from "../../commands/_run.ts";
import type { CliResult } from "../_support/cli.ts";

/** Runs the program in this process, as a function of its arguments and context. */
export async function runHere(args: readonly string[]): Promise<CliResult> {
  const result = { status: 0, stdout: "", stderr: "" };
  const size = { terminal: false, width: 80, height: Infinity };
  result.status = await run(args, {
    cwd: ".",
    variable: () => undefined,
    now: () => new Date(),
    stdout: { ...size, write: (text) => void (result.stdout += text) },
    stderr: { ...size, write: (text) => void (result.stderr += text) },
    stdin: () => new ReadableStream(),
    stdin_terminal: false,
    version: "0.0.0",
  });
  return result;
}
