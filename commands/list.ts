/** `reprise list` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { AGENT_NAMES } from "../lib/event/agent_name.ts";
import type { Context } from "./_context.ts";
import { parseCount } from "./_number.ts";
import { pageOptions } from "./_page.ts";
import { scopeOptions } from "./_scope_options.ts";
import { parseSince } from "./_time.ts";
import { fileOption } from "./_touching.ts";
import { listSessions } from "./list/list_sessions.ts";
import { HERDR } from "./list/pointed_rows.ts";
import type { ListFlags } from "./list/plain_flags.ts";

/** Lists sessions. */
export function listCommand(context: Context): Command {
  const { here, all, cwd, agent } = scopeOptions();
  const { max_chars, cursor } = pageOptions();
  let since_text: string | undefined;
  return new Command("list")
    .summary("list this project's sessions, of all agents")
    .description(
      "List this project's sessions, most recently updated first. The project is its\n" +
        "directory, all below it, and its other git work trees. If it has none, list all.",
    )
    .addOption(all)
    .addOption(here)
    .addOption(cwd)
    .addOption(agent.choices([...AGENT_NAMES, HERDR, "all"]))
    .option(
      "--since <time>",
      "updated since: 30m, 12h, 7d, 2w, or a date",
      (text) => parseSince(since_text = text, context.now()),
    )
    .option("--title <text>", "only titles that contain this text")
    .addOption(fileOption())
    .option("--archived", "archived sessions instead")
    .option("--exact", "fill in message counts and costs (slower)")
    .option("-n, --number <count>", "maximum number of rows", parseCount)
    .option("--remote", "the team's sessions, from its store; nothing is downloaded")
    .option("--json", "one summary a line")
    .addOption(max_chars.conflicts("remote"))
    .addOption(cursor.conflicts("remote"))
    .addHelpText(
      "after",
      "\nExamples:\n  reprise list --all --since 7d\n  reprise list --json | jq -r .ref\n  reprise list --agent claude\n  reprise list --file src/ledger.ts",
    )
    .action((flags) =>
      list(context, {
        ...flags as ListFlags & { remote?: true },
        ...(since_text === undefined ? {} : { since_text }),
      })
    ) as unknown as Command;
}

async function list(
  context: Context,
  { remote, ...flags }: ListFlags & { remote?: true },
): Promise<void> {
  if (!remote) return await listSessions(context, flags);
  const { listRemote } = await import("./list/remote.ts");
  await listRemote(context, flags);
}
