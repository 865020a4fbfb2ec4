/**
 * A program that runs command lines one after the other, each behind a mark that a trace of its calls
 * shows. Run with a JSON script as its argument; prints what each line wrote, and what it left.
 */
import type { CliResult } from "../cli.ts";
import { snapshot } from "../store_snapshot.ts";

/** A command line, what it reads, and where it runs. */
export interface CommandLine {
  args: readonly string[];
  input?: string | undefined;
  /** @default {that of the process} */
  cwd?: string;
  /** @default {those of the process} */
  env?: Record<string, string>;
}

/** What the program is to do. */
export interface CommandsScript {
  /** URL of the module that runs a command line. */
  module: string;
  lines: CommandLine[];
  /** Folder that is looked at around each line. @default {none} */
  root?: string;
}

/** How a line ended, and how the folder was before and after it. */
export interface CommandRun extends CliResult {
  before: string[];
  after: string[];
}

/** A file that is not there: that it is asked for is seen in a trace. */
export const MARK = "/no-file-but-a-mark";

function mark(): void {
  try {
    Deno.openSync(MARK).close();
  } catch {
    // As it should be.
  }
}

async function runMarked({ module, lines, root }: CommandsScript): Promise<CommandRun[]> {
  const { run }: typeof import("../../../commands/_run.ts") = await import(module);
  const runs: CommandRun[] = [];
  for (const { args, input = "", cwd, env } of lines) {
    const result = { status: 0, stdout: "", stderr: "" };
    const decoder = new TextDecoder();
    const size = { terminal: false, width: 80, height: Infinity };
    const before = root === undefined ? [] : snapshot(root);
    mark();
    result.status = await run(args, {
      cwd: cwd ?? Deno.cwd(),
      variable: (name) => env === undefined ? Deno.env.get(name) : env[name],
      now: () => new Date(),
      version: "0.0.0",
      stdout: {
        ...size,
        write: (text) => void (result.stdout += text),
        writeBytes: (bytes) => void (result.stdout += decoder.decode(bytes)),
        sendBytes: (bytes) => Promise.resolve(void (result.stdout += decoder.decode(bytes))),
      },
      stderr: { ...size, write: (text) => void (result.stderr += text) },
      stdin: () => new Blob([input]).stream(),
      stdin_terminal: false,
    });
    runs.push({ ...result, before, after: root === undefined ? [] : snapshot(root) });
  }
  return runs;
}

if (import.meta.main) {
  const runs = await runMarked(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(runs)));
}
