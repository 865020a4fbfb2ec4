/**
 * Rebuilds a chat from its log of mutations (VS Code, objectMutationLog.ts of 2026). A line of
 * `kind` 0 sets the whole chat. Kind 1 sets a value at a path, kind 2 adds to a list, and kind 3
 * deletes a value.
 *
 * VS Code refuses a log with a damaged line or without its first line. Reprise loses only the
 * damaged or missing line.
 */
import { applyChange, type JsonChange } from "../engine/json_change.ts";
import { asList, asNumber, asObject, type Json, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";

export type PlacedRequest = RecordPlace & { value: Json };

type RecordPlace = Pick<SourceRecord, "position" | "salvaged">;

export interface ChatState {
  /** All fields but the requests. */
  head: Record<string, unknown>;
  requests: PlacedRequest[];
  /** Groups of requests that the user took back (`own`). `before` has all earlier requests. */
  taken: { before: PlacedRequest[]; own: PlacedRequest[] }[];
  /** True once a line set the whole chat. */
  begun: boolean;
}

export function emptyChat(): ChatState {
  return { head: {}, requests: [], taken: [], begun: false };
}

export function setChat(state: ChatState, value: unknown, record: RecordPlace): void {
  const { requests, ...head } = asObject(value);
  state.head = head;
  state.requests = asList(requests).map((request) => placed(request, record));
  state.begun = true;
}

function placed(value: unknown, { position, salvaged }: RecordPlace): PlacedRequest {
  return present({ value: { ...asObject(value) }, position, salvaged: salvaged || undefined });
}

/** Applies a line. Returns false if the line is no mutation. */
export function mutate(state: ChatState, record: SourceRecord): boolean {
  const { kind, k, v, i } = record.value;
  const change = changeIn(record.value);
  if (kind === 0) setChat(state, v, record);
  if (kind === 0) return true;
  const [field, index, ...path] = asList(k);
  if (field === undefined || change === undefined) return false;
  if (field !== "requests") {
    applyChange(state.head, asList(k), change);
  } else if (index === undefined) {
    takeBehind(state, kind === 2 ? asNumber(i) ?? state.requests.length : 0);
    for (const request of asList(v)) state.requests.push(placed(request, record));
  } else {
    const request = state.requests[Number(index)];
    if (request === undefined) return false;
    if (path.length === 0) request.value = kind === 3 ? {} : { ...asObject(v) };
    else applyChange(request.value, path, change);
  }
  return true;
}

function takeBehind({ requests, taken }: ChatState, length: number): void {
  const own = requests.splice(length);
  if (own.length > 0) taken.push({ before: [...requests], own });
}

function changeIn({ kind, v, i }: Json): JsonChange | undefined {
  if (kind === 1) return { kind: "set", value: v };
  if (kind === 2) return { kind: "push", values: v, length: i };
  return kind === 3 ? { kind: "delete" } : undefined;
}
