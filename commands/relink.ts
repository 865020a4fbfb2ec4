/** `reprise relink` */
import { resolve } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { Summary } from "../lib/core/projection/summary_row.ts";
import type { LocalStore } from "../lib/core/store/local_store.ts";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { realDirectory } from "../lib/core/workspace/real_directory.ts";
import { namedPath } from "../lib/core/workspace/session_directory.ts";
import { REPRISE } from "../lib/core/event/agent_name.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, isDirectory } from "./_context.ts";
import { counted } from "../lib/core/event/counted.ts";
import { UsageError } from "./_failure.ts";
import { printFitted, printJsonLines, say } from "./_message.ts";
import { contextLibrary } from "./_library.ts";
import { contextStore } from "./_store.ts";

const NOTES = `
The move includes subdirectories of OLD, and the sessions of all agents. It does
not include sessions that start in OLD later. The sessions' files are not
changed: Reprise records the move (a "relink") in a small file of its own.

Examples:
  reprise relink ~/old/parser ~/src/parser
  reprise relink --list
  reprise relink --undo ~/old/parser`;

const RELINK_FLAGS = {
  "--force": "allow a new directory that does not exist yet",
  "--undo": {
    help: "undo the move of OLD: list its sessions under OLD again",
    conflicts: ["force", "list"],
  },
  "--list": {
    help: "list the directory moves recorded with this command, oldest first",
    conflicts: ["force"],
  },
  "--json": {
    help: "with --list: print each recorded directory move as one line of JSON",
    implies: { list: true },
  },
} as const satisfies Flags;

type RelinkFlags = FlagsOf<typeof RELINK_FLAGS>;

export const relinkCommand = defineCommand({
  description: "Show the sessions of directory OLD under directory NEW, in all lists.",
  arguments: [["[old]", "the old directory; it need not exist any more"], [
    "[new]",
    "the new directory",
  ]],
  flags: RELINK_FLAGS,
  notes: NOTES,
  run: relink,
});

async function relink(
  context: Context,
  given: string | undefined,
  target: string | undefined,
  flags: RelinkFlags,
): Promise<void> {
  const store = contextStore(context);
  if (flags.list) return await list(context, store, flags.json ?? false);
  if (given === undefined || given === "") {
    throw new UsageError("Give the old directory\nSee: reprise relink --help");
  }
  const old = namedPath(context.cwd, given);
  if (flags.undo) {
    if (target !== undefined) throw new UsageError("--undo needs only OLD");
    return await undo(context, store, old);
  }
  if (target === undefined || target === "") {
    throw new UsageError("give the old directory, then the new directory");
  }
  const to = existing(resolve(context.cwd, target), flags.force ?? false);
  await relinkTo(context, store, old, to);
}

function existing(path: string, force: boolean): string {
  if (force || isDirectory(path)) return realDirectory(path);
  const message =
    `Cannot list the sessions under ${path}: there is no such directory. To do it anyway, add ` +
    "--force";
  throw new SessionError("not-found", message, { path });
}

async function relinkTo(
  context: Context,
  store: LocalStore,
  old: string,
  to: string,
): Promise<void> {
  const { relinkProject } = await import("../lib/library/relink.ts");
  const rows = await relinkProject(contextLibrary(context), store, old, to);
  if (rows === undefined) throw new UsageError("the two directories are the same");
  await say(context, `Sessions from ${old} are now listed under ${to}: ${describe(rows)}`);
  await followProjects(context, old, to);
  await say(context, `Undo: reprise relink --undo ${quoteWord(old)}`);
}

/** Makes `sync` share the moved directory in place of the old one. */
async function followProjects(context: Context, old: string, to: string): Promise<void> {
  const [{ keepSettings, knownSettings }, { readMachineSettings, writeMachineSettings }] =
    await Promise.all([
      import("./sync/connection.ts"),
      import("../lib/features/backup/machines/machine_settings.ts"),
    ]);
  const { root } = contextLibrary(context);
  const [team, machines] = [await knownSettings(context), readMachineSettings(root)];
  if ((team ?? machines) === undefined) return;
  const { moveProject } = await import("../lib/features/team/move_project.ts");
  const shared = team && moveProject(team, old, to);
  const sent = machines && moveProject(machines, old, to);
  if ((shared ?? sent) === undefined) return;
  if (shared !== undefined) await keepSettings(context, shared);
  if (sent !== undefined) writeMachineSettings(root, sent);
  await say(context, `reprise sync now shares ${to} instead of ${old}`);
}

function describe(rows: readonly Summary[]): string {
  if (rows.length === 0) return "Reprise knows no sessions of the old directory yet";
  const others = rows.filter(({ agent }) => agent !== REPRISE).length;
  const ours = counted(rows.length - others, "session");
  return others === 0
    ? ours
    : `${ours} of Reprise itself, and ${counted(others, "session")} of other agents`;
}

async function undo(context: Context, store: LocalStore, old: string): Promise<void> {
  const { undoRelink } = await import("../lib/library/relink.ts");
  undoRelink(store, old);
  await say(context, `Undone: the sessions of ${old} are listed under their old directory again`);
}

async function list(context: Context, store: LocalStore, json: boolean): Promise<void> {
  const { relinksOf } = await import("../lib/library/relink.ts");
  const relinks = relinksOf(store);
  if (json) return await printJsonLines(context, relinks);
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  for (const { from, to } of relinks) {
    await printFitted(context, `${sanitizeLine(from)} -> ${sanitizeLine(to)}`);
  }
  if (relinks.length === 0) await say(context, "No moves of directories are recorded");
}
