/** `reprise files` */
import { resolve } from "node:path";
import type { SessionFile, SessionFiles } from "../lib/features/blame/files/session_files.ts";
import { present } from "../lib/core/event/present.ts";
import { counted } from "../lib/core/event/counted.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, wantsColor } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { printJsonLines, say } from "./_message.ts";
import { printPaged } from "./_pager.ts";
import { InvalidArgument } from "./_values.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { openSession } from "./_session.ts";

const NOTES = `
REF#12 shows the files as they were after event 12. Reprise rebuilds each file
from recorded changes, from files that the agent read or wrote as a whole, and
from the agent's snapshots. Each file has one of these marks:
  proven   rebuilt exactly from a known version and every later change
  likely   one step was guessed: the place of a change was unclear, a command
           changed the file, or only a later version of the file is known
  unknown  no version of the file is known; --diff shows the recorded changes
Reprise knows a change by a shell command only if the agent read the file later.

Run --restore in the session's directory. It changes only files inside that
directory, and does not follow links. It restores a file only if the file's
content at REF is proven. It skips files that somebody else has changed since,
and prints the reason. With --likely, it also restores likely files: it shows
the differences, and asks first. Files that would turn a folder into a git
repository are never restored. A note marks files that other programs run, such
as hooks, install scripts, and settings of editors and agents. The replaced
files are saved in $REPRISE_HOME/restored. To put them back, use --undo. Without
--write, --restore and --undo only show what they would do. The exit status is 1
if a file was skipped.
`;

const FILES_FLAGS = {
  "--diff": { help: "show what the session did to each file", conflicts: ["out", "restore"] },
  "--last-turn": {
    help: "only changes since the last prompt",
    conflicts: ["range", "out", "restore", "undo"],
  },
  "--range <events>": {
    help: "only changes by these events: 40..52 (from 40 to 52), or 40.. (from 40 to the " +
      "last)",
    parse: parseRange,
    conflicts: ["out", "restore", "undo"],
  },
  "-o, --out <dir>": {
    help: "write the files into a new or empty directory",
    conflicts: ["restore"],
  },
  "--restore": "restore files in the session's directory; without --write, only list the files",
  "--likely": "with --restore: also restore files whose content is a best guess",
  "-y, --yes": "with --likely: do not ask for confirmation",
  "--undo": {
    help: "undo the session's last --restore; without --write, only show what would change",
    conflicts: ["diff", "out"],
  },
  "--write": "with --restore or --undo: make the changes (otherwise only show them)",
  "--json": "print each file as one line of JSON",
  ...IDENTITY_FLAG,
} as const satisfies Flags;

type FilesFlags = FlagsOf<typeof FILES_FLAGS>;

export const filesCommand = defineCommand({
  description:
    "Show which files a session changed. With an event (REF#12), show each file as it was after " +
    "that event.",
  arguments: [["<ref>", "the session (REF), or one of its events (REF#12)"]],
  flags: FILES_FLAGS,
  notes: NOTES,
  examples: [
    "reprise files 3f2a",
    "reprise files 3f2a#40 --diff",
    "reprise files 3f2a --last-turn --diff",
    "reprise files 3f2a#40 --out /tmp/then",
    "reprise files 3f2a#40 --restore --write",
  ],
  run: tellFiles,
});

async function tellFiles(context: Context, ref: string, flags: FilesFlags): Promise<void> {
  const { restore, undo, write, likely, yes, range, lastTurn } = flags;
  if (write && !restore && !undo) throw new UsageError("--write needs --restore or --undo");
  if (likely && !restore) throw new UsageError("--likely needs --restore");
  if (yes && !likely) throw new UsageError("--yes needs --likely");
  const source = await openSession(context, ref, { identity: flags.identity });
  if (undo) return await (await import("./files/restoring.ts")).undo(context, source.ref, flags);
  const { sessionFiles } = await import("../lib/features/blame/files/session_files.ts");
  const { presentIn } = await import("../lib/features/blame/files/project_path.ts");
  const { from = lastTurn ? "last-turn" as const : undefined, seq = source.seq } = range ?? {};
  const found = await sessionFiles(source, { from, seq, presentIn });
  if (restore) {
    const { restoreNow } = await import("./files/restoring.ts");
    return await restoreNow(context, source.ref, found, flags);
  }
  if (flags.out !== undefined) return await writeOut(context, found, flags, flags.out);
  if (found.files.length === 0) {
    const { from, seq } = found;
    const some = lastTurn ? "The last turn" : `Events ${from} to ${seq} of the session`;
    return await say(context, `${from === undefined ? "The session" : some} changed no file`);
  }
  if (flags.diff && !flags.json) return await printDiffs(context, found);
  await printFiles(context, found, flags);
}

