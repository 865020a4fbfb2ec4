/**
 * `reprise sync` without an address: prints the sync state from local files, without a connection.
 */
import { counted } from "../../lib/core/event/counted.ts";
import { quoteWord } from "../../lib/core/platform/shell_word.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { LastSync } from "../../lib/features/team/state/last_sync.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { type Context, timeFormat } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { printFitted, printJson } from "../_message.ts";
import { goneLines, newTreeLines } from "./added_project.ts";
import { knownSettings } from "./connection.ts";

const NOT_YET = `This machine syncs with no other yet. To keep your machines in step, run in a
project's directory, on each of them:

  reprise sync PLACE

PLACE is a folder that both have, ssh://HOST/FOLDER, s3://BUCKET, or
postgresql://USER@HOST/DATABASE. To share redacted copies with a team:

  reprise sync team PLACE`;

/** Prints the sync state. `machines` is undefined if this machine syncs with no other machine. */
export async function tellState(
  context: Context,
  machines: MachineSettings | undefined,
  json: boolean,
): Promise<void> {
  const team = await knownSettings(context);
  const known = machines && await stateOfMachines(context, machines);
  const shared = team && await stateOfTeam(context, team);
  if (json) return await printJson(context, { machines: known ?? null, team: shared ?? null });
  const { sanitizeText } = await import("../../lib/text/render/sanitize.ts");
  const lines = [
    ...known === undefined ? [] : machineLines(known),
    ...known === undefined || shared === undefined ? [] : [""],
    ...shared === undefined || team === undefined ? [] : teamLines(context, shared, team),
  ];
  const text = lines.length === 0 ? NOT_YET : lines.map(sanitizeText).join("\n");
  await printFitted(context, text);
}

/** The state of the user's machines, as `--json` prints it. */
interface MachinesState extends Pick<MachineSettings, "url" | "projects"> {
  machine: string;
  all_projects: boolean;
  /** Labels of the other machines, with the number of their sessions that still exist. */
  machines: { machine: string; sessions: number }[];
}

async function stateOfMachines(
  context: Context,
  { url, device, projects, all_projects = false }: MachineSettings,
): Promise<MachinesState> {
  const { knownMachines, machineNames } = await import(
    "../../lib/features/backup/machines/pull_machines.ts"
  );
  const { root } = contextLibrary(context);
  const known = knownMachines(root, device.id);
  const names = machineNames(device.id, device.label, known);
  const machines = [...known].map(([id, { state }]) => ({
    machine: names.of(id).label,
    sessions: Object.values(state.streams).filter(({ gone }) => !gone).length,
  }));
  return { url, machine: device.label, projects, all_projects, machines };
}

function machineLines({ url, machine, projects, all_projects, machines }: MachinesState): string[] {
  return [
    `place     ${url}`,
    `machine   ${machine}`,
    ...all_projects
      ? ["projects  all"]
      : projects.map(({ project, directory }) => `project   ${project}  ${directory}`),
    ...all_projects ? [] : goneLines(projects),
    ...machines.map((one) => `other     ${one.machine}: ${counted(one.sessions, "session")}`),
    "",
    "To sync once: reprise sync --once. To follow: reprise sync watch",
    `To add the project of another directory, run there: reprise sync ${quoteWord(url)}`,
    "To add a machine, run there the same, and type the words: reprise sync words",
  ];
}

/** The state of the team, as `--json` prints it. */
interface TeamState extends Pick<SyncSettings, "url" | "projects"> {
  machine: string;
  /** Number of this machine's sessions in the team's store. */
  shared: number;
  withdrawn: number;
  last: LastSync;
}

async function stateOfTeam(
  context: Context,
  { url, device, projects, store = "" }: SyncSettings,
): Promise<TeamState> {
  const [{ readLastSync }, { knownStates }] = await Promise.all([
    import("../../lib/features/team/state/last_sync.ts"),
    import("../../lib/features/team/state/sync_state.ts"),
  ]);
  const { root } = contextLibrary(context);
  const records = knownStates(root).filter((one) => one.store === store)
    .flatMap(({ sessions }) => Object.values(sessions));
  return {
    ...{ url, machine: device.label, projects },
    shared: records.filter(({ parts }) => parts.length > 0).length,
    withdrawn: records.filter(({ withdrawn }) => withdrawn).length,
    last: readLastSync(root),
  };
}

function teamLines(
  context: Context,
  { url, projects, shared, withdrawn, last }: TeamState,
  { store }: SyncSettings,
): string[] {
  const format = timeFormat(context);
  const acts = [["last push", last.push], ["last pull", last.pull]] as const;
  return [
    `team      ${url}`,
    ...projects.map(({ project, directory, agents }) =>
      `project   ${project}  ${directory}${agents === undefined ? "" : `  of ${agents.join(", ")}`}`
    ),
    ...projects.length === 0
      ? ["project   none. To share one, run in its directory: reprise sync team"]
      : [],
    `shared    ${counted(shared, "session")}${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""}`,
    ...acts.map(([label, transfer]) =>
      transfer === undefined || transfer.store !== store
        ? `${label} none yet`
        : `${label} ${format(transfer.time)}, by ${transfer.by}: ${
          counted(transfer.sessions, "session")
        }`
    ),
    ...goneLines(projects),
    ...newTreeLines(projects),
  ];
}
