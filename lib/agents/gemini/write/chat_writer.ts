/**
 * The records of a new chat: a head, then one for each message. Version 0.61 needs the ids, the
 * project's hash, and the types of messages.
 *
 * Calls and results stand in the contents, as they are sent. The client's own chats have them in
 * `toolCalls`. After a resume it adds the contents, and from the next one on it sends both. Then a
 * result comes once more for each call that was made with it. What stands in `toolCalls` here is
 * only shown. It has other ids, so that the client adds nothing to it.
 */
import type {
  HandedAnswer,
  HandedCall,
  HandedPrompt,
  HandedSession,
} from "../../../source/session_writer.ts";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import {
  handedFunctionCall,
  handedImages,
  handedParts,
  handedResponse,
  shownResult,
} from "../../../reading/genai/genai_handed.ts";
import { handedLine, handedOriginals } from "../../../reading/handed/handed_line.ts";
import { asName, asObject, present } from "../../../reading/json_value.ts";
import { guardedPrompt, NOTHING_SHOWN } from "../guarded_prompt.ts";
import { pathHash } from "../project_root.ts";

/** Writes a chat: its head, then its messages as they come. */
export async function* writeChat(session: HandedSession): AsyncGenerator<string> {
  yield head(session);
  for await (const message of session.messages) {
    yield message.role === "user" ? promptLine(message) : answerLines(message, session.from);
  }
}

/**
 * The head. Chats that were not updated for some time are deleted, so that the time of the update is
 * that of the hand-over. The key `reprise` tells that prompts may be guarded.
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

/** Who answered is not told, because the client goes on with the model that its user chose. */
function answerLines({ time, text, calls }: HandedAnswer, from: string): string {
  const frame = { id: crypto.randomUUID(), timestamp: new Date(time).toISOString() };
  if (calls.length === 0) return handedLine({ ...frame, type: "gemini", content: text });
  const said = text === "" ? [] : [{ text }];
  const answer = handedLine({
    ...frame,
    type: "gemini",
    content: [...said, ...calls.map(handedFunctionCall)],
    displayContent: text || NOTHING_SHOWN,
    toolCalls: calls.map((call) => shownCall(call, frame.timestamp, from)),
  });
  const results = calls.flatMap((call) => [
    { functionResponse: handedResponse(call) },
    ...handedImages(call),
  ]);
  return answer + handedLine({
    ...frame,
    id: crypto.randomUUID(),
    type: "user",
    content: results,
    displayContent: NOTHING_SHOWN,
  });
}

/** A call as the screen shows it, and as it was before. */
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
