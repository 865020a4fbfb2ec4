/**
 * Reads the sessions of Claude Code (Anthropic): one file for each session, with a tree of records.
 * These are its rules, as of versions 1.0 to 2.1.330:
 * - The live branch is the one with the last message, or the one that the last `last-prompt` names.
 * - Records of one answer share its message id.
 * - Results of parallel calls are on branches of their own.
 * - The conversation begins at the last compaction, with its summary and the messages that it
 *   keeps.
 * - A record whose parent is lost follows the record written just before it, as in version 2.1.100.
 *   Earlier versions lost everything before it. Before a compaction, the preceding record may have
 *   been written long before. In a subagent's file, the record follows the last earlier record
 *   without a successor.
 * - Files that a prompt mentions are sent again as recorded, before that prompt. The output of
 *   local commands is also sent again as recorded.
 * - Reminders and the environment are left out, because Claude Code renders them anew for each
 *   request.
 * - Only the results of subagents are in the conversation, as in Claude Code itself.
 *
 * @module
 */
import { basename } from "node:path";
import { verbatimIn } from "../engine/files/session_files.ts";
import { asObject } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import { treeReader } from "../engine/tree/tree_reader.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { ATTACHED_WORDS } from "./attached.ts";
import { claudeFormat } from "./claude_format.ts";
import { idInName } from "./locate.ts";
import { ADDED_MARK } from "./shown_text.ts";
import { sessionIn, subagentFiles } from "./subagent_files.ts";
import { summarizeSession } from "./summarize.ts";
import { claudePrompt } from "./claude_history.ts";
import { withHistory } from "../engine/prompt_history.ts";

export const claudeAgent: Agent = withHistory(
  {
    name: "claude",
    recognize: (_path, head) => isClaudeSession(head),
    sessionsIn,
    open: treeReader(claudeFormat, {
      // A list reads some bytes of a file, because a folder holds hundreds.
      summarize: summarizeSession,
      // All but words of an output that a colour code stands in; none were seen.
      files: (session) => verbatimIn(filesOf(session), ADDED_WORDS),
    }),
  },
  claudePrompt,
);

const ADDED_WORDS = `${ADDED_MARK}\n${ATTACHED_WORDS}`;
/** Matches the id of a session, with or without iFlow CLI's prefix, or of a sub-agent. */
const OWN_NAME = /^((?:session-)?[0-9a-f]{8}-[0-9a-f-]{27}|agent-.*)$/;

function filesOf(session: AgentSession): string[] {
  return [session.path, ...subagentFiles(session).map(({ path }) => path)];
}

/** Returns a file's session. Its id is the file's name, or the recorded id of a renamed file. */
function sessionsIn(path: string): Promise<AgentSession[]> {
  const name = idInName(basename(path));
  const id = OWN_NAME.test(name) ? name : sessionIn(path) ?? name;
  return Promise.resolve([{ agent: "claude", id, path }]);
}

/** Number of first lines to check. Queue or settings records can precede the first prompt. */
const LINES = 400;

function isClaudeSession(head: Uint8Array): boolean {
  const marks = headRecords(head, LINES).map(({ value }) => markOf(value));
  // Qwen Code's records are alike, but for what a message is made of.
  return marks.includes("claude") && !marks.includes("other");
}

function markOf(value: Readonly<Record<string, unknown>>): "claude" | "other" | undefined {
  const { type, uuid, sessionId, message, isSidechain, leafUuid } = value;
  if (type === "summary") return leafUuid === undefined ? undefined : "claude";
  // The ids of a record stand behind its message, where a long one is cut.
  if (typeof type !== "string" || (sessionId ?? isSidechain) === undefined) return undefined;
  if (type !== "user" && type !== "assistant") {
    return uuid === undefined || isSidechain === undefined ? undefined : "claude";
  }
  if (message === undefined) return undefined;
  const { content, parts } = asObject(message);
  if (parts !== undefined) return "other";
  return (uuid ?? isSidechain ?? content) === undefined ? undefined : "claude";
}
