/** `reprise sync push`, `reprise sync pull` and `reprise sync check`. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { Team } from "../../lib/features/team/open_team.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { printJson, say } from "../_message.ts";
import { goneLines, newTreeLines } from "./added_project.ts";
import {
  knownSettings,
  machineSettings,
  neededSettings,
  nothingToSync,
  withTeam,
} from "./connection.ts";
import { checkLines, pullLines, pushLines } from "./report_text.ts";
import { pullOnce, pushOnce, type TransferOptions } from "./transfer.ts";

export const pushCommand = defineCommand({
  summary: "send new copies to the team",
  description:
    "Send redacted copies of new sessions and events of the projects that you share with `sync team`.",
  flags: { "--json": "print the report as one JSON object" },
  examples: ["reprise sync push", "reprise sync push --json | jq .sent_bytes"],
  run: async (context, { json }) => {
    const settings = await sharingSettings(context, "push");
    const report = await transfer(
      context,
      settings,
      (team, options) => pushOnce(context, team, settings, options),
    );
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    const { projects } = settings;
    await tell(context, json, report, [
      ...pushLines(report, formatBytes),
      ...goneLines(projects),
      ...newTreeLines(projects),
    ]);
    const is_lost = (report.check?.lost.length ?? 0) > 0;
    if (report.failed.length > 0 || is_lost) throw new CommandExit(STATUS.failed);
  },
});

export const pullCommand = defineCommand({
  summary: "fetch copies that other members sent",
  description:
    "Fetch new copies of the projects that you share with `sync team`. Then list, show, " +
    "search and open show them, each with its member: reprise show team:OWNER/ID.",
  flags: {
    "-a, --all": "fetch every project that you may read",
    "--json": "print the report as one JSON object",
  },
  examples: ["reprise sync pull", "reprise sync pull --all"],
  run: async (context, { all = false, json }) => {
    const settings = all
      ? await neededSettings(context, "pull")
      : await sharingSettings(context, "pull");
    const report = await transfer(
      context,
      settings,
      (team, options) => pullOnce(context, team, settings, { ...options, all }),
    );
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    await tell(context, json, report, pullLines(report, formatBytes));
    if (report.failed.length > 0) throw new CommandExit(STATUS.failed);
  },
});

export const checkCommand = defineCommand({
  summary: "find what the place lost, and send it again",
  description:
    "Read what this machine sent, to your machines and to your team, and compare it. What the place " +
    "lost, or what changed there, is sent again from the sessions of this machine. The first round " +
    "of each day looks for lost parts, without reading the others.",
  flags: { "--json": "print the result as one JSON object" },
  examples: ["reprise sync check", "reprise sync check --json | jq .lost"],
  run: async (context, { json }) => {
    const machines = await machineSettings(context);
    const team = await knownSettings(context);
    if ((machines ?? team) === undefined) throw nothingToSync("check the place");
    const restored = machines && await checkMachines(context, machines, json ?? false);
    const { check, failed = [] } = team === undefined ? {} : await transfer(
      context,
      team,
      (opened, options) => pushOnce(context, opened, team, { ...options, check: true }),
    );
    const lost = check && [...check.lost, ...failed];
    const result = check && lost && { ...check, lost };
    if (json) await printJson(context, { ...result, ...restored && { machines: restored } });
    else if (result !== undefined) await say(context, checkLines(result, true).join("\n"));
    if ((lost?.length ?? 0) > 0) throw new CommandExit(STATUS.failed);
  },
});

async function checkMachines(
  context: Context,
  settings: MachineSettings,
  json: boolean,
): Promise<{ is_lost: boolean }> {
  const { roundLines, runRound } = await import("./machine_round.ts");
  const round = await runRound(context, settings, true);
  const { is_lost } = round.pushed;
  if (json) return { is_lost };
  const whole = "The place has everything that this machine sent to your other machines";
  const lines = [...is_lost ? [] : [whole], ...await roundLines(settings, round)];
  await say(context, lines.join("\n"));
  return { is_lost };
}

async function sharingSettings(context: Context, action: "push" | "pull"): Promise<SyncSettings> {
  const settings = await neededSettings(context, action);
  if (settings.projects.length > 0) return settings;
  const all = action === "push" ? "" : ". To fetch all that you may read: reprise sync pull --all";
  const message = `Cannot ${action}: no project is shared. To share one, run in its directory: ` +
    `reprise sync team${all}`;
  throw new SessionError("invalid-config", message);
}

async function transfer<Report>(
  context: Context,
  settings: SyncSettings,
  work: (team: Team, options: TransferOptions) => Promise<Report>,
): Promise<Report> {
  return await untilInterrupted((signal) =>
    withTeam(context, settings, (team) => work(team, { signal }))
  );
}

async function tell(
  context: Context,
  json: boolean | undefined,
  report: object,
  lines: readonly string[],
): Promise<void> {
  if (json) await printJson(context, report);
  else await say(context, lines.join("\n"));
}
