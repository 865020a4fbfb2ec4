/**
 * The same sessions on other machines and with a team: a store of sessions that only grow.
 *
 * @module
 */
export { mirroredEntries, type MirroredQuery } from "./mirrored_entries.ts";
export { findShared, type FoundBranch } from "./find_branch.ts";
export { listShared, type SharedRow } from "./remote_rows.ts";
export type { ConnectOptions } from "./postgres/connect.ts";
export { initTeamStore, upgradeTeamStore } from "./postgres/init_store.ts";
export { openTeamStore } from "./postgres/postgres_store.ts";
export { checkedProjectName, projectId } from "./project_id.ts";
export { acceptBranch, pull, type PullOptions } from "./pull/pull.ts";
export type { PulledDirectory } from "./pull/relink_pulled.ts";
export { push, type PushOptions } from "./push/push.ts";
export type {
  BegunBranch,
  FailedSession,
  OtherTerms,
  PullReport,
  PushReport,
  SyncProgress,
} from "./sync_report.ts";
export { sharedOtherwise } from "./push/known_sessions.ts";
export { type SessionsToShare, sessionsToShare, type SessionToShare } from "./sessions_to_share.ts";
export type { SharedProject, SyncSettings } from "./shared_project.ts";
export {
  type DivergedSession,
  type SessionEnd,
  type StoredSessions,
  type SyncStatus,
  syncStatus,
} from "./sync_status.ts";
export { withdraw } from "./withdraw.ts";
export { machineKey } from "./state/device_key_file.ts";
export { type SharedIn, sharedIn } from "./state/sync_state.ts";
export { passwordFileLine, type StoreAddress, storeAddress } from "./store_address.ts";
export { readSyncSettings, writeSyncSettings } from "./sync_settings.ts";
export type {
  AppendOutcome,
  AppendStatus,
  BranchQuery,
  BranchSignature,
  ClaimOutcome,
  Device,
  Segment,
  SegmentCodec,
  SegmentHash,
  SegmentRange,
  SegmentToAppend,
  SessionClaim,
  SharedBranch,
  SharedForm,
  SharedMark,
  SharedSummary,
  SharedWith,
  SharingTerms,
  StoreGreeting,
  TeamStore,
} from "./team_store.ts";
