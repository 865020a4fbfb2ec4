/**
 * The transcript: what a person saw, in order.
 *
 * @module
 */
import { contentFor } from "../../event/audience.ts";
import { recordName } from "../../event/record_name.ts";
import type { InvalidEvent, KnownEvent, LogEvent } from "../../event/envelope.ts";
import { recordsStarts } from "../../event/opened_calls.ts";
import type { EventKind } from "../../event/payload.ts";
import { TRANSCRIPT_KINDS } from "../../event/policy.ts";
import {
  addDeclaredCall,
  addOwnCommand,
  closeOtherTurns,
  closeOverdue,
  countEvent,
  isOverdue,
  noOpenCalls,
  type OpenCalls,
  placeCall,
  placeDeclared,
  settleCall,
  startDeclaredBash,
  startDeclaredTool,
} from "./call_items.ts";
import type { ItemProjection } from "../projection.ts";
import {
  bashOutcome,
  callItem,
  pick,
  type ResponseItem,
  responseItems,
  type SaidBy,
  toolOutcome,
} from "./response_items.ts";
import type { ItemBase, TranscriptItem } from "./item.ts";
import { isHidden, isUnseen } from "../unseen_message.ts";
import { type AttachedText, attachedTexts, replacingTexts } from "./attached_texts.ts";
import { MOST_WAITING } from "../event_size.ts";

/** The choice of extra items to show, and a limit of memory. */
export interface TranscriptOptions {
  /** True to add `extension` items for raw records that no other item shows. @default {false} */
  extensions?: boolean;
  /**
   * Maximum number of characters that may follow a call before its end. Then the call is shown as
   * `unsettled`, and its late end becomes a separate item. So memory does not grow with the log.
   *
   * @default {4194304}
   */
  most_waiting?: number;
}

/** The items and open calls that {@linkcode transcript} holds between events. */
export interface TranscriptState {
  /** Items that `take` has not returned yet, in order. */
  items: TranscriptItem[];
  /** Calls whose end is not recorded yet. */
  open: OpenCalls;
  /** The current turn; undefined before the first turn, and after a prompt that names no turn. */
  turn_id: string | undefined;
  /** The item of a `session_closed` event, which is shown only if it is the last event. */
  closed: Extract<TranscriptItem, { type: "closed" }> | undefined;
}

/**
 * Returns the projection to the transcript: the messages, reasoning, calls with outcomes, diffs and
 * compactions that a person saw. Parts of a prompt that only the model got
 * follow the prompt as attached items. A call is placed where it started. A call without a recorded
 * start follows its response. A call stays open until its end is recorded, its turn ends, or too
 * many characters follow. An open call is shown as `unsettled`. If its end is recorded later, the
 * end becomes an item with `orphan`.
 *
 * @param options What else to show, and how much to hold in memory.
 * @returns A projection to fold, or to give to a {@linkcode ProjectionStream}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent, foldEvents, transcript } from "@reprise/reprise/pipeline";
 *
 * const event = decodeEvent({
 *   seq: 1, kind: "bash_start", payload: { call_id: "c1", command: "ls", origin: "user" },
 * });
 * const [item] = foldEvents(transcript(), event === undefined ? [] : [event]);
 * assert.equal(item?.type === "bash" && item.status, "unsettled");
 * ```
 */
export function transcript(
  options: TranscriptOptions = {},
): ItemProjection<TranscriptState, TranscriptItem> {
  const needs = new Set<EventKind>(TRANSCRIPT_KINDS);
  if (options.extensions) needs.add("extension");
  const { most_waiting = MOST_WAITING } = options;
  return {
    needs,
    initial: () => ({
      items: [],
      open: noOpenCalls(most_waiting),
      turn_id: undefined,
      closed: undefined,
    }),
    apply(state, event): TranscriptState {
      state.closed = undefined;
      if (event.form === "known" && needs.has(event.kind)) {
        applyKnown(state, event);
        if (isOverdue(state.open)) {
          placeDeclared(state);
          closeOverdue(state.open);
        }
      } else if (isUnreadable(event, needs)) state.items.push(unreadable(event));
      return state;
    },
    take: takeSettled,
    result: ({ items, open, closed }) => {
      const unplaced = [...open.declared].flatMap(([item, seen]) => seen ? [item] : []);
      if (unplaced.length === 0 && closed === undefined) return items;
      return [...items, ...unplaced, ...(closed === undefined ? [] : [closed])];
    },
  };
}

/** Removes and returns the items before the first call without a recorded end. */
function takeSettled(state: TranscriptState): TranscriptItem[] {
  for (const item of state.open.started.keys()) {
    const at = state.items.indexOf(item);
    // A call that nobody sees is not an item.
    if (at >= 0) return state.items.splice(0, at);
  }
  return state.items.splice(0);
}

function base(event: KnownEvent | InvalidEvent): ItemBase {
  const { seq, time, turn_id, integrity } = event;
  const id = recordName(event);
  const item: ItemBase = id === undefined ? { seq, integrity } : { seq, id, integrity };
  if (time !== undefined) item.time = time;
  if (turn_id !== undefined) item.turn_id = turn_id;
  return item;
}

function isUnreadable(event: LogEvent, needs: ReadonlySet<string>): event is InvalidEvent {
  return event.form === "invalid" && needs.has(event.kind);
}

function unreadable(event: InvalidEvent): TranscriptItem {
  const { kind, reason, payload } = event;
  return { type: "unreadable", ...base(event), kind, reason, payload };
}

