/** Reads what an agent gives to a hook, and writes what it takes from one. Pure. */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { present } from "../../core/event/present.ts";

/** The session that starts, or goes on after a compaction. */
export interface HookInput {
  session_id?: string;
  /** The path of its file. */
  transcript_path?: string;
  cwd?: string;
  /** Why the hook runs, such as `startup` or `resume`. */
  source?: string;
  /** True if a subagent starts. */
  is_subagent: boolean;
  /** The event's name in the answer; absent where the agent takes the text alone. */
  event?: string;
}

/** Returns the input of a hook; undefined if it is no JSON object. */
export function parseHookInput(text: string): HookInput | undefined {
  const value = parsedJson(text);
  if (!isObject(value)) return undefined;
  return {
    // Copilot CLI, and our plug-ins, write names in camel case.
    ...present({
      session_id: nameOf(value.session_id ?? value.sessionId),
      transcript_path: nameOf(value.transcript_path),
      cwd: nameOf(value.cwd),
      source: nameOf(value.source),
      event: nameOf(value.hook_event_name),
    }),
    is_subagent: (value.agent_id ?? value.agentId) != null,
  };
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the answer of a hook: JSON by which the agent adds a text to its model's context. */
export function hookOutput({ event }: HookInput, text: string): string {
  const answer = event === undefined
    ? { additionalContext: text }
    : { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  return `${JSON.stringify(answer)}\n`;
}
