/** `reprise blame` */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { FileBlame } from "../lib/blame/mod.ts";
import type { AgentName } from "../lib/event/agent_name.ts";
import type { SessionError } from "../lib/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { startProgress } from "../lib/ui/progress.ts";
import { agentsOf } from "./_scope.ts";
import { scopeOptions } from "./_scope_options.ts";

interface BlameFlags {
  agent?: AgentName | "all";
  json?: true;
}

const DETAILS = `
A line is joined with the change of a session by git's history:
  =  proven   the recorded change, made again on the file as it was before,
              gives this line, and no other session's does
  ~  likely   a session wrote such a line; its order or place cannot be shown
     unknown  no session is known to have written it
Lines that are not committed are told, too. Git runs nothing that the
repository names, and nothing is written.

Examples:
  reprise blame src/ledger.ts
  reprise blame src/ledger.ts:40-60
  reprise blame src/ledger.ts:42 --json | jq -r .ref
  reprise show "$(reprise blame src/ledger.ts:42 --json | jq -r .ref)"`;

/** Tells who wrote lines. */
export function blameCommand(context: Context): Command {
  return new Command("blame")
    .summary("tell which session wrote a line")
    .description("Tell which session, prompt and agent wrote each line of a file.")
    .argument("<file>", "a file, or lines of it: FILE:12, FILE:12-20")
    .addOption(scopeOptions().agent)
    .option("--json", "one object for lines that were written together")
    .addHelpText("after", DETAILS)
    .action((file, flags) => blame(context, file, flags as BlameFlags)) as unknown as Command;
}

async function blame(context: Context, named: string, flags: BlameFlags): Promise<void> {
  const { file, lines } = parseLines(context, named);
  const library = contextLibrary(context);
  const unread = new Set<string>();
  const found = await blamed(context, library, file, {
    ...(lines === undefined ? {} : { lines }),
    agents: agentsOf(flags.agent),
    onError: ({ message }) => unread.add(message),
  });
  for (const message of unread) await say(context, `reprise: ${message}`);
  if (found.lines.length === 0) return await say(context, `${named} is empty`);
  if (found.untracked) {
    await say(context, "Git does not know this file: its lines are told by the sessions alone");
  }
  const { blameRuns } = await import("../lib/blame/mod.ts");
  const runs = blameRuns(found.lines);
  const { printRuns, runAsJson } = await import("./blame/print_runs.ts");
  if (flags.json) { for (const run of runs) context.stdout.write(await runAsJson(run)); }
  else await printRuns(context, runs, found.sessions);
}

/** The file that is named, and the lines behind it; a file whose own name ends so is meant itself. */
function parseLines(
  { cwd }: Context,
  named: string,
): { file: string; lines?: { from: number; to: number } } {
  const whole = resolve(cwd, named);
  const [, name, first, last = first] = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(named) ?? [];
  if (name === undefined || existsSync(whole)) return { file: whole };
  const [from, to] = [Number(first), Number(last)];
  if (from < 1 || to < from) {
    throw new UsageError(`Cannot blame lines ${first} to ${last}: give FILE:12 or FILE:12-20`);
  }
  return { file: resolve(cwd, name), lines: { from, to } };
}

async function blamed(
  context: Context,
  library: Library,
  file: string,
  { agents, ...options }: {
    lines?: { from: number; to: number };
    agents: AgentName[] | undefined;
    onError: (error: SessionError) => void;
  },
): Promise<FileBlame> {
  const { blameFile } = await import("../lib/blame/mod.ts");
  const sessions = (count: number): string => `${count} sessions`;
  const progress = await startProgress(context, "Reading", sessions);
  try {
    return await blameFile(library, file, {
      ...options,
      ...(agents === undefined ? {} : { agents }),
      variable: (name) => context.variable(name),
      now: context.now().getTime(),
      onProgress: progress.show,
    });
  } finally {
    progress.end();
  }
}
