/**
 * Claude Code (Anthropic): one file a session, a tree of records in it, and among them records that
 * are no part of the talk.
 *
 * Its rules, as of versions 1.0 to 2.1.330: the live branch is the one that was last spoken on, or
 * the one that the last `last-prompt` names; the records of one answer share its message id, and the
 * results of calls that were made at once stand on branches of their own; what the model gets begins
 * at the last compaction, with its summary and what it keeps. A record whose parent is lost follows
 * the one that was written just before it, as in version 2.1.100; earlier ones lost all before it.
 *
 * What a mention of a file brought in is sent again as it was recorded, before the prompt that
 * mentions it, and so is what a local command printed. Where the conversation differs from what Claude Code sends: reminders and the environment,
 * which it renders anew for each request, are left out; the talks of sub-agents come in by their
 * results alone, as in Claude Code itself.
 *
 * @module
 */
import { basename } from "node:path";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { verbatimIn } from "../verbatim.ts";
import { claudeExpiry } from "./claude_expiry.ts";
import { idInName, locateSessions } from "./locate.ts";
import { readMessages } from "./read_messages.ts";
import { readSession } from "./read_session.ts";
import { readTail } from "./read_tail.ts";
import { isClaudeSession } from "./recognize.ts";
import { ATTACHED_WORDS } from "./attached.ts";
import { ADDED_MARK } from "./shown_text.ts";
import { sessionIn, subagentFiles } from "./subagent_files.ts";
import { summarizeSession } from "./summarize.ts";
import { sessionThreads } from "./threads.ts";
import { readUsage } from "./usage.ts";

/** The reader of Claude Code's sessions. */
export const claudeAgent: Agent = {
  name: "claude",
  title: "Claude Code",
  locate: locateSessions,
  recognize: (_path, head) => isClaudeSession(head),
  sessionsIn,
  summarize: summarizeSession,
  read: readSession,
  messages: readMessages,
  threads: sessionThreads,
  usage: readUsage,
  readTail,
  stateFiles: (session) => Promise.resolve(verbatimIn(filesOf(session))?.paths),
  // All but words of an output that a colour code stands in; none were seen.
  verbatim: (session) => Promise.resolve(verbatimIn(filesOf(session), ADDED_WORDS)),
  expiry: claudeExpiry,
  resumeCommand: ({ id }) => ["claude", "--resume", id],
};

const ADDED_WORDS = `${ADDED_MARK}\n${ATTACHED_WORDS}`;
const OWN_NAME = /^([0-9a-f]{8}-[0-9a-f-]{27}|agent-.*)$/;

/** The file of a session and those of its sub-agents. */
function filesOf(session: AgentSession): string[] {
  return [session.path, ...subagentFiles(session).map(({ path }) => path)];
}

/** The file's name is the session's id, unless the file was renamed. */
function sessionsIn(path: string): Promise<AgentSession[]> {
  const name = idInName(basename(path));
  const id = OWN_NAME.test(name) ? name : sessionIn(path) ?? name;
  return Promise.resolve([{ agent: "claude", id, path }]);
}
