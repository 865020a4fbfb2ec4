/** The record of the sessions that were pushed, so that only changed ones are asked for. */
import { present } from "../../../core/event/present.ts";
import { sha256 } from "../branch_segments.ts";
import { hasTerms, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import { knownStates, type SyncedSession, type SyncState } from "../state/sync_state.ts";
import type { SharedBranch, SharedForm } from "../team_store.ts";

/** Milliseconds after a change in which a source may change again with the same mtime. */
const SETTLED_MS = 2000;

/** The place of a session without bytes in the store. */
const NOWHERE = { n: 0, len: 0, head: "" };

export function knownSession({ sessions }: SyncState, id: string): SyncedSession | undefined {
  return Object.hasOwn(sessions, id) ? sessions[id] : undefined;
}

/** True for a session that the store has under the terms of its project. */
export function isShared(known: SyncedSession | undefined): known is SyncedSession {
  return known !== undefined && !known.withdrawn && known.shared_as === undefined;
}

/** True if a session's files or settings changed since the last push. */
export function isChanged(
  known: SyncedSession | undefined,
  share: SessionToShare,
): boolean {
  if (isToPush(known, share)) return true;
  // A pull is not told who reads a sealed session, and older programs noted no key: the next push asks.
  return share.form === "sealed" && !known?.withdrawn &&
    (known?.recipients === undefined || known.key === undefined);
}

/** True if the records show that a session has something to push. */
export function isToPush(
  known: SyncedSession | undefined,
  { project, form, state }: SessionToShare,
): boolean {
  if (known === undefined) return true;
  if (known.withdrawn) return false;
  const wanted = project.recipients && recipientsOf(project.recipients, form);
  const { recipients = wanted } = known;
  const same = known.project === project.project && known.form === form &&
    known.visible === project.visible &&
    (wanted === undefined || recipients === wanted);
  return !same || stateOf(state).some((field, index) => field !== known.state[index]);
}

/** True if a session's branch still ends where this machine last left it. */
export function isAtEnd(
  known: SyncedSession | undefined,
  branches: readonly SharedBranch[],
): boolean {
  const branch = branches.find(({ n }) => n === known?.n);
  return branch !== undefined && branch.len === known?.len && branch.head === known.head &&
    !known.behind;
}

/** Makes a pushed session's record: its end in the store, its files before the reading. */
export function pushedRecord(
  share: SessionToShare,
  place: Pick<SyncedSession, "n" | "len" | "head" | "end" | "behind" | "key" | "epoch">,
  now: Date,
): SyncedSession {
  const { form, state } = share;
  const isFresh = form === "copy" && now.getTime() - state.changed < SETTLED_MS;
  return { ...settingsOf(share), state: isFresh ? [] : stateOf(state), ...place };
}

export function withdrawnRecord(share: SessionToShare): SyncedSession {
  const { recipients: _recipients, ...settings } = settingsOf(share);
  return { ...settings, state: [], ...NOWHERE, withdrawn: true };
}

export function otherTermsRecord(
  known: SyncedSession | undefined,
  share: SessionToShare,
  shared_as: SharedForm,
): SyncedSession {
  // Where it ended in the store: nothing of it is to be pulled.
  const { n, len, head, key = null }: Pick<SyncedSession, "n" | "len" | "head" | "key"> = known ??
    NOWHERE;
  return { ...settingsOf(share), shared_as, state: stateOf(share.state), n, len, head, key };
}

function settingsOf(
  { form, project: { project, visible, recipients } }: SessionToShare,
): Pick<SyncedSession, "project" | "form" | "visible" | "recipients"> {
  return present({ project, form, visible, recipients: recipientsOf(recipients, form) });
}

/** Returns the facts of files by which a change is noticed. */
export function stateOf({ size, mtime, ctime, ino, others }: SessionToShare["state"]): number[] {
  return [size, mtime, ctime, ino, others];
}

/** Cache of digests by recipients. All sessions of a project have the same recipients. */
const DIGESTS = new Map<string, string>();

/** Returns a digest of the recipients; undefined if the form is not sealed. */
export function recipientsOf(
  recipients: readonly string[] = [],
  form: SharedForm,
): string | undefined {
  if (form !== "sealed") return undefined;
  const text = [...recipients].sort().join("\n");
  const digest = DIGESTS.get(text) ?? sha256(new TextEncoder().encode(text));
  DIGESTS.set(text, digest);
  return digest;
}

/**
 * Finds sessions that this machine shared under other terms before. They stay as they are in the store,
 * until a push replaces them.
 *
 * @param root The data root. @param shares Sessions with the terms of their projects.
 * @returns Their ids.
 */
export function sharedOtherwise(root: string, shares: readonly SessionToShare[]): string[] {
  const known = knownStates(root).map(({ sessions }) => new Map(Object.entries(sessions)));
  return shares.filter((share) =>
    known.some((sessions) => {
      const one = sessions.get(share.id);
      if (one === undefined || one.withdrawn) return false;
      const { project, form, visible = "team", shared_as } = one;
      return shared_as !== undefined || !hasTerms({ project, form, visible }, termsOf(share));
    })
  ).map(({ id }) => id);
}
