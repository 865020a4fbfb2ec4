/** `reprise tag`: adds, removes or prints a session's tags. */
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import { defineCommand } from "./_command.ts";
import { markSession, parseTags, tagsText } from "./_marking.ts";
import { UsageError } from "./_failure.ts";
import { printExact, printJson, say } from "./_message.ts";
import { openToMark } from "./_session.ts";

export const tagCommand = defineCommand({
  description: "Tag a session. Lists show tags, and can filter by them. Without TAGS, print the " +
    "session's tags. The agent's own files are not changed.",
  arguments: [
    ["<ref>", "the session's id"],
    ["[tags...]", "the tags to add, separated by spaces or commas"],
  ],
  flags: {
    "--remove": "remove these tags; if you give no tags, remove all tags of the session",
    "--json": "print all tags of the session as a JSON list",
  },
  examples: ["reprise tag 3f2a bug,release", "reprise list --all --tag bug"],
  run: async (context, ref, given: string[] = [], { remove = false, json = false }) => {
    const tags = parseTags(given.join(" "));
    if (given.length > 0 && tags.length === 0) {
      throw new UsageError("Cannot tag: no tags were given");
    }
    const session = await openToMark(context, ref);
    const { tags: before = [] } = await session.summary();
    const missing = remove ? tags.filter((tag) => !before.includes(tag)) : [];
    if (missing.length > 0) {
      const near = nearestWord(missing[0] ?? "", before);
      const meant = near === undefined ? "" : ` Did you mean ${near}?`;
      throw new UsageError(
        `Cannot remove tag ${missing[0]}: session ${session.short_ref} does not have this tag.` +
          `${meant} All tags of the session: ${tagsText(before) || "none"}`,
      );
    }
    const after = remove
      ? before.filter((tag) => tags.length > 0 && !tags.includes(tag))
      : [...new Set([...before, ...tags])];
    const changes = remove || tags.length > 0;
    if (changes) await markSession(context, session, { tags: after });
    if (json) return await printJson(context, after);
    if (changes) await say(context, `Tags of ${session.short_ref}: ${tagsText(after) || "none"}`);
    else if (after.length > 0) await printExact(context, tagsText(after));
  },
});
