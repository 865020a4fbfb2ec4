/** Command lines that run one after the other in one process, for a process each would take long. */
import assert from "node:assert/strict";
import { type CommandRun, type CommandsScript, MARK } from "./children/commands_child.ts";
import { cliEnvironment } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";
import { childPath } from "./processes.ts";
import { runTraced } from "./strace.ts";

/** The words that start the process, which prints a {@linkcode CommandRun} for each line. */
export function commandsInOne(script: CommandsScript, flags: readonly string[] = ["-A"]): string[] {
  const run = [Deno.execPath(), "run", "--no-check", ...flags, childPath("commands_child")];
  return [...run, JSON.stringify(script)];
}

/** A command line that was traced in one process with others. */
export interface TracedCommand extends CommandRun {
  /** Its calls of the system. */
  calls: string[];
}

/** Traces command lines in one process. */
export async function tracedInOne(
  home: CliHome,
  lines: CommandsScript["lines"],
  trace: readonly string[],
): Promise<TracedCommand[]> {
  const options = { env: cliEnvironment({ home: home.path }), cwd: home.work };
  const traced = await runTraced(trace, commandsInOne({ lines, root: home.store }), options);
  assert.equal(traced.status, 0, traced.stderr);
  const parts: string[][] = [[]];
  for (const call of traced.calls) {
    if (call.includes(`"${MARK}"`)) parts.push([]);
    else parts.at(-1)?.push(call);
  }
  const runs: CommandRun[] = JSON.parse(traced.stdout);
  assert.deepEqual([runs.length, parts.length], [lines.length, lines.length + 1]);
  return runs.map((run, index) => ({ ...run, calls: parts[index + 1] ?? [] }));
}
