/** Counts and describes the sessions that sharing a project would send, and the secrets in them. */
import type { Library } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { SharedProject } from "../../lib/features/team/shared_project.ts";
import type { SessionToShare } from "../../lib/features/team/sessions_to_share.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { withProgress } from "../../lib/frontends/ui/progress.ts";
import { counted } from "../../lib/core/event/counted.ts";

interface SharePreview {
  sessions: number;
  /** Bytes of the sessions' local files. */
  bytes: number;
  /** Number of sessions by agent. */
  agents: Record<string, number>;
  /** Number of sessions by directory. */
  directories: Record<string, number>;
  /** Number of secrets by kind. */
  secrets: Record<string, number>;
  unread: string[];
}

export async function previewProject(
  context: Context,
  library: Library,
  project: SharedProject,
): Promise<SharePreview> {
  const unread: string[] = [];
  const { sessionsToShare } = await import("../../lib/features/team/sessions_to_share.ts");
  const sessions = await sessionsToShare(
    library,
    [project],
    ({ message }) => unread.push(message),
  );
  return {
    sessions: sessions.length,
    bytes: sessions.reduce((sum, { state }) => sum + Math.max(state.size, 0), 0),
    agents: countBy(sessions.map(({ session: { agent } }) => agent)),
    directories: countBy(sessions.map(({ cwd }) => cwd)),
    secrets: await countSecrets(context, library, sessions, unread),
    unread,
  };
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
): Promise<SharePreview["secrets"]> {
  const { SessionError } = await import("../../lib/core/event/session_error.ts");
  const all = sessions.reduce((sum, { state }) => sum + state.size, 0);
  const counts = new Map<string, number>();
  await withProgress(context, "Looking for secrets", (show) =>
    untilInterrupted(async (signal) => {
      let done = 0;
      for (const { session, state } of sessions) {
        try {
          const handle = await library.entry(session).open();
          for (const [kind, count] of await secretsIn(handle, signal)) {
            counts.set(kind, (counts.get(kind) ?? 0) + count);
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
  return Object.fromEntries(sorted);
}

async function secretsIn(
  handle: SessionHandle,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { Redactor } = await import("../../lib/text/redaction/redactor.ts");
  const redactor = new Redactor();
  // A secret that its name reveals once is found everywhere, so all events are read first.
  for await (const events of handle.events({ signal, all_branches: true })) {
    for (const event of events) redactor.observe(event);
  }
  for await (const events of handle.events({ signal, all_branches: true })) {
    for (const event of events) redactor.event(event);
  }
  signal.throwIfAborted();
  return redactor.counts;
}

/** Maximum number of directories that the preview names. */
const NAMED = 8;

export function previewLines(
  project: SharedProject,
  preview: SharePreview,
  formatBytes: (bytes: number) => string,
): string[] {
  const { unread, sessions } = preview;
  return [
    `${project.project}  ${project.directory}: ${amountText(preview, formatBytes)}`,
    ...project.work_trees === undefined
      ? []
      : [`Including its git work trees: ${project.work_trees.join(", ")}`],
    ...directoryLines(project, Object.keys(preview.directories)),
    "Redacted copies are sent. Everyone who may read the project in the store can read them",
    ...unread.map((message) => `reprise: ${message}`),
    ...(sessions === 0 ? [] : [secretsText(preview)]),
  ];
}

function amountText(
  { sessions, bytes, agents }: SharePreview,
  formatBytes: (bytes: number) => string,
): string {
  if (sessions === 0) return "no sessions yet; future ones will be shared";
  const by = Object.entries(agents).map(([agent, count]) => `${count} ${agent}`).join(", ");
  return `${counted(sessions, "session")}, ${formatBytes(bytes)} (${by})`;
}

function directoryLines({ directory }: SharedProject, paths: readonly string[]): string[] {
  if (paths.every((path) => path === directory)) return [];
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  const noun = paths.length === 1 ? "directory" : "directories";
  return [`Their ${noun}: ${paths.slice(0, NAMED).join(", ")}${more}`];
}

function secretsText({ secrets }: SharePreview): string {
  const limits = "secrets in unknown formats are not detected";
  const kinds = Object.entries(secrets).map(([kind, count]) => `${count} ${kind}`);
  if (kinds.length === 0) return `No secrets were found; ${limits}`;
  const total = Object.values(secrets).reduce((sum, count) => sum + count, 0);
  return `Found ${counted(total, "secret")} (${
    kinds.join(", ")
  }), replaced by placeholders; ${limits}`;
}
