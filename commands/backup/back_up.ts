/** Backs up one session, or an agent's sessions, once. `watch.ts` backs up continuously. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { isAgentName, REPRISE } from "../../lib/core/event/agent_name.ts";
import type { Backup, BackupOptions } from "../../lib/features/backup/back_up.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { homeDirectory } from "./home_directory.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { say } from "../_message.ts";
import { startProgress, withProgress } from "../../lib/frontends/ui/progress.ts";
import { contextLibrary } from "../_library.ts";
import { openWhole } from "../_session.ts";
import { contextStore } from "../_store.ts";

interface BackupFlags {
  agent?: string;
  all?: true;
  since?: Date;
  dryRun?: true;
  json?: true;
}

export async function backUpChosen(
  context: Context,
  ref: string | undefined,
  flags: BackupFlags,
): Promise<void> {
  if ((ref === undefined) === (flags.agent === undefined)) {
    throw new UsageError("Give a session, --agent or --watch\nSee: reprise backup --help");
  }
  if (ref !== undefined && (flags.all || flags.since !== undefined)) {
    throw new UsageError("--all and --since need --agent");
  }
  const print = await printer(context, flags.json ?? false);
  await untilInterrupted(async (signal) => {
    const run: BackupOptions = {
      ...{ dry: flags.dryRun ?? false, signal, now: context.now },
      default_cwd: homeDirectory(context),
    };
    if (ref === undefined) return await backUpMany(context, flags, run, print);
    const session = await openWhole(context, ref);
    refuseEncrypted(session, ref);
    const { backUp } = await import("../../lib/features/backup/back_up.ts");
    const backup = await withProgress(
      context,
      "Backing up",
      (onProgress) => backUp(contextStore(context), session, { ...run, onProgress }),
    );
    print(backup);
    await say(context, describe(backup));
  });
}

/** Refuses an encrypted session, because a backup made from its events would not be encrypted. */
function refuseEncrypted({ has_bytes, log, path }: SessionHandle, ref: string): void {
  if (!has_bytes || log !== undefined) return;
  const message = `Cannot back up ${ref}: it is encrypted. Copy the file itself`;
  throw new SessionError("unsupported-source", message, { ref, path });
}

async function printer(context: Context, json: boolean): Promise<(backup: Backup) => void> {
  const { toJsonLine } = await import("../../lib/text/render/json_lines.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  return (backup) => {
    if (json) context.stdout.write(toJsonLine(backup));
    else if (backup.session_id !== undefined) {
      context.stdout.write(`${backup.session_id} ${sanitizeLine(backup.ref)}\n`);
    } else if (backup.status === "would-back-up") {
      context.stdout.write(`${sanitizeLine(backup.ref)}\n`);
    }
  };
}

function describe({ ref, status, files = 0, replaces, longer, taken_back }: Backup): string {
  if (status === "would-back-up") return `Would back up ${ref}`;
  if (taken_back) {
    return `No new backup of ${ref}: the session is in an earlier state again, and that state is ` +
      "already backed up";
  }
  if (status === "unchanged") return `Unchanged since the last backup: ${ref}`;
  const copies = files === 0
    ? "events, but no files, because its agent keeps the session in a database"
    : counted(files, "file");
  const older = replaces === undefined ? "" : `. The older backup is now archived: ${replaces}`;
  const fuller = longer === undefined
    ? ""
    : `. The older backup has more records, so it stays in lists: ${longer}`;
  return `Backed up ${ref}: ${copies}${older}${fuller}`;
}

async function backUpMany(
  context: Context,
  flags: BackupFlags,
  run: BackupOptions,
  print: (backup: Backup) => void,
): Promise<void> {
  const counts = { "backed-up": 0, unchanged: 0, "would-back-up": 0, failed: 0 };
  const { backUpAll } = await import("../../lib/features/backup/back_up.ts");
  const sessions = await chosenSessions(context, flags, async (error) => {
    counts.failed++;
    await say(context, `reprise: ${error.message}`);
  });
  const progress = await startProgress(context, "Backing up", String);
  let index = 0;
  progress.show(1, sessions.length);
  for await (const backup of backUpAll(contextStore(context), sessions, run)) {
    progress.end();
    counts[backup.status]++;
    if (backup.error !== undefined) {
      await say(context, `reprise: ${backup.ref}: ${backup.error}`);
    }
    // People need no line for each unchanged session.
    if (flags.json || backup.status !== "unchanged" || backup.taken_back) print(backup);
    if (backup.longer !== undefined || backup.taken_back) await say(context, describe(backup));
    progress.show(++index + 1, sessions.length);
  }
  progress.end();
  await say(context, describeCounts(counts, flags.agent ?? ""));
  if (sessions.length === 0 && !flags.all) {
    await say(
      context,
      `To back up the sessions of all projects: reprise backup --agent ${flags.agent} --all`,
    );
  }
  if (counts.failed > 0) throw new CommandExit(STATUS.failed);
}

async function chosenSessions(
  context: Context,
  { agent = "all", all, since }: BackupFlags,
  onError: (error: SessionError) => void,
): Promise<SessionHandle[]> {
  const library = contextLibrary(context);
  const agents = isAgentName(agent)
    ? [agent]
    : library.place.agents.filter((name) => name !== REPRISE);
  const scope = all ? "all" : "here";
  const where = { scope, cwd: context.cwd, agents, archived: "any" } as const;
  const { entries } = await library.query({ ...where, since, undated: true, rows: true, onError });
  return await Promise.all(entries.map((entry) => entry.open()));
}

function describeCounts(counts: Record<Backup["status"], number>, agent: string): string {
  const whose = agent === "all" ? "" : ` of ${agent}`;
  const { "backed-up": done, "would-back-up": would, unchanged, failed } = counts;
  const parts = [
    would > 0
      ? `Would back up ${counted(would, "session")}${whose}`
      : `Backed up ${counted(done, "session")}${whose}`,
    ...(unchanged === 0 ? [] : [`unchanged since the last backup: ${unchanged}`]),
    ...(failed === 0 ? [] : [`failed: ${failed}`]),
  ];
  return parts.join("; ");
}
