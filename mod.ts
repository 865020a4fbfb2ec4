/**
 * Reprise stores the sessions of coding agents. Each session is one append-only log; transcript,
 * conversation and summary are derived from it.
 *
 * @example Keep a session, and get back what the model needs next
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openStore({ root });
 * const session = store.create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Hello" } });
 * await session.append({ kind: "assistant_message", payload: { content: "Hi!" } });
 * await session.finish();
 *
 * const { messages } = await store.load(session.id);
 * assert.equal(messages.length, 2);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export type { Event, KnownEvent, LogEvent, NewEvent } from "./lib/core/event/envelope.ts";
export {
  type AttachmentPart,
  type Audience,
  type CallStatus,
  type Content,
  contentText,
  type JsonPart,
  type Message,
  type Output,
  type OutputPart,
  type Part,
  type ReasoningPart,
  type Role,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from "./lib/core/event/message.ts";
export type { EventKind, PayloadByKind, TokenUsage } from "./lib/core/event/payload.ts";
export {
  isSessionError,
  type LockHolder,
  SessionError,
  type SessionErrorCode,
  type SessionErrorData,
} from "./lib/core/event/session_error.ts";
export type {
  SentConversation,
  SentMessage,
  SentOptions,
} from "./lib/core/projection/conversation/running_conversation.ts";
export type { LogSummary } from "./lib/core/projection/summary.ts";
export type { SessionStatus, Summary } from "./lib/core/projection/summary_row.ts";
export type { TranscriptItem } from "./lib/core/projection/transcript/item.ts";
export type { Appended, Durability } from "./lib/core/store/session_parts.ts";
export type { ListOptions } from "./lib/core/store/list_sessions.ts";
export { memoryStore } from "./lib/core/store/memory_store.ts";
export { openStore } from "./lib/core/store/open_store.ts";
export type { Session } from "./lib/core/store/session.ts";
export type { CompactOptions, ResponseMeta } from "./lib/core/store/session_parts.ts";
export type { LoadedSession, Store } from "./lib/core/store/store.ts";
export type {
  CreateOptions,
  EventsOptions,
  ForkOptions,
  ReadConversationOptions,
  StoreOptions,
  SubagentOptions,
} from "./lib/core/store/store_options.ts";
export type { CallResult, ModelAnswer, ResponseCall, Turn } from "./lib/core/store/turn.ts";
export {
  fromMessages,
  type FromMessagesOptions,
  plainMessages,
} from "./lib/text/shape/from_messages.ts";
export {
  type MessageShape,
  type ShapedMessages,
  toMessages,
} from "./lib/text/shape/message_shape.ts";
