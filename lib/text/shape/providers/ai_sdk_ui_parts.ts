/** Reads and writes the parts of UIMessages. */
import { outputText } from "../../../core/event/audience.ts";
import { attachmentFromUrl, attachmentUrl } from "../../../core/event/attachment.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { AttachmentPart, Output, OutputPart, Part } from "../../../core/event/message.ts";
import { present } from "../../../core/event/present.ts";
import { listAt, type Members, objectAt, refusal, textAt } from "../kept/incoming.ts";
import { amendment, type KeptData } from "../kept/kept.ts";
import { blockOf, keptPart, type PartRules, type SpelledPart, wholePart } from "../kept/part.ts";
import type { Piece, ResultPiece, SaidPiece } from "../kept/piece.ts";

const SHAPE = "ai-sdk-ui";

/** The rules for parts. A call is read and written without its result. */
export const UI_PARTS: PartRules = { shape: SHAPE, part: readPart, block: usualPart };

export function uiPieces(messages: unknown, at: string): Piece[] {
  return listAt(messages, at).flatMap((message, index) =>
    messagePieces(objectAt(message, `${at}[${index}]`), `${at}[${index}]`)
  );
}

export function usualUiMessage(
  { role, seq }: Pick<Exclude<Piece, ResultPiece>, "role" | "seq">,
): Members {
  return { id: seq === undefined ? "" : `event-${seq}`, role, parts: [] };
}

/**
 * Returns the pieces of a message. Results follow their consecutive calls. Parts after the results
 * belong to the next response.
 */
function messagePieces(message: Members, at: string): Piece[] {
  const role = roleOf(message, at);
  textAt(message, "id", at);
  const pieces: Piece[] = [];
  let parts: Part[] = [];
  let results: ResultPiece[] = [];
  const close = (): void => {
    if (parts.length > 0) pieces.push({ role, content: parts, kept: { shape: SHAPE } });
    for (const one of results) pieces.push(one);
    [parts, results] = [[], []];
  };
  for (const [index, value] of listAt(message.parts, `${at}.parts`).entries()) {
    const place = `${at}.parts[${index}]`;
    const { part, result } = readUiPart(objectAt(value, place), role, place);
    if (part.type === "tool_call" ? isMade(parts, part.call_id) : results.length > 0) close();
    parts.push(part);
    if (result !== undefined) results.push(result);
  }
  close();
  const empty: Piece = { role, content: [], kept: { shape: SHAPE, form: "empty" } };
  const [first = empty, ...others] = pieces;
  for (const { kept } of others) kept.joins = true;
  first.kept.message = amendment(usualUiMessage({ role }), { ...message, parts: [] });
  return [first, ...others];
}

function roleOf(message: Members, at: string): SaidPiece["role"] | "assistant" {
  const role = textAt(message, "role", at);
  if (role === "system" || role === "user" || role === "assistant") return role;
  throw refusal(`${at}.role`, "is not one of system, user, assistant");
}

function isMade(parts: readonly Part[], call_id: string): boolean {
  return parts.some((part) => part.type === "tool_call" && part.call_id === call_id);
}

/**
 * Reads a part of a UIMessage, and the result if the part is a finished call. An unfinished call,
 * or a call that the model did not make, is preserved unchanged.
 */
function readUiPart(
  value: Members,
  role: Piece["role"],
  at: string,
): { part: Part; result?: ResultPiece } {
  const { type, output: _output, errorText: _errorText, ...call } = value;
  textAt(value, "type", at);
  if (role !== "assistant" && type !== "text" && type !== "file") {
    return { part: wholePart(UI_PARTS, value) };
  }
  const read = readResult(value);
  const unsettled = read === undefined ? value : { ...call, type, state: "input-available" };
  const part = keptPart(UI_PARTS, unsettled, at) as Part;
  if (part.type !== "tool_call") return { part: keptPart(UI_PARTS, value, at) as Part };
  if (read === undefined) return { part };
  const { form, ...told } = read;
  const kept: KeptData = present({ shape: SHAPE, form });
  const { call_id, name } = part;
  const result: ResultPiece = { role: "tool", call_id, name, ...told, kept };
  Object.assign(kept, amendment(settledPart(blockOf(UI_PARTS, part), result), value));
  return { part, result };
}

function readPart(value: Members, at: string): SpelledPart | undefined {
  const { type, toolCallId, toolName, state, input, url, mediaType } = value;
  if (type === "text" || type === "reasoning") {
    return { part: { type, text: textAt(value, "text", at) } };
  }
  if (type === "file" && typeof url === "string" && typeof mediaType === "string") {
    return { part: attachmentFromUrl(url, url.startsWith("data:") ? undefined : mediaType) };
  }
  const named = type === "dynamic-tool";
  if (!named && !String(type).startsWith("tool-")) return undefined;
  if (typeof toolCallId !== "string" || toolCallId === "") return undefined;
  if (state === "input-streaming" || input === undefined) return undefined;
  const name = named ? typeof toolName === "string" ? toolName : "" : String(type).slice(5);
  const part: Part = { type: "tool_call", call_id: toolCallId, name: name || "tool", input };
  return named ? { part } : { part, form: "typed" };
}

function usualPart(part: Part | OutputPart, form: string | undefined): Members {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "json":
      return { type: "text", text: JSON.stringify(part.value) };
    case "tool_call": {
      const { call_id: toolCallId, name, input } = part;
      const tool = form === "typed"
        ? { type: `tool-${name}` }
        : { type: "dynamic-tool", toolName: name };
      return { ...tool, toolCallId, state: "input-available", input };
    }
    case "tool_result":
      return { type: "text", text: outputText(part.output) };
    default:
      return filePart(part);
  }
}

function filePart(part: AttachmentPart): Members {
  const { media_type: mediaType, data, path } = part;
  const filename = data === undefined ? undefined : path;
  return present({ type: "file", mediaType, url: attachmentUrl(part), filename });
}

type ReadResult = Pick<ResultPiece, "status" | "output"> & { form?: string };

function readResult({ state, output, errorText, approval }: Members): ReadResult | undefined {
  if (state === "output-error") {
    return { status: "error", output: typeof errorText === "string" ? errorText : "" };
  }
  if (state === "output-denied") {
    const reason = isObject(approval) ? approval.reason : undefined;
    const told = typeof reason === "string" && reason !== "" ? reason : "The call was denied.";
    return { status: "skipped", output: told, form: "denied" };
  }
  if (state !== "output-available") return undefined;
  if (output === undefined) return { status: "ok", output: "", form: "none" };
  return {
    status: "ok",
    output: typeof output === "string" ? output : [{ type: "json", value: output }],
  };
}

/** Returns a call's UIMessage part with its result. The caller then applies recorded changes. */
export function settledPart(
  call: Members,
  { status, output, kept: { form } }: ResultPiece,
): Members {
  if (form === "denied") return { ...call, state: "output-denied" };
  if (status !== "ok") return { ...call, state: "output-error", errorText: outputText(output) };
  const settled = { ...call, state: "output-available" };
  return form === "none" ? settled : { ...settled, output: valueOfOutput(output) };
}

function valueOfOutput(output: Output): unknown {
  if (typeof output === "string") return output;
  const [only] = output;
  return output.length === 1 && only?.type === "json" ? only.value : output;
}
