/**
 * The records of a new chat: a head, then one for each message. Version 0.61 needs the ids, the
 * project's hash, the types of messages, and the results of calls.
 *
 * Results stand in the calls alone. After a resume the client writes them once more, as messages.
 * From the next resume on it sends both, as it does with its own chats.
 */
import type {
  HandedAnswer,
  HandedCall,
  HandedPrompt,
  HandedSession,
} from "../../../source/session_writer.ts";
import { resolvedFolder } from "../../folder_match.ts";
import { handedImages, handedParts, handedResponse, shownResult } from "../../genai_handed.ts";
import { handedLine, handedOriginals } from "../../handed_line.ts";
import { asName, asObject, present } from "../../json_value.ts";
import { guardedPrompt } from "../guarded_prompt.ts";
import { pathHash } from "../project_root.ts";

/** Writes a chat: its head, then its messages as they come. */
export async function* writeChat(session: HandedSession): AsyncGenerator<string> {
  yield head(session);
  for await (const message of session.messages) {
    yield message.role === "user" ? promptLine(message) : answerLine(message, session.from);
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
function answerLine({ time, text, calls }: HandedAnswer, from: string): string {
  const timestamp = new Date(time).toISOString();
  const toolCalls = calls.map((call) => toolCall(call, timestamp, from));
  return handedLine({
    id: crypto.randomUUID(),
    timestamp,
    type: "gemini",
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  });
}

function toolCall(call: HandedCall, timestamp: string, from: string): object {
  const { id, name, input, failed } = call;
  const { command, file_path } = asObject(input);
  return present({
    id,
    name,
    args: input,
    result: [{ functionResponse: handedResponse(call) }, ...handedImages(call)],
    status: failed ? "error" : "success",
    timestamp,
    resultDisplay: shownResult(call),
    description: asName(command) ?? asName(file_path) ?? "",
    displayName: name,
    renderOutputAsMarkdown: false,
    ...handedOriginals(from, [call]),
  });
}
