/**
 * Reprise stores the sessions of coding agents. Each session is one append-only log; transcript,
 * conversation and summary are derived from it.
 *
 * @example Keep a session, and get back what the model needs next
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await Deno.makeTempDir();
 * const store = openStore({ root });
 * const session = store.create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Hello" } });
 * await session.append({ kind: "assistant_message", payload: { content: "Hi!" } });
 * await session.finish();
 *
 * const { messages } = await store.load(session.id);
 * assert.equal(messages.length, 2);
 * await Deno.remove(root, { recursive: true });
 * ```
 *
 * @module
 */
export { contentFor, outputText, textFor } from "./lib/event/audience.ts";
export { decodeEvent, ENVELOPE_VERSION, MAX_DEPTH } from "./lib/event/decode.ts";
export { encodeEvent } from "./lib/event/encode.ts";
export type * from "./lib/event/envelope.ts";
export * from "./lib/event/message.ts";
export type * from "./lib/event/payload.ts";
export { type CallInput, parseCallInput } from "./lib/event/call_input.ts";
export { parseExact, type ParseExactOptions } from "./lib/event/exact_json.ts";
export { ExactNumber } from "./lib/event/exact_number.ts";
export { EVENT_KINDS, isEventKind } from "./lib/event/policy.ts";
export * from "./lib/event/session_error.ts";
export type { OpenRegularOptions } from "./lib/file/regular_file.ts";
export { readShortFile } from "./lib/file/short_file.ts";
export type { ByteRange } from "./lib/log/byte_source.ts";
export * from "./lib/log/diagnostic.ts";
export * from "./lib/log/event_parse_stream.ts";
export * from "./lib/log/input_lines.ts";
export { type Line, MAX_LINE_BYTES } from "./lib/log/line_splitter.ts";
export * from "./lib/log/line_stream.ts";
export * from "./lib/log/read_events.ts";
export * from "./lib/log/repair_log.ts";
export type { ChangedFile } from "./lib/projection/changed_file.ts";
export {
  type Conversation,
  conversation,
  type ConversationOptions,
  type ConversationState,
} from "./lib/projection/conversation/conversation.ts";
export type { CallItem, OpenCalls } from "./lib/projection/transcript/open_calls.ts";
export type { Finding, FindingCode } from "./lib/projection/finding.ts";
export {
  fromMessages,
  type FromMessagesOptions,
  plainMessages,
} from "./lib/shape/from_messages.ts";
export * from "./lib/shape/message_shape.ts";
export * from "./lib/shape/message_shaper.ts";
export type { OpenStep, TrajectoryState } from "./lib/projection/open_steps.ts";
export {
  NOT_RUN_OUTPUT,
  pairCalls,
  UNSETTLED_OUTPUT,
} from "./lib/projection/conversation/paired_messages.ts";
export * from "./lib/projection/projection.ts";
export * from "./lib/projection/projection_stream.ts";
export type { SeqRun } from "./lib/projection/seq_runs.ts";
export {
  type ChangeItem,
  type CommonPart,
  type DiffPart,
  diffSessions,
  type FilesPart,
  type ShortItem,
  type ShortPart,
  shortPart,
  type ShortTurn,
  type TurnPart,
} from "./lib/projection/session_diff.ts";
export type {
  AiSdkFilePart,
  AiSdkJson,
  AiSdkMessage,
  AiSdkOutputPart,
  AiSdkProviderOptions,
  AiSdkReasoningPart,
  AiSdkRequest,
  AiSdkTextPart,
  AiSdkToolCallPart,
  AiSdkToolOutput,
  AiSdkToolResultPart,
} from "./lib/shape/providers/ai_sdk.ts";
export type {
  AiSdkUiMessage,
  AiSdkUiPart,
  AiSdkUiRequest,
  AiSdkUiToolPart,
} from "./lib/shape/providers/ai_sdk_ui.ts";
export type {
  AgentsContentPart,
  AgentsItem,
  AgentsRequest,
} from "./lib/shape/providers/openai_agents.ts";
export type {
  AnthropicAssistantBlock,
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicImageType,
  AnthropicMessage,
  AnthropicOutputBlock,
  AnthropicRedactedThinkingBlock,
  AnthropicRequest,
  AnthropicTextBlock,
  AnthropicThinkingBlock,
  AnthropicToolResultBlock,
  AnthropicToolUseBlock,
  AnthropicUserBlock,
} from "./lib/shape/providers/anthropic.ts";
export type {
  BedrockBlock,
  BedrockImageFormat,
  BedrockJson,
  BedrockMessage,
  BedrockRequest,
  BedrockToolResult,
} from "./lib/shape/providers/bedrock.ts";
export type { GeminiContent, GeminiPart, GeminiRequest } from "./lib/shape/providers/gemini.ts";
export type { Amendment, KeptData } from "./lib/shape/kept/kept.ts";
export type { ResponseFacts } from "./lib/shape/kept/piece.ts";
export type {
  ResponsesContentPart,
  ResponsesItem,
  ResponsesRequest,
} from "./lib/shape/providers/openai_responses.ts";
export type { ShapedRequests } from "./lib/shape/shapes.ts";
export type {
  OpenAiAssistantMessage,
  OpenAiContentPart,
  OpenAiMessage,
  OpenAiRequest,
  OpenAiSystemMessage,
  OpenAiToolCall,
  OpenAiToolMessage,
  OpenAiUserMessage,
} from "./lib/shape/providers/openai.ts";
export { type LogSummary, summary, type SummaryState } from "./lib/projection/summary.ts";
export type * from "./lib/projection/summary_row.ts";
export { trajectory } from "./lib/projection/trajectory.ts";
export type {
  TrajectoryCall,
  TrajectoryMetrics,
  TrajectoryResult,
  TrajectoryStep,
} from "./lib/projection/trajectory_step.ts";
export * from "./lib/projection/transcript/transcript.ts";
export type * from "./lib/projection/transcript/transcript_item.ts";
export type { ResponseUsage, UsageOptions, UsageState } from "./lib/projection/response_usage.ts";
export * from "./lib/projection/usage.ts";
export { type RedactionFinding, Redactor, type RedactorOptions } from "./lib/redaction/redactor.ts";
export type { EmptyTrashOptions } from "./lib/session/trash/empty_trash.ts";
export type { ForkedSession, ForkOptions } from "./lib/session/copy/fork_session.ts";
export type { ImportedSession, ImportSource } from "./lib/session/import/import_session.ts";
export type { Alterations } from "./lib/session/import/imported_events.ts";
export type { Leftover } from "./lib/session/trash/leftover.ts";
export type { ListOptions } from "./lib/session/list_sessions.ts";
export { loadConversation, type LoadOptions, readTranscript } from "./lib/session/load_session.ts";
export type { MergedSession, MergeOptions } from "./lib/session/copy/merge_sessions.ts";
export type {
  PrunedSession,
  PruneOptions,
  PruneReport,
} from "./lib/session/trash/prune_sessions.ts";
export * from "./lib/source/ref.ts";
export { findResumePoint, type ResumePoint } from "./lib/session/resume_point.ts";
export type { Appended, Durability } from "./lib/session/appended.ts";
export { Session } from "./lib/session/session.ts";
export type { CompactOptions } from "./lib/session/session_parts.ts";
export type {
  CallResult,
  ModelAnswer,
  ResponseCall,
  ResponseMeta,
  Turn,
} from "./lib/session/turn.ts";
export type {
  SentConversation,
  SentMessage,
  SentOptions,
} from "./lib/projection/conversation/running_conversation.ts";
export { examineStore, type StoreProblem } from "./lib/session/examine_store.ts";
export type { SessionFolder } from "./lib/session/session_folder.ts";
export { memoryStore, type MemoryStoreOptions } from "./lib/session/memory_store.ts";
export type {
  CreateOptions,
  ForkAtOptions,
  LoadedSession,
  ReadConversationOptions,
  Store,
} from "./lib/session/store.ts";
export { openStore } from "./lib/session/open_store.ts";
export { type Recorded, SessionStore, type StoreOptions } from "./lib/session/session_store.ts";
export type { SourceState } from "./lib/session/import/source_state.ts";
export type { CopySource } from "./lib/session/copy/survey_log.ts";
export type { RestoredSession, TrashEntry } from "./lib/session/trash/trash.ts";
export type { Tombstone } from "./lib/session/trash/trash_record.ts";
export { verifyLog } from "./lib/session/verify_log.ts";
export type { WatchOptions } from "./lib/session/watch_events.ts";
export type { WrittenSession } from "./lib/session/copy/write_session.ts";
export { gitBranch } from "./lib/workspace/git_branch.ts";
