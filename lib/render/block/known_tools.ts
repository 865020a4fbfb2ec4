/** The tools that agents have: the verb of their titles, and their arguments in Markdown. */

/** A tool as a page shows it. */
interface KnownTool {
  /** The verb of its calls' titles. @default {the tool's own name} */
  verb?: string;
  /** The arguments that are written for a person or a model, in lower case. */
  prose: readonly string[];
}

/** Verb, names in lower case, and arguments in Markdown of tools that several agents have. */
const TOOLS: readonly (readonly [verb: string, names: string, prose?: string])[] = [
  ["Run", "bash shell exec exec_command run_command run_shell_command execute_command local_shell"],
  ["Edit", "edit multiedit str_replace replace edit_file replace_in_file str_replace_editor"],
  ["Write", "write write_file write_to_file create_file"],
  ["Read", "read read_file view view_file read_many_files"],
  ["Search", "grep search search_file_content grep_search codebase_search"],
  ["List", "glob ls list_dir list_directory list_files find"],
  ["Fetch", "webfetch web_fetch fetch", "prompt"],
  ["Search the web", "websearch web_search google_web_search"],
  ["Patch", "apply_patch patch"],
  // Subagents: their task, and what they are told later.
  [
    "",
    "agent task new_task runsubagent spawn_agent spawn_subagent subagent sessions_spawn delegate " +
    "delegate_to_agent codebase_investigator",
    "prompt message task objective instructions context",
  ],
  ["", "sendmessage send_message send_input sessions_send notify_user", "message content"],
  // Plans, lists and notes.
  [
    "",
    "exitplanmode exit_plan_mode create_plan update_plan plan_mode_respond",
    "plan explanation response summary",
  ],
  ["", "taskcreate taskupdate task_create task_update", "description"],
  ["", "todo_write todo__write update_todo update_todo_list", "content todos"],
  ["", "save_memory store_memory memory think note notes", "fact content thought text"],
  ["", "attempt_completion complete_task finish", "result summary message"],
  // Commits, and what is said of them.
  ["", "git_commit commit create_commit", "message body"],
  [
    "",
    "create_pull_request update_pull_request make_pr report_progress create_issue update_issue " +
    "issue_write add_issue_comment",
    "body commitmessage prdescription",
  ],
];

const KNOWN: ReadonlyMap<string, KnownTool> = new Map(
  TOOLS.flatMap(([verb, names, prose = ""]) => {
    const tool = { ...verb !== "" && { verb }, prose: prose.split(" ") };
    return names.split(" ").map((name) => [name, tool] as const);
  }),
);

/** Returns the verb of a tool; undefined of one that is not known. */
export function toolVerb(name: string): string | undefined {
  return KNOWN.get(name.toLowerCase())?.verb;
}

/** True for an argument of a tool that is Markdown. The server of a tool does not matter. */
export function isProse(tool: string, argument: string): boolean {
  const name = tool.toLowerCase();
  const known = KNOWN.get(name) ?? KNOWN.get(name.replace(/^(?:mcp__)?.*?__/, ""));
  return known?.prose.includes(argument.toLowerCase()) ?? false;
}
