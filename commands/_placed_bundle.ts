/** Installs the session of a checked bundle on this machine, or hands it over to another agent. */
import { join } from "node:path";
import { REPRISE } from "../lib/core/event/agent_name.ts";
import { TemporaryFolder } from "../lib/core/log/temporary_folder.ts";
import type { BundleManifest } from "../lib/features/backup/bundle/manifest.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { SealKeys } from "../lib/text/seal/open_sealed.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { type HandoverChoice, handOverSession } from "./_handover/hand_over_session.ts";
import { handOverToStore } from "./_handover/continue_elsewhere.ts";
import { resumeLine } from "./_handover/resume_line.ts";
import { contextLibrary } from "./_library.ts";
import { printExact, say } from "./_message.ts";
import { planResume, type ResumePlan } from "./_resume_in_agent.ts";

export interface PlacedBundle {
  /** Absolute path of the bundle. */
  path: string;
  keys: SealKeys;
  manifest: BundleManifest;
}

export function refOf({ agent, id }: BundleManifest): string {
  return agent === REPRISE ? id : `${agent}:${id}`;
}

/** Opens the installed session and plans how to resume it. On failure, deletes its files. */
async function resumed(
  context: Context,
  ref: string,
  remove: () => void,
): Promise<ResumePlan & { session: SessionHandle }> {
  try {
    const session = await contextLibrary(context).open(ref);
    return { ...await planResume(context, session), session };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Installs the session or hands it over, then prints the command line that continues it.
 *
 * @param handover The options of the hand-over. Undefined installs the session for its own agent.
 * @throws {CommandExit} `cancelled` if the user does not consent to the hand-over.
 */
export async function placed(
  context: Context,
  { path, keys, manifest }: PlacedBundle,
  directory: string,
  handover: Pick<HandoverChoice, "to" | "redact" | "confirm"> | undefined,
): Promise<void> {
  const [{ placeBundle }, { hasRows, placeRows, stageRows }, { movedPath }, { bundlePlaces }] =
    await Promise.all([
      import("../lib/features/backup/bundle/place_bundle.ts"),
      import("../lib/features/backup/bundle/bundle_rows.ts"),
      import("../lib/features/backup/bundle/moved_records.ts"),
      import("../lib/features/backup/bundle/session_parts.ts"),
    ]);
  const { top, cwd: old = directory } = manifest;
  const inside = top !== undefined && movedPath(old, { old: top, here: "/" }) !== undefined;
  const move = { old: inside ? top : old, here: directory };
  const cwd = movedPath(old, move) ?? directory;
  const library = contextLibrary(context);
  if (handover === undefined) {
    const { environment } = library.place;
    const remove = hasRows(manifest)
      ? await placeRows({ path, keys, manifest, move }, environment)
      : await placeBundle({ path, keys, move, ...await bundlePlaces(manifest, environment, cwd) });
    const { line, obstacle, session } = await resumed(context, refOf(manifest), remove);
    await say(context, `Session ${session.ref} is now on this machine. To continue it:`);
    await printExact(context, line);
    if (obstacle !== undefined) await say(context, `reprise: ${obstacle}`);
    return;
  }
  using staged = new TemporaryFolder("copy");
  const stageFiles = async (): Promise<string> => {
    const paths = manifest.parts.filter(({ kind }) => kind !== "patch")
      .map(({ name }) => join(staged.path, name));
    await placeBundle({ path, keys, paths, beside: [], move });
    return paths[0] ?? "";
  };
  const session = await library.open(
    hasRows(manifest)
      ? await stageRows({ path, keys, manifest, move }, staged.path)
      : await stageFiles(),
  );
  if (handover.to === REPRISE) {
    const own = await handOverToStore(context, session, { to: handover.to, cwd });
    return await printExact(context, `reprise chat --resume ${own.id}`);
  }
  const choice = { ...handover, cwd, again: true, taken: true } as const;
  const { done } = await handOverSession(context, session, choice);
  if (done === undefined) throw new CommandExit(STATUS.cancelled);
  await printExact(context, resumeLine(done, cwd));
}
