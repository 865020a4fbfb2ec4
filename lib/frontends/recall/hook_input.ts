/** Parses the input that an agent gives to a hook, and formats the hook's answer. Pure. */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { present } from "../../core/event/present.ts";

export interface HookInput {
  session_id?: string;
  transcript_path?: string;
  cwd?: string;
  /** The reason for which the hook runs, such as `startup` or `resume`. */
  source?: string;
  is_subagent: boolean;
  /** The event's name to repeat in the answer. Absent if the agent expects none. */
  event?: string;
}

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

export function hookOutput({ event }: HookInput, text: string): string {
  const answer = event === undefined
    ? { additionalContext: text }
    : { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  return `${JSON.stringify(answer)}\n`;
}
