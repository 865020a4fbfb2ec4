/** Runs rounds of `sync` between the user's machines, and says what each round did. */
import { counted } from "../../lib/core/event/counted.ts";
import type { MachinePlace } from "../../lib/features/backup/machines/packs.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { MachinesRound } from "../../lib/features/backup/machines/machines_round.ts";
import type { Library } from "../../lib/library/library.ts";
import { type Context, isDirectory } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { goneLines } from "./added_project.ts";
import { storeAccess } from "./connection.ts";

/** Settings of the store that syncs the user's machines: address, password and pairing words. */
export type PlaceAccess =
  & Pick<MachineSettings, "url" | "password_command" | "insecure" | "words">
  & { password?: string };

export async function withMachinePlace<Result>(
  context: Context,
  { words, ...access }: PlaceAccess,
  work: (place: MachinePlace) => Promise<Result>,
): Promise<Result> {
  const [{ PlaceKey }, { secretOf }, { openObjects }, { machinePrefix }] = await Promise.all([
    import("../../lib/features/backup/machines/place_key.ts"),
    import("../../lib/features/backup/machines/pairing_words.ts"),
    import("../../lib/features/team/open_store.ts"),
    import("../../lib/features/team/objects/object_keys.ts"),
  ]);
  const opened = await openObjects(access.url, await storeAccess(context, access));
  await using objects = opened.objects;
  const key = new PlaceKey(secretOf(words));
  return await work({ objects, prefix: machinePrefix(opened.owner ?? "me"), key });
}

/**
 * Runs one round. Sends this machine's changes, and appends changes of other machines to this
 * machine's files. Then relinks other machines' sessions to directories of this machine.
 *
 * @param check True to compare the store's content with what this machine sent
 */
export async function runRound(
  context: Context,
  settings: MachineSettings,
  check = false,
): Promise<MachinesRound> {
  const library = contextLibrary(context);
  const [{ syncMachines }, { sentSessions }, { openHere }] = await Promise.all([
    import("../../lib/features/backup/machines/machines_round.ts"),
    import("../../lib/features/backup/machines/sent_sessions.ts"),
    import("../../lib/features/backup/machines/open_here.ts"),
  ]);
  const { device: { id: device, label: machine }, projects, all_projects } = settings;
  const { root, place: { environment } } = library;
  const { continuedBranches } = await import("../../lib/features/handover/handover_record.ts");
  const isContinued = continuedBranches(root);
  const round = await withMachinePlace(context, settings, (place) =>
    syncMachines({
      ...{ root, device, machine, place, environment },
      findSessions: (placed) => sentSessions(library, projects, all_projects, placed),
      isOpen: openHere(library),
      ...{ isContinued, check },
    }));
  await relink(context, library, settings, round);
  return round;
}

async function relink(
  context: Context,
  library: Library,
  { projects }: MachineSettings,
  { shown }: MachinesRound,
): Promise<void> {
  const pulled = shown.flatMap(({ ref, id, project, cwd, created_at = "" }) =>
    project === undefined || cwd === undefined ? [] : [{ id, ref, project, cwd, created_at }]
  );
  const here = projects.filter(({ directory }) => isDirectory(directory));
  const { relinkPulled } = await import("../../lib/features/backup/machines/relink_pulled.ts");
  await relinkPulled(library, here, pulled, context.now());
}

export async function roundLines(
  { projects, all_projects }: MachineSettings,
  { pushed, received, shown, grown, open, branches, waiting, rekeyed }: MachinesRound,
): Promise<string[]> {
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  const lines: string[] = all_projects ? [] : goneLines(projects);
  if (pushed.is_lost) {
    lines.push("The place lost or changed something that this machine sent. All is sent again");
  }
  if (pushed.sessions > 0) {
    lines.push(`Sent ${counted(pushed.sessions, "session")}, ${formatBytes(pushed.bytes)}`);
  }
  if (received > 0) {
    const there = shown.length === 0
      ? ""
      : `. This machine has ${counted(shown.length, "session")} of other machines`;
    lines.push(`Received ${formatBytes(received)}${there}`);
  }
  for (const ref of grown) lines.push(`Added to ${ref} what another machine wrote`);
  for (const ref of open) lines.push(`Waiting to continue ${ref}: its agent has it open here`);
  for (const { ref, branch, machine } of branches) {
    lines.push(`Continued on two machines: ${ref}. The end on ${machine}: reprise show ${branch}`);
  }
  for (const machine of waiting) {
    lines.push(
      `Not all of ${machine} has arrived yet; the next round tries again. If this does not ` +
        "change, run there: reprise sync check",
    );
  }
  for (const machine of rekeyed) {
    lines.push(
      `${machine} uses new words. Show them there: reprise sync words. Put them into a file, and ` +
        "run here: reprise sync PLACE --words FILE",
    );
  }
  return lines;
}

/** Returns the line about sessions in databases, which a round does not send. Undefined if none. */
export function leftOutLine({ pushed: { left_out } }: MachinesRound): string | undefined {
  if (left_out === 0) return undefined;
  const what = counted(left_out, "session");
  return `Not sent: ${what} in databases. To send them as copies: reprise backup --agent all`;
}
