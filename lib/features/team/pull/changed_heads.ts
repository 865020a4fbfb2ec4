/** The branches that changed in the store since the last pull. */
import { isAtEnd, knownSession } from "../push/known_sessions.ts";
import type { SyncState } from "../state/sync_state.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { type MirrorNote, mirrorPlace, readMirrorNote } from "./mirror.ts";
import { isTrusted, type Trust } from "./trust.ts";

export interface ChangedHeads {
  /** All branches that may have changed. */
  heads: readonly SharedBranch[];
  /** Branches that this machine lacks in part or whole. */
  changed: readonly SharedBranch[];
  /** The user's pulled sessions, unsigned by trusted machines. They wait for consent. */
  untrusted: readonly SharedBranch[];
}

interface WantedHeads {
  /** The full id of the only session to pull. */
  session?: string;
  /** The ids of the only projects to pull. @default {all that may be read} */
  projects?: readonly string[];
}

interface HeadMeans {
  store: TeamStore;
  state: SyncState;
  root: string;
  trust: Trust;
}

export async function changedHeads(
  means: HeadMeans,
  { session, projects }: WantedHeads = {},
): Promise<ChangedHeads> {
  const { store, state, root, trust } = means;
  const heads = session === undefined
    ? await wantedHeads(store, state.waiting, projects)
    : await store.branches({ sessions: [session] });
  const changed: SharedBranch[] = [];
  const untrusted: SharedBranch[] = [];
  for (const branch of heads) {
    if (branch.is_partial || isHere(branch, state)) continue;
    const note = noteOf(branch, state, root);
    if (note === undefined || note.is_untrusted && isTrusted(trust, branch)) changed.push(branch);
    else if (note.is_untrusted) untrusted.push(branch);
  }
  return { heads, changed, untrusted };
}

async function wantedHeads(
  store: TeamStore,
  waiting: readonly string[],
  projects: readonly string[] | undefined,
): Promise<readonly SharedBranch[]> {
  if (projects === undefined) return await store.branches();
  const heads: SharedBranch[] = [];
  for (const project of new Set(projects)) {
    // There may be more than a call has arguments.
    for (const one of await store.branches({ project })) heads.push(one);
  }
  if (waiting.length === 0) return heads;
  const known = new Set(heads.map(branchKey));
  const late = await store.branches({ sessions: waiting });
  return [...heads, ...late.filter((branch) => !known.has(branchKey(branch)))];
}

function branchKey({ owner, session, n }: SharedBranch): string {
  return JSON.stringify([owner, session, n]);
}

/** True if a session on this machine has all of a branch of the user. */
function isHere(branch: SharedBranch, state: SyncState): boolean {
  if (branch.len === 0) return true;
  return branch.owner === state.owner && isAtEnd(knownSession(state, branch.session), [branch]);
}

/** Returns the note of a branch's mirror; undefined if it does not reach the branch's end. */
function noteOf(branch: SharedBranch, state: SyncState, root: string): MirrorNote | undefined {
  const note = readMirrorNote(root, mirrorPlace(branch, state));
  return note?.len === branch.len && note.head === branch.head ? note : undefined;
}
