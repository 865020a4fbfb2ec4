/** Takes a session into this machine that no trusted machine signed, because the user says so. */
import { SessionError } from "../../event/session_error.ts";
import type { Library } from "../../library/library.ts";
import type { SyncSettings } from "../shared_project.ts";
import type { FoundBranch } from "../find_branch.ts";
import type { TeamStore } from "../team_store.ts";
import { readMirrorNote } from "./mirror.ts";
import { pull, type PullOptions } from "./pull.ts";
import type { PullReport } from "./pull_report.ts";

/**
 * Takes a pulled session of the user into the sessions here. One that is here gets what follows.
 *
 * @param library Its data root takes it. @param store The connection.
 * @param settings The projects, and this device. @param branch As it is in the store now.
 * @param options Keys, and who is told.
 * @throws {SessionError} `not-found` where it was not pulled as it is now, so nobody could read it;
 * `locked`; `io` where it follows no session here; else as `pull`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { acceptBranch, findShared, openTeamStore, type SyncSettings } from "@reprise/reprise/team";
 *
 * const url = "postgresql://ada@127.0.0.1:1/sessions";
 * const device = { id: crypto.randomUUID(), label: "laptop" };
 * const settings: SyncSettings = { version: 1, url, device, projects: [] };
 *
 * async function accept(ref: string): Promise<void> {
 *   await using store = await openTeamStore(url);
 *   const branch = await findShared(store, "ada", ref);
 *   await acceptBranch(openLibrary(), store, settings, branch);
 * }
 * await assert.rejects(accept("team:3f2a"), { code: "unreachable" });
 * ```
 */
export async function acceptBranch(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  { ref, session, n, head }: FoundBranch,
  options: Omit<PullOptions, "session" | "accept" | "projects"> = {},
): Promise<PullReport> {
  const { id } = await store.hello(settings.device);
  const note = readMirrorNote(library.root, { store: id, session, n });
  if (!note?.is_untrusted || note.head !== head) throw notPulled(ref);
  const report = await pull(library, store, settings, { ...options, session, accept: head });
  const [failed] = report.failed;
  if (report.adopted.includes(session) || report.extended.includes(session)) return report;
  if (report.busy.length > 0) {
    throw new SessionError("locked", `Cannot accept ${ref}: a process writes the session`, { ref });
  }
  const reason = failed?.message ?? "it does not follow the session here; " +
      `to have it as a session of its own: reprise fork ${ref}`;
  throw new SessionError("io", `Cannot accept ${ref}: ${reason}`, { ref });
}

function notPulled(ref: string): SessionError {
  const message = `Cannot accept ${ref}: nothing of it waits as it is in the store now; ` +
    "first: reprise sync pull, and read it";
  return new SessionError("not-found", message, { ref });
}