async function printFiles(
  context: Context,
  { cwd, from, seq, files }: SessionFiles,
  { json, diff }: FilesFlags,
): Promise<void> {
  const { fileDiff } = await import("../lib/features/blame/files/file_diff.ts");
  const rows = files.map((file) => ({ file, ...fileDiff(file) }));
  if (json) {
    const values = rows.map(({ file: { path, changes, state }, added, removed, lines }) =>
      present({
        ...{ path, from, seq, grade: state.grade, doubt: state.doubt },
        ...{ changes, added, removed, gone: state.content === null ? true : undefined },
        diff: diff ? lines : undefined,
      })
    );
    return await printJsonLines(context, values);
  }
  const { renderFiles } = await import("../lib/text/render/files_table.ts");
  const { DOUBTS } = await import("../lib/features/blame/files/restore_plan.ts");
  const { relativePath } = await import("../lib/text/render/path_text.ts");
  const { stdout } = context;
  const shown = rows.map((
    { file: { path, changes, state: { grade, doubt, content } }, ...row },
  ) => ({
    ...{ name: relativePath(path, cwd), grade, changes, gone: content === null },
    ...{ added: row.added, removed: row.removed },
    doubt: doubt && DOUBTS[doubt],
  }));
  const width = stdout.terminal ? stdout.width : Infinity;
  await printPaged(context, renderFiles(shown, { width, color: wantsColor(context, stdout) }));
  const when = from === undefined ? `as of event ${seq}` : `changed by events ${from} to ${seq}`;
  await say(context, `${counted(files.length, "file")}, ${when}`);
}

function parseRange(text: string): { from: number; seq: number | undefined } {
  const [, first = "", last = ""] = /^#?(\d+)\.\.(?:#?(\d+))?$/.exec(text) ?? [];
  const [from, seq] = [Number(first), last === "" ? undefined : Number(last)];
  if (from >= 1 && (seq ?? from) >= from) return { from, seq };
  throw new InvalidArgument("Give two event numbers, such as 40..52, or 40.. for the rest.");
}

async function printDiffs(context: Context, { cwd, files }: SessionFiles): Promise<void> {
  const { fileDiff } = await import("../lib/features/blame/files/file_diff.ts");
  const { renderFileDiff } = await import("../lib/text/render/files_table.ts");
  const { relativePath } = await import("../lib/text/render/path_text.ts");
  const { stdout } = context;
  const options = { is_terminal: stdout.terminal, color: wantsColor(context, stdout) };
  const text = (file: SessionFile): string => {
    const { lines } = fileDiff(file);
    if (lines.length === 0) return "";
    const was_there = file.first.content !== null;
    const is_there = file.state.content !== null;
    const name = relativePath(file.path, cwd);
    return renderFileDiff({ name, was_there, is_there, lines }, options);
  };
  await printPaged(context, files.map(text).join(""));
}

async function writeOut(
  context: Context,
  found: SessionFiles,
  { json }: FilesFlags,
  out: string,
): Promise<void> {
  const directory = resolve(context.cwd, out);
  const { writeFiles } = await import("../lib/features/blame/files/write_files.ts");
  const written = writeFiles(found, directory);
  if (json) await printJsonLines(context, written);
  else {
    for (const { path, reason } of written) {
      if (reason !== undefined) await say(context, `Not written: ${path}: ${reason}`);
    }
    const count = written.filter((one) => one.written !== undefined).length;
    const likely = found.files.filter(({ state }) => state.grade === "likely").length;
    const doubt = likely === 0
      ? ""
      : `. The content of ${counted(likely, "file")} is only a best guess`;
    await say(context, `Wrote ${counted(count, "file")} below ${directory}${doubt}`);
  }
  if (written.some(({ reason }) => reason !== undefined)) throw new CommandExit(STATUS.failed);
}
