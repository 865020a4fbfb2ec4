/** Command lines that run one after the other in one process, for a process each would take long. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { type CommandRun, type CommandsScript, MARK } from "./children/commands_child.ts";
import { cliEnvironment } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";
import { childPath } from "./processes.ts";
import { runTraced } from "./strace.ts";

/** The module that runs a command line: of the bundle, which starts sooner. */
function runModule(): string {
  const bundle = Deno.env.get("REPRISE_BUNDLE");
  if (bundle === undefined) return new URL("../../commands/_run.ts", import.meta.url).href;
  const [, name = ""] = /import\("\.\/(_run-[^"]+)"\)/.exec(Deno.readTextFileSync(bundle)) ?? [];
  return new URL(name, pathToFileURL(bundle)).href;
}

/** The words that start the process, which prints a {@linkcode CommandRun} for each line. */
export function commandsInOne(
  more: Omit<CommandsScript, "module">,
  flags: readonly string[] = ["-A"],
): string[] {
  const script: CommandsScript = { module: runModule(), ...more };
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
