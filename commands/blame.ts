/** `reprise blame` */
import { existsSync } from "node:fs";
import { basename, relative, resolve, sep } from "node:path";
import type { BlamedRun } from "../lib/features/blame/blame_file.ts";
import type {
  BlamedSession,
  BlameOptions,
  FileBlame,
  RecordedEdit,
} from "../lib/features/blame/mod.ts";
import type { SessionError } from "../lib/core/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import { startProgress } from "../lib/frontends/ui/progress.ts";
import { defineCommand } from "./_command.ts";
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { printPaged } from "./_pager.ts";
import { agentsOf } from "./_scope.ts";
import { AGENT_FLAG } from "./_scope_flags.ts";
import { present } from "../lib/core/event/present.ts";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { directoryAbsence, sessionDirectory } from "../lib/core/workspace/session_directory.ts";

const DETAILS = `
For each line, blame looks for the session that wrote it. It uses git's history
and the changes that sessions recorded. A mark shows how sure the result is:
  =  proven   the recorded change of this session, and of no other session,
              produces exactly this line
  ~  likely   a session wrote a line like this; when or where is uncertain
     unknown  no session is known to have written this line
For a file, uncommitted lines are included. For a commit, a range or a branch,
the command counts the added lines by session and prompt, and shows the total
cost of each session. A branch means its commits that the default branch lacks.
If a file and a branch have the same name, use --commit for the branch. Nothing
is written. Git does not run any program that the repository configures.

Examples:
  reprise blame src/ledger.ts
  reprise blame src/ledger.ts:40-60
  reprise blame main..HEAD
  reprise blame HEAD --format md
  reprise show "$(reprise blame src/ledger.ts:42 --json | jq -r .ref)"`;

const CHANGED_BY = "To list the sessions that changed this file:";

export const blameCommand = defineCommand({
  description: "Show which session, prompt and agent wrote each line of a file or a commit.",
  arguments: [["[name]", "a file, some of its lines (FILE:12-20), a commit, a range or a branch"]],
  flags: {
    ...AGENT_FLAG,
    "--commit <rev>": {
      help: "show the lines that this commit, range or branch added, even if a file has the same " +
        "name",
      conflicts: ["staged"],
    },
    "--staged": "show the added lines that are staged for the next commit",
    "--json": "print JSON, one object in each line: an object for each group of lines that one " +
      "change wrote, or, of a commit, an object for each session",
    "--format <form>": {
      help: "agent-trace: a document for other programs (only for files); md: a table for a pull " +
        "request (only for commits)",
      choices: ["agent-trace", "md"],
      conflicts: ["json"],
    },
  },
  notes: DETAILS,
  run: async (context, named, flags) => {
    const { commit, staged, format } = flags;
    if ([named, commit, staged].filter((one) => one !== undefined).length !== 1) {
      throw new UsageError("Give one of these: a file, a commit, --commit REV, or --staged");
    }
    const { blameIfRevision, blameRevision } = await import("./blame/blame_revision.ts");
    if (named === undefined) return await blameRevision(context, commit, flags);
    const { file, lines } = parseLines(context, named);
    const may_be_one = mayBeRevision(context, named, file);
    if (may_be_one && await blameIfRevision(context, named, flags)) return;
    if (format === "md") {
      throw new UsageError("--format md needs a commit, a range, a branch, or --staged");
    }
    const library = contextLibrary(context);
    const unread = new Set<string>();
    const onError = ({ message }: SessionError): unknown => unread.add(message);
    const options = { lines, agents: agentsOf(flags.agent), onError };
    const found = await blamed(context, library, file, options);
    for (const message of unread) await say(context, `reprise: ${message}`);
    if (found.lines.length === 0) return await say(context, `${named} is empty`);
    if (found.untracked) {
      await say(context, "The file is not in git: using session records only");
    }
    const { blameRuns } = await import("../lib/features/blame/blame_file.ts");
    const runs = blameRuns(found.lines);
    if (format !== undefined) context.stdout.write(await runsAsTrace(context, found, runs));
    else if (flags.json) { for (const run of runs) context.stdout.write(await runAsJson(run)); }
    else {
      await printRuns(context, runs, found.sessions);
      const moved = movedDirectory(runs, found.file);
      if (moved !== undefined) await say(context, moved);
      if (runs.some(({ edit }) => edit !== undefined)) return;
      const line = `reprise list --file ${quoteWord(relative(context.cwd, file))}`;
      await say(context, `No session is known to have written these lines.\n${CHANGED_BY} ${line}`);
    }
  },
});

/**
 * Returns advice to relink a missing directory in which a session wrote lines. Without a relink,
 * blame marks these lines as likely.
 */
