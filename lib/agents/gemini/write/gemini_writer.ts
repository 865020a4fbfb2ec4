/**
 * Writes chats of Gemini CLI. Version 0.61 was seen to resume them. The client's list reads the
 * folder anew, so a new file does not disturb a running client.
 */
import { createHash } from "node:crypto";
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
import { asName, asObject, present } from "../../engine/json.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedPrompt,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { guardedPrompt, NOTHING_SHOWN } from "../guarded_prompt.ts";
import { normalized, pathHash, projectSlug } from "../project_root.ts";

// The records of a new chat: a head, then one record for each message. Version 0.61 needs the ids,
// the project's hash, and the types of messages.
//
// A new chat has calls and results in the contents, as the client sends them. The client's own
// chats have them in `toolCalls`. After a resume, the client adds the contents, and from the next
// resume on it sends both. Then a result is sent once more for each call that was made together
// with its own call. In a new chat, `toolCalls` is only for display. Its calls have other ids, so
// that the client adds nothing.

async function* writeChat(session: HandedSession): AsyncGenerator<string> {
  yield head(session);
  for await (const message of session.messages) {
    yield message.role === "user" ? promptLine(message) : answerLines(message, session.from);
  }
}

/**
 * Returns the head line. The update time is the time of the hand-over, because the client deletes
 * old chats. The key `reprise` tells readers that a prompt may begin with an added invisible space.
 */
function head({ id, cwd, begun, now, title, from }: HandedSession): string {
  return handedLine(present({
    sessionId: id,
    projectHash: pathHash(resolvedFolder(cwd)),
    startTime: new Date(begun).toISOString(),
    lastUpdated: new Date(now).toISOString(),
    kind: "main",
    summary: title,
    reprise: { from },
  }));
}

function promptLine({ time, parts }: HandedPrompt): string {
  return handedLine({
    id: crypto.randomUUID(),
    timestamp: new Date(time).toISOString(),
    type: "user",
    content: guardedPrompt(handedParts(parts)),
  });
}

/**
 * Returns the lines of an answer. The lines name no model, so that the client continues with the
 * model that the user chose.
 */
function answerLines(answer: HandedAnswer, from: string): string {
  const { time, text, calls } = answer;
  const frame = { id: crypto.randomUUID(), timestamp: new Date(time).toISOString() };
  if (calls.length === 0) return handedLine({ ...frame, type: "gemini", content: text });
  const answered = handedLine({
    ...frame,
    type: "gemini",
    content: answerParts(answer),
    displayContent: text || NOTHING_SHOWN,
    toolCalls: calls.map((call) => shownCall(call, frame.timestamp, from)),
  });
  const results = calls.flatMap((call) => [
    { functionResponse: handedResponse(call) },
    ...handedImages(call),
  ]);
  return answered + handedLine({
    ...frame,
    id: crypto.randomUUID(),
    type: "user",
    content: results,
    displayContent: NOTHING_SHOWN,
  });
}

function shownCall(call: HandedCall, timestamp: string, from: string): object {
  const { id, name, input, failed } = call;
  const { command, file_path } = asObject(input);
  return present({
    id: `${id}_shown`,
    name,
    args: input,
    status: failed ? "error" : "success",
    timestamp,
    resultDisplay: shownResult(call),
    description: asName(command) ?? asName(file_path) ?? "",
    displayName: name,
    renderOutputAsMarkdown: false,
    ...handedOriginals(from, [call]),
  });
}

export const geminiWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: genAiTools({ name: "replace", every: "allow_multiple" }),
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  place,
  write: writeChat,
};

/** Image types that Gemini's models accept. Another type would make every later request fail. */
const IMAGES: ReadonlySet<string> = new Set(
  ["png", "jpeg", "webp", "heic", "heif"].map((type) => `image/${type}`),
);

function place({ folder: home, os }: AgentPlace, { id, cwd, now }: HandedStart): SessionPlacement {
  const directory = resolvedFolder(cwd);
  const { slug, unmarked } = projectSlug(home, directory, os);
  const folder = join(home, "tmp", slug);
  const minute = new Date(now).toISOString().slice(0, 16).replace(":", "-");
  const path = join(folder, "chats", `session-${minute}-${nameDigits(id)}.jsonl`);
  if (!unmarked) return { path };
  const mark = { path: join(folder, ".project_root"), text: normalized(directory, os) };
  return { path, beside: [mark] };
}

/**
 * Returns eight digits for a chat's file name that differ from the first eight digits of the chat's
 * id. A resume in 0.61 leaves a short file with the id's digits in its name. At its next start, the
 * client deletes every chat with these digits in its name (google-gemini/gemini-cli issues 27368
 * and 28036).
 */
function nameDigits(id: string): string {
  const digits = createHash("sha256").update(id).digest("hex");
  return digits.startsWith(id.slice(0, 8)) ? digits.slice(8, 16) : digits.slice(0, 8);
}
