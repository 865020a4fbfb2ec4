/** Runs one push or pull, with progress. */
import type { PullReport, PushReport, SyncProgress } from "../../lib/features/team/sync_report.ts";
import type { PushOptions } from "../../lib/features/team/push/push.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { startProgress } from "../../lib/frontends/ui/progress.ts";
import { present } from "../../lib/core/event/present.ts";

export interface TransferOptions {
  /** Name of the command, if it differs from the name of the transfer. */
  by?: "sync watch";
  identities: readonly string[];
  signal: AbortSignal;
}

/** Options of a push. Its identities may be found late. */
interface PushTransferOptions extends Omit<TransferOptions, "identities"> {
  identities: NonNullable<PushOptions["identities"]>;
  replace?: boolean;
  check?: boolean;
  rekey?: boolean;
}

export async function pushOnce(
  context: Context,
  store: TeamStore,
  settings: SyncSettings,
  { by, ...options }: PushTransferOptions,
): Promise<PushReport> {
  const { push } = await import("../../lib/features/team/push/push.ts");
  const report = await withTransferProgress(
    context,
    "Pushing",
    (onProgress) =>
      push(contextLibrary(context), store, settings, {
        ...{ ...options, onProgress, now: context.now },
        made_by: `reprise ${context.version}`,
      }),
  );
  if (!options.check) await remember(context, "push", by, report.store, report.pushed);
  return report;
}

interface PullScope {
  /** True for every readable project, not only the added ones. */
  all?: boolean;
  /** One session alone, by its full id. */
  session?: string;
}

export async function pullOnce(
  context: Context,
  store: TeamStore,
  settings: SyncSettings,
  { all, session, by, ...options }: TransferOptions & PullScope,
): Promise<PullReport> {
  const { pull } = await import("../../lib/features/team/pull/pull.ts");
  const projects = settings.projects.map(({ project }) => project);
  const report = await withTransferProgress(
    context,
    "Pulling",
    (onProgress) =>
      pull(
        contextLibrary(context),
        store,
        settings,
        present({
          ...{ ...options, onProgress, now: context.now, session },
          projects: all || session !== undefined ? undefined : projects,
        }),
      ),
  );
  const { adopted, extended, mirrored } = report;
  const taken = adopted.length + extended.length + mirrored.length;
  // A command that asked for one session says nothing of the others.
  if (session === undefined) await remember(context, "pull", by, report.store, taken);
  return report;
}

async function remember(
  context: Context,
  act: "push" | "pull",
  by: string | undefined,
  store: string,
  sessions: number,
): Promise<void> {
  const { keepLastSync } = await import("../../lib/features/team/state/last_sync.ts");
  const time = context.now().toISOString();
  const { root } = contextLibrary(context);
  keepLastSync(root, act, { store, time, by: by ?? `sync ${act}`, sessions });
}

async function withTransferProgress<Result>(
  context: Context,
  words: string,
  work: (show: (progress: SyncProgress) => void) => Promise<Result>,
): Promise<Result> {
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  let bytes = 0;
  const began = performance.now();
  const rate = (): string => {
    const seconds = (performance.now() - began) / 1000;
    return `${words} ${formatBytes(bytes)}, ${
      formatBytes(Math.round(bytes / seconds))
    }/s, sessions`;
  };
  const progress = await startProgress(context, rate, String);
  try {
    return await work((told) => {
      bytes = told.bytes;
      progress.show(told.done, told.of);
    });
  } finally {
    progress.end();
  }
}
