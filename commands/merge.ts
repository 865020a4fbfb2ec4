/** `reprise merge` */
import type { MergedSession } from "../lib/core/store/copy/merge_sessions.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, pathOf } from "./_context.ts";
import { openOriginal, type Original, printMade } from "./_copying.ts";
import { counted } from "../lib/core/event/counted.ts";
import { countDiagnostics, type DiagnosticCount } from "./_diagnostics.ts";
import { UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";
import { present } from "../lib/core/event/present.ts";
import type { Diagnostic } from "../lib/core/log/diagnostic.ts";
import { progressUntilInterrupted } from "./_until_signal.ts";

const DETAILS = `
The original sessions are not changed. Turns are sorted by start time and never
split. Events get new numbers. Each new event names the event that it was copied
from. If a session was compacted, the new session has its original messages, and
a one-line note in place of the summary. Tokens and costs are counted in the
originals, not in the new session.

Examples:
  reprise merge 3f2a 8d1f                         merge two sessions
  reprise merge 3f2a 8d1f --title "Parser" --cwd ~/src/parser`;

const MERGE_FLAGS = {
  "--title <text>": "the title of the new session (default: the titles of the merged sessions)",
  "--cwd <dir>": "the directory of the new session (default: the first session's)",
  "--json": "print the new session as one JSON object",
} as const satisfies Flags;

type MergeFlags = FlagsOf<typeof MERGE_FLAGS>;

export const mergeCommand = defineCommand({
  description:
    "Copy the events of several sessions, ordered by time, into a new session. Print the new " +
    "session's id.",
  arguments: [
    ["<ref>", "the first session's id, or the path of its log"],
    ["<refs...>", "the other sessions to merge"],
  ],
  flags: MERGE_FLAGS,
  notes: DETAILS,
  run: (context, ref, refs, flags) => merge(context, [ref, ...refs], flags),
});

async function merge(
  context: Context,
  refs: readonly string[],
  flags: MergeFlags,
): Promise<void> {
  const { title, cwd } = flags;
  const originals = await openAll(context, refs);
  const diagnostics = new Map(originals.map(({ row }) => [row.session_id, countDiagnostics()]));
  const report = (diagnostic: Diagnostic, id: string): void =>
    diagnostics.get(id)?.report(diagnostic);
  const rows = originals.map(({ row }) => row);
  const options = { title, cwd: pathOf(context, cwd), report };
  const merged = await progressUntilInterrupted(
    context,
    "Merging",
    (running) => contextStore(context).merge(rows, present({ ...options, ...running })),
  );
  await printMade(context, merged, flags);
  await tellAll(context, originals, diagnostics);
  await say(context, sentence(originals, merged));
}

async function openAll(context: Context, refs: readonly string[]): Promise<Original[]> {
  const found = new Map<string, string>();
  const originals: Original[] = [];
  for (const ref of refs) {
    const original = await openOriginal(context, ref, "merge");
    const { session_id } = original.row;
    if (original.source.seq !== undefined) {
      throw new UsageError(
        `Cannot merge "${ref}": it names an event, not a session. To merge the session up to ` +
          `that event, first fork it: reprise fork ${ref}`,
      );
    }
    const other = found.get(session_id);
    if (other !== undefined) {
      throw new UsageError(`The same session is named twice: "${other}" and "${ref}"`);
    }
    found.set(session_id, ref);
    originals.push(original);
  }
  return originals;
}

async function tellAll(
  context: Context,
  originals: readonly Original[],
  diagnostics: ReadonlyMap<string, DiagnosticCount>,
): Promise<void> {
  for (const { row, source } of originals) {
    await diagnostics.get(row.session_id)?.tell(context, source.ref);
  }
}

function sentence(
  originals: readonly Original[],
  { session_id, merged, parent }: MergedSession,
): string {
  const directories = new Set(originals.flatMap(({ row }) => row.cwd ?? []));
  const apart = directories.size < 2
    ? ""
    : `\nThe sessions are from ${directories.size} directories; the new session is in one of them`;
  return `Merged ${counted(parent.seq - 1, "event")} of ${merged.length} sessions${apart}\n` +
    `Continue it with: reprise resume ${session_id}`;
}
