/**
 * The format of Gemini CLI's chats. The patches of a chat are replayed. The messages that stand become
 * events one by one.
 */
import { basename, dirname } from "node:path";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { type GenAiCalls, noCalls } from "../../reading/genai/genai_calls.ts";
import { asName, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { restoredState, savedState } from "../../reading/saved_state.ts";
import type { FormatReading, SessionFormat } from "../../reading/session_format.ts";
import type { RecordSource } from "../../reading/sources/record_source.ts";
import { documentSource } from "../../reading/sources/document_source.ts";
import { replayedSource, standingAmong } from "../../reading/sources/replayed_source.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { isDocument, readChatHead } from "./chat_record.ts";
import { type ChatHead, chatRules } from "./chat_replay.ts";
import { emitMessage, isPrompt } from "./message_events.ts";
import { chatDirectory, markedRoot, namedDirectories, projectFolder } from "./project_root.ts";
import { threadsOf } from "./threads.ts";

/** The state between two messages. */
interface ChatState {
  /** The record that the head was made of. */
  head?: SourceRecord | undefined;
  calls: GenAiCalls;
  /** Prompts may be guarded, as in a chat that was handed over; see `guarded_prompt.ts`. */
  guarded: boolean;
}

/** The format of Gemini CLI's chats. */
export const geminiFormat: SessionFormat<ChatState> = {
  source({ path }, thread): RecordSource {
    const rules = chatRules(thread === MAIN_THREAD ? undefined : thread);
    return isDocument(path)
      ? documentSource(path, (document) => standingAmong(rules, document))
      : replayedSource(path, rules);
  },
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, { writer }): void {
    if (record !== state.head) emitMessage({ ...state, writer }, record);
  },
  standsAlone: ({ value }) => isPrompt(value),
  saveState: ({ calls, guarded }) => savedState({ calls, guarded }),
  restoreState: (saved, { session }) =>
    saved === undefined
      ? { calls: noCalls(), guarded: readChatHead(session.path).reprise !== undefined }
      : restoredState(saved),
};

function emitHead(
  { session, writer }: FormatReading,
  first: SourceRecord | undefined,
): ChatState {
  if (first === undefined) return { calls: noCalls(), guarded: false };
  const { fields, found, startTime, context } = first.value as ChatHead;
  const folder = projectFolder(session.path);
  const marked = folder === undefined ? undefined : markedRoot(folder);
  const cwd = chatDirectory(fields.projectHash, [
    session.cwd,
    marked,
    ...namedDirectories(context),
  ]);
  const parent = fields.kind === "subagent" ? basename(dirname(session.path)) : undefined;
  const started = present({
    session_id: session.id,
    created_at: isoTime(startTime) ?? "",
    cwd: cwd ?? "",
    app: { name: "gemini" },
    unanswered_call: UNSETTLED_OUTPUT,
    title: asName(fields.summary),
    environment: present({ directories: fields.directories, kind: fields.kind }),
    parent: parent === undefined ? undefined : { session_id: parent, reason: "subagent" },
  });
  const record = found ? first : undefined;
  writer.emit("session_started", started, { id: session.id, time: startTime, record });
  return { head: first, calls: noCalls(), guarded: fields.reprise !== undefined };
}
