/** Runs a push or a pull of the team's copies, with progress. */
import type { PullReport, PushReport, SyncProgress } from "../../lib/features/team/sync_report.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { Team } from "../../lib/features/team/open_team.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { startProgress } from "../../lib/frontends/ui/progress.ts";
import { goneLines, newTreeLines } from "./added_project.ts";
import { withTeam } from "./connection.ts";
import { pullLines, pushLines } from "./report_text.ts";

export interface TransferOptions {
  /** The transfer's command, such as `sync team`. Default: `sync push` or `sync pull`. */
  by?: string;
  signal: AbortSignal;
}

export async function pushOnce(
  context: Context,
  team: Team,
  settings: SyncSettings,
  { by, ...options }: TransferOptions & { check?: boolean },
): Promise<PushReport> {
  const { push } = await import("../../lib/features/team/push/push.ts");
  const report = await withTransferProgress(
    context,
    "Pushing",
    (onProgress) =>
      push(contextLibrary(context), team, settings, { ...options, onProgress, now: context.now }),
  );
  if (!options.check) await remember(context, "push", by, report.store, report.pushed);
  return report;
}

export async function pullOnce(
  context: Context,
  team: Team,
  settings: SyncSettings,
  { by, ...options }: TransferOptions & { all?: boolean },
): Promise<PullReport> {
  const { pull } = await import("../../lib/features/team/pull/pull.ts");
  const { root } = contextLibrary(context);
  const report = await withTransferProgress(
    context,
    "Pulling",
    (onProgress) => pull(root, team, settings, { ...options, onProgress }),
  );
  await remember(context, "pull", by, report.store, report.pulled.length);
  return report;
}

export async function teamRound(
  context: Context,
  team: Team,
  settings: SyncSettings,
  options: TransferOptions,
): Promise<string[]> {
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  const pushed = await pushOnce(context, team, settings, options);
  const pulled = await pullOnce(context, team, settings, options);
  return [
    ...pushLines(pushed, formatBytes),
    ...goneLines(settings.projects),
    ...newTreeLines(settings.projects),
    ...pullLines(pulled, formatBytes),
  ];
}

export async function shareOnce(context: Context, settings: SyncSettings): Promise<void> {
  const lines = await untilInterrupted((signal) =>
    withTeam(
      context,
      settings,
      (team) => teamRound(context, team, settings, { signal, by: "sync team" }),
    )
  );
  await say(context, lines.join("\n"));
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
