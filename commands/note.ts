/** `reprise note` */
import { defineCommand } from "./_command.ts";
import { markSession } from "./_marking.ts";
import { printExact, say } from "./_message.ts";
import { openToMark } from "./_session.ts";

export const noteCommand = defineCommand({
  description:
    "Write a note about a session. `reprise show` prints the note above the transcript. " +
    "Without TEXT, print the note. An empty TEXT removes the note.",
  arguments: [["<ref>", "the session's id"], ["[text]", "the note"]],
  examples: ['reprise note 3f2a "the good attempt"', "reprise note 3f2a", 'reprise note 3f2a ""'],
  run: async (context, ref, text) => {
    const session = await openToMark(context, ref);
    if (text === undefined) {
      const { note } = await session.summary();
      return note === undefined
        ? await say(context, `${session.short_ref} has no note`)
        : await printExact(context, note);
    }
    const note = text.trim();
    await markSession(context, session, { note });
    await say(
      context,
      `${note === "" ? "Removed the note of" : "Wrote the note of"} ${session.short_ref}`,
    );
  },
});
