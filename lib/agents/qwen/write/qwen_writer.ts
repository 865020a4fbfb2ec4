/**
 * Writes sessions of Qwen Code. Version 0.24 resumed them in a test. Qwen Code lists sessions from
 * the folder, so a new file does not disturb a running client.
 */
import { join } from "node:path";
import { resolvedFolder } from "../../engine/files/folder_match.ts";
import {
  answerParts,
  genAiTools,
  handedImages,
  handedParts,
  handedResponse,
  shownResult,
} from "../../engine/genai/genai_handed.ts";
import { handedLine, handedOriginals } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { present } from "../../engine/json.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedPrompt,
  HandedSession,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { projectSlug } from "../locate.ts";

const VERSION = "0.24.4";

/** Yields the messages, then the title. Qwen Code's list looks for the title at the end. */
async function* writeRecords(session: HandedSession): AsyncGenerator<string> {
  const chain: Chain = { session, cwd: resolvedFolder(session.cwd), last: null };
  for await (const message of session.messages) {
    yield message.role === "user" ? promptLine(chain, message) : answerLines(chain, message);
  }
  const { title, now } = session;
  if (title !== undefined) {
    const systemPayload = { customTitle: title, titleSource: "manual" };
    yield line(chain, now, { type: "system", subtype: "custom_title", systemPayload });
  }
}

interface Chain {
  session: HandedSession;
  cwd: string;
  last: string | null;
}

interface NewRecord {
  type: string;
  [field: string]: unknown;
}

function line(chain: Chain, time: number, { type, ...rest }: NewRecord): string {
  const { session: { id: sessionId }, cwd, last: parentUuid } = chain;
  const uuid = crypto.randomUUID();
  chain.last = uuid;
  const timestamp = new Date(time).toISOString();
  return handedLine({
    uuid,
    parentUuid,
    sessionId,
    timestamp,
    type,
    cwd,
    version: VERSION,
    ...rest,
  });
}

function promptLine(chain: Chain, { time, parts }: HandedPrompt): string {
  const message = { role: "user", parts: handedParts(parts) };
  return line(chain, time, { type: "user", message });
}

function answerLines(chain: Chain, answer: HandedAnswer): string {
  const { time, calls } = answer;
  const message = { role: "model", parts: answerParts(answer) };
  const originals = handedOriginals(chain.session.from, calls);
  return [
    line(chain, time, { type: "assistant", message, ...originals }),
    ...calls.map((call) => line(chain, time, resultRecord(call))),
  ].join("");
}

function resultRecord(call: HandedCall): NewRecord {
  const images = handedImages(call);
  const parts = images.length === 0 ? undefined : images;
  const functionResponse = present({ ...handedResponse(call), parts });
  const toolCallResult = present({
    callId: call.id,
    status: call.failed ? "error" : "success",
    resultDisplay: shownResult(call),
  });
  const message = { role: "user", parts: [{ functionResponse }] };
  return { type: "tool_result", message, toolCallResult };
}

export const qwenWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: genAiTools({ name: "edit", every: "replace_all" }),
  proven: true,
  place({ folder }, { id, cwd }): SessionPlacement {
    const project = join(folder, "projects", projectSlug(resolvedFolder(cwd)));
    return { path: join(project, "chats", `${id}.jsonl`) };
  },
  write: writeRecords,
};
