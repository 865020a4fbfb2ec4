/** `reprise fork` */
import { present } from "../lib/core/event/present.ts";
import type { ForkedSession } from "../lib/core/store/copy/fork_session.ts";
import { defineCommand } from "./_command.ts";
import { openOriginal, printMade } from "./_copying.ts";
import { counted } from "../lib/core/event/counted.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";
import { pathOf } from "./_context.ts";
import { progressUntilInterrupted } from "./_until_signal.ts";

const DETAILS = `
The original is not changed. You can fork it even while an agent uses it. The
fork has the same title and directory, but the fork of a team's session is in
the current directory. Tokens and costs from before the fork are counted in the
original, not in the fork. You can fork in the middle of a turn. The
model is then told which tool calls were unfinished.

Examples:
  reprise fork 3f2a          continue in a copy; the original is not changed
  reprise fork 3f2a#41       go back to event 41 (show prints the numbers)
  reprise record --resume "$(reprise fork 3f2a#41)"
                             go back, and continue from there`;

export const forkCommand = defineCommand({
  description:
    "Copy a session into a new session. To copy only the beginning, name the last event (REF#12) " +
    "or record (REF@ID) of the copy. Print the new session's id.",
  arguments: [["<ref>", "the session's id, or the path of its log"]],
  flags: {
    "--title <text>": "the title of the new session (default: the original's title)",
    "--cwd <dir>": "the new session's directory (default: the original's directory)",
    "--json": "print the new session as one JSON object",
    ...IDENTITY_FLAG,
  },
  notes: DETAILS,
  run: async (context, ref, flags) => {
    const { source, row } = await openOriginal(context, ref, "fork", flags.identity);
    const diagnostics = countDiagnostics();
    // A shared session names a directory of another machine.
    const cwd = flags.cwd ?? (source.session.ref === undefined ? undefined : ".");
    const { seq } = source;
    const { report } = diagnostics;
    const options = { seq, title: flags.title, cwd: pathOf(context, cwd), report };
    const forked = await progressUntilInterrupted(
      context,
      "Copying",
      (running) => contextStore(context).makeFork(row, present({ ...options, ...running })),
    );
    await printMade(context, forked, flags);
    await diagnostics.tell(context, source.ref);
    await say(context, sentence(source.ref, forked));
  },
});

function sentence(ref: string, { session_id, parent, ...forked }: ForkedSession): string {
  const { parent_last_seq, open_calls } = forked;
  const open = open_calls === 0
    ? ""
    : `\n${counted(open_calls, "call")} had not ended at that event. The model is told`;
  return `Forked ${ref} at event ${parent.seq} of ${parent_last_seq}${open}\n` +
    `Continue it with: reprise resume ${session_id}`;
}
