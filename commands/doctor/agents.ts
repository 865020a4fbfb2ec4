/** `reprise doctor agents` */
import type { SessionError } from "../../lib/core/event/session_error.ts";
import type { ExaminedAgent } from "../../lib/library/examined/examine_agents.ts";
import { defineCommand, type Flags, type FlagsOf } from "../_command.ts";
import { type Context, wantsColor } from "../_context.ts";
import { SOON_DAYS } from "../../lib/library/examined/expiring.ts";
import { quoteWord } from "../../lib/core/platform/shell_word.ts";
import { UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { fitted, printJsonLines, say } from "../_message.ts";
import { printPaged } from "../_pager.ts";
import { agentsOf } from "../_scope.ts";
import { AGENTS_LINE, otherAgents } from "../_scope_flags.ts";

const NOTES = `
An agent's own list does not show every session on the disk. This command shows
each hidden session, why it is hidden, and the command that opens it. A session
may be hidden because its directory moved, or because of the folder that it is
in. For such a session, --fix --write writes a copy that appears in the agent's
list. Without --write, --fix only shows what the copy would contain. The
original is not changed.
`;

const AGENTS_FLAGS = {
  "-a, --all":
    "list every session that the agent's own list hides, not only the first ones for each reason",
  "--content": "also show what takes up space in the sessions, such as images and tool results " +
    "(slower)",
  "--fix <ref>": {
    help:
      "show how to copy this hidden session so that the agent lists it (to write the copy: --write)",
    conflicts: ["all"],
  },
  "--cwd <dir>": "with --fix: the directory of the copy (default: the session's)",
  "--write": "with --fix: write the copy",
  "--undo <id>": { help: "remove a copy that --fix wrote, if it is unchanged", conflicts: ["fix"] },
  "--json": "print each agent as one line of JSON",
} as const satisfies Flags;

export const doctorAgentsCommand = defineCommand({
  summary: "show the sessions that each agent hides or will delete, and its disk use",
  description:
    "For each agent, show which sessions its own list hides, which sessions it will delete soon, " +
    "and how much disk space its sessions use.",
  arguments: [["[name]", {
    help: "show only this agent",
    get choices(): readonly string[] {
      return otherAgents();
    },
    see: AGENTS_LINE,
  }]],
  flags: AGENTS_FLAGS,
  notes: NOTES,
  examples: [
    "reprise doctor agents",
    "reprise doctor agents codex --all",
    "reprise doctor agents --fix claude:3f2a --cwd ~/src/moved --write",
  ],
  run: doctorAgents,
});

async function doctorAgents(
  context: Context,
  name: string | undefined,
  { all, content, fix, cwd, write, undo, json }: FlagsOf<typeof AGENTS_FLAGS>,
): Promise<void> {
  if (fix === undefined && (cwd !== undefined || write)) {
    throw new UsageError("--cwd and --write need --fix REF");
  }
  if (fix !== undefined || undo !== undefined) {
    if (name !== undefined || json) {
      throw new UsageError("--fix and --undo cannot be used with an agent's name or with --json");
    }
    const { fixHidden } = await import("./fix_hidden.ts");
    const { undoById } = await import("../_handover/undo_by_id.ts");
    if (fix !== undefined) await fixHidden(context, fix, cwd, write ?? false);
    else await undoById(context, undo as string);
    return;
  }
  const { examineAgents } = await import("../../lib/library/examined/examine_agents.ts");
  const { copyFinder } = await import("../../lib/features/handover/find_copy.ts");
  const unread = new Set<string>();
  const { withProgress } = await import("../../lib/frontends/ui/progress.ts");
  const library = contextLibrary(context);
  const findCopy = copyFinder(library);
  const examined = await withProgress(
    context,
    "Reading sessions",
    (onProgress) =>
      examineAgents(library, {
        agents: agentsOf(name),
        now: context.now(),
        cwd: context.cwd,
        content: content ?? false,
        isFixed: async (agent, ref) => await findCopy(agent, ref) !== undefined,
        onProgress,
        onError: (error: SessionError) => unread.add(error.message),
      }),
  );
  for (const message of unread) await say(context, `reprise: ${message}`);
  if (json) return await printJsonLines(context, examined.map(toJson));
  const { unreadFolders } = await import("../../lib/library/examined/unread_folders.ts");
  const unread_folders = name === undefined ? unreadFolders(library.place.environment) : [];
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const unread_lines = unread_folders.map(({ title, path }) =>
    `Found, not read: ${sanitizeLine(path)} (${title})\n`
  );
  if (examined.length === 0 && unread_lines.length === 0) {
    return await say(context, "No agent has sessions on this machine");
  }
  const { renderAgentReport } = await import("../../lib/text/render/agent_report.ts");
  const options = {
    color: wantsColor(context, context.stdout),
    now: context.now(),
    soon_days: SOON_DAYS,
    all: all ?? false,
    quote: quoteWord,
  };
  const texts = examined.map((one) => renderAgentReport(one, options));
  const reports = [...texts, unread_lines.join("")].filter((text) => text !== "");
  await printPaged(context, await fitted(context.stdout, reports.join("\n")));
}

function toJson({ hidden, expiring, ...others }: ExaminedAgent): object {
  return {
    ...others,
    hidden: hidden?.map(({ row: { ref, title, cwd, path }, ...one }) => ({
      ref,
      title,
      cwd,
      path,
      ...one,
    })),
    expiring: expiring.map(({ expiry, sessions }) => ({
      ...expiry,
      sessions: sessions.map(({ row: { ref }, due }) => ({ ref, due: due.toISOString() })),
    })),
  };
}
