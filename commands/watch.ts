/** `reprise watch` */
import { resolve } from "node:path";
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { loadPrices } from "../lib/library/usage/load_prices.ts";
import { RunningSessions } from "../lib/library/running/running_sessions.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import { type Context, hasScreen } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { agentsOf } from "./_scope.ts";
import { scopeOptions } from "./_scope_options.ts";

interface WatchFlags {
  here?: true;
  agent?: string;
  once?: true;
  json?: true;
}

const NOTES = `
A session of Reprise runs while a process writes it. Claude Code, Codex and
Copilot CLI say which sessions they have open. For other agents, a session runs
if it changed in the last minute. In a pipe, each change is a line.

Keys: Up and Down choose, Enter reads the session, q ends.

Examples:
  reprise watch
  reprise watch --once --json | jq .doing`;

/** Shows the sessions that run now. */
export function watchCommand(context: Context): Command {
  const { agent } = scopeOptions();
  return new Command("watch")
    .summary("show the sessions that run now, and what each does")
    .description(
      "Show every session that runs now, of any agent: its directory, what it does and since " +
        "when, its tokens and cost. The table is kept up to date until q or ^C.",
    )
    .option("--here", "only this directory, and what is below it")
    .addOption(agent)
    .option("--once", "print what runs now, and end")
    .option("--json", "one change a line, as an object")
    .addHelpText("after", NOTES)
    .action((flags) => watch(context, flags)) as unknown as Command;
}

async function watch(context: Context, flags: WatchFlags): Promise<void> {
  const agents = agentsOf(flags.agent);
  const { estimate } = await loadPrices();
  const sessions = new RunningSessions(contextLibrary(context), {
    estimate,
    ...(agents === undefined ? {} : { agents }),
    ...(flags.here ? { directories: [realDirectory(resolve(context.cwd))] } : {}),
  });
  const { once = false, json = false } = flags;
  if (hasScreen(context) && !once && !json) {
    const { browse } = await import("./_reader.ts");
    const end = await browse(context, sessions);
    if (end === "left") return;
    throw new CommandExit(end === "interrupted" ? STATUS.cancelled : STATUS.terminated);
  }
  const { watchInLines } = await import("./watch/lines.ts");
  await watchInLines(context, sessions, { once, json });
}
