/**
 * Writes sessions of Copilot CLI: an event log, and the `workspace.yaml` that Copilot's session
 * list reads. Version 1.0.102 was seen to list and resume them against a scripted model. Copilot
 * CLI reads the whole log. It refuses a log with a line that its schema does not know.
 */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { handedJson, handedLine, handedOriginals, handedText } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { iso } from "../../engine/handed/written_ids.ts";
import { type Json, present } from "../../engine/json.ts";
import type { CallStatus } from "../../../core/event/message.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedImage,
  HandedPart,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";

/** The Copilot CLI version that was seen to resume the logs written here. */
const VERSION = "1.0.102";

export const copilotWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: {
    bash: {
      name: "bash",
      input: ({ command, description }) => present({ command, description }),
    },
    read: {
      name: "view",
      input: ({ path, offset, limit }) => {
        const first = offset ?? 1;
        const is_part = offset !== undefined || limit !== undefined;
        const last = limit === undefined ? -1 : first + limit - 1;
        return present({ path, view_range: is_part ? [first, last] : undefined });
      },
    },
    write: { name: "create", input: ({ path, content }) => ({ path, file_text: content }) },
    edit: {
      name: "edit",
      input: ({ path, old_text, new_text, all }) =>
        all === true ? undefined : { path, old_str: old_text, new_str: new_text },
    },
  },
  proven: true,
  counts_json: true,
  place: placeSession,
  write: writeEvents,
};

function placeSession({ folder }: AgentPlace, start: HandedStart): SessionPlacement {
  const path = join(folder, "session-state", start.id, "events.jsonl");
  const workspace = { path: join(dirname(path), "workspace.yaml"), text: workspaceOf(start) };
  return { path, beside: [workspace] };
}

/** Returns the text of `workspace.yaml` for Copilot's session list. JSON values are valid YAML. */
function workspaceOf({ id, cwd, title, begun, now }: HandedStart): string {
  const fields = present({
    ...{ id, cwd: handedJson(cwd), name: title === undefined ? undefined : handedJson(title) },
    ...{ user_named: title === undefined ? undefined : true, summary_count: 0 },
    ...{ created_at: iso(begun), updated_at: iso(now) },
  });
  return Object.entries(fields).map(([key, value]) => `${key}: ${value}\n`).join("");
}

async function* writeEvents(
  { id, from, cwd, begun, messages }: HandedSession,
): AsyncGenerator<string> {
  let parentId: string | null = null;
  const line = (type: string, time: number, data: object, more: object = {}): string => {
    const event = { type, data, id: randomUUID(), timestamp: iso(time), parentId, ...more };
    parentId = event.id;
    return handedLine(event);
  };
  yield line("session.start", begun, {
    ...{ sessionId: id, version: 1, producer: "copilot-agent", copilotVersion: VERSION },
    ...{ startTime: iso(begun), context: { cwd } },
  });
  for await (const message of messages) {
    const { time } = message;
    if (message.role === "user") {
      for (const data of promptsOf(message.parts)) yield line("user.message", time, data);
      continue;
    }
    const originals = handedOriginals(from, message.calls);
    yield line("assistant.message", time, answerOf(message), originals);
    // Without its start the screen shows no call.
    for (const { id: toolCallId, name: toolName, input } of message.calls) {
      yield line("tool.execution_start", time, { toolCallId, toolName, arguments: input });
    }
    for (const call of message.calls) {
      yield line("tool.execution_complete", time, resultOf(call));
    }
  }
}

/** Splits a prompt into a message per text. Images join the text before, or else the first. */
function promptsOf(parts: readonly HandedPart[]): Json[] {
  const prompts: { content: string; images: HandedImage[] }[] = [];
  const leading: HandedImage[] = [];
  for (const part of parts) {
    const before = prompts.at(-1);
    if (part.type === "image") (before?.images ?? leading).push(part);
    else prompts.push({ content: part.text, images: before === undefined ? leading : [] });
  }
  if (prompts.length === 0) prompts.push({ content: "", images: leading });
  return prompts.map(({ content, images }) => {
    const attachments = images.length === 0 ? undefined : images.map(attached);
    return present({ content, attachments });
  });
}

function attached({ media_type, data }: HandedImage): Json {
  return { type: "blob", data, mimeType: media_type };
}

function answerOf({ text, calls }: HandedAnswer): Json {
  const toolRequests = calls.map(({ id, name, input }) => {
    return { toolCallId: id, name, arguments: input, type: "function" };
  });
  return { messageId: randomUUID(), content: text, toolRequests };
}

/** Returns a call's result. Images become text, as Copilot CLI resumes without calls' images. */
function resultOf({ id: toolCallId, output, failed, original }: HandedCall): Json {
  const content = handedText(output);
  if (!failed) return { toolCallId, success: true, result: { content } };
  const error = present({ code: CODES[original.status], message: content });
  return { toolCallId, success: false, error };
}

const CODES: Readonly<Partial<Record<CallStatus, string>>> = {
  interrupted: "aborted",
  skipped: "denied",
};
