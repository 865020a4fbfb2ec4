/**
 * Reads a message of the first versions (before 0.3, mid-2025) in the shape of a later one. It
 * holds its parts, and keeps all else in `metadata`.
 *
 * From what OpenCode's own conversion took (`MessageV2.fromV1` of 0.4, session/message-v2.ts); no
 * file of that time was at hand.
 */
import { asList, asName, asObject, present } from "../../../reading/json_value.ts";
import type { Fields, StoredMessage } from "../stored_session.ts";

/** True if a message is of that time. */
export function isEmbedded(fields: Fields): boolean {
  return Array.isArray(fields.parts) && typeof fields.metadata === "object";
}

/** Brings it to the later shape. */
export function fromEmbedded(id: string, fields: Fields): StoredMessage {
  const metadata = asObject(fields.metadata);
  const { modelID, providerID, cost, tokens, path, summary } = asObject(metadata.assistant);
  const info = present({
    role: fields.role,
    time: metadata.time,
    error: metadata.error ?? undefined,
    modelID,
    providerID,
    cost,
    tokens,
    path,
    summary,
  });
  const parts = asList(fields.parts).map(asObject).map((part, index) => {
    const data = part.type === "tool-invocation" ? toTool(part, metadata) : toOther(part);
    return { id: `${id}/${index}`, data, weight: 0 };
  });
  return { id, info, parts, weight: 1 };
}

function toTool({ toolInvocation }: Fields, { tool }: Fields): Fields {
  const { state, toolCallId, toolName, args, result } = asObject(toolInvocation);
  const { time, title, ...metadata } = asObject(asObject(tool)[String(toolCallId)]);
  const failed = metadata.error === true;
  return {
    type: "tool",
    callID: toolCallId,
    tool: toolName,
    state: present({
      status: state !== "result" ? "running" : failed ? "error" : "completed",
      input: args ?? {},
      output: failed ? undefined : result,
      error: failed ? result : undefined,
      title,
      metadata,
      time,
    }),
  };
}

function toOther(part: Fields): Fields {
  if (part.type !== "file") return part;
  return { ...part, mime: asName(part.mime) ?? part.mediaType };
}
