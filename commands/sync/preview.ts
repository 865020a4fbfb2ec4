/** Counts what would leave with a project, before anything does: sessions, bytes, secrets. */
import type { Library } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { SharedProject } from "../../lib/team/shared_project.ts";
import type { SessionToShare } from "../../lib/team/sessions_to_share.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { withProgress } from "../../lib/ui/progress.ts";

/** What would leave with a project. */
export interface SharePreview {
  sessions: number;
  /** Bytes of their files here. */
  bytes: number;
  /** Sessions by agent. */
  agents: Record<string, number>;
  /** Sessions by directory. */
  directories: Record<string, number>;
  /** Sessions of other agents that cannot be sealed. */
  left_out: number;
  /** Sessions of other agents that stay here, because only Reprise's own leave exactly. */
  others: number;
  /** Sessions that are in the store under other terms, and stay so. */
  shared_otherwise: number;
  /** Secrets by kind. */
  secrets: Record<string, number>;
  /** The number of those that no placeholder replaces. */
  unreplaced: number;
  /** Sessions that could not be read. */
  unread: string[];
}

/** Reads all that would leave, and counts. Nothing is sent. */
export async function previewProject(
  context: Context,
  library: Library,
  project: SharedProject,
): Promise<SharePreview> {
  const unread: string[] = [];
  const { sessionsToShare } = await import("../../lib/team/sessions_to_share.ts");
  const { sharedOtherwise } = await import("../../lib/team/shared_otherwise.ts");
  const { sessions, left_out } = await sessionsToShare(
    library,
    [project],
    ({ message }) => unread.push(message),
  );
  const found = await countSecrets(context, library, sessions, unread);
  return {
    sessions: sessions.length,
    bytes: sessions.reduce((sum, { state }) => sum + Math.max(state.size, 0), 0),
    agents: countBy(sessions.map(({ session: { agent } }) => agent)),
    directories: countBy(sessions.map(({ cwd }) => cwd)),
    left_out,
    others: await countOthers(library, project),
    shared_otherwise: sharedOtherwise(library.root, sessions).length,
    ...found,
    unread,
  };
}

/** Sessions that the usual choice of agents leaves out of an exact project. */
async function countOthers(library: Library, project: SharedProject): Promise<number> {
  if (project.form !== "log" || project.agents !== undefined) return 0;
  const { sessionsToShare } = await import("../../lib/team/sessions_to_share.ts");
  const all = await sessionsToShare(library, [{ ...project, form: "copy" }], () => {});
  return all.sessions.filter(({ session: { agent } }) => agent !== "reprise").length;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([one], [other]) => one < other ? -1 : 1));
}

async function countSecrets(
  context: Context,
  library: Library,
  sessions: readonly SessionToShare[],
  unread: string[],
): Promise<Pick<SharePreview, "secrets" | "unreplaced">> {
  const { SessionError } = await import("../../lib/event/session_error.ts");
  const all = sessions.reduce((sum, { state }) => sum + state.size, 0);
  const counts = new Map<string, number>();
  let unreplaced = 0;
  await withProgress(context, "Looking for secrets", (show) =>
    untilInterrupted(async (signal) => {
      let done = 0;
      for (const { session, state, form } of sessions) {
        try {
          const handle = await library.entry(session).open();
          for (const [kind, count] of await secretsIn(handle, signal)) {
            counts.set(kind, (counts.get(kind) ?? 0) + count);
            if (form !== "copy") unreplaced += count;
          }
        } catch (error) {
          if (!(error instanceof SessionError) || signal.aborted) throw error;
          unread.push(error.message);
        }
        done += state.size;
        show(done, all);
      }
    }));
  const sorted = [...counts].sort(([one], [other]) => one < other ? -1 : 1);
  return { secrets: Object.fromEntries(sorted), unreplaced };
}

/** Secrets of one session by kind, as `reprise secrets` counts them. */
async function secretsIn(
  handle: SessionHandle,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { Redactor } = await import("../../lib/redaction/redactor.ts");
  const redactor = new Redactor();
  // A secret that its name gives away once is found everywhere, so all events are read first.
  for await (const events of handle.events({ signal })) {
    for (const event of events) redactor.observe(event);
  }
  for await (const events of handle.events({ signal })) {
    for (const event of events) redactor.event(event);
  }
  signal.throwIfAborted();
  return redactor.counts;
}
