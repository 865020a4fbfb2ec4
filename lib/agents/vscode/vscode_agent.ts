/**
 * Reads the chats of VS Code (microsoft/vscode and vscode-copilot-chat, sources of 2026). The
 * editor itself was not run. A chat is a document, or since 1.109 a log of mutations.
 *
 * VS Code lists the latest 400 chats of a workspace. It forgets the other chats, but leaves their
 * files (chatSessionStore.ts, `trimEntries`). Reprise reads these files too.
 *
 * The conversation is derived from the format alone. It has the arguments that the model wrote and
 * the results that it got, if the chat records them. Else it has what the user saw.
 */
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { unsentPrompt } from "../engine/events/unsent_prompt.ts";
import { formatReader } from "../engine/format_reader.ts";
import { gitInfo } from "../engine/git_info.ts";
import { asName, asObject, present, unreadFields } from "../engine/json.ts";
import { headRecords, parseJsonPrefix } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import type { AgentReads } from "../engine/session_reader.ts";
import type { Agent } from "../contract/agent.ts";
import { chatSource, HEAD, PENDING, threadsOf } from "./chat_source.ts";
import { sessionAt } from "./locate.ts";
import { emitRequest, promptOf } from "./request_events.ts";

export const vscodeFormat: SessionFormat<ChatState> = {
  source: chatSource,
  threads: threadsOf,
  begin: emitHead,
  emit(record, { provider }, { writer }): void {
    const { value } = record;
    if (HEAD in value) return;
    const id = asName(value.requestId);
    const origin: EventOrigin = { id, time: value.timestamp, record };
    if (PENDING in value) writer.emit("notice", unsentPrompt(promptOf(value)), origin);
    else emitRequest(value, provider, { writer, origin });
  },
  standsAlone: ({ value }) => !(HEAD in value),
  startState: () => ({ provider: undefined }),
  saveState: () => undefined,
};

interface ChatState {
  /** The name of the responder, such as `GitHub Copilot`, or undefined if not recorded. */
  provider: string | undefined;
}

function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): ChatState {
  const { [HEAD]: begun, customTitle, creationDate, repoData, responderUsername } = first?.value ??
    {};
  if (first === undefined || begun === undefined) return { provider: undefined };
  if (begun !== true) {
    const detail = "the chat's first record is missing";
    report?.({ code: "missing-header", offset: 0, length: 0, line: 0, detail });
  }
  const { localBranch: branch, localHeadCommit: commit, remoteUrl: remote } = asObject(repoData);
  const created_at = isoTime(creationDate) ?? "";
  const started = {
    session_id: session.id,
    created_at,
    cwd: session.cwd ?? "",
    app: { name: "vscode" },
    title: asName(customTitle),
    git: gitInfo({ branch, commit, remote }),
  };
  writer.emit("session_started", present(started), { time: created_at });
  writer.keep("chat", unreadFields(first.value, TAKEN), { time: created_at });
  return { provider: asName(responderUsername) };
}

const TAKEN: ReadonlySet<string> = new Set([
  ...[HEAD, "sessionId", "customTitle", "creationDate", "repoData", "responderUsername"],
  "pendingRequests",
]);

/** Fields by which a chat is recognized. An exported chat has no `sessionId`. */
const FIELDS = ["sessionId", "responderUsername", "initialLocation", "creationDate"];

function isChat(head: Uint8Array): boolean {
  const records = headRecords(head).map(({ value }) => value);
  if (records.some(isLine)) return true;
  return isState(asObject(parseJsonPrefix(new TextDecoder().decode(head))));
}

function isLine({ kind, k, v }: Record<string, unknown>): boolean {
  if (kind === 0) return isState(asObject(v));
  return (kind === 1 || kind === 2 || kind === 3) && Array.isArray(k) && typeof k[0] === "string";
}

function isState(value: Record<string, unknown>): boolean {
  return (Array.isArray(value.requests) && FIELDS.some((field) => field in value)) ||
    (typeof value.creationDate === "number" && typeof value.sessionId === "string");
}

const summarize: AgentReads["summarize"] = (session, options) =>
  formatReader(vscodeFormat)(session).summarize(options);

export const vscodeAgent: Agent = {
  name: "vscode",
  recognize: (_path, head) => isChat(head),
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  open: formatReader(vscodeFormat, {
    // VS Code keeps a file for a chat in which nothing was asked, and does not list it.
    summarize: async (session, options) => {
      const row = await summarize(session, options);
      return row?.message_count === 0 ? undefined : row;
    },
  }),
};
