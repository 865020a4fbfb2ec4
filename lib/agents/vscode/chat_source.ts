/** The records of a chat: its head, and a record for each request of a thread. */
import { asList, asObject, asText, type Json } from "../engine/json.ts";
import { readRecords, type RecordOptions } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatThread } from "../engine/session_format.ts";
import { readCutDocument } from "../engine/sources/document_source.ts";
import type { RewrittenSource } from "../engine/sources/record_source.ts";
import type { AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { count, countSide } from "../contract/source_account.ts";
import { type ChatState, emptyChat, mutate, type PlacedRequest, setChat } from "./mutation_log.ts";

/** The field that marks the head record. The value is false if no line sets the whole chat. */
export const HEAD = "reprise.head";

/** The field that marks a queued request, which the user wrote while another one was answered. */
export const PENDING = "reprise.pending";

export function chatSource({ path }: Pick<AgentSession, "path">, thread: string): RewrittenSource {
  return {
    rewritten: true,
    async *read(options = {}): AsyncGenerator<readonly SourceRecord[]> {
      yield recordsOf(await readChat(path, options), thread);
    },
  };
}

async function readChat(path: string, options: RecordOptions = {}): Promise<ChatState> {
  const state = emptyChat();
  if (path.endsWith(".json")) {
    const { value, length, salvaged } = readCutDocument(path, "requests", options);
    const position = { offset: 0, length, line: 1 };
    if (value !== undefined) setChat(state, value, { position, salvaged });
    return state;
  }
  for await (const batch of readRecords(path, options)) {
    for (const record of batch) {
      const { length } = record.position;
      if (mutate(state, record)) count(options.account, "events", length);
      else countSide(options.account, `kind ${record.value.kind}`, length);
    }
  }
  return state;
}

function recordsOf(state: ChatState, thread: string): SourceRecord[] {
  const { head, requests, begun } = state;
  const [first] = requests;
  const position = first?.position ?? { offset: 0, length: 0, line: 1 };
  const value = { ...head, [HEAD]: begun };
  const all = [
    ...requestsOn(state, thread),
    ...thread === MAIN_THREAD ? pendingIn(head, position) : [],
  ];
  return [{ value, position, part: 0 }, ...all.map(toRecord)];
}

/** Returns the queued requests (`ISerializablePendingRequestData`, chatModel.ts). */
function pendingIn(
  { pendingRequests }: Json,
  position: PlacedRequest["position"],
): PlacedRequest[] {
  return asList(pendingRequests).map(asObject).map(({ id, request, kind }) => ({
    value: { ...asObject(request), requestId: id, [PENDING]: kind },
    position,
  }));
}

function toRecord(request: PlacedRequest, index: number): SourceRecord {
  return { ...request, part: index + 1 };
}

function requestsOn(state: ChatState, thread: string): PlacedRequest[] {
  const { requests, taken } = state;
  const main = requests.filter(({ value }) => !isHidden(value));
  if (thread === MAIN_THREAD) return main.map((one) => withResponse(one, isOwn));
  const group = groupsIn(state).find(({ own }) => requestId(own[0]) === thread);
  if (group !== undefined) return [...group.before, ...group.own];
  return [...requests, ...taken.flatMap(({ own }) => own)].flatMap((one) =>
    itemsOf(one.value).some((item) => subagentOf(item) === thread)
      ? [withResponse(one, (item) => subagentOf(item) === thread, taskOf(one.value, thread))]
      : []
  );
}

/** Returns the groups of requests that the user took back, by editing a prompt or by an undo. */
function groupsIn({ requests, taken }: ChatState): ChatState["taken"] {
  const stands = new Set(requests.map(requestId));
  const first = requests.findIndex(({ value }) => isHidden(value));
  const undone = first < 0 ? [] : [{
    before: requests.slice(0, first),
    own: requests.slice(first).filter(({ value }) => isHidden(value)),
  }];
  const gone = taken.map(({ before, own }) => ({
    before,
    own: own.filter((one) => !stands.has(requestId(one))),
  }));
  return [...gone, ...undone].filter(({ own }) => requestId(own[0]) !== undefined);
}

/** True for a request that the user took back. VS Code deletes it when the next request is sent. */
function isHidden({ shouldBeRemovedOnSend, isHidden }: Json): boolean {
  return isHidden === true || (shouldBeRemovedOnSend ?? undefined) !== undefined;
}

function requestId(request: PlacedRequest | undefined): string | undefined {
  return asText(request?.value.requestId);
}

/** Returns the items of a response. Older versions stored a response as a single text. */
export function itemsOf({ response }: Json): Json[] {
  if (typeof response === "string") return [{ value: response }];
  return asList(response).map((item) =>
    typeof item === "string" ? { value: item } : asObject(item)
  );
}

function subagentOf({ subAgentInvocationId, toolCallId }: Json): string | undefined {
  const id = asText(subAgentInvocationId);
  return id === toolCallId ? undefined : id;
}

function isOwn(item: Json): boolean {
  return subagentOf(item) === undefined;
}

function withResponse(
  request: PlacedRequest,
  isWanted: (item: Json) => boolean,
  task?: string,
): PlacedRequest {
  const response = itemsOf(request.value).filter(isWanted);
  if (task === undefined) return { ...request, value: { ...request.value, response } };
  const { timestamp, modelId } = request.value;
  // Records of threads have ids of their own.
  const id = `${requestId(request)} ${response[0]?.subAgentInvocationId}`;
  const value = { requestId: id, timestamp, modelId, message: { text: task }, response };
  return { ...request, value };
}

function taskOf(request: Json, id: string): string {
  const call = itemsOf(request).find(({ toolCallId }) => toolCallId === id);
  const { prompt, description } = asObject(call?.toolSpecificData);
  return asText(prompt) ?? asText(description) ?? "";
}

export async function threadsOf({ path }: AgentSession): Promise<FormatThread[]> {
  const state = await readChat(path);
  const standing = state.requests.filter(({ value }) => !isHidden(value));
  const own = (requests: readonly PlacedRequest[]) => () => [requests.map(toRecord)];
  const parent = { thread: MAIN_THREAD };
  const subagents = new Set(
    state.requests.flatMap(({ value }) => itemsOf(value)).flatMap((item) => subagentOf(item) ?? []),
  );
  return [
    { id: MAIN_THREAD, kind: "main", ...factsOf(standing), own: own(standing.slice(-1)) },
    ...groupsIn(state).map((group): FormatThread => ({
      ...{ id: requestId(group.own[0]) ?? "", kind: "replaced", parent },
      ...factsOf(group.own),
      own: own(group.own),
    })),
    ...[...subagents].map((id): FormatThread => {
      const requests = requestsOn(state, id);
      const records = requests.flatMap(({ value }) => itemsOf(value)).length;
      return { id, kind: "subagent", parent, records, own: own(requests) };
    }),
  ];
}

function factsOf(requests: readonly PlacedRequest[]): { records: number; record_ids: string[] } {
  const record_ids = requests.flatMap((one) => requestId(one) ?? []);
  return { records: requests.length, record_ids };
}
