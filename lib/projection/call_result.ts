/**
 * What a settled call says to the model.
 */
import type { ToolResultPart } from "../event/message.ts";
import type { BashEndPayload, ToolEndPayload } from "../event/payload.ts";

function joined(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n");
}

/** The result of a tool call. */
export function toolResult(
  { call_id, name, status, output, error, told }: ToolEndPayload,
): ToolResultPart {
  return { type: "tool_result", call_id, name, status, output: told ?? joined(output, error) };
}

/** The result of a shell command; an exit code other than 0 is said in words. */
export function bashResult(end: BashEndPayload): ToolResultPart {
  const { call_id, status, output, error, exit_code, told } = end;
  const exit = exit_code === undefined || exit_code === 0 ? undefined : `exit code ${exit_code}`;
  const text = told ?? joined(output, error, exit);
  return { type: "tool_result", call_id, name: "bash", status, output: text };
}
