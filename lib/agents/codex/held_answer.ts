/**
 * Holds the items of an answer until the answer's usage is known. Codex writes each item as a
 * record without the name of its response. Reasoning, a text and the calls after the text become
 * one event.
 */
import type { Part, ReasoningPart } from "../../core/event/message.ts";
import type {
  AssistantMessagePayload,
  EventKind,
  PayloadByKind,
} from "../../core/event/payload.ts";
import { type EventOrigin, type EventSink, NOWHERE } from "../engine/events/event_writer.ts";
import {
  addCall,
  type DraftCall,
  emitResponse,
  type ResponseDraft,
  type ShellCommand,
  startResponse,
} from "../engine/events/response_draft.ts";

export type HeldEvent = {
  [Kind in EventKind]: { kind: Kind; payload: PayloadByKind[Kind]; origin: EventOrigin };
}[EventKind];

export type ResponseFields = Omit<AssistantMessagePayload, "content">;

interface HeldResponse {
  kind: "response";
  draft: ResponseDraft;
  fields: ResponseFields;
  origins: EventOrigin[];
  /** True if the response contains something other than reasoning. */
  spoken: boolean;
}

export type Held = (HeldEvent | HeldResponse)[];

function lastResponse(held: Held): HeldResponse | undefined {
  const last = held[held.length - 1];
  return last?.kind === "response" ? last : undefined;
}

function newResponse(held: Held): HeldResponse {
  const response: HeldResponse = {
    kind: "response",
    draft: startResponse(),
    fields: {},
    origins: [],
    spoken: false,
  };
  held.push(response);
  return response;
}

/** Holds a thought as part of the next text or call. */
export function holdThought(held: Held, thought: ReasoningPart, origin: EventOrigin): void {
  const last = lastResponse(held);
  const response = last === undefined || last.spoken ? newResponse(held) : last;
  response.draft.parts.push(thought);
  response.origins.push(origin);
}

export function holdText(
  held: Held,
  parts: readonly Part[],
  fields: ResponseFields,
  origin: EventOrigin,
): void {
  const last = lastResponse(held);
  const response = last === undefined || last.spoken ? newResponse(held) : last;
  for (const one of parts) response.draft.parts.push(one);
  response.origins.push(origin);
  response.fields = fields;
  response.spoken = true;
}

/**
 * Adds a call to the last response, with any thoughts between that response and the call. Begins a
 * new response if there is none in `held`.
 */
export function holdCall(
  held: Held,
  { call, command }: { call: DraftCall; command?: ShellCommand | undefined },
  fields: ResponseFields,
  origin: EventOrigin,
): void {
  const thoughts = lastResponse(held);
  if (thoughts?.spoken === false && held[held.length - 2]?.kind === "response") {
    held.pop();
    const before = lastResponse(held) as HeldResponse;
    for (const one of thoughts.draft.parts) before.draft.parts.push(one);
    for (const one of thoughts.origins) before.origins.push(one);
  }
  const response = lastResponse(held) ?? newResponse(held);
  addCall(response.draft, call, command);
  response.origins.push(origin);
  response.fields = fields;
  response.spoken = true;
}

export function writeHeld(writer: EventSink, held: Held): void {
  for (const one of held) {
    if (one.kind !== "response") writer.emit(one.kind, one.payload, one.origin);
    else if (one.spoken) emitResponse(writer, one.draft, one.fields, originOfAll(one.origins));
    else writeThoughts(writer, one);
  }
}

/** Writes thoughts that no text or call follows. */
function writeThoughts(writer: EventSink, { draft, origins }: HeldResponse): void {
  for (const [index, part] of draft.parts.entries()) {
    if (part.type !== "reasoning") continue;
    const { text: content, provider_data } = part;
    const thought = provider_data === undefined ? { content } : { content, provider_data };
    writer.emit("reasoning_message", thought, origins[index]);
  }
}

function originOfAll(origins: readonly EventOrigin[]): EventOrigin {
  const last = origins[origins.length - 1] ?? {};
  if (origins.length === 1 || last === NOWHERE) return last;
  const ids = origins.flatMap(({ id }) => id ?? []);
  const salvaged = origins.some(({ record }) => record?.salvaged);
  const { id = ids[ids.length - 1], record } = last;
  const place = salvaged && record !== undefined ? { ...record, salvaged } : record;
  return { ...last, id, other_ids: ids, record: place };
}
