/**
 * What a settled call says to the model.
 */
import { contentFor, oneText } from "../event/audience.ts";
import type { Output, ToolResultPart } from "../event/message.ts";
import type { BashEndPayload, ToolEndPayload } from "../event/payload.ts";

/** Parts are all that the model gets; a text is joined with why the call failed. */
function resultOutput(output: Output = "", ...reasons: (string | undefined)[]): Output {
  if (typeof output !== "string") {
    const own = oneText(contentFor(output, "model"));
    return own.length === 0 ? "" : own;
  }
  return [output, ...reasons].filter((text) => text !== undefined && text !== "").join("\n");
}

function withProviderData(result: ToolResultPart, provider_data: unknown): ToolResultPart {
  return provider_data === undefined ? result : { ...result, provider_data };
}

/** The result of a tool call. */
export function toolResult(end: ToolEndPayload): ToolResultPart {
  const { call_id, name, status, error } = end;
  const output = end.told ?? resultOutput(end.output, error);
  return withProviderData(
    { type: "tool_result", call_id, name, status, output },
    end.provider_data,
  );
}

/** The result of a shell command; an exit code other than 0 is said in words. */
export function bashResult(end: BashEndPayload): ToolResultPart {
  const { call_id, status, error, exit_code } = end;
  const exit = exit_code === undefined || exit_code === 0 ? undefined : `exit code ${exit_code}`;
  const output = end.told ?? resultOutput(end.output, error, exit);
  return withProviderData(
    { type: "tool_result", call_id, name: "bash", status, output },
    end.provider_data,
  );
}