function movedDirectory(runs: readonly BlamedRun[], file: string): string | undefined {
  for (const { edit, doubt } of runs) {
    if (edit?.cwd === undefined || doubt !== "elsewhere") continue;
    const name = sessionDirectory(edit.cwd)?.nameOf(edit.path);
    const below = `${sep}${name?.replaceAll("/", sep)}`;
    if (!file.endsWith(below) || directoryAbsence(edit.cwd) === undefined) continue;
    const words = [edit.cwd, file.slice(0, -below.length)].map(quoteWord).join(" ");
    return `Lines from ${edit.cwd} are only likely, because that directory is not on this machine. ` +
      `If it is this one now: reprise relink ${words}`;
  }
  return undefined;
}

function mayBeRevision({ cwd }: Context, named: string, file: string): boolean {
  return !existsSync(file) && !existsSync(resolve(cwd, named)) &&
    !/^(?:\.{0,2}|~)[\\/]/.test(named);
}

/**
 * Splits a file's name from the line numbers after it. A file whose name is the whole text takes
 * precedence.
 */
function parseLines(
  { cwd }: Context,
  named: string,
): { file: string; lines?: { from: number; to: number } } {
  const whole = resolve(cwd, named);
  const [, name, first, last = first] = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(named) ?? [];
  if (name === undefined || existsSync(whole)) return { file: whole };
  const [from, to] = [Number(first), Number(last)];
  if (from < 1 || to < from) {
    throw new UsageError(
      `Cannot blame lines ${first} to ${last}: this is not a range of lines. Give ` +
        "FILE:12 or FILE:12-20",
    );
  }
  return { file: resolve(cwd, name), lines: { from, to } };
}

async function blamed(
  context: Context,
  library: Library,
  file: string,
  options: Pick<BlameOptions, "lines" | "agents" | "onError">,
): Promise<FileBlame> {
  const { blameFile } = await import("../lib/features/blame/mod.ts");
  const sessions = (count: number): string => `${count} sessions`;
  const progress = await startProgress(context, "Reading", sessions);
  try {
    return await blameFile(library, file, {
      ...options,
      variable: (name) => context.variable(name),
      now: context.now().getTime(),
      onProgress: progress.show,
    });
  } finally {
    progress.end();
  }
}

async function runAsJson(
  { from, lines, grade, edit, doubt, commit }: BlamedRun,
): Promise<string> {
  const { toJsonLine } = await import("../lib/text/render/json_lines.ts");
  return toJsonLine(present({
    ...{ from, to: from + lines.length - 1, grade, doubt },
    ...edit && editAsJson(edit),
    commit: commit && {
      ...{ sha: commit.sha, author: commit.author, summary: commit.summary },
      time: isoTime(commit.author_time * 1000),
    },
    lines,
  }));
}

async function runsAsTrace(
  { now, version }: Context,
  { file, path = basename(file), revision }: FileBlame,
  runs: readonly BlamedRun[],
): Promise<string> {
  const { agentTrace } = await import("../lib/text/render/agent_trace.ts");
  const traced = runs.map(({ edit, ...run }) => ({ ...run, ref: edit && refOf(edit, edit.ref) }));
  const options = { id: crypto.randomUUID(), time: now(), version };
  return agentTrace({ path, revision, runs: traced }, options);
}

function editAsJson(edit: RecordedEdit): Record<string, unknown> {
  const { session, thread, seq, time, model, prompt } = edit;
  return {
    ref: refOf(edit, edit.ref),
    ...{ agent: session.agent, session_id: session.id, thread, seq },
    time: Number.isNaN(time) ? undefined : isoTime(time),
    model,
    prompt,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns a reference to the event that records the outcome of an edit's tool call. */
function refOf({ thread, seq }: RecordedEdit, name: string): string {
  return `${name}${thread === undefined ? "" : `~${thread}`}#${seq}`;
}

/** Prints runs of lines as a table, with prefixes of ids that are unique among `sessions`. */
async function printRuns(
  context: Context,
  runs: readonly BlamedRun[],
  sessions: readonly BlamedSession[],
): Promise<void> {
  const { renderBlame } = await import("../lib/text/render/blame_table.ts");
  const { firstLine } = await import("../lib/text/render/text_width.ts");
  const { shortIds } = await import("../lib/text/render/short_id.ts");
  const { timeLabel } = await import("../lib/text/render/time_label.ts");
  const { stdout } = context;
  const ids = shortIds(sessions);
  const names = new Map(sessions.map(({ ref }, index) => [ref, ids[index] ?? ref]));
  const format_time = timeFormat(context);
  const rows = runs.map(({ from, lines, grade, edit }) => {
    if (edit === undefined) return { from, lines, grade };
    const { session, ref, time, prompt } = edit;
    return present({
      ...{ from, lines, grade, agent: session.agent },
      place: refOf(edit, names.get(ref) ?? ref),
      when: Number.isNaN(time) ? undefined : timeLabel(isoTime(time), format_time),
      prompt: prompt && firstLine(prompt.text, Infinity),
    });
  });
  const width = stdout.terminal ? stdout.width : Infinity;
  await printPaged(context, renderBlame(rows, { width, color: wantsColor(context, stdout) }));
}
