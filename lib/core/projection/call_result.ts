/** Builds the outputs and tool results of ended calls. */
import { contentFor, oneText, textFor } from "../event/audience.ts";
import type { AttachmentPart, Output, ToolResultPart } from "../event/message.ts";
import type { BashEndPayload, ToolEndPayload } from "../event/payload.ts";

/** Returns the output for the model: its parts, or its text followed by a failure's reasons. */
function resultOutput(output: Output = "", ...reasons: (string | undefined)[]): Output {
  if (typeof output !== "string") {
    const own = oneText(contentFor(output, "model"));
    return own.length === 0 ? "" : own;
  }
  // Nearly all calls end well.
  if (reasons.every((reason) => reason === undefined)) return output;
  return [output, ...reasons].filter((text) => text !== undefined && text !== "").join("\n");
}

function exitText(exit_code: number | undefined): string | undefined {
  return exit_code === undefined || exit_code === 0 ? undefined : `exit code ${exit_code}`;
}

/**
 * Returns the output of an ended call from which the model gets the text `sent`. This is
 * `end.output` if that text results from it, else separate parts for user and model.
 */
export function outputFor(
  end: { output?: string | undefined; error?: string | undefined; exit_code?: number | undefined },
  sent: string,
): Output | undefined {
  const { output = "", error, exit_code } = end;
  if (resultOutput(output, error, exitText(exit_code)) === sent) return end.output;
  const parts = textFor(output, sent);
  if (typeof parts !== "string") return parts;
  return parts === "" ? [] : [{ type: "text", text: parts }];
}

export function withFiles(
  output: Output | undefined,
  files: readonly AttachmentPart[],
): Output | undefined {
  if (files.length === 0) return output;
  if (output === undefined || output === "") return [...files];
  return [
    ...(typeof output === "string" ? [{ type: "text" as const, text: output }] : output),
    ...files,
  ];
}

function withProviderData(result: ToolResultPart, provider_data: unknown): ToolResultPart {
  return provider_data === undefined ? result : { ...result, provider_data };
}

export function toolResult(end: ToolEndPayload): ToolResultPart {
  const { call_id, name, status, error } = end;
  const output = resultOutput(end.output, error);
  return withProviderData(
    { type: "tool_result", call_id, name, status, output },
    end.provider_data,
  );
}

export function bashResult(end: BashEndPayload): ToolResultPart {
  const { call_id, status, error, exit_code } = end;
  const output = resultOutput(end.output, error, exitText(exit_code));
  return withProviderData(
    { type: "tool_result", call_id, name: "bash", status, output },
    end.provider_data,
  );
}
