/** `reprise digest` */
import type { SessionError } from "../lib/core/event/session_error.ts";
import type { ProjectDigest } from "../lib/features/digest/digest.ts";
import { present } from "../lib/core/event/present.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";
import { defineCommand } from "./_command.ts";
import { timeFormat, wantsColor } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { printJsonLines, say } from "./_message.ts";
import { printPaged } from "./_pager.ts";
import { findScoped, sayDays, tellScope } from "./_scope.ts";
import { SCOPE_FLAGS } from "./_scope_flags.ts";
import { parseSince, parseUntil, TIMES } from "./_values.ts";

const USUAL_START = "yesterday";

export const digestCommand = defineCommand({
  description:
    "Show what was done, project by project: a line for each prompt, the changed files, the " +
    "commits, the cost, and the sessions that wait, failed or were not finished. No model is " +
    "called. Commits come from git, in the work trees of the sessions.",
  flags: {
    ...SCOPE_FLAGS,
    "--since <time>": {
      help: `show what was done since this time: ${TIMES} (default: ${USUAL_START})`,
      parse: parseSince,
    },
    "--until <time>": {
      help: "show what was done up to this time, inclusive (same formats as --since)",
      parse: parseUntil,
    },
    "--md": { help: "print Markdown, for a note or a message", conflicts: ["json"] },
    "--json": "print each project as one line of JSON",
  },
  examples: [
    "reprise digest --all",
    "reprise digest --all --since last-week --until last-week --md > week.md",
    "reprise digest --project my-app --since 2026-11-21",
  ],
  run: async (context, flags) => {
    const { until, md, json } = flags;
    const since = flags.since ?? parseSince(USUAL_START, context);
    const library = contextLibrary(context);
    const unread = new Set<string>();
    const onError = ({ message }: SessionError): unknown => unread.add(message);
    if (!md) await sayDays(context, { ...flags, since });
    const found = await findScoped(context, library, flags, {
      ...{ since, archived: "any", onError },
    });
    const { entries } = found;
    const { loadPrices } = await import("../lib/library/counts/usage/load_prices.ts");
    const { estimate } = await loadPrices({ root: library.place.root, onError });
    const { costOf, digestOf } = await import("../lib/features/digest/digest.ts");
    const { startProgress } = await import("../lib/frontends/ui/progress.ts");
    const progress = await startProgress(context, "Reading", (count) => `${count} sessions`);
    const projects = await digestOf(library, entries, present({ since, until }), {
      ...{ estimate, onError, onProgress: progress.show },
    }).finally(() => progress.end());
    for (const message of unread) await say(context, `reprise: ${message}`);
    if (json) return await printJsonLines(context, projects.map(factsOf));
    if (projects.length === 0) {
      const more = found.directories === undefined ? [] : ["Search all projects: add --all"];
      return await say(context, ["No session was active in this period", ...more].join("\n"));
    }
    const home = homeFolder(context.variable);
    const formatTime = timeFormat(context);
    if (md) {
      const { digestMarkdown } = await import("../lib/features/digest/digest_markdown.ts");
      return context.stdout.write(digestMarkdown(projects, { home, formatTime }));
    }
    const { digestText } = await import("../lib/features/digest/digest_text.ts");
    const { stdout } = context;
    const text = digestText(projects, costOf(projects.map(({ cost }) => cost)), {
      width: stdout.terminal ? stdout.width : Infinity,
      color: wantsColor(context, stdout),
      ...{ home, formatTime },
    });
    await printPaged(context, text);
    await tellScope(context, found, flags, "summarized");
  },
});

/** Returns a project's facts for JSON. Leaves out facts that depend on the cache. */
function factsOf({ sessions, cost, ...project }: ProjectDigest): unknown {
  return {
    ...project,
    ...cost,
    sessions: sessions.map(({ row, cost, running, ...done }) => {
      const { ref, agent, title, cwd, git_branch, created_at, updated_at, status, last_error } =
        row;
      const named = { ref, agent, title, cwd, git_branch, created_at, updated_at, status };
      const { state, wait } = running?.attention ?? {};
      return present({ ...named, last_error, state, waits_for: wait?.text, ...done, ...cost });
    }),
  };
}
