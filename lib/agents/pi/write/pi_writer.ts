/**
 * Writes sessions of pi for versions since 0.73.1. pi needs no index and no lock.
 *
 * @module
 */
import { join } from "node:path";
import { handedLine, handedOriginals } from "../../engine/handed/line.ts";
import { hexDigits, iso, uuidV7 } from "../../engine/handed/written_ids.ts";
import { asName, present } from "../../engine/json.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
  ToolForms,
} from "../../contract/session_writer.ts";
import { folderName, namedFolders, readSettings } from "../locate.ts";

/** The user's default provider and model. pi complains about a model that it cannot restore. */
interface PiModel {
  provider?: string;
  model?: string;
}

/**
 * Yields the lines of a session.
 *
 * @param headed True to put the title into the header. pi itself writes an entry for the title.
 */
export async function* sessionLines(
  { id, from, cwd, title, begun, messages }: HandedSession,
  model: PiModel = {},
  headed = false,
): AsyncGenerator<string> {
  const header = { type: "session", version: 3, id, timestamp: iso(begun), cwd };
  yield handedLine(headed ? present({ ...header, title }) : header);
  const newId = entryIds();
  let parentId: string | null = null;
  const entryLine = (type: string, time: number, fields: object): string => {
    const entry = { type, id: newId(), parentId, timestamp: iso(time), ...fields };
    parentId = entry.id;
    return handedLine(entry);
  };
  if (title !== undefined && !headed) yield entryLine("session_info", begun, { name: title });
  for await (const message of messages) {
    for (const fields of messageEntries(message, model, from)) {
      yield entryLine("message", message.time, fields);
    }
  }
}

function entryIds(): () => string {
  let next = parseInt(hexDigits(8), 16);
  return () => {
    const id = next.toString(16).padStart(8, "0");
    next = (next + 1) % 2 ** 32;
    return id;
  };
}

function messageEntries(message: HandedMessage, model: PiModel, from: string): object[] {
  const { time } = message;
  if (message.role === "user") {
    const content = message.parts.map(toBlock);
    return [{ message: { role: "user", content, timestamp: time } }];
  }
  const originals = handedOriginals(from, message.calls);
  const answer = { message: toAnswer(message, model), ...originals };
  return [answer, ...message.calls.map((call) => ({ message: toResult(call, time) }))];
}

function toBlock(part: HandedPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image", data: part.data, mimeType: part.media_type };
}

function toAnswer({ time, text, calls, total_tokens = 0 }: HandedAnswer, model: PiModel): object {
  const said = text === "" ? [] : [{ type: "text", text }];
  const called = calls.map(({ id, name, input }) => {
    return { type: "toolCall", id, name, arguments: input };
  });
  return {
    role: "assistant",
    content: [...said, ...called],
    ...model,
    usage: usageOf(total_tokens),
    stopReason: calls.length === 0 ? "stop" : "toolUse",
    timestamp: time,
  };
}

/** Returns a usage without costs. From its total, pi knows how full the context window is. */
function usageOf(totalTokens: number): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens, cost };
}

function toResult({ id, name, output, failed }: HandedCall, timestamp: number): object {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: output.map(toBlock),
    isError: failed,
    timestamp,
  };
}

const TOOL_FORMS: ToolForms = {
  bash: { name: "bash", input: ({ command }) => ({ command }) },
  read: { name: "read", input: (call) => ({ ...call }) },
  write: { name: "write", input: (call) => ({ ...call }) },
  edit: {
    name: "edit",
    // It replaces one place, and no more.
    input: ({ path, old_text: oldText, new_text: newText, all }) =>
      all === true ? undefined : { path, edits: [{ oldText, newText }] },
  },
};

export const piWriter: SessionWriter = {
  tools: TOOL_FORMS,
  proven: true,
  newSessionId: uuidV7,
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: (session: HandedSession, place: AgentPlace) => sessionLines(session, userModel(place)),
};

function place(root: AgentPlace, { id, cwd, begun }: HandedStart): SessionPlacement {
  const [named] = namedFolders(root);
  const folder = named ?? join(root.folder, "sessions", folderName(cwd));
  return { path: join(folder, fileName(id, begun)) };
}

export function fileName(id: string, begun: number): string {
  return `${iso(begun).replace(/[:.]/g, "-")}_${id}.jsonl`;
}

function userModel(place: AgentPlace): PiModel {
  const { defaultProvider, defaultModel } = readSettings(place);
  const [provider, model] = [asName(defaultProvider), asName(defaultModel)];
  return provider === undefined || model === undefined ? {} : { provider, model };
}
