/** `reprise files --restore` and `--undo` */
import { dirname } from "node:path";
import type { RestoredFile, UndoneFile } from "../../lib/features/blame/files/restore_files.ts";
import type { SessionFiles } from "../../lib/features/blame/files/session_files.ts";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { isInProject } from "../../lib/core/workspace/project.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import { directoryAbsence } from "../../lib/core/workspace/session_directory.ts";
import { type Context, wantsColor } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { printJsonLines, say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { contextStore } from "../_store.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";

const EXECUTED_NOTE =
  " (other programs run this file automatically, so check its content before you restore it)";

interface Asked {
  write?: boolean;
  json?: boolean;
  likely?: boolean;
  yes?: boolean;
}

export async function restoreNow(
  context: Context,
  ref: string,
  found: SessionFiles,
  { write = false, json = false, likely = false, yes = false }: Asked,
): Promise<void> {
  const directory = projectOf(context, found);
  if (write && likely && !yes && !(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError(
      "Cannot ask: this is not a terminal. Give --yes to restore files whose content is a best " +
        "guess, or leave out --write to list the files",
    );
  }
  const { planRestore, restoreFiles } = await import(
    "../../lib/features/blame/files/restore_files.ts"
  );
  const { isExecuted } = await import("../../lib/features/blame/files/executed_files.ts");
  const plan = planRestore(found, directory, likely);
  if (likely && !(write && yes)) await confirmLikely(context, plan.files, write);
  const { root } = contextStore(context);
  const kept = write ? restoreFiles(plan, { root, ref, time: context.now() }) : undefined;
  if (json) {
    const values = plan.files.map(({ path, name = "", step }) =>
      present({
        ...{ path, action: step.kind, reason: step.kind === "refused" ? step.reason : undefined },
        ...{ written: write && "content" in step, kept },
        ...("content" in step
          ? { likely: step.likely, executed: isExecuted(name, step.content) }
          : {}),
      })
    );
    await printJsonLines(context, values);
  } else {
    for (const file of plan.files) {
      const { name = "", step } = file;
      const note = "content" in step && isExecuted(name, step.content) ? EXECUTED_NOTE : "";
      await say(context, restoredText(file, write) + note);
    }
    await say(context, summaryText(plan.files, { ref: `${ref}#${found.seq}`, write, kept }));
    if (plan.files.some(({ step }) => step.kind === "refused" && step.likely)) {
      await say(
        context,
        "To include files whose content is a best guess, add --likely. It shows the differences " +
          "first",
      );
    }
    if (kept !== undefined) await say(context, `Undo with: reprise files ${ref} --undo --write`);
  }
  if (plan.files.some(({ step }) => step.kind === "refused")) throw new CommandExit(STATUS.failed);
}

async function confirmLikely(
  context: Context,
  files: readonly RestoredFile[],
  write: boolean,
): Promise<void> {
  const { contentDiff } = await import("../../lib/features/blame/files/file_diff.ts");
  const { renderFileDiff } = await import("../../lib/text/render/files_table.ts");
  const options = { is_terminal: true, color: wantsColor(context, context.stderr) };
  let count = 0;
  for (const { name = "", step, now } of files) {
    if (!("content" in step) || !step.likely) continue;
    count++;
    const [before, after] = [now?.content ?? null, step.content];
    const lines = contentDiff(before, after) ?? ["Too many differences to show"];
    const sides = { was_there: before !== null, is_there: after !== null };
    context.stderr.write(renderFileDiff({ name, lines, ...sides }, options));
  }
  if (count === 0 || !write) return;
  const question = `Restore ${counted(count, "file")} whose content is a best guess?`;
  if (await isConfirmed(context, question)) return;
  await say(context, "Nothing was restored");
  throw new CommandExit(STATUS.cancelled);
}

/**
 * Returns the real path of the session's directory. Refuses a drive or a parent of the home
 * directory, because the log that names the directory is not trusted.
 */
function projectOf({ cwd: here, variable }: Context, { cwd }: SessionFiles): string {
  if (cwd === undefined) throw noProject("the session does not record its directory");
  const absence = directoryAbsence(cwd);
  if (absence !== undefined) throw noProject(`the session's directory is ${absence}: ${cwd}`);
  const directory = realDirectory(cwd);
  const home = homeFolder(variable);
  const is_home = home !== undefined && isInProject(realDirectory(home), [directory]);
  if (is_home || dirname(directory) === directory) {
    throw noProject(
      `the session's directory is a whole drive, or contains your home directory: ${cwd}`,
    );
  }
  if (!isInProject(realDirectory(here), [directory])) {
    throw noProject(`run this in the session's directory: ${cwd}`);
  }
  return directory;
}

function noProject(reason: string): SessionError {
  const message =
    `Cannot restore files: ${reason}. To write the files to another directory: --out DIR`;
  return new SessionError("not-found", message);
}

function restoredText({ path, step }: RestoredFile, write: boolean): string {
  switch (step.kind) {
    case "same":
      return `Same: ${path}`;
    case "refused":
      return `Refused: ${path}: ${step.reason}`;
    case "write":
      return `${write ? "Restored" : "Would restore"}: ${path}`;
    case "delete":
      return `${write ? "Deleted" : "Would delete"}: ${path}`;
  }
}

function summaryText(
  files: readonly RestoredFile[],
  { ref, write, kept }: { ref: string; write: boolean; kept: string | undefined },
): string {
  const count = files.filter(({ step }) => "content" in step).length;
  if (count === 0) return "There is nothing to restore";
  return write
    ? `Restored ${counted(count, "file")}. The replaced files are in ${kept ?? ""}`
    : `Nothing was written yet. To restore ${
      counted(count, "file")
    }: reprise files ${ref} --restore --write`;
}

export async function undo(
  context: Context,
  ref: string,
  { write = false, json = false }: Asked,
): Promise<void> {
  const { lastKept } = await import("../../lib/features/blame/files/kept_files.ts");
  const { undoRestore } = await import("../../lib/features/blame/files/restore_files.ts");
  const { root } = contextStore(context);
  const kept = lastKept(root, ref);
  if (kept === undefined) {
    const message = `Cannot undo: no files of session ${ref} were restored`;
    throw new SessionError("not-found", message, { ref });
  }
  const undone = undoRestore(root, kept, write);
  if (json) await printJsonLines(context, undone.map((file) => ({ ...file, folder: kept.folder })));
  else {
    for (const file of undone) await say(context, undoneText(file, write));
    if (!write) await say(context, "Nothing was changed. To make these changes: --write");
  }
  if (undone.some(({ step }) => step === "refused")) throw new CommandExit(STATUS.failed);
}

function undoneText({ name, step, reason }: UndoneFile, write: boolean): string {
  if (step === "refused") return `Refused: ${name}: ${reason}`;
  if (step === "same") return `Same: ${name}`;
  if (step === "delete") return `${write ? "Deleted" : "Would delete"}: ${name}`;
  return `${write ? "Put back" : "Would put back"}: ${name}`;
}
