/** Prints which sessions wrote the lines that commits add, or that are staged in git. */
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { commonGitFolder } from "../../lib/core/workspace/project.ts";
import type { CommitBlame, SessionLines } from "../../lib/features/blame/blame_commits.ts";
import { startProgress } from "../../lib/frontends/ui/progress.ts";
import { type Context, wantsColor } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { printJsonLines, say } from "../_message.ts";
import { printPaged } from "../_pager.ts";
import { agentsOf } from "../_scope.ts";

interface RevisionFlags {
  agent?: string;
  json?: true;
  format?: string;
}

/**
 * Blames the lines that a commit, a range or a branch adds. Without `name`, blames the staged
 * lines.
 *
 * @throws {SessionError} `not-found` for a name that git does not know.
 */
export async function blameRevision(
  context: Context,
  name: string | undefined,
  flags: RevisionFlags,
): Promise<void> {
  const found = await blamedRevision(context, name, flags.agent);
  if (found === undefined) throw unknownRevision(name);
  await print(context, name, found, flags);
}

/**
 * Blames the commit, range or branch `name`. Returns false if git does not know the name and it
 * looks like the name of a file.
 */
export async function blameIfRevision(
  context: Context,
  name: string,
  flags: RevisionFlags,
): Promise<boolean> {
  const is_like_file = /\.\w+(?::[\d-]+)?$/.test(name);
  if (!name.includes("..") && commonGitFolder(context.cwd) === undefined) {
    if (is_like_file) return false;
    const message = `Cannot blame ${name}: ${context.cwd} is not in a git repository, and has no ` +
      "file of this name";
    throw new SessionError("not-found", message, { path: context.cwd });
  }
  const found = await blamedRevision(context, name, flags.agent);
  if (found !== undefined) await print(context, name, found, flags);
  else if (!is_like_file) throw unknownRevision(name, "file, commit or branch");
  return found !== undefined;
}

/** Returns references of the sessions that wrote the added lines of a commit, range or branch. */
export async function writersOf(context: Context, name: string): Promise<ReadonlySet<string>> {
  const found = await blamedRevision(context, name, undefined);
  if (found === undefined) throw unknownRevision(name);
  return new Set(found.sessions.map(({ ref }) => ref));
}

function unknownRevision(name = "", none = "commit, range or branch"): SessionError {
  const message =
    `Cannot blame: there is no ${none} named "${name}". To list commits and branches: ` +
    "git log --oneline; git branch --all";
  return new SessionError("not-found", message);
}

async function blamedRevision(
  context: Context,
  name: string | undefined,
  agent: string | undefined,
): Promise<CommitBlame | undefined> {
  const { blameCommits } = await import("../../lib/features/blame/blame_commits.ts");
  const unread = new Set<string>();
  const progress = await startProgress(context, "Reading", (count) => `${count} sessions`);
  try {
    return await blameCommits(contextLibrary(context), name, {
      ...{ cwd: context.cwd, agents: agentsOf(agent), now: context.now().getTime() },
      variable: (one) => context.variable(one),
      onProgress: progress.show,
      onError: ({ message }) => unread.add(message),
    });
  } finally {
    progress.end();
    for (const message of unread) await say(context, `reprise: ${message}`);
  }
}

async function print(
  context: Context,
  name: string | undefined,
  found: CommitBlame,
  { json, format }: RevisionFlags,
): Promise<void> {
  if (format === "agent-trace") throw new UsageError("--format agent-trace needs a file");
  if (json) {
    const { sessions, searched: _, ...totals } = found;
    return await printJsonLines(context, [...sessions.map(sessionAsJson), totals]);
  }
  if (name !== undefined && found.commits.length === 0) {
    return await say(
      context,
      `${name} has no commits of its own, or only merges. To blame one commit, give its hash`,
    );
  }
  const { commitMarkdown, renderCommitTable } = await import(
    "../../lib/text/render/commit_table.ts"
  );
  const { stdout } = context;
  const totals = { ...found, commits: found.commits.length };
  const { costLines, writingSessions } = await import(
    "../../lib/features/blame/writing_sessions.ts"
  );
  const notes = await costLines(found.sessions);
  const sessions = writingSessions(contextLibrary(context), found);
  if (format === "md") {
    const { Redactor } = await import("../../lib/text/redaction/redactor.ts");
    const redactor = new Redactor();
    redactor.observeValue(sessions.map(({ title }) => title));
    const harmless = sessions.map((one) => ({ ...one, title: redactor.text(one.title, "title") }));
    return context.stdout.write(commitMarkdown(harmless, totals, notes));
  }
  const width = stdout.terminal ? stdout.width : Infinity;
  const look = { width, color: wantsColor(context, stdout), notes };
  await printPaged(context, renderCommitTable(sessions, totals, look));
}

function sessionAsJson({ row, prompts, ...session }: SessionLines): Record<string, unknown> {
  const { title, cost_usd, cost_estimated, unknown_models } = row ?? {};
  return present({ ...session, title, cost_usd, cost_estimated, unknown_models, prompts });
}
