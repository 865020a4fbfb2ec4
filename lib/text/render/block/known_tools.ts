/** Known tools of agents: the verbs of their titles, and the names of their Markdown arguments. */

/** Verbs of tools, by the tools' names in lower case. */
const VERBS = byName([
  ["Run", "bash shell exec exec_command run_command run_shell_command execute_command local_shell"],
  ["Edit", "edit multiedit str_replace replace edit_file replace_in_file str_replace_editor"],
  ["Write", "write write_file write_to_file create_file"],
  ["Read", "read read_file view view_file read_many_files"],
  ["Search", "grep search search_file_content grep_search codebase_search"],
  ["List", "glob ls list_dir list_directory list_files find"],
  ["Fetch", "webfetch web_fetch fetch"],
  ["Search the web", "websearch web_search google_web_search"],
  ["Patch", "apply_patch patch"],
]);

/** Names of arguments whose text is Markdown, by tool name. All are in lower case. */
const PROSE = byName([
  ["prompt", "webfetch web_fetch fetch"],
  // Subagents: their task, and what they are told later.
  [
    "prompt message task objective instructions context",
    "agent task new_task runsubagent spawn_agent spawn_subagent subagent sessions_spawn delegate " +
    "delegate_to_agent codebase_investigator",
  ],
  ["message content", "sendmessage send_message send_input sessions_send notify_user"],
  // Plans and lists. An argument named plan is Markdown of every tool.
  ["explanation", "update_plan"],
  ["response", "plan_mode_respond"],
  ["description", "taskcreate taskupdate"],
  ["content todos", "todo_write todo__write update_todo update_todo_list"],
  ["fact", "save_memory store_memory"],
  ["thought", "think"],
  ["result", "attempt_completion complete_task"],
  ["message", "finish git_commit"],
  [
    "body",
    "create_pull_request update_pull_request create_issue update_issue issue_write " +
    "add_issue_comment",
  ],
  ["commitmessage prdescription", "report_progress"],
]);

function byName(rows: readonly (readonly [value: string, names: string])[]): Map<string, string> {
  return new Map(
    rows.flatMap(([value, names]) => names.split(" ").map((name) => [name, value] as const)),
  );
}

export function toolVerb(name: string): string | undefined {
  return VERBS.get(name.toLowerCase());
}

/** The kind of a call. Each kind has one colour on all pages. */
export type CallKind = "read" | "edit" | "run" | "task" | "other";

const KINDS: Readonly<Record<string, CallKind>> = {
  ...{ Run: "run", Edit: "edit", Write: "edit", Patch: "edit" },
  ...{ Read: "read", Search: "read", List: "read", Fetch: "read", "Search the web": "read" },
};

export function callKind(name: string): CallKind {
  if (/^(?:.*(?:agent|delegate).*|task)$/i.test(name)) return "task";
  return KINDS[toolVerb(name) ?? ""] ?? "other";
}

/** Ignores the prefix of an MCP server in `tool`. */
export function isProse(tool: string, argument: string): boolean {
  const name = tool.toLowerCase();
  const known = PROSE.get(name) ?? PROSE.get(name.replace(/^(?:mcp__)?.*?__/, ""));
  return known?.split(" ").includes(argument.toLowerCase()) ?? false;
}
