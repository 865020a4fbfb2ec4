/** `reprise trash`: lists, restores and permanently deletes removed sessions. */
import type { SessionError } from "../lib/core/event/session_error.ts";
import type { TrashEntry } from "../lib/core/store/trash/trash.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { printJson, printJsonLines, say } from "./_message.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import { isConfirmed } from "./_question.ts";
import { countSessions, printRemovals } from "./_removal_table.ts";
import { contextStore } from "./_store.ts";
import { parseAge } from "./_values.ts";
import { present } from "../lib/core/event/present.ts";

const EMPTY_FLAGS = {
  "--older-than <time>": {
    help: "only sessions that were moved to the trash before this time: 12h, 30d, 8w, or a date",
    parse: parseAge,
  },
  "--dry-run": "delete nothing; show what would be deleted",
  "-y, --yes": "do not ask",
  "--json": "print each deleted session as one line of JSON",
} as const satisfies Flags;

type EmptyFlags = FlagsOf<typeof EMPTY_FLAGS>;

export const trashCommand = defineCommand({
  description: "Manage the trash: the sessions that `reprise delete` removed.",
  commands: {
    list: defineCommand({
      summary: "list the trash",
      description: "List the sessions in the trash, the most recently removed first.",
      flags: { "--json": "print each session in the trash as one line of JSON" },
      examples: ["reprise trash list", "reprise trash list --json | jq -r .session_id"],
      run: async (context, { json }) => {
        const entries = contextStore(context).trash();
        if (json) return await printJsonLines(context, entries);
        if (entries.length === 0) return await say(context, "The trash is empty");
        await printEntries(context, entries);
        await say(context, `${await countEntries(entries)}, in the trash`);
      },
    }),
    restore: defineCommand({
      summary: "move sessions back to where they were",
      description: "Move sessions from the trash back to where they were.",
      arguments: [["[refs...]", "ids of sessions in the trash"]],
      flags: { "--json": "print each session as one line of JSON" },
      examples: [
        "reprise trash restore 3f2a",
        "reprise trash list --json | jq -r .session_id | xargs reprise trash restore",
      ],
      run: async (context, refs, { json }) => {
        if (refs.length === 0) {
          const { undoChoices } = await import("./_undoable.ts");
          throw new UsageError(await undoChoices(context, "trash restore"));
        }
        const store = contextStore(context);
        // All are looked up first, so that a wrong one restores nothing.
        const ids = new Set(refs.map((ref) => store.findInTrash(ref).session_id));
        for (const id of ids) {
          const restored = await store.restore(id);
          if (json) await printJson(context, restored);
          else await say(context, `Restored ${id.slice(0, 8)} to ${restored.path}`);
        }
      },
    }),
    empty: defineCommand({
      summary: "permanently delete the sessions in the trash",
      description: "Permanently delete the sessions in the trash. At a terminal, ask first.",
      flags: EMPTY_FLAGS,
      examples: ["reprise trash empty --older-than 30d", "reprise trash empty --yes"],
      run: empty,
    }),
  },
  examples: [
    "reprise trash list",
    "reprise trash restore 3f2a",
    "reprise trash empty --older-than 30d --dry-run",
  ],
});

async function empty(context: Context, flags: EmptyFlags): Promise<void> {
  const store = contextStore(context);
  const scope = present({ before: flags.olderThan });
  const meant = await store.emptyTrash({ ...scope, dry_run: true });
  if (flags.dryRun || meant.length === 0) return await preview(context, meant, flags);
  if (!flags.yes) await ask(context, meant);
  const errors: SessionError[] = [];
  const deleted = await withProgress(context, "Deleting", (onProgress) =>
    store.emptyTrash({
      ...scope,
      paths: meant.map(({ path }) => path),
      onError: (error) => errors.push(error),
      onProgress,
    }));
  for (const { message } of errors) await say(context, `reprise: ${message}`);
  if (flags.json) await printJsonLines(context, deleted);
  else await say(context, `Deleted ${await countEntries(deleted)}`);
  if (errors.length > 0) throw new CommandExit(STATUS.failed);
}

async function preview(
  context: Context,
  meant: readonly TrashEntry[],
  { json }: EmptyFlags,
): Promise<void> {
  if (json) return await printJsonLines(context, meant);
  if (meant.length === 0) return await say(context, "Nothing in the trash to delete");
  await printEntries(context, meant);
  await say(context, `Would delete ${await countEntries(meant)}`);
}

async function ask(context: Context, meant: readonly TrashEntry[]): Promise<void> {
  if (!context.stdin_terminal || !context.stderr.terminal) {
    throw new UsageError(
      "Cannot ask: this is not a terminal. Give --yes to delete the sessions for good, " +
        "or --dry-run to list them",
    );
  }
  const question = `Delete ${await countEntries(meant)}, for good?`;
  if (await isConfirmed(context, question)) return;
  await say(context, "Nothing was deleted");
  throw new CommandExit(STATUS.cancelled);
}

async function countEntries(entries: readonly TrashEntry[]): Promise<string> {
  return await countSessions(entries.length, entries.reduce((sum, { bytes }) => sum + bytes, 0));
}

async function printEntries(context: Context, entries: readonly TrashEntry[]): Promise<void> {
  const rows = entries.map(({ removed_at, state, ...row }) => {
    return { ...row, time: removed_at, note: state };
  });
  await printRemovals(context, rows, { time: "removed", note: "state" });
}
