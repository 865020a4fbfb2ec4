/** Runs the process's own command line. */
import { programArguments } from "../lib/platform/process.ts";
import { processContext } from "./_context.ts";
import { run } from "./_run.ts";

/** Runs what the process was called with; gives the exit status. */
export async function runProcess(version: string): Promise<number> {
  return await run(programArguments(), processContext(version));
}