/** Ends the current turn if an event begins another turn. Open calls stay `unsettled`. */
function endTurns(state: TranscriptState, event: KnownEvent): void {
  const { turn_id } = event;
  const prompt = event.kind === "user_message" || event.kind === "session_closed";
  if (turn_id === undefined ? !prompt : turn_id === state.turn_id) return;
  state.turn_id = turn_id;
  placeDeclared(state);
  closeOtherTurns(state.open, turn_id);
}

/** Event kinds that may come between a call's declaration and its start. No others may. */
const DURING_CALLS: ReadonlySet<EventKind> = new Set([
  "tool_start",
  "tool_end",
  "bash_start",
  "bash_end",
  "diff",
]);

function applyKnown(state: TranscriptState, event: KnownEvent): void {
  if (!DURING_CALLS.has(event.kind)) placeDeclared(state);
  if (!isSettlement(event)) endTurns(state, event);
  countEvent(state.open, event);
  const item = base(event);
  switch (event.kind) {
    case "session_started":
      state.items.push({ type: "session", ...item, session: event.payload });
      break;
    case "context_loaded":
      state.items.push({ type: "context", ...item, sources: event.payload.sources });
      break;
    case "user_message":
      if (!isUnseen(event.payload)) {
        const content = contentFor(event.payload.content, "user");
        state.items.push({ type: "message", ...item, role: "user", content });
      }
      addAttached(state, item, attachedTexts(event.payload));
      break;
    case "notice": {
      const { audience, title, text } = event.payload;
      state.items.push(
        audience === "model"
          ? { type: "attached", ...item, name: title, content: text }
          : { type: "notice", ...item, ...pick(event.payload, "title", "text", "level") },
      );
      break;
    }
    case "assistant_message":
      addResponse(state, event, item, pick(event.payload, "message_id", "model"));
      break;
    case "assistant_interrupted": {
      if (isHidden(event.payload.content)) break;
      const said = { interrupted: true, ...pick(event.payload, "message_id", "reason") };
      const shown = addResponse(state, event, item, said);
      if (shown.some(({ type }) => type === "message")) break;
      state.items.push({ type: "message", ...item, role: "assistant", content: "", ...said });
      break;
    }
    case "reasoning_message":
      if (event.payload.content === "" || event.payload.audience === "model") break;
      state.items.push({ type: "reasoning", ...item, text: event.payload.content });
      break;
    case "tool_start":
      startDeclaredTool(state, item, event.payload.call_id);
      break;
    case "bash_start": {
      const { origin, command = "", audience } = event.payload;
      if (origin === undefined) startDeclaredBash(state, item, event.payload);
      else {
        const begun = { ...pick(event.payload, "call_id", "summary"), command, origin };
        addOwnCommand(state, { type: "bash", ...item, ...begun, status: "unsettled" }, audience);
      }
      break;
    }
    case "tool_end":
      settleCall(state, { type: "tool", ...item, ...toolOutcome(event.payload), orphan: true });
      break;
    case "bash_end":
      settleCall(state, { type: "bash", ...item, ...bashOutcome(event.payload), orphan: true });
      break;
    case "diff":
      // A call that changed a file has begun.
      placeCall(state, event.payload.call_id);
      state.items.push({
        type: "diff",
        ...item,
        ...pick(event.payload, "call_id", "path", "lines"),
      });
      break;
    case "compaction_applied": {
      const { status, summary, tokens_before } = event.payload;
      // Done without a word: nobody saw it.
      if (status !== "" || summary !== undefined || tokens_before !== undefined) {
        state.items.push({
          type: "compaction",
          ...item,
          ...pick(
            event.payload,
            "status",
            "summary",
            "tokens_before",
            "tokens_after",
            "guidance",
            "trigger",
          ),
        });
      }
      addAttached(state, item, replacingTexts(event.payload));
      break;
    }
    case "conversation_replaced": {
      const { reason, messages } = event.payload;
      state.items.push({ type: "replaced", ...item, reason, messages: messages.length });
      break;
    }
    case "conversation_branched":
      state.items.push({ type: "branched", ...item, ...pick(event.payload, "from_seq", "reason") });
      break;
    case "turn_failed":
      state.items.push({ type: "failure", ...item, ...pick(event.payload, "reason", "message") });
      break;
    case "session_closed": {
      const end = pick(event.payload, "status", "exit_code", "summary");
      state.closed = { type: "closed", ...item, ...end };
      break;
    }
    case "extension": {
      const { agent, type: name, data } = event.payload;
      state.items.push({ type: "extension", ...item, agent, name, data });
      break;
    }
    default:
  }
}

function addAttached(state: TranscriptState, item: ItemBase, texts: AttachedText[]): void {
  for (const text of texts) state.items.push({ type: "attached", ...item, ...text });
}

function isSettlement({ kind }: KnownEvent): boolean {
  return kind === "tool_end" || kind === "bash_end";
}

/**
 * Adds and returns the items of a response. Also tracks the response's calls that only the model
 * sees, so that their ends add no items.
 */
function addResponse(
  state: TranscriptState,
  event: KnownEvent & { kind: "assistant_message" | "assistant_interrupted" },
  item: ItemBase,
  said: SaidBy,
): ResponseItem[] {
  const { content } = event.payload;
  const status = recordsStarts(event) ? "not_run" : "unsettled";
  const shown = responseItems(content, item, said, status);
  for (const one of shown) {
    if (one.type === "tool") addDeclaredCall(state, one, undefined);
    else {
      placeDeclared(state);
      state.items.push(one);
    }
  }
  if (typeof content === "string") return shown;
  for (const part of content) {
    if (part.type !== "tool_call" || part.audience !== "model") continue;
    addDeclaredCall(state, callItem(part, item, "unsettled"), part.audience);
  }
  return shown;
}
