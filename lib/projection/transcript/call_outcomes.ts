/** Takes from the settlement of a call what the user saw of it. */
import { contentFor, oneText } from "../../event/audience.ts";
import type { Output } from "../../event/message.ts";
import type { BashEndPayload, ToolEndPayload } from "../../event/payload.ts";
import type { BashItem, ItemBase, ToolItem } from "./transcript_item.ts";

/** Known fields of a payload: one that this version does not know must not pass for an item's own. */
export function pick<Payload extends object, Name extends keyof Payload>(
  payload: Payload,
  ...names: Name[]
): Pick<Payload, Name> {
  const picked = {} as Pick<Payload, Name>;
  for (const name of names) if (payload[name] !== undefined) picked[name] = payload[name];
  return picked;
}

const OUTCOME = ["call_id", "status", "error", "duration_ns", "truncated"] as const;

/** The outcome of a tool call, as it was shown. */
export function toolOutcome(payload: ToolEndPayload): Omit<ToolItem, "type" | keyof ItemBase> {
  return { ...pick(payload, ...OUTCOME, "name", "input"), ...shownOutput(payload) };
}

/** The outcome of a shell command, as it was shown. */
export function bashOutcome(payload: BashEndPayload): Omit<BashItem, "type" | keyof ItemBase> {
  const outcome = pick(payload, ...OUTCOME, "command", "summary", "exit_code");
  return { ...outcome, ...shownOutput(payload) };
}

/** What the user saw of an output; a single text as a string. */
function shownOutput({ output }: { output?: Output }): { output?: Output } {
  if (output === undefined) return {};
  if (typeof output === "string") return { output };
  const shown = oneText(contentFor(output, "user"));
  return shown.length === 0 ? {} : { output: shown };
}
