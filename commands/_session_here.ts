/** Copies a session of the user's other machine into the folder of its agent on this machine. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import { projectDirectories } from "../lib/core/workspace/project.ts";
import type { OtherSession } from "../lib/features/backup/machines/place_pulled.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { type Context, isDirectory } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";

/**
 * Returns the session to continue on this machine. A session of another machine is first copied to
 * this machine.
 *
 * @throws {SessionError} `not-found` if the session's project has no directory on this machine;
 * `changed` if both machines continued the session; `locked` if its agent has the session open on
 * this machine
 */
export async function sessionHere(
  context: Context,
  session: SessionHandle,
): Promise<SessionHandle> {
  const { machine, branch_of } = session.session;
  if (machine === undefined) {
    await refuseOpen(context, session);
    return session;
  }
  const { ref } = session;
  if (branch_of !== undefined) {
    const message = `Cannot resume ${ref}: both machines continued this session, and ` +
      `${session.agent}:${branch_of} is the end of this one. To continue ${machine}'s end as a ` +
      `session of its own: reprise handover ${ref} --to ${session.agent} --again`;
    throw new SessionError("changed", message, { ref });
  }
  const library = contextLibrary(context);
  const { otherSession, placePulled } = await import(
    "../lib/features/backup/machines/place_pulled.ts"
  );
  const other = otherSession(library.root, session.session);
  if (other === undefined) return session;
  const directory = await directoryHere(context, library.root, other);
  await placePulled(library.root, library.place.environment, other, directory);
  await say(context, `Continuing ${machine}'s session ${ref} in ${directory}`);
  return await library.open(ref);
}

async function refuseOpen(context: Context, session: SessionHandle): Promise<void> {
  const library = contextLibrary(context);
  if (!existsSync(join(library.root, "machines.json"))) return;
  const { assertNotOpenHere } = await import("../lib/features/backup/machines/open_here.ts");
  await assertNotOpenHere(library, session);
}

/** Finds the directory on this machine for a session that was recorded on another machine. */
async function directoryHere(
  context: Context,
  root: string,
  { ref, stream: { facts: { project, top, cwd } } }: OtherSession,
): Promise<string> {
  const [{ readMachineSettings }, { projectName }] = await Promise.all([
    import("../lib/features/backup/machines/machine_settings.ts"),
    import("./sync/machine_project.ts"),
  ]);
  const known = readMachineSettings(root)?.projects.find((one) => one.project === project);
  if (known !== undefined && isDirectory(known.directory)) return known.directory;
  const [here = context.cwd] = projectDirectories(context.cwd);
  if (project === undefined || await projectName(here) === project) return here;
  const there = top ?? cwd;
  if (there !== undefined && isDirectory(there)) return there;
  const message = `Cannot resume ${ref}: this machine does not know where the project ${project} ` +
    "is. Run the command again in the project's directory";
  throw new SessionError("not-found", message, { ref });
}
