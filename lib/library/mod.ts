/**
 * Every session on this machine behind one handle. Sessions of Reprise and of other agents are
 * found, listed, read, imported and backed up.
 *
 * @example List what there is, and read one
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * for (const entry of (await library.query({ limit: 10 })).entries) {
 *   const session = await entry.open();
 *   const { messages } = await session.conversation();
 *   assert.ok(messages.length >= 0);
 * }
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export { AGENT_NAMES, type AgentName } from "../core/event/agent_name.ts";
export type {
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  AgentSummaryOptions,
  AgentTailOptions,
  AgentThreadsOptions,
  AgentWatchOptions,
  SourceAccount,
  ThreadEvents,
} from "../agents/contract/agent.ts";
export type { AgentEnvironment } from "../agents/contract/agent_environment.ts";
export { annotate, type Annotation } from "./handle/annotate.ts";
export type { RefPlace } from "../core/store/ref.ts";
export type { SessionTail } from "./handle/session_tail.ts";
export type { ResumeCommand } from "../agents/contract/resume_command.ts";
export type { SessionThread } from "../core/projection/session_thread.ts";
export {
  importHandle,
  type ImportOptions,
  type ImportOutcome,
} from "./handle/import/import_handle.ts";
export { Library, type LibraryOptions, openLibrary, type OpenOptions } from "./library.ts";
export type { FoundSessions, QueryOptions, Scope, SessionEntry } from "./query/query.ts";
export type { LibraryPlace } from "./catalogue/library_place.ts";
export type { LookUpOptions } from "./handle/import/look_up.ts";
export type { OnProgress } from "./handle/read_progress.ts";
export type { SealKeySource } from "./machine/sealed/find_sealed.ts";
export { loadPrices, type LoadPricesOptions, type Prices } from "./counts/usage/load_prices.ts";
export type { SessionRowsOptions } from "./counts/usage/usage_sums.ts";
export { usageOf, type UsageOfOptions } from "./query/usage_of.ts";
export type { SeenState, SessionState } from "./catalogue/session_state.ts";
export type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
export type { SessionContext } from "../core/projection/context.ts";
export type { Estimate, PricedTokens } from "../core/projection/priced_tokens.ts";
export {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageGrouping,
  type UsageTotal,
  UsageTotals,
} from "../core/projection/usage_totals.ts";
export type { CostSum } from "../core/projection/cost_sum.ts";
export {
  type RunningOptions,
  type RunningSession,
  RunningSessions,
} from "./running/running_sessions.ts";
export type { Activity } from "../core/projection/activity.ts";
export type { Attention, Wait } from "../core/projection/attention.ts";
export { SessionHandle, type SessionReadOptions } from "./handle/session_handle.ts";
export type { Spent } from "./counts/usage/usage_sums.ts";
