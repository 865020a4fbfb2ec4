/** The state of a push, and the facts about its sessions. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import type { ProjectPlace } from "../objects/object_keys.ts";
import type { Team } from "../open_team.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { SyncSettings } from "../shared_project.ts";
import { knownSession, type SyncState } from "../state/sync_state.ts";
import type { PushReport } from "../sync_report.ts";

export interface PushRun {
  library: Library;
  team: Team;
  state: SyncState;
  settings: SyncSettings;
  report: PushReport;
  /** The projects whose heads must be written. */
  changed: Set<string>;
  now: Date;
}

export function isChanged(state: SyncState, { id, project, state: seen }: SessionToShare): boolean {
  const known = knownSession(state, id);
  if (known === undefined) return true;
  if (known.withdrawn) return false;
  return known.project !== project.project ||
    stateOf(seen).some((field, index) => field !== known.state[index]);
}

export function stateOf({ size, mtime, ctime, ino, others }: SessionToShare["state"]): number[] {
  return [size, mtime, ctime, ino, others];
}

export class RefusedProject extends SessionError {}

export function placeIn({ team, settings }: PushRun, project: string): ProjectPlace {
  return { owner: team.owner, device: settings.device.id, project };
}
