/** The record of the sessions that were pushed, so that only changed ones are asked for. */
import { sha256 } from "../chain.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { KnownSession, SyncState } from "../state/sync_state.ts";
import type { SharedBranch, SharedForm } from "../team_store.ts";

/** A source that changed so lately may change again without another time. */
const SETTLED_MS = 2000;

/** Where a session is that has no bytes in the store. */
const NOWHERE = { n: 0, len: 0, head: "" };

/** The remembered sessions of a store. */
export class KnownSessions {
  readonly #state: SyncState;
  /** True where something is remembered that was not before. */
  changed = false;

  constructor(state: SyncState) {
    this.#state = state;
  }

  /** Returns what is remembered of a session. */
  get(id: string): KnownSession | undefined {
    const { sessions } = this.#state;
    return Object.hasOwn(sessions, id) ? sessions[id] : undefined;
  }

  /** True where a session was withdrawn, as far as this machine has heard. */
  isWithdrawn(id: string): boolean {
    return this.get(id)?.withdrawn === true;
  }

  /** True where a session is shared under other terms than its project asks for. */
  hasOtherTerms(id: string): boolean {
    return this.get(id)?.shared_as !== undefined;
  }

  /** True where bytes of a session were in the store when this machine last looked. */
  isShared(id: string): boolean {
    return (this.get(id)?.len ?? 0) > 0;
  }

  /** True where a session's files, or its settings, are not those of the last push. */
  isChanged({ id, project, form, state }: SessionToShare): boolean {
    const known = this.get(id);
    if (known === undefined) return true;
    if (known.withdrawn) return false;
    const same = known.project === project.project && known.form === form &&
      known.visible === project.visible &&
      known.recipients === recipientsOf(project.recipients, form);
    return !same || stateOf(state).some((field, index) => field !== known.state[index]);
  }

  /** True where a branch ends where this machine left it. */
  isAtEnd(id: string, branches: readonly SharedBranch[]): boolean {
    const known = this.get(id);
    const branch = branches.find(({ n }) => n === known?.n);
    return branch !== undefined && branch.len === known?.len && branch.head === known.head &&
      !known.behind;
  }

  /** Remembers where a session ends now, and the state of its files before it was read. */
  keep(
    { id, form, project: { project, visible, recipients }, state }: SessionToShare,
    place: Pick<KnownSession, "n" | "len" | "head" | "end" | "behind">,
    now: Date,
  ): void {
    const names = recipientsOf(recipients, form);
    const isFresh = form === "copy" && now.getTime() - state.changed < SETTLED_MS;
    this.#put(id, {
      ...{ project, form, visible, state: isFresh ? [] : stateOf(state), ...place },
      ...(names === undefined ? {} : { recipients: names }),
    });
  }

  /** Remembers that a session was withdrawn. */
  keepWithdrawn({ id, form, project: { project, visible } }: SessionToShare): void {
    this.#put(id, { project, form, visible, state: [], ...NOWHERE, withdrawn: true });
  }

  /** Remembers that a session is shared under other terms, which stay. */
  keepOtherTerms(share: SessionToShare, shared_as: SharedForm): void {
    const { id, form, state, project: { project, visible, recipients } } = share;
    const names = recipientsOf(recipients, form);
    // Where it ended in the store: nothing of it is to be pulled.
    const { n, len, head } = this.get(id) ?? NOWHERE;
    this.#put(id, {
      ...{ project, form, visible, shared_as, state: stateOf(state), n, len, head },
      ...(names === undefined ? {} : { recipients: names }),
    });
  }

  #put(id: string, known: KnownSession): void {
    this.#state.sessions[id] = known;
    this.changed = true;
  }
}

/** Returns the facts of files that decide whether they changed. */
export function stateOf({ size, mtime, ctime, ino, others }: SessionToShare["state"]): number[] {
  return [size, mtime, ctime, ino, others];
}

/** Names a choice of recipients; undefined where nothing is sealed. */
export function recipientsOf(
  recipients: readonly string[] = [],
  form: SharedForm,
): string | undefined {
  if (form !== "sealed") return undefined;
  return sha256(new TextEncoder().encode([...recipients].sort().join("\n")));
}
