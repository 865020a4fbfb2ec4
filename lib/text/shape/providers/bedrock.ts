/**
 * The shape of Bedrock's Converse messages. Bytes are `Uint8Array`s, as in its SDK.
 *
 * @module
 */
import { present } from "../../../core/event/present.ts";
import { isObject } from "../../../core/event/guard.ts";
import { attachmentFromBase64 } from "../../../core/event/attachment.ts";
import type {
  AttachmentPart,
  Message,
  Output,
  OutputPart,
  Part,
} from "../../../core/event/message.ts";
import {
  type BlockMessage,
  type BlockRules,
  blockWriter,
  type ReadResult,
} from "../kept/block_messages.ts";
import { listAt, type Members, objectAt, textAt, valueOf } from "../kept/incoming.ts";
import { blockOf, keptOutput, readCall, type SpelledPart } from "../kept/part.ts";
import type { ResultPiece } from "../kept/piece.ts";
import { restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import { opened, spokenTurns } from "../usual/turn.ts";
import { signedReasoning, usualMessages } from "../usual/usual_messages.ts";

/** One block of a message of Bedrock's Converse. Unknown members are kept. */
export type BedrockBlock =
  | { text: string }
  | { image: { format: "png" | "jpeg" | "gif" | "webp"; source: { bytes: Uint8Array } } }
  | { document: { format: "pdf"; name: string; source: { bytes: Uint8Array } } }
  | { toolUse: { toolUseId: string; name: string; input: BedrockJson } }
  | {
    toolResult: {
      /** The id of the call in the message right before. */
      toolUseId: string;
      content: (
        | { text: string }
        | { json: BedrockJson }
        | { image: { format: "png" | "jpeg" | "gif" | "webp"; source: { bytes: Uint8Array } } }
        | { document: { format: "pdf"; name: string; source: { bytes: Uint8Array } } }
      )[];
      /** The outcome of the call. Absent if the call succeeded. */
      status?: "error" | "success";
    };
  }
  | { reasoningContent: { reasoningText: { text: string; signature?: string } } };

/** A JSON value, as the SDK declares it. */
export type BedrockJson =
  | null
  | string
  | number
  | boolean
  | { [name: string]: BedrockJson }
  | BedrockJson[];

/** One message. The roles alternate. */
export interface BedrockMessage {
  /** The message's role. Results of calls are in `user` messages. */
  role: "user" | "assistant";
  /** The blocks in order: texts, reasoning, files, calls, and results of calls. */
  content: BedrockBlock[];
}

const SHAPE = "bedrock";

export const BEDROCK: BlockRules = {
  shape: SHAPE,
  list: "content",
  texts: false,
  refuses_blank: true,
  roles: { system: "system", user: "user", assistant: "assistant", tool: "user" },
  sides: { user: "user", assistant: "assistant", system: "system" },
  block,
  part: readPart,
  result: resultBlock,
  readResult,
};

/** Returns a converter for messages in which each call has its result. Drops instructions. */
export function bedrockMessages(): Stage<Message, BedrockMessage> {
  const writer = blockWriter<BedrockMessage & BlockMessage>(BEDROCK, true);
  const messages = restored(
    writer,
    (begun) => usualMessages(writer, chained(spokenTurns(), opened(begun)), signed),
  );
  return chained(messages, each((message) => [valueOf(message)]));
}

const signed = signedReasoning((text, signature) => ({
  type: "reasoning",
  text,
  provider_data: {
    shape: SHAPE,
    rest: { reasoningContent: { reasoningText: { text, signature } } },
  },
}));

function readPart(value: Members, at: string): SpelledPart | undefined {
  const { text, toolUse, reasoningContent, image, document } = value;
  if (typeof text === "string") return { part: { type: "text", text } };
  if ("json" in value && value.json !== undefined) {
    return { part: { type: "json", value: value.json } };
  }
  if (toolUse !== undefined) {
    const place = `${at}.toolUse`;
    return readCall(objectAt(toolUse, place), "toolUseId", "name", place);
  }
  if (reasoningContent !== undefined) {
    const { reasoningText } = objectAt(reasoningContent, `${at}.reasoningContent`);
    const thought = isObject(reasoningText) && typeof reasoningText.text === "string"
      ? reasoningText.text
      : "";
    return { part: { type: "reasoning", text: thought } };
  }
  return readFile(image, "image") ?? readFile(document, "document");
}

function readFile(value: unknown, kind: "image" | "document"): SpelledPart | undefined {
  if (!isObject(value) || !isObject(value.source)) return undefined;
  const { format } = value;
  const { bytes } = value.source;
  const data = isObject(bytes) ? bytes.$reprise_bytes : undefined;
  if (typeof data !== "string" || typeof format !== "string") return undefined;
  const media_type = kind === "image" ? `image/${format}` : `application/${format}`;
  const part = attachmentFromBase64(data, media_type);
  return { part: { ...part, type: kind === "image" ? "image" : "file" } };
}

function block(part: Part | OutputPart): Members {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "json":
      return { json: part.value };
    case "reasoning":
      return { reasoningContent: { reasoningText: { text: part.text } } };
    case "tool_call": {
      const { call_id, name, input } = part;
      return { toolUse: { toolUseId: call_id, name, input } };
    }
    case "tool_result":
      return resultBlock({ role: "tool", ...part, kept: { shape: SHAPE } });
    default:
      return fileOf(part);
  }
}

function fileOf({ type, media_type, data = "" }: AttachmentPart): Members {
  const format = media_type.slice(media_type.indexOf("/") + 1);
  const source = { bytes: { $reprise_bytes: data } };
  if (type === "image") return { image: { format, source } };
  return { document: { format, name: "attachment", source } };
}

function readResult(value: Members, at: string): ReadResult | undefined {
  if (value.toolResult === undefined) return undefined;
  const place = `${at}.toolResult`;
  const result = objectAt(value.toolResult, place);
  const content = listAt(result.content ?? [], `${place}.content`);
  const output: Output = keptOutput(BEDROCK, content, `${place}.content`);
  return {
    call_id: textAt(result, "toolUseId", place),
    status: result.status === "error" ? "error" : "ok",
    output: output.length === 0 ? "" : output,
    form: output.length === 0 ? "empty" : undefined,
  };
}

function resultBlock({ call_id, status, output, kept }: ResultPiece): Members {
  const content = typeof output === "string"
    ? kept.form === "empty" ? [] : [{ text: output }]
    : output.map((part) => blockOf(BEDROCK, part));
  const failed = status === "ok" ? undefined : "error";
  return { toolResult: present({ toolUseId: call_id, content, status: failed }) };
}
