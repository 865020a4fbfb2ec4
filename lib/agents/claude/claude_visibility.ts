/**
 * Tells which sessions Claude Code's own list leaves out. Claude Code lists the folder of the
 * directory where it starts. It reads 64 KiB at both ends of each file. Source: the Agent SDK for
 * Python (claude_agent_sdk/_internal/sessions.py, `_parse_session_info_from_lite`). Tried with
 * `listSessions` of the Agent SDK.
 */
import { basename, dirname } from "node:path";
import { plainText } from "../engine/events/anthropic_blocks.ts";
import { spellings } from "../engine/files/folder_match.ts";
import { asList, asName, asObject, type Json } from "../engine/json.ts";
import { readEdges, recordsIn } from "../engine/records/file_edges.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { UUID } from "../contract/resume_command.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";
import { idInName, mayHold } from "./locate.ts";

export function claudeVisibility(_place: AgentPlace): ReadHiddenReason {
  return ({ id, path }, { cwd }) => {
    const name = idInName(basename(path));
    if (name.startsWith("agent-")) {
      return {
        reason: "the session belongs to a subagent whose parent session no longer exists",
        commands: [],
      };
    }
    if (!UUID.test(name)) {
      return { reason: `the file name is not a session id: ${name}`, commands: [] };
    }
    const { head, tail } = readEdges(path);
    const records = recordsIn([...head, ...tail]).map(({ value }) => value);
    if (records[0]?.isSidechain === true) {
      return { reason: "the session's first record belongs to a subagent", copy_helps: true };
    }
    if (!records.some(namesSession)) {
      return {
        reason: "the file has no title or prompt in its first and last 64 KiB",
        copy_helps: true,
      };
    }
    if (cwd === undefined) return undefined;
    // 2.1.330 finds an id in the folders of all directories.
    const anywhere = {
      argv: ["claude", "--resume", id],
      id_form: UUID,
      in_directory: false,
    } as const;
    const absence = directoryAbsence(cwd);
    if (absence !== undefined) {
      const reason = `the session's directory is ${absence}: ${cwd}`;
      return { reason, commands: [anywhere], copy_helps: true };
    }
    const folder = basename(dirname(path));
    if (spellings(cwd).some((spelling) => mayHold(folder, spelling))) return undefined;
    const reason = `the session's file is in another project's folder: ${folder}`;
    return { reason, commands: [anywhere], copy_helps: true };
  };
}

/**
 * Matches texts from which Claude Code's list takes no title. Commands do not match, because the
 * list uses them as fallback titles.
 */
const NO_PROMPT =
  /^(?:<local-command-stdout>|<session-start-hook>|<tick>|<goal>|\[Request interrupted by user[^\]]*\]|\s*<ide_(?:opened_file|selection)>[\s\S]*<\/ide_(?:opened_file|selection)>\s*$)/;

/** True for a record from which Claude Code's list can take a title. */
function namesSession(record: Json): boolean {
  const { type, isMeta, isCompactSummary, message } = record;
  const titles = [record.customTitle, record.aiTitle, record.lastPrompt, record.summary];
  if (titles.some((title) => asName(title) !== undefined)) return true;
  if (type !== "user" || isMeta === true || isCompactSummary === true) return false;
  const { content } = asObject(message);
  if (asList(content).some((block) => asObject(block).type === "tool_result")) return false;
  const text = plainText(content).trim();
  return text !== "" && !NO_PROMPT.test(text);
}
