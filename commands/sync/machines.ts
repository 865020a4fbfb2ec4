/** `reprise sync [PLACE]`: syncs the sessions of the user's machines. */
import { counted } from "../../lib/core/event/counted.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { leftOutLine, roundLines, runRound } from "./machine_round.ts";
import { projectAround } from "./machine_project.ts";
import { type Pairing, pairMachine, tellWords } from "./pairing.ts";
import { assertPlace } from "./wrong_place.ts";

export const MACHINE_FLAGS = {
  "--words <file>": "file for the pairing words: written first, then read",
  "--all-projects": "send the sessions of all projects, not of this one",
  "--once": "stop after one round (default: follow until ^C)",
  "-y, --yes": "do not ask for confirmation",
  "--password-command <line>": { help: "prints the place's password or S3 keys", hidden: true },
  "--insecure": { help: "allow a connection without TLS", hidden: true },
  "--json": "without PLACE: print the state as JSON",
} as const satisfies Flags;

type MachineFlags = FlagsOf<typeof MACHINE_FLAGS>;

/**
 * Runs `reprise sync`. With the address of a store as `place`, pairs this machine if needed, and
 * syncs. Without an address, prints the state, unless a flag asks for a sync.
 */
export async function syncMachinesHere(
  context: Context,
  place: string | undefined,
  flags: MachineFlags,
): Promise<void> {
  const { root } = contextLibrary(context);
  const { readMachineSettings, writeMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  const known = readMachineSettings(root);
  if (place === undefined) {
    if (flags.yes || flags.once || flags.words !== undefined) {
      if (known === undefined) throw new UsageError("name the place: reprise sync PLACE");
      return await syncWith(context, known, flags);
    }
    const { tellState } = await import("./state.ts");
    return await tellState(context, known, flags.json ?? false);
  }
  assertPlace(context, "sync", place);
  const pairing = known === undefined
    ? await pairMachine(context, place, flags)
    : { settings: await sameSettings(context, known, place, flags.words), is_first: false };
  const settings = await withProject(context, pairing.settings, flags.allProjects ?? false);
  const changed = JSON.stringify(settings) !== JSON.stringify(known);
  // Other words alone send no other sessions.
  const is_more = changed && JSON.stringify(settings) !== JSON.stringify(pairing.settings);
  if (known === undefined || is_more) await confirmLeaving(context, settings, flags.yes ?? false);
  if (pairing.is_first) await tellWords(context, { ...pairing, settings } satisfies Pairing);
  if (changed) writeMachineSettings(root, settings);
  const is_asked = context.stdin_terminal && context.stderr.terminal && !flags.yes && !flags.once;
  if (known === undefined && !pairing.is_first && is_asked) {
    const { offerSession } = await import("./offer_session.ts");
    await offerSession(context, settings);
  }
  await syncWith(context, settings, flags);
}

/** Returns this machine's settings, with new pairing words if `words` names a file. */
async function sameSettings(
  context: Context,
  known: MachineSettings,
  place: string,
  words: string | undefined,
): Promise<MachineSettings> {
  const { storeAddress } = await import("../../lib/features/team/store_address.ts");
  if (storeAddress(place, context.cwd).url === known.url) {
    if (words === undefined) return known;
    const { newWords } = await import("./words.ts");
    return await newWords(context, known, words);
  }
  const { machineSettingsPath } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  const path = machineSettingsPath(contextLibrary(context).root);
  throw new UsageError(
    `this machine already syncs with ${known.url}. To use another place, first remove ${path}`,
  );
}

async function withProject(
  context: Context,
  settings: MachineSettings,
  all: boolean,
): Promise<MachineSettings> {
  const around = await projectAround(context.cwd);
  const { directory } = around;
  const { homeFolder } = await import("../../lib/core/workspace/home_folder.ts");
  const { isInProject } = await import("../../lib/core/workspace/project.ts");
  const home = homeFolder(context.variable);
  // The home directory, and those around it, are no project.
  const is_wide = home !== undefined && isInProject(home, [directory]);
  const is_known = is_wide || settings.projects.some((one) => one.directory === directory);
  const projects = is_known ? settings.projects : [...settings.projects, around];
  return { ...settings, projects, ...all && { all_projects: true } };
}

async function confirmLeaving(
  context: Context,
  { url, projects, all_projects }: MachineSettings,
  yes: boolean,
): Promise<void> {
  const [{ sentSessions }, { formatBytes }] = await Promise.all([
    import("../../lib/features/backup/machines/sent_sessions.ts"),
    import("../../lib/text/render/byte_size.ts"),
  ]);
  const sessions = await sentSessions(contextLibrary(context), projects, all_projects);
  const bytes = sessions.reduce((sum, { entry }) => sum + Math.max(0, entry.state?.size ?? 0), 0);
  const agents = [...new Set(sessions.map(({ entry }) => entry.session.agent))].sort();
  const of = agents.length === 0 ? "" : ` (${agents.join(", ")})`;
  const where = all_projects
    ? "all projects"
    : projects.length === 0
    ? "no project (you are in none)"
    : projects.map(({ directory }) => directory).join(", ");
  await say(
    context,
    `This sends ${counted(sessions.length, "session")}${of}, ${
      formatBytes(bytes)
    }, and later additions, of ${where}, to ${url}\n` +
      "They are encrypted, secrets in them too. Only machines with your words can read them. " +
      "The place sees sizes, times, and the number of machines.",
  );
  if (yes) return;
  if (!(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError("Cannot ask whether to send them: this is not a terminal. Add --yes");
  }
  if (await isConfirmed(context, "Send them?")) return;
  await say(context, "Nothing was sent");
  throw new CommandExit(STATUS.cancelled);
}

async function syncWith(
  context: Context,
  settings: MachineSettings,
  { once }: MachineFlags,
): Promise<void> {
  if (!once) {
    const { followMachines } = await import("./watch.ts");
    return await followMachines(context);
  }
  const round = await runRound(context, settings);
  const lines = await roundLines(settings, round);
  for (const line of lines.length === 0 ? ["Nothing new"] : lines) await say(context, line);
  const left_out = leftOutLine(round);
  if (left_out !== undefined) await say(context, left_out);
  if (round.shown.length > 0) {
    await say(context, "To see them: reprise list. To continue one here: reprise resume ID");
  }
}
