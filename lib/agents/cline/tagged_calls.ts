/**
 * Finds calls and results in texts. Cline's extension and its forks had models write calls as tags,
 * until late 2025. Results were texts that begin with `[tool for 'x'] Result:`.
 *
 * Cline 3.30, src/core/assistant-message/parse-assistant-message.ts; prompts/responses.ts.
 */
import type { EventTarget } from "../engine/events/event_writer.ts";
import { type ClineCall, emitCallResult } from "./call_results.ts";

interface TaggedCall {
  before: string;
  name: string;
  input: Record<string, string>;
}

const TOOLS = [
  ...["write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace"],
  ...["edit_file", "read_file", "list_files", "search_files", "list_code_definition_names"],
  ...["codebase_search", "execute_command", "browser_action", "use_mcp_tool"],
  ...["access_mcp_resource", "ask_followup_question", "attempt_completion", "plan_mode_respond"],
  ...["new_task", "switch_mode", "update_todo_list", "fetch_instructions", "condense"],
].join("|");
const CALL = new RegExp(`<(${TOOLS})>([\\s\\S]*?)(?:</\\1>|$)`);
/** Matches up to the last end tag, because a file may itself contain these tags. */
const LONG = /<(content|diff)>([\s\S]*)<\/\1>/;
const FIELD = /<(\w+)>([\s\S]*?)(?:<\/\1>|$)/g;

/** Returns the call in an answer, if there is one. A message calls one tool at most. */
export function taggedCall(text: string): TaggedCall | undefined {
  const found = CALL.exec(text);
  if (found === null) return undefined;
  const [, name = ""] = found;
  const start = found.index + name.length + 2;
  const end = text.lastIndexOf(`</${name}>`);
  const body = text.slice(start, end < start ? undefined : end);
  const long = LONG.exec(body);
  const short = long === null ? body : body.replace(long[0], "");
  const fields = [...short.matchAll(FIELD), ...(long === null ? [] : [long])];
  const input = Object.fromEntries(
    fields.map(([, field = "", value = ""]) => [field, value.replace(/^\n|\n\s*$/g, "")]),
  );
  return { before: text.slice(0, found.index).trimEnd(), name, input };
}

const RESULT = /^\[(\w+)(?:[^\n]*)\] Result:\s*/;
const NO_RESULT = /^\s*<(?:environment_details|feedback|task|user_message)>/;

/**
 * Emits the call results that the texts of a message contain, and returns the indexes of these
 * texts. The user sees each result with its call, and does not see the text.
 */
export function resultsIn(
  texts: readonly string[],
  calls: Map<string, ClineCall>,
  target: EventTarget,
): Set<number> {
  const answered = new Set<number>();
  for (const [index, text] of texts.entries()) {
    const [head, tool] = RESULT.exec(text) ?? [];
    if (head === undefined) continue;
    answered.add(index);
    const said = [text.slice(head.length)];
    for (let next = index + 1; next < texts.length; next++) {
      const more = texts[next] ?? "";
      if (more === "" || RESULT.test(more) || NO_RESULT.test(more)) break;
      answered.add(next);
      said.push(more);
    }
    const open = [...calls].findLast(([, { name, audience }]) => audience && name === tool);
    if (open === undefined) continue;
    const content = said.filter((one) => one !== "").join("\n");
    emitCallResult({ tool_use_id: open[0], content }, calls, target);
  }
  return answered;
}
