/**
 * The parts with which sessions are read: lines, events, and projections folded from events. The
 * main module (`@reprise/reprise`) is built from these parts.
 *
 * @example Count the messages of a log, batch by batch
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { foldBatches, readEvents, summary } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const { message_count } = await foldBatches(summary(), readEvents(session.path));
 * assert.equal(message_count, 1);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export { contentFor, outputText } from "../event/audience.ts";
export { decodeEvent } from "../event/decode.ts";
export { encodeEvent } from "../event/encode.ts";
export type {
  Envelope,
  EventSource,
  Integrity,
  InvalidEvent,
  LinePosition,
  Reading,
  UnknownEvent,
  UnparsedEvent,
} from "../event/envelope.ts";
export { parseExact, type ParseExactOptions } from "../event/exact_json.ts";
export { ExactNumber } from "../event/exact_number.ts";
export type { PartBase } from "../event/message.ts";
export type {
  AppInfo,
  ContextSource,
  DiffLine,
  EnvironmentInfo,
  GitInfo,
  ImportInfo,
  ParentInfo,
} from "../event/payload.ts";
export type { ByteTally, Diagnostic, DiagnosticCode, Report } from "../log/diagnostic.ts";
export { EventParseStream, type EventParseStreamOptions } from "../log/event_parse_stream.ts";
export type { Line } from "../log/line_splitter.ts";
export { type LineBatch, LineStream, type LineStreamOptions } from "../log/line_stream.ts";
export { readEvents, type ReadEventsOptions } from "../log/read_events.ts";
export { type Repair, repairLog } from "../log/repair_log.ts";
export {
  type Conversation,
  conversation,
  type ConversationOptions,
  type ConversationState,
} from "../projection/conversation/conversation.ts";
export type { Finding } from "../projection/projection.ts";
export {
  foldBatches,
  foldEvents,
  type ItemProjection,
  type Projection,
} from "../projection/projection.ts";
export { ProjectionStream } from "../projection/projection.ts";
export type { UsageRow } from "../projection/usage_rows.ts";
export type { SeqRun } from "../projection/seq_runs.ts";
export { summary, type SummaryState } from "../projection/summary.ts";
export type { ThreadSummary } from "../projection/summary_row.ts";
export type { OpenCalls } from "../projection/transcript/call_items.ts";
export {
  transcript,
  type TranscriptOptions,
  type TranscriptState,
} from "../projection/transcript/transcript.ts";
export { loadConversation, type LoadOptions, readTranscript } from "../store/load_session.ts";
export { verifyLog } from "../store/verify_log.ts";
export type { WatchOptions } from "../store/watch_events.ts";
